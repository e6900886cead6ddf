import Foundation
import SurfTerminal
import Testing

@Suite struct StateFileTests {
  private func withDirectory(_ body: (String) throws -> Void) throws {
    let path = NSTemporaryDirectory() + "statesurf-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  @Test(arguments: [
    Array("{\"a\":1}".utf8), [0, 255, 10, 13], Array(repeating: 7, count: 200_000),
  ])
  func comesBackByteForByteAndLeavesNothingBeside(_ bytes: [UInt8]) throws {
    try withDirectory { directory in
      let path = directory + "/state"
      try StateFile.write(bytes, to: path)
      try StateFile.write(bytes, to: path)
      let content = try StateFile.read(path)
      #expect(content.bytes == bytes)
      #expect(content.type == (bytes[0] == 0x7B ? "application/json" : "application/octet-stream"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["state"])
    }
  }

  @Test func `an empty file is not a state`() throws {
    try withDirectory { directory in
      try StateFile.write([], to: directory + "/state")
      let failure = #expect(throws: Failure.self) { try StateFile.read(directory + "/state") }
      #expect(failure?.what == "'\(directory)/state' is empty")
      #expect(failure?.exitCode == 1)
    }
  }

  @Test func whatIsNoStateGetsOneClearLine() throws {
    try withDirectory { directory in
      let big = directory + "/big"
      try StateFile.write([], to: big)
      let handle = try #require(FileHandle(forWritingAtPath: big))
      try handle.truncate(atOffset: 1 << 30)
      try handle.close()
      for (path, reason) in [
        (directory + "/none", "No such file or directory"), (directory, "it is a directory"),
        (big, "a state has at most 64 MiB, and this file 1.0 GB"),
      ] {
        let failure = #expect(throws: Failure.self) { try StateFile.read(path) }
        #expect(failure?.lines.count == 1)
        #expect(failure?.what.contains(reason) == true)
        #expect(failure?.exitCode == 1)
      }
      #expect(throws: Failure.self) { try StateFile.write([1], to: directory) }
      #expect(throws: Failure.self) { try StateFile.write([1], to: directory + "/no/where") }
    }
  }
}
