import Foundation
import Testing

/// The import rules: the table in Package.swift. Every import points down, or stays on its floor.
@Suite struct ImportTests {
  /// A module's imports from the toolchain, apart from the standard library.
  static let toolchain: [String: Set<String>] = [
    "SurfControl": ["FoundationEssentials"],
    // For memchr alone, which a debug build does not slow down.
    "Redaction": ["Glibc", "Musl"],
    "ValueCoding": ["FoundationEssentials", "Synchronization"],
    "MirrorJSON": ["FoundationEssentials"], "SurfValues": ["Foundation", "FoundationEssentials"],
    "SurfThreads": ["Darwin", "Glibc", "Musl", "Synchronization"],
    "SurfStore": ["Glibc", "Synchronization"],
    "SwiftRexStyle": ["Dispatch", "Glibc", "Observation", "Synchronization"],
    "SurfPersistence": ["FoundationEssentials", "Glibc"],
    "SwiftyState": ["FoundationEssentials"], "SurfSockets": ["Glibc"],
    "SurfStreams": ["Glibc", "Synchronization"],
    "SurfDiscovery": ["Glibc"], "SurfCipher": ["Glibc"], "SurfNetwork": ["Glibc"],
    "StateSurf": ["Foundation", "FoundationEssentials", "Observation", "Synchronization"],
    "SurfLive": ["FoundationEssentials", "Glibc", "Synchronization"],
    "DevTools": ["Foundation", "Glibc", "Synchronization"],
    "DebuggerDriver": ["Glibc"], "StateSurfDebugger": ["FoundationEssentials", "Glibc"],
    "SurfTerminal": ["FoundationEssentials", "Glibc", "Synchronization"], "SurfGateway": ["Glibc"],
    "SurfCommand": ["Glibc"],
  ]
  private static let ofC: Set = ["CDNSSD", "CSurfSystem", "CSurfTTY"]
  static let floors = ["Values", "Machines", "Drivers", "Features", "Compatibility", "Programs"]

  struct Module {
    let floor: String
    let dependencies: Set<String>
  }

