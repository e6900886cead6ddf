import JSONTree
import SurfRelay
import SurfWire
import TestSupport
import Testing

@Suite struct InspectorMessageTests {
  private static func read(_ text: String) throws(InspectorFault) -> InspectorMessage {
    try InspectorMessage(parsing: Array(text.utf8))
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func `a message is passed on without white space, its numbers as they were`() throws {
    let message = try Self.read(
      #" { "type" : "update", "id":"recipe", "data" : {"b":1.0, "a":[1e3, "é\/"]}, "more":null } "#)
    #expect(
      message.meaning
        == .update(id: "recipe", data: try JSON(parsing: #"{"b":1.0,"a":[1e3,"é/"]}"#)))
    #expect(
      Self.text(message.bytes)
        == #"{"type":"update","id":"recipe","data":{"b":1.0,"a":[1e3,"é/"]},"more":null}"#)
  }

  @Test func `an update without data is one of null`() throws {
    #expect(try Self.read(#"{"type":"update","id":""}"#).meaning == .update(id: "", data: .null))
  }

  @Test func `a log line may be a text or a value, at any level`() throws {
    let line = try Self.read(
      #"{"type":"log","message":"hi","level":"Event","attributesJSON":null}"#)
    #expect(line.meaning == .log(message: "hi", level: "Event"))
    #expect(
      Self.text(line.bytes)
        == #"{"type":"log","message":"hi","level":"Event","attributesJSON":null}"#)
    let value = try Self.read(#"{"type":"log","message":{"a":1}}"#)
    #expect(value.meaning == .log(message: ["a": 1], level: ""))
  }

  @Test(arguments: [
    ("", "no JSON"), ("{", "no JSON"), ("subscribe", "no JSON"), (#"{"type":"\ud800"}"#, "no JSON"),
    ("null", "unknown type"), ("[]", "unknown type"), ("{}", "unknown type"),
    (#"{"type":7}"#, "unknown type"), (#"{"type":"Update","id":"a"}"#, "unknown type"),
    (#"{"type":"update"}"#, "unusable id"), (#"{"type":"update","id":7}"#, "unusable id"),
    (#"{"type":"update","id":"\#(String(repeating: "x", count: 4_097))"}"#, "unusable id"),
  ])
  func `anything else is a fault of its kind`(text: String, kind: String) {
    #expect { try Self.read(text) } throws: { ($0 as? InspectorFault)?.kind == kind }
  }

  @Test func `a message may be as large as the limit, and no larger`() throws {
    let frame = #"{"type":"subscribe"}"#
    let padding = String(
      repeating: " ", count: InspectorLimits.messageSizeMax - frame.utf8.count)
    #expect(try Self.read(frame + padding).meaning == .subscribe)
    #expect(throws: InspectorFault.tooLarge(size: InspectorLimits.messageSizeMax + 1)) {
      try Self.read(frame + padding + " ")
    }
  }

  @Test func `what the relay says itself reads as a message`() throws {
    let update = InspectorMessage.update(id: "Todo/\"x\"", data: Array("[1]".utf8))
    #expect(Self.text(update) == #"{"type":"update","id":"Todo/\"x\"","data":[1]}"#)
    #expect(
      try InspectorMessage(parsing: update).meaning == .update(id: "Todo/\"x\"", data: [1]))
    #expect(
      Self.text(InspectorMessage.log("a\n", level: "warn", attributes: nil))
        == #"{"type":"log","message":"a\n","level":"warn"}"#)
    #expect(
      Self.text(InspectorMessage.log("a", level: "info", attributes: Array("{}".utf8)))
        == #"{"type":"log","message":"a","level":"info","attributes":{}}"#)
  }

  @Test func `random octets are a fault or a message that reads as itself`() {
    var generator = SeededGenerator(seed: 2)
    let seed = Array(#"{"type":"update","id":"r","data":{"a":[1,2.50,"x"]},"n":-0}"#.utf8)
    for _ in 0..<2_000 {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        bytes[Int.random(in: bytes.indices, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      guard let message = try? InspectorMessage(parsing: bytes) else { continue }
      #expect((try? InspectorMessage(parsing: message.bytes))?.bytes == message.bytes)
    }
  }

  @Test func `levels have the names of a console's methods`() {
    for level in LogLevel.allCases { #expect(LogLevel(consoleName: level.consoleName) == level) }
    #expect(LogLevel(consoleName: "WARNING") == .warning)
    #expect(LogLevel(consoleName: "event") == nil)
  }
}
