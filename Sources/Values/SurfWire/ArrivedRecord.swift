/// The run of a session's records in which one came. The states of each run are made one of
/// another.
package enum RecordOrigin: Sendable {
  /// The newest state, and what comes after it.
  case live
  case backlog
}

/// A record as a viewer received it: its state may be a delta from the one before in its run.
package struct ArrivedRecord: Equatable, Sendable {
  package let record: Record
  package let origin: RecordOrigin
  /// The viewer did not ask for it, but the states of the next ones are made of its state.
  package let isBase: Bool

  package init(_ record: Record, from origin: RecordOrigin = .live, isBase: Bool = false) {
    self.record = record
    self.origin = origin
    self.isBase = isBase
  }
}
