import SurfTransport
import SurfWire

/// What the benchmarks work on.
enum Samples {
  static let contentType = "application/octet-stream"

  /// A record with the harness's text for a state, an array of its own.
  static func record(_ sequence: UInt64, stateSize: Int) -> Record {
    var bytes = Message.template(size: stateSize)
    bytes[0] = UInt8(truncatingIfNeeded: sequence)
    return Record(
      sequence: SequenceNumber(sequence), kind: .action, wallTime: 1, uptime: 1, name: "m",
      source: "Bench/Main.swift:1", state: .whole(Content(type: contentType, bytes: bytes)))
  }

  static func outgoing(_ count: Int, stateSize: Int) -> [OutgoingRecord] {
    (1...UInt64(count)).map { OutgoingRecord(record($0, stateSize: stateSize)) }
  }

  static let session = SessionID(rawValue: 7)

  static func sender() -> Sender {
    Sender(
      session: session,
      announcement: Heartbeat(
        instance: InstanceID(high: 1, low: 2), app: "bench", host: "here", processID: 1,
        contentType: contentType, acceptsResets: true,
        datagramSize: UInt16(Limits.datagramSizeMax)),
      configuration: Sender.Configuration(), seed: 1)
  }
}

/// A to-do list whose JSON is some 5 KB: a state as programs have it, copied on write.
struct TodoList: Codable, Sendable {
  struct Item: Codable, Sendable {
    var id: Int
    var title: String
    var isDone: Bool
    var tags: [String]
  }

  var items = (0..<72).map {
    Item(id: $0, title: "buy milk, bread and butter", isDone: false, tags: ["a", "b"])
  }

  mutating func toggle(_ index: Int) { items[index % items.count].isDone.toggle() }
}
