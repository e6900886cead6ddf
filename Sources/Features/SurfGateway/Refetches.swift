import SurfWire

/// The rows of one app that panels look at and whose states the gateway had to drop. It fetches
/// them once more, one after the other. Each look fetches a row once: a row that is dropped again
/// waits for another look.
struct Refetches {
  /// What was asked for.
  private(set) var underWay: SequenceNumber?
  /// When that is given up.
  private(set) var deadline: Duration?
  /// Where a panel jumps to: a user who drags the slider wants the newest alone.
  private var goal: SequenceNumber?
  /// What panels that begin are shown.
  private var views: [SequenceNumber] = []

  /// - Returns: false if this jump replaces an open one of the panel's.
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

  /// The row under way is here, or is not available.
  ///
  /// - Returns: whether a panel jumps to it.
  mutating func end() -> Bool {
    defer { (underWay, deadline) = (nil, nil) }
    guard let goal, goal == underWay else { return false }
    self.goal = nil
    return true
  }
}
