import SurfReceiving
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
      source: "Bench/Main.swift:1", state: .keyframe(Content(type: contentType, bytes: bytes)))
  }

  static func outgoing(_ count: Int, stateSize: Int) -> [Record] {
    (1...UInt64(count)).map { record($0, stateSize: stateSize) }
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

// The packets of the wire, without a wire.
extension Samples {
  /// States that differ in ten octets, each but the first as the delta from the one before.
  static func deltas(_ count: Int, stateSize: Int) -> [Record] {
    var state = Message.template(size: stateSize)
    return (1...UInt64(count)).map { number in
      let before = state
      for index in 0..<10 { state[(Int(number) * 97 + index) % stateSize] ^= 1 }
      let whole = Content(type: contentType, bytes: state)
      let delta =
        number == 1
        ? nil
        : Delta.between(
          before, state, baseRecord: SequenceNumber(number - 1), sizeMax: stateSize / 2)
      let form =
        delta.map { RecordState.delta(Content(type: contentType, bytes: $0.encoded())) }
      return Record(
        sequence: SequenceNumber(number), kind: .action, wallTime: 1, uptime: 1, name: "m",
        source: "Bench/Main.swift:1", state: form ?? .keyframe(whole))
    }
  }

  /// A packer's bytes are one transmission after the other, as they are on the wire.
  static func datagrams(
    of records: [Record], _ size: Int
  ) throws -> [([UInt8], Duration)] {
    var sender = sender()
    var clock = SendClock(recordSize: size)
    var datagrams: [([UInt8], Duration)] = []
    for record in records {
      clock.tick()
      sender.send([record], at: clock.now)
      for _ in 0..<10_000 {
        guard let transmission = sender.nextTransmission(at: clock.now) else {
          guard sender.unsentSize > 0 else { break }
          clock.tick()
          continue
        }
        datagrams += transmission.datagrams.map { ($0, clock.now) }
      }
    }
    guard sender.unsentSize == 0 else { throw BenchmarkFailure("the sender is stuck") }
    return datagrams
  }

  static func follower() -> Receiver {
    var receiver = Receiver(
      session: session, viewer: ViewerID(rawValue: 1), viewerName: "bench", repairWindow: 1_024,
      seed: 1, at: .zero)
    receiver.follow(.newestState, at: .zero)
    return receiver
  }

  static func outputs(
    of bytes: [UInt8], from receiver: inout Receiver, at now: Duration
  ) throws -> [ObserverEvent] {
    try bytes.withUnsafeBytes { bytes in
      // As a driver reads them: packets stay where they are.
      var datagrams = IncomingDatagrams(bytes, segmentSize: bytes.count)
      while let datagram = try datagrams.next()?.get() {
        receive(datagram, receiver: &receiver, now)
      }
    }
    return receiver.sink.take()
  }

  private static func receive(
    _ datagram: IncomingDatagram, receiver: inout Receiver, _ now: Duration
  ) {
    switch datagram {
    case .packets(let train): receiver.receive(train, at: now)
    case .message(let message):
      if case .heartbeat(let heartbeat) = message.body { receiver.receive(heartbeat, at: now) }
    }
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
