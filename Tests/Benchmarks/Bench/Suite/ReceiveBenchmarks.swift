import SurfReceiving

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
      let datagrams = try Samples.datagrams(of: Samples.outgoing(count, stateSize: size), size)
      return try measure(batch: count, unit: .microseconds) { _ in
        Samples.follower()
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

  private static func deliver(
    _ bytes: [UInt8], to receiver: inout Receiver, at now: Duration
  ) throws -> Int {
    var count = 0
    for case .record in try Samples.outputs(of: bytes, from: &receiver, at: now) { count += 1 }
    return count
  }
}
