import SurfNetwork
import SurfObserver
import SurfTimeline
import SurfWire

/// A command as a machine: catalog changes and clock times go in, and what to do comes out. It
/// touches neither network nor terminal, so that tests can be both.
///
/// The catalog may know more than was told by then, because other threads go on meanwhile.
package protocol CommandSession {
  /// When `advance(to:in:counters:)` must be called, on the clock of `now`; nil for never.
  var deadline: Duration? { get }
  mutating func receive(
    _ change: CatalogChange, in catalog: Catalog, at now: Duration
  ) -> [CommandAction]
  mutating func receive(
    _ answer: ResetAnswer, in catalog: Catalog, at now: Duration
  ) -> [CommandAction]
  /// This many rows in a range are new, and this process had no room to say which.
  mutating func receive(
    dropped count: Int, in range: ClosedRange<SequenceNumber>, of session: SessionID,
    catalog: Catalog, at now: Duration
  ) -> [CommandAction]
  mutating func advance(
    to now: Duration, in catalog: Catalog, counters: ViewerCounters
  ) -> [CommandAction]
  /// The terminal has another width now.
  mutating func resize(columns: Int)
}

extension CommandSession {
  package mutating func resize(columns: Int) {}

  package mutating func receive(
    _ answer: ResetAnswer, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] { [] }

  package mutating func receive(
    dropped count: Int, in range: ClosedRange<SequenceNumber>, of session: SessionID,
    catalog: Catalog, at now: Duration
  ) -> [CommandAction] { [] }
}

/// What a command wants done, in this order.
package enum CommandAction: Equatable, Sendable {
  case follow(SessionID, HistoryRequest)
  /// Of a followed app.
  case values(SessionID)
  case reset(SessionID, Position, Content?, from: String? = nil)
  /// The bytes of a command (Protocol.md §11.5).
  case command(SessionID, [UInt8])
  case print(Line)
  /// To standard output as they are.
  case printBytes([UInt8])
  /// The bytes of an app to a file, or to standard output.
  case write([UInt8], path: String?)
  /// The line that stays at the bottom; nil for none.
  case status(Line?)
  /// How far it is, for a person at standard error; the next result takes it away.
  case progress(Line)
  /// Something beside the result, for standard error.
  case complain(String)
  case fail(Failure)
  case exit(Int32)
  /// As `exit`, and then another program goes on in this process.
  case give(Successor)
}

/// The network's counters and our own.
package struct ViewerCounters: Equatable, Sendable {
  package var network = NetworkCounters()
  /// Events that this process had no room for, because its output is too slow.
  package var overflows = 0

  package init() {}
}
