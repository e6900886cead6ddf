import Foundation
import Testing

/// Who may import whom: README, "How it is built". Every import points down.
@Suite struct ImportTests {
  static let table: [String: Set<String>] = [
    // Values
    "SurfWire": [], "JSONTree": [],
    "SurfStore": ["Glibc", "Synchronization"],
    // Machines
    "SurfTransport": ["SurfWire"],
    "SurfTimeline": ["SurfWire", "JSONTree", "SurfStore"],
    // Drivers
    "SurfSockets": ["CSurfSockets", "Glibc", "Synchronization"],
    "SurfDiscovery": ["CDNSSD", "Glibc", "Synchronization"],
    "SurfNetwork": ["SurfTransport", "SurfWire", "SurfSockets", "SurfDiscovery", "Glibc"],
    // Features
    "StateSurf": [
      "SurfStore", "SurfNetwork", "SurfWire", "Foundation", "Dispatch", "Synchronization",
    ],
    "SurfTerminal": [
      "SurfNetwork", "SurfTimeline", "SurfWire", "JSONTree", "SurfSockets", "SurfDiscovery",
      "Foundation", "Dispatch", "Glibc", "Synchronization",
    ],
    // Programs
    "SurfCommand": ["SurfTerminal", "Foundation", "Glibc"],
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
    for match in manifest.matches(of: #/module\("(\w+)", \[([^\]]*)\]/#) {
      let names = match.2.split(separator: ",").map {
        $0.trimmingCharacters(in: CharacterSet(charactersIn: " \"\n"))
      }
      let allowed = try #require(Self.table[String(match.1)])
      #expect(Set(names.filter { !$0.isEmpty }).subtracting(allowed) == [], "\(match.1)")
    }
  }
}
