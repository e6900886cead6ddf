import Foundation
import ReduxDevTools
import SurfControl
import SurfTerminal
import SurfTimeline
import SurfWire
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
      #expect(
        failure?.meaning.hasSuffix("To go back to the beginning: statesurf jump initial") == true)
      #expect(failure?.exitCode == 1)
    }
  }

  @Test(arguments: [
    (#"{"actionsById":{},"computedStates":[],"stagedActionIds":[]}"#, true),
    (#"{"liftedState":{"actionsById":{},"computedStates":[]}}"#, true),
    (#"{"nextLiftedState":"{}"}"#, true), (#"{"payload":"[]","preloadedState":"{}"}"#, false),
    (#"{"liftedState":1}"#, false), (#"{"actionsById":{}}"#, false), ("[]", false),
  ])
  func `an exported history is not a state`(text: String, isHistory: Bool) throws {
    try withDirectory { directory in
      let path = directory + "/state"
      try StateFile.write(Array(text.utf8), to: path)
      do throws(Failure) {
        #expect(try StateFile.read(path).bytes == Array(text.utf8) && !isHistory)
      } catch {
        #expect(error.what == "'\(path)' is an exported history, and not a state")
        #expect(isHistory && error.advice == "statesurf import \(path)")
      }
    }
  }

  @Test func `an export counts the actions that an import makes`() throws {
    var catalog = Catalog()
    _ = catalog.apply(.appeared(a, heartbeat(newest: 4)))
    for record in [
      action(1), Record(sequence: 2, kind: .log(.info), name: "hm"), action(3, name: "leap"),
      revision(4, #"{"command":"describe","viewer":"ada","initial":{"n":0}}"#),
    ] {
      _ = catalog.apply(.record(a, record))
    }
    let exported = TargetTask.exported(try #require(catalog[a]))
    let text = String(decoding: exported.bytes, as: UTF8.self)
    #expect(exported.actionCount == 2)
    #expect(try ForeignHistory(liftedText: text).steps.count == 2)
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
        (big, "a state has at most 67.1 MB (64 MiB), and this file has 1.0 GB"),
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
