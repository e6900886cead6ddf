import SurfWire

/// How much of a session's past a viewer requests.
package enum HistoryRequest: Equatable, Sendable {
  /// The newest state and everything after it.
  case newestState
  /// The last `n` records and everything after them.
  case last(WireCount)
  /// All records from this sequence number on that are still available.
  case since(SequenceNumber)

  /// The first record requested, given the newest; `.max` for none (Protocol.md §7.5).
  func first(newest: SequenceNumber) -> SequenceNumber {
    switch self {
    case .newestState: .max
    case .last(let count): max(newest.next.goingBack(by: count), 1)
    case .since(let sequence): max(sequence, 1)
    }
  }
}
