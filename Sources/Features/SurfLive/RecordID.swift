/// Names a record of one transceiver, so that a later one can name it as its parent.
public struct RecordID: Hashable, Sendable {
  /// 1, 2, 3 … in the order of recording. Not the sequence on the wire, which the writer gives
  /// later: it may have to put an error record between two that wait.
  package let ticket: UInt64

  /// The record with this ticket.
  package init(ticket: UInt64) { self.ticket = ticket }
}
