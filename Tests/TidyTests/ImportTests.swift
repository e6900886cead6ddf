import Foundation
import Testing

/// Who may import whom: README, "How it is built". Every import points down.
@Suite struct ImportTests {
  static let table: [String: Set<String>] = [
    // Values
    "SurfWire": [], "JSONTree": [], "JSONTools": ["JSONTree"],
    "SurfStore": ["Glibc", "Synchronization"],
    "SurfControl": ["JSONTree", "FoundationEssentials"], "MirrorJSON": ["Foundation"],
    "SurfDelta": [],
    // Machines
    "SurfTransport": ["SurfWire"],
    "SurfReceiving": ["SurfTransport", "SurfWire", "SurfDelta"],
    "SurfTimeline": ["SurfWire", "SurfDelta", "JSONTree", "SurfStore"],
    "SurfHTTP": [], "WebSocket": ["SurfHTTP"],
    "SocketIO": ["JSONTree", "JSONTools"], "SocketCluster": ["JSONTree"],
    "ReduxDevTools": ["JSONTree", "JSONTools", "SurfControl", "SurfTimeline", "SurfWire"],
    "RelayClient": ["JSONTree", "SocketCluster", "SocketIO", "SurfHTTP", "WebSocket"],
    // Drivers
    "SurfSockets": ["CSurfSockets", "Glibc", "Synchronization"],
    "SurfStreams": ["SurfSockets", "CSurfSockets", "Glibc", "Synchronization"],
    "SurfDiagnosis": ["SurfSockets", "Glibc"],
    "SurfDiscovery": ["CDNSSD", "Glibc", "Synchronization"],
    "SurfNetwork": ["SurfTransport", "SurfWire", "SurfSockets", "SurfDiscovery", "Glibc"],
    "SurfObserver": [
      "SurfNetwork", "SurfReceiving", "SurfTransport", "SurfWire", "SurfSockets", "SurfDiscovery",
    ],
    // Features
    "StateSurf": ["SurfLive", "SurfStore", "FoundationEssentials"],
    "SurfLive": [
      "SurfStore", "SurfNetwork", "SurfSockets", "SurfWire", "SurfDelta", "SurfControl", "JSONTree",
      "FoundationEssentials", "Dispatch", "Glibc", "Synchronization",
    ],
    "DevTools": [
      "SurfStore", "JSONTree", "JSONTools", "MirrorJSON", "SurfControl", "ReduxDevTools",
      "RelayClient", "SurfSockets", "SurfStreams", "SurfDiscovery", "Foundation", "Glibc",
      "Synchronization",
    ],
    "SurfTerminal": [
      "SurfNetwork", "SurfObserver", "SurfTimeline", "SurfWire", "SurfControl", "ReduxDevTools",
      "JSONTree", "JSONTools", "SurfSockets", "SurfDiagnosis", "SurfDiscovery", "Foundation",
      "Dispatch",
      "Glibc", "Synchronization",
    ],
    "SurfGateway": [
      "ReduxDevTools", "RelayClient", "SocketCluster", "SocketIO", "SurfHTTP", "WebSocket",
      "JSONTree", "SurfNetwork", "SurfObserver", "SurfSockets", "SurfStreams", "SurfDiscovery",
      "SurfWire",
    ],
    // Programs
    "SurfCommand": [
      "SurfTerminal", "SurfGateway", "RelayClient", "SurfObserver", "SurfStreams", "Foundation",
      "Glibc",
    ],
  ]
  static let demo: Set<String> = [
    "StateSurf", "SurfStore", "DemoSupport", "Foundation", "Dispatch", "Glibc", "Synchronization",
  ]

  @Test(arguments: try Repository.swiftFiles(in: "Sources"))
  func aSourceImportsWhatItsModuleMay(file: Repository.File) throws {
    let allowed = try #require(Self.table[file.module], "a module that is not in the table")
    #expect(Set(file.imports).subtracting(allowed) == [])
  }

  @Test(arguments: try Repository.swiftFiles(in: "Demo"))
  func aDemoImportsWhatItsUsersWould(file: Repository.File) {
    #expect(Set(file.imports).subtracting(Self.demo) == [])
  }

  @Test func theManifestKnowsNoPackageAndNoDependencyThatTheTableHasNot() throws {
    let manifest = try Repository.text("Package.swift")
    #expect(!manifest.contains(".package("))
    for match in manifest.matches(of: #/(\w+)\(\s*"(\w+)",(?: at: "([^"]*)",)? \[([^\]]*)\]/#)
    where ["module", "program"].contains(match.1) && match.3?.hasPrefix("Tests/") != true {
      let names = match.4.split(separator: ",").map {
        $0.trimmingCharacters(in: CharacterSet(charactersIn: " \"\n"))
      }
      let isDemo = match.3?.hasPrefix("Demo/") == true
      let allowed = isDemo ? Self.demo : try #require(Self.table[String(match.2)])
      #expect(Set(names.filter { !$0.isEmpty }).subtracting(allowed) == [], "\(match.2)")
    }
  }

  /// SwiftPM links every object of every module that a program's closure names: what only a viewer
  /// needs would be in every app.
  @Test func anAppIsNotMadeOfWhatOnlyAViewerNeeds() {
    var closure: Set<String> = []
    var found: Set<String> = ["StateSurf"]
    while let module = found.popFirst() {
      closure.insert(module)
      found.formUnion(Self.table[module, default: []].subtracting(closure))
    }
    #expect(closure.isSuperset(of: ["SurfLive", "SurfNetwork", "SurfTransport", "SurfWire"]))
    let viewers: Set = [
      "SurfReceiving", "SurfObserver", "SurfStreams", "SurfDiagnosis", "SurfTimeline", "JSONTools",
    ]
    #expect(closure.intersection(viewers) == [])
    #expect(viewers.isSubset(of: Self.table.keys))
  }

  @Test func theTableHasNoModuleThatTheSourcesHaveNot() throws {
    let modules = Set(try Repository.swiftFiles(in: "Sources").map(\.module))
    #expect(Set(Self.table.keys) == modules)
  }

  @Test(arguments: [
    ("import Glibc", "Glibc"), ("public import SurfWire", "SurfWire"),
    ("@_exported import struct Foundation.Data", "Foundation"),
    ("  @preconcurrency internal import Dispatch", "Dispatch"), ("// import Glibc", nil),
    ("let text = \"import Glibc\"", nil),
  ])
  func anImportIsFoundInEveryForm(line: String, module: String?) {
    #expect(Repository.File(path: "Sources/X/Y.swift", lines: [line]).imports.first == module)
  }
}
