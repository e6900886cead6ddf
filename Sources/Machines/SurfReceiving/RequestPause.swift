import SurfWire

/// Pauses the requests of a `Receiver` while more packets are due than may be outstanding. The
/// pause ends when half of the outstanding packets have arrived, or the first is due again
/// (Protocol.md §10.4, rule 13).
struct RequestPause: Sendable {
  private var end: Duration?
  private var awaitedCount: WireCount = 0
  private var arrivedCount: WireCount = 0

  /// - Parameter underWay: packets that were requested and may still arrive.
  /// - Parameter repetition: when the first of them is due again; nil if none is expected.
  mutating func begin(underWay: WireCount, until repetition: Duration?) {
    (end, awaitedCount, arrivedCount) = (repetition, underWay, 0)
  }

  mutating func cancel() { end = nil }

  mutating func note(arrivals: Int) {
    arrivedCount.add(WireCount(arrivals))
    if arrivedCount.doubled() >= awaitedCount { end = nil }
  }

  /// The earliest time to request something that is due at `due`.
  func allowed(_ due: Duration) -> Duration { max(due, end ?? due) }
}
