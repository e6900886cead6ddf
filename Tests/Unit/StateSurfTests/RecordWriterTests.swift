import Foundation
import StateSurf
import SurfWire
import Testing

@Suite("Entries become records")
struct RecordWriterTests {
  private let bench = Bench()

  private func records(_ body: (Transceiver) -> Void) -> [Record] {
    let transceiver = bench.transceiver()
    transceiver.resume()
    body(transceiver)
    transceiver.flush(timeout: .seconds(60))
    return bench.sink.records
  }

  @Test func equalStatesAreEqualBytes() {
    let records = records { $0.record(action: "move", state: Point(y: 2, x: 1)) }
    #expect(records.map(\.state.text) == [#"{"x":1,"y":2}"#])
  }

  private enum Move: Codable {
    case left(steps: Int)
    case turn(Turn)
    enum Turn: Codable {
      case back
      case by(Int)
    }
  }

  /// The same without `Codable`.
  private enum Opaque {
    case left(steps: Int)
    case turn(Turn)
    enum Turn {
      case back
      case by(Int)
    }
  }

  @Test func `An action has the same name and the same JSON with and without Codable`() {
    let records = records {
      $0.record(action: Move.left(steps: 2), state: 1)
      $0.record(action: Move.turn(.by(90)), state: 1)
      $0.record(action: Move.turn(.back), state: 1)
      $0.record(action: Opaque.left(steps: 2), state: 1)
      $0.record(action: Opaque.turn(.by(90)), state: 1)
      $0.record(action: Opaque.turn(.back), state: 1)
    }
    let names = ["left(steps: 2)", "turn.by(90)", "turn.back"]
    #expect(records.map(\.name) == names + names)
    let texts = [#"{"left":{"steps":2}}"#, #"{"turn":{"by":90}}"#, #"{"turn":"back"}"#]
    #expect(records.map { $0.payload?.type } == Array(repeating: "application/json", count: 6))
    let payloads = records.map { String(decoding: $0.payload?.bytes ?? [], as: UTF8.self) }
    #expect(payloads == texts + texts)
  }

  @Test func namesItsSourceAndItsTimes() throws {
    let before = Int64(Date().timeIntervalSince1970) * 1_000_000_000
    let line = #line + 1
    let records = records { $0.mark("here") }
    let record = try #require(records.first)
    #expect(record.source == "StateSurfTests/RecordWriterTests.swift:\(line)")
    #expect(record.wallTime >= before)
    #expect(record.uptime > 0)
  }

  @Test func eachPlaceInTheSourceKeepsItsName() {
    let line = #line + 3
    let records = records { transceiver in
      for _ in 0..<3 {
        transceiver.mark("here")
        transceiver.mark("there")
        transceiver.mark("elsewhere", file: "Other/Place.swift", line: UInt(line))
      }
    }
    let file = "StateSurfTests/RecordWriterTests.swift"
    let sources = ["\(file):\(line)", "\(file):\(line + 1)", "Other/Place.swift:\(line)"]
    #expect(records.map(\.source) == sources + sources + sources)
  }

  @Test func aStateThatCannotBeEncodedBecomesAnErrorRecord() throws {
    let records = records {
      $0.record(action: "bad", state: ["points": [Point(), Point(x: .nan)]])
      $0.record(action: "good", state: 1)
    }
    #expect(records.map(\.sequence) == [1, 2, 3])
    #expect(records.map(\.kind) == [.action, .log(.error), .action])
    #expect(records[0].state == .none)
    #expect(records[1].parent == 1)
    #expect(records[1].name == "state not recorded: points[1].x: nan cannot be encoded")
    #expect(records[2].state.text == "1")
  }

  @Test func parentsAreRightAlsoBehindErrorRecords() {
    let records = records { transceiver in
      let first = transceiver.record(action: "first", state: Double.nan)
      let second = transceiver.record(action: "second", state: 1, parent: first)
      transceiver.record(action: "third", state: Double.nan, parent: second)
      transceiver.record(action: "fourth", state: 1, parent: second)
    }
    #expect(records.map(\.sequence) == Array(1...6))
    #expect(records.map(\.parent) == [0, 1, 1, 3, 4, 3])
  }

  @Test func `a record of another transceiver is not a parent`() {
    var foreign: RecordID?
    _ = records { foreign = $0.mark("elsewhere") }
    let records = records {
      $0.mark("first")
      $0.record(action: "child", state: 1, parent: foreign)
    }
    #expect(foreign != nil && records.map(\.parent) == [0, 0, 0])
  }

  @Test(arguments: [
    ("image/png", "image/png"), ("", "application/octet-stream"),
    (String(repeating: "x", count: 64), "application/octet-stream"),
  ])
  func bytesAreSentAsTheyAre(type: String, expected: String) {
    let records = records {
      $0.record(action: "bytes", state: [0, 255], contentType: type)
      $0.record(action: "data", state: Data([0, 255]), contentType: type)
    }
    let whole = RecordState.keyframe(Content(type: expected, bytes: [0, 255]))
    #expect(records.map(\.state) == [whole, whole])
  }

  @Test func refusesAStateThatIsTooLarge() {
    let records = records {
      $0.record(
        action: "large", state: [UInt8](repeating: 0, count: Limits.contentSizeMax),
        contentType: "a/b")
      $0.record(
        action: "larger", state: [UInt8](repeating: 0, count: Limits.contentSizeMax + 1),
        contentType: "a/b")
    }
    #expect(records.map(\.kind) == [.action, .action, .log(.error)])
    #expect(records[0].state.content?.bytes.count == Limits.contentSizeMax)
    #expect(records[1].state == .none)
    #expect(
      records[2].name == "state not recorded: 67108865 octets, more than 67108864")
  }

  @Test func logsUpdatesAndMarksHaveTheirKinds() {
    let records = records {
      $0.log("hello", level: .warning, attributes: ["b": "2", "a": "1"])
      $0.inspect("speed", 3)
      $0.mark("lap")
    }
    #expect(records.map(\.kind) == [.log(.warning), .update, .mark])
    #expect(records.map(\.name) == ["hello", "speed", "lap"])
    #expect(
      records.map { $0.payload.map { String(decoding: $0.bytes, as: UTF8.self) } }
        == [#"{"a":"1","b":"2"}"#, "3", nil])
    #expect(records.allSatisfy { $0.state == .none })
  }
}
