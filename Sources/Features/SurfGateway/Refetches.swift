import SurfWire

/// The rows of one app that somebody looks at and whose states the gateway had to drop: they are
/// fetched once more, one after the other. Each look fetches a row once: what is dropped again
/// waits for another.
struct Refetches {
  /// What was asked for.
  private(set) var underWay: SequenceNumber?
  /// When that is given up.
  private(set) var deadline: Duration?
  /// Where a panel jumps to: who drags the slider wants the newest alone.
  private var goal: SequenceNumber?
  /// What panels that begin are shown.
  private var views: [SequenceNumber] = []

  /// - Returns: false if the panel had another jump open, which this one takes the place of.
  mutating func jump(to row: SequenceNumber) -> Bool {
    defer { goal = row }
    return goal == nil
  }

  mutating func look(at rows: [SequenceNumber]) {
    views = Array(rows.prefix(GatewayLimits.refetchCountMax))
  }

  /// Begins with the next row; nil if there is none, or one is under way.
  mutating func begin(at now: Duration) -> SequenceNumber? {
    guard underWay == nil, let next = goal ?? views.first else { return nil }
    views.removeAll { $0 == next }
    (underWay, deadline) = (next, now + GatewayLimits.loadTimeout)
    return next
  }

  /// What was under way is here, or cannot be had.
  ///
  /// - Returns: whether a panel jumps to it.
  mutating func end() -> Bool {
    defer { (underWay, deadline) = (nil, nil) }
    guard let goal, goal == underWay else { return false }
    self.goal = nil
    return true
  }
}
