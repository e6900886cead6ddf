import Foundation
import SurfTerminal
import Testing

/// Paths that lead to something other than a plain new file, and the file after a write.
@Suite struct FileKindTests {
  private let directory: String
  private let path: String
  private let old = Array("old".utf8)
  private let new = Array(repeating: UInt8(7), count: 100_000)

  init() throws {
    directory = NSTemporaryDirectory() + "statesurf-\(UUID().uuidString)"
    path = directory + "/state"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  private func finish() throws { try FileManager.default.removeItem(atPath: directory) }

  private func bytes(_ path: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path).map(Array.init)
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: directory).sorted() }
  }

  @Test(arguments: [mode_t(0o600), 0o644, 0o400, 0o4751, 0o666])
  func aFileKeepsItsModeAndOwner(mode: mode_t) throws {
    try StateFile.write(old, to: path)
    // Only root can give a file away; for all others it stays their own.
    let owner: uid_t = geteuid() == 0 ? 12_345 : geteuid()
    #expect(chown(path, owner, getegid()) == 0)
    #expect(chmod(path, mode) == 0)
    guard access(path, W_OK) == 0 else {
      #expect(throws: Failure.self) { try StateFile.write(new, to: path) }
      #expect(bytes(path) == old)
      return try finish()
    }
    try StateFile.write(new, to: path)
    var facts = stat()
    #expect(stat(path, &facts) == 0)
    #expect(facts.st_mode & 0o7777 == mode)
    #expect(facts.st_uid == owner)
    #expect(bytes(path) == new)
    try finish()
  }

  @Test(arguments: [true, false])
  func aLinkStaysALink(dangling: Bool) throws {
    let files = FileManager.default
    try files.createDirectory(atPath: directory + "/deep", withIntermediateDirectories: false)
    if !dangling { try StateFile.write(old, to: path) }
    // Relative to where the link is, and by way of another.
    try files.createSymbolicLink(
      atPath: directory + "/deep/one", withDestinationPath: "../two")
    try files.createSymbolicLink(atPath: directory + "/two", withDestinationPath: path)
    try StateFile.write(new, to: directory + "/deep/one")
    #expect(bytes(path) == new)
    #expect(try files.destinationOfSymbolicLink(atPath: directory + "/deep/one") == "../two")
    #expect(try names == ["deep", "state", "two"])
    try finish()
  }

  @Test func linksInACircleAreAnError() throws {
    for (link, target) in [("a", "b"), ("b", "a")] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(directory)/\(link)", withDestinationPath: target)
    }
    let failure = #expect(throws: Failure.self) { try StateFile.write(new, to: directory + "/a") }
    #expect(failure?.what.contains("symbolic links") == true)
    try finish()
  }

  @Test func aFIFOTakesTheBytesAndStays() throws {
    #expect(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDWR | O_NONBLOCK)
    defer { close(reader) }
    try StateFile.write(old, to: path)
    var taken = [UInt8](repeating: 0, count: 10)
    #expect(read(reader, &taken, 10) == old.count)
    #expect(Array(taken.prefix(old.count)) == old)
    var facts = stat()
    #expect(stat(path, &facts) == 0)
    #expect(facts.st_mode & S_IFMT == S_IFIFO)
    try finish()
  }

  @Test(arguments: ["", "/", "/no/where", "/state/", "/new/"])
  func whatIsNoFileIsAnErrorAndLeavesNothing(suffix: String) throws {
    try StateFile.write(old, to: path)
    #expect(throws: Failure.self) { try StateFile.write(new, to: directory + suffix) }
    #expect(try names == ["state"])
    #expect(bytes(path) == old)
    try finish()
  }

  @Test(arguments: ["state", String(repeating: "ä", count: 127)])
  func whatAKilledRunLeftIsCleared(name: String) throws {
    let part = ".\(name.prefix(100)).statesurf-part"
    try Data(old).write(to: URL(fileURLWithPath: "\(directory)/\(part)"))
    try StateFile.write(new, to: "\(directory)/\(name)")
    #expect(try names == [name])
    #expect(bytes("\(directory)/\(name)") == new)
    try finish()
  }

  @Test func writersAtOnceNeverTearTheFile() async throws {
    let path = path
    try StateFile.write([0], to: path)
    try await withThrowingTaskGroup { group in
      for writer in UInt8(1)...3 {
        group.addTask {
          for _ in 0..<20 {
            try StateFile.write([UInt8](repeating: writer, count: Int(writer) * 50_000), to: path)
            let seen = try #require(FileManager.default.contents(atPath: path))
            let first = try #require(seen.first)
            #expect(seen.allSatisfy { $0 == first } && seen.count == max(1, Int(first) * 50_000))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try names == ["state"])
    try finish()
  }
}
