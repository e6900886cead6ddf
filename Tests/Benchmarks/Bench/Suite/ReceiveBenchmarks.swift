import SurfReceiving
import SurfTransport
import SurfWire

// The receiving machine, fed with what the sending machine made: decode, put in order, reassemble,
// deliver. No socket.
extension Benchmark {
  static let receive: [Benchmark] = [
    receive("256", size: 256, count: 10_000), receive("5k", size: 5_000, count: 2_000),
    receive("1m", size: 1_048_576, count: 20),
  ]

  private static func receive(_ label: String, size: Int, count: Int) -> Benchmark {
    Benchmark(
      name: "receive-\(label)", summary: "a record of \(size) octets through the receiving machine"
    ) {
      let datagrams = try transmit(Samples.outgoing(count, stateSize: size), size: size)
      return try measure(batch: count, unit: .microseconds) { _ in
        follower()
      } _: { receiver in
        var delivered = 0
        for (datagram, now) in datagrams {
          delivered += try deliver(datagram, to: &receiver, at: now)
        }
        guard delivered == count else {
          throw BenchmarkFailure("\(delivered) of \(count) records came out")
        }
      }
    }
  }

  private static func transmit(
    _ records: [OutgoingRecord], size: Int
  ) throws -> [([UInt8], Duration)] {
    var sender = Samples.sender()
    var clock = SendClock(recordSize: size)
    var datagrams: [([UInt8], Duration)] = []
    for record in records {
      clock.tick()
      sender.send([record], at: clock.now)
      // A packer's bytes are one transmission after the other, as they are on the wire.
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

  private static func follower() -> Receiver {
    var receiver = Receiver(
      session: Samples.session, viewer: ViewerID(rawValue: 1), viewerName: "bench",
      repairWindow: 1_024, seed: 1, at: .zero)
    receiver.follow(.newestState, at: .zero)
    return receiver
  }

  private static func deliver(
    _ bytes: [UInt8], to receiver: inout Receiver, at now: Duration
  ) throws -> Int {
    let datagram = try bytes.withUnsafeBytes { try Datagram(decoding: $0) }
    switch datagram.body {
    case .data(let packet): receiver.receive(packet, at: now)
    case .heartbeat(let heartbeat): receiver.receive(heartbeat, at: now)
    default: break
    }
    var count = 0
    for case .record in receiver.takeOutputs() { count += 1 }
    return count
  }
}
