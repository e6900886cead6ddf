import StateSurf
import SurfWire
import Testing

@Suite struct LogTests {
  private let bench = Bench()

  private func records(_ body: (Transceiver) -> Void) -> [Record] {
    let transceiver = bench.transceiver()
    transceiver.resume()
    body(transceiver)
    transceiver.flush(timeout: .seconds(60))
    return bench.sink.records
  }

  private struct Disk: Encodable {
    let path: String
    let free: Double
  }

  @Test func `attributes are any value that can be encoded`() {
    let unknown: any Encodable & Sendable = ["a": [1, 2]]
    let records = records {
      $0.log("texts", attributes: ["b": "2", "a": "1"])
      $0.log("numbers", attributes: ["free": 12])
      $0.log("a struct", attributes: Disk(path: "/", free: 0.5))
      $0.log("a list", attributes: ["x", "y"])
      $0.log("a value", attributes: 7)
      $0.log("an existential", attributes: unknown)
      $0.log("nothing", attributes: [:])
      $0.log("nothing at all")
    }
    #expect(
      records.map(\.payload?.text) == [
        #"{"a":"1","b":"2"}"#, #"{"free":12}"#, #"{"free":0.5,"path":"\/"}"#, #"["x","y"]"#, "7",
        #"{"a":[1,2]}"#, nil, nil,
      ])
    #expect(records.allSatisfy { $0.kind == .log(.info) && $0.payload?.type != "text/plain" })
  }

  @Test func `a value that does not encode costs the line its attributes only`() {
    let records = records {
      $0.log("odd", level: .debug, attributes: Disk(path: "/", free: .nan))
      $0.log("good", attributes: ["a": "1"])
    }
    #expect(records.map(\.kind) == [.log(.debug), .log(.error), .log(.info)])
    #expect(
      records.map(\.name) == ["odd", "payload not recorded: free: nan cannot be encoded", "good"])
    #expect(records.map(\.parent) == [0, 1, 0])
    #expect(records[0].payload == nil)
  }

  @Test func `a megabyte of attributes arrives whole`() {
    let text = String(repeating: "x", count: 1 << 20)
    let records = records { $0.log("large", attributes: ["text": text]) }
    #expect(records.map(\.payload?.bytes.count) == [text.utf8.count + 11])
  }

  @Test func `an update shows a value of any type, also one that the caller does not know`() {
    let values: [any Encodable & Sendable] = [1, "two", [3.5], Disk(path: "a", free: 1)]
    let records = records { transceiver in
      for value in values { transceiver.inspect("value", value) }
      transceiver.inspect("optional", Int?.none)
    }
    #expect(
      records.map(\.payload?.text)
        == ["1", #""two""#, "[3.5]", #"{"free":1,"path":"a"}"#, "null"])
    #expect(records.allSatisfy { $0.kind == .update })
  }

  @Test(arguments: [
    ("WARNING", LogLevel.warning, "m"), ("warn", .warning, "m"), ("Error", .error, "m"),
    ("trace", .trace, "m"), ("debug", .debug, "m"), ("info", .info, "m"), ("", .info, "m"),
    ("notice", .info, "[notice] m"), ("Event", .info, "[Event] m"),
    ("critical", .error, "[critical] m"), ("FATAL", .error, "[FATAL] m"),
    ("\u{1B}[2J", .info, "[\u{1B}[2J] m"),
  ])
  func `a level without a number of its own is kept in the message`(
    name: String, level: LogLevel, message: String
  ) {
    let records = records { $0.log("m", level: Transceiver.Level(named: name)) }
    #expect(records.map(\.kind) == [.log(level)])
    #expect(records.map(\.name) == [message])
  }
}

extension Content {
  /// The bytes as text.
  var text: String { String(decoding: bytes, as: UTF8.self) }
}
