import SurfWire

/// How much of a session's past a viewer wants.
package enum HistoryRequest: Equatable, Sendable {
  /// The newest state and all after it.
  case newestState
  /// The last `n` records, and what comes after.
  case last(WireCount)
  /// Every record from this sequence on that is still available.
  case since(SequenceNumber)

  /// The first record wanted, given the newest; `.max` for none (Protocol.md §7.5).
  func first(newest: SequenceNumber) -> SequenceNumber {
    switch self {
    case .newestState: .max
    case .last(let count): max(newest.next.goingBack(by: count), 1)
    case .since(let sequence): max(sequence, 1)
    }
  }
}
