import SurfWire

/// Asks for nothing when more is due than may be under way, until half of that has come, or is due
/// again (Protocol.md §10.4, rule 13).
struct RequestPause: Sendable {
  private var end: Duration?
  private var awaitedCount: WireCount = 0
  private var arrivedCount: WireCount = 0

  /// - Parameter underWay: packets that were asked for and may still come.
  /// - Parameter repetition: when the first of them is due again; nil if none is expected.
  mutating func begin(underWay: WireCount, until repetition: Duration?) {
    (end, awaitedCount, arrivedCount) = (repetition, underWay, 0)
  }

  mutating func cancel() { end = nil }

  /// This many repairs have come.
  mutating func note(arrivals: Int) {
    arrivedCount.add(WireCount(arrivals))
    if arrivedCount.doubled() >= awaitedCount { end = nil }
  }

  /// When to ask for something that is due at this time.
  func allowed(_ due: Duration) -> Duration { max(due, end ?? due) }
}
