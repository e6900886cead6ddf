import DebuggerDriver
import Foundation
import Testing

/// Files that the debugger finds or makes for a person.
@Suite struct PersonFileTests {
  @Test func `a source is looked for where projects have theirs`() {
    let place = SourcePlace("Todo/Main.swift:42")
    #expect(place.path == "Todo/Main.swift" && place.line == 42)
    let folders = [".", "/src"]
    for path in ["./Todo/Main.swift", "/src/Sources/Todo/Main.swift", "/src/Main.swift"] {
      #expect(place.file(in: folders) { $0 == path } == path)
    }
    #expect(place.file(in: folders) { _ in false } == nil)
    #expect(SourcePlace("/abs.swift:7").file(in: []) { _ in true } == "/abs.swift")
    #expect(SourcePlace("+!rm:-5").line == 1)
    #expect(SourcePlace("-x").file(in: ["."]) { _ in true } == "./-x")
    #expect(SourcePlace("").file(in: ["."]) { _ in true } == nil)
  }

  @Test func `names are those of the folder, and folders end with a slash`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "statesurf-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder.appending(path: "states"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in ["state.json", ".hidden", "other"] {
      try Data().write(to: folder.appending(path: name))
    }
    let found = FolderNames.beginning(with: folder.path + "/state").sorted()
    #expect(found == ["state.json", "states/"])
    #expect(FolderNames.beginning(with: folder.path + "/").count == 4)
    #expect(FolderNames.beginning(with: folder.path + "/none/x") == [])
  }

  @Test func `what is put aside only its owner can read`() throws {
    let path = try PrivateFile.write([0x61], suffix: ".json")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600 && path.hasSuffix(".json"))
    #expect(try Data(contentsOf: URL(filePath: path)) == Data([0x61]))
  }
}
