import SurfWire

/// The rows that panels look at and whose states `GatewayApp` has dropped: it fetches one at a
/// time. Each look fetches a row once. If it is dropped again, it waits for another look.
struct Refetches {
  /// The row that has been requested.
  private(set) var underWay: SequenceNumber?
  /// When to give up on that row.
  private(set) var deadline: Duration?
  /// The row that a panel jumps to. A user who drags the slider wants only the newest.
  private var goal: SequenceNumber?
  /// Rows that a panel which has just started would show.
  private var views: [SequenceNumber] = []

  /// - Returns: false if this jump replaces one that was still open.
  mutating func jump(to row: SequenceNumber) -> Bool {
    defer { goal = row }
    return goal == nil
  }

  mutating func setView(_ rows: [SequenceNumber]) {
    views = Array(rows.prefix(GatewayLimits.refetchCountMax))
  }

  /// Starts on the next row; nil if there is none, or one is under way.
  mutating func begin(at now: Duration) -> SequenceNumber? {
    guard underWay == nil, let next = goal ?? views.first else { return nil }
    views.removeAll { $0 == next }
    (underWay, deadline) = (next, now + GatewayLimits.loadTimeout)
    return next
  }

  /// Call when the requested row has arrived, or is not available.
  ///
  /// - Returns: whether a panel is jumping to it.
  mutating func end() -> Bool {
    defer { (underWay, deadline) = (nil, nil) }
    guard let goal, goal == underWay else { return false }
    self.goal = nil
    return true
  }
}