  /// For all Swift modules in `Sources`.
  static let table: [String: Module] = {
    var table: [String: Module] = [:]
    let words = ["value", "machine", "driver", "feature", "compatibility", "program"]
    for match in manifest.matches(
      of: #/(\w+)\(\s*"(\w+)"(?:, at: "([^"]*)")?(?:,\s*\[([^\]]*)\])?(?:, live: \[([^\]]*)\])?\)/#)
    {
      guard let floor = words.firstIndex(of: String(match.1)) else { continue }
      guard match.3?.hasPrefix("Sources/") ?? true else { continue }
      table[String(match.2)] = Module(
        floor: floors[floor], dependencies: names(match.4).union(names(match.5)))
    }
    return table
  }()

  private static let manifest = (try? Repository.text("Package.swift")) ?? ""

  private static func names(_ list: Substring?) -> Set<String> {
    Set((list ?? "").matches(of: #/"(\w+)"/#).map { String($0.1) })
  }

  static let demo: Set<String> = [
    "StateSurf", "StateSurfDebugger", "SurfStore", "SwiftRexStyle", "DemoSupport", "Foundation",
    "Dispatch", "Glibc", "Observation", "Synchronization",
  ]

  @Test(arguments: try Repository.swiftFiles(in: "Sources"))
  func aSourceImportsWhatItsModuleMay(file: Repository.File) throws {
    let module = try #require(Self.table[file.module], "a module that is not in the table")
    #expect(file.floor == module.floor)
    let allowed = module.dependencies.union(Self.toolchain[file.module, default: []])
    #expect(Set(file.imports).subtracting(allowed) == [])
  }

  /// Apps also compile where neither glibc nor FoundationEssentials is, without `Live`.
  @Test func whatAnAppImportsNeedsNoLinux() throws {
    let files = try Repository.swiftFiles(in: "Sources").filter {
      ["SurfValues", "SurfThreads", "SurfStore", "StateSurf"].contains($0.module)
    }
    #expect(files.count > 20)
    let bound: Set = ["Glibc", "Musl", "Darwin", "Foundation", "FoundationEssentials"]
    for file in files where file.lines.first != "#if canImport(Glibc)" {
      var isChosen = false
      for line in file.lines {
        let names = Repository.File(path: file.path, lines: [line]).imports
        #expect(bound.isDisjoint(with: names) || isChosen, "\(file.path): \(line)")
        if line.contains(#/^ *#if /#) { isChosen = line.contains("canImport(") }
        if line.contains("#endif") { isChosen = false }
      }
    }
  }

  @Test(arguments: try Repository.swiftFiles(in: "Demo"))
  func aDemoImportsWhatItsUsersWould(file: Repository.File) {
    #expect(Set(file.imports).subtracting(Self.demo) == [])
  }

  @Test func theManifestKnowsNoPackage() {
    #expect(Self.table.count > 25)
    #expect(!Self.manifest.contains(".package("))
  }

  @Test(arguments: Self.floors)
  func theFloorsAreDescribedAsTheyAre(floor: String) throws {
    let text = try Repository.text("Sources/README.md")
    let section = try #require(text.components(separatedBy: "\n## \(floor)\n").dropFirst().first)
    let rows = section.prefix(upTo: section.firstRange(of: "\n## ")?.lowerBound ?? section.endIndex)
      .matches(of: #/\| `(\w+)` \|/#).map { String($0.1) }
    let modules = Self.table.filter { $0.value.floor == floor }.map(\.key)
    #expect(Set(rows).subtracting(Self.ofC) == Set(modules))
  }

  @Test func everyThreadIsDescribed() throws {
    let text = try Repository.text("Sources/README.md")
    let names = Set(
      try Repository.swiftFiles(in: "Sources").flatMap(\.lines)
        .flatMap { $0.matches(of: #/"((?:statesurf|surf)-[a-z]+)"/#).map { String($0.1) } }
    )
    .union(["StateSurf", "signals"])
    #expect(names.contains("surf-resets"))
    for name in names { #expect(text.contains("`\(name)`"), "\(name)") }
  }

  /// Modules in C have no dependencies, and are drivers. What exists for compatibility is beside the
  /// features: it needs none of them, and nothing needs it.
  @Test func noDependencyPointsUp() throws {
    let features = try #require(Self.floors.firstIndex(of: "Features"))
    for (name, module) in Self.table {
      let floor = try #require(Self.floors.firstIndex(of: module.floor))
      for dependency in module.dependencies where !Self.ofC.contains(dependency) {
        let other = try #require(Self.table[dependency], "\(name) needs \(dependency)")
        let below = try #require(Self.floors.firstIndex(of: other.floor))
        #expect(below <= floor, "\(name) needs \(dependency)")
        // The inside of one feature is a module of its own, as it can be left out; and a debugger of
        // what that records is one that apps need not link.
        let isInside =
          (name, dependency) == ("StateSurf", "SurfLive")
          || name == "StateSurfDebugger" && ["StateSurf", "SurfLive"].contains(dependency)
        let isAlone = ["Features", "Compatibility"].contains(module.floor)
        #expect(!isAlone || below < features || isInside, "\(name), \(dependency)")
        #expect(other.floor != "Compatibility", "\(name) needs \(dependency)")
      }
    }
  }

  /// SwiftPM links every object of every module that a program's closure names: what only a viewer
  /// needs would be in every app.
  @Test func anAppIsNotMadeOfWhatOnlyAViewerNeeds() {
    var closure: Set<String> = []
    var found: Set<String> = ["StateSurf"]
    while let module = found.popFirst() {
      closure.insert(module)
      found.formUnion(Self.table[module]?.dependencies.subtracting(closure) ?? [])
    }
    #expect(closure.isSuperset(of: ["SurfLive", "SurfNetwork", "SurfTransport", "SurfWire"]))
    let viewers: Set = [
      "SurfReceiving", "SurfObserver", "SurfStreams", "SurfTimeline", "JSONTools",
      "DebuggerDriver", "SurfDebugger", "TerminalScreen",
    ]
    #expect(closure.intersection(viewers) == [])
    #expect(viewers.isSubset(of: Self.table.keys))
  }

  @Test func theTableHasTheModulesThatTheSourcesHave() throws {
    let modules = Set(try Repository.swiftFiles(in: "Sources").map(\.module))
    #expect(Set(Self.table.keys) == modules)
  }

  /// A module's tests have its name. Some ask what no module can be asked alone.
  @Test func testsMirrorTheSources() throws {
    let tests = Set(try Repository.swiftFiles(in: "Tests/Unit").map(\.module))
    let ofAll: Set = ["DemoTests", "EdgeTests", "SurfingTests", "TidyTests"]
    #expect(tests.isSuperset(of: ofAll))
    #expect(tests.subtracting(ofAll).subtracting(Self.table.keys.map { "\($0)Tests" }) == [])
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
