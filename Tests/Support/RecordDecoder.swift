import SurfWire

/// Rebuilds the states of one session's records in the order that a receiver delivers them, live
/// records and backlog mixed.
package struct RecordDecoder: Sendable {
  private var live = StateDecoder()
  private var backlog = StateDecoder()

  package init() {}

  /// States and payloads that could not be made: a base was lost, or a delta was wrong.
  package var failureCount: Int { live.failureCount + backlog.failureCount }

  /// Replaces a delta by the whole state, and makes a payload whole; a state that cannot be made is
  /// marked as given up, and a payload is left out.
  package mutating func resolve(_ record: inout Record, from origin: RecordOrigin) {
    switch origin {
    case .live: _ = live.take(&record, leavesState: true)
    case .backlog: _ = backlog.take(&record, leavesState: true)
    }
  }
}

extension RecordDecoder {
  /// The record with its whole state; nil if it only serves to make others.
  package mutating func make(_ arrived: ArrivedRecord) -> Record? {
    var record = arrived.record
    resolve(&record, from: arrived.origin)
    return arrived.isBase ? nil : record
  }
}
