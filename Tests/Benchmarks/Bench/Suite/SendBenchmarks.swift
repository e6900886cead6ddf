import SurfWire

// The sending machine, into nothing: pack, number, keep, stamp. No socket, and a clock that always
// has the pacer ready.
extension Benchmark {
  static let send: [Benchmark] = [
    send("256", size: 256, count: 10_000), send("5k", size: 5_000, count: 2_000),
    send("1m", size: 1_048_576, count: 20),
  ]

  private static func send(_ label: String, size: Int, count: Int) -> Benchmark {
    Benchmark(
      name: "send-\(label)", summary: "a record of \(size) octets through the sending machine"
    ) {
      let records = Samples.outgoing(count, stateSize: size)
      var sender = Samples.sender()
      var clock = SendClock(recordSize: size)
      // So many before that the history is full and evicts.
      let warmUps = 1 + (80 << 20) / (size * count)
      return measure(batch: count, warmUps: warmUps, unit: .microseconds) {
        for record in records {
          clock.tick()
          sender.send([record], at: clock.now)
          while let transmission = sender.nextTransmission(at: clock.now) { keep(transmission) }
        }
      }
    }
  }
}

/// Time that goes on by what a record takes on the wire at a low rate, so that the pacer never
/// waits.
struct SendClock {
  private(set) var now = Duration.zero
  private let step: Duration

  init(recordSize: Int) { step = .nanoseconds(40 * recordSize) + .microseconds(1) }

  mutating func tick() { now += step }
}
