import SurfNetwork
import SurfObserver
import SurfTimeline
import SurfWire

/// A command as a state machine, run by `CommandRunner`: it takes catalog changes and the time, and
/// returns what to do. It uses neither network nor terminal, so tests can replace both.
///
/// The catalog may be ahead of the changes reported so far, because other threads update it.
package protocol CommandSession {
  /// When the session must get `SessionEvent.deadline`, on the clock of `now`; nil for never.
  var deadline: Duration? { get }
  mutating func receive(
    _ event: SessionEvent, in catalog: Catalog, at now: Duration
  ) -> [CommandAction]
  /// The terminal's width changed.
  mutating func resize(columns: Int)
}

extension CommandSession {
  package mutating func resize(columns: Int) {}
}

package enum SessionEvent: Sendable {
  case change(CatalogChange)
  /// `EventQueue` dropped this many new rows in the range.
  case dropped(SessionID, ClosedRange<SequenceNumber>, count: Int)
  /// An app has answered a reset or a command.
  case answer(ResetAnswer)
  /// The user has answered a question.
  case reply(isSure: Bool)
  /// The session's deadline has come.
  case deadline(ViewerCounters)
}

/// An action that a session wants `CommandRunner` to perform.
package enum CommandAction: Equatable, Sendable {
  case follow(SessionID, HistoryRequest)
  /// Requests the live values of a followed app.
  case values(SessionID)
  case reset(SessionID, Position, Content?, from: String? = nil)
  /// The bytes of a command (Protocol.md §11.5).
  case command(SessionID, [UInt8])
  case print(Line)
  /// Prints the bytes unchanged.
  case printBytes([UInt8])
  /// Writes an app's bytes to a file, or to standard output for nil.
  case write([UInt8], path: String?)
  /// Asks the user on the terminal, and takes only a yes for one.
  case ask(String)
  /// Sets the line that stays at the bottom; nil removes it.
  case status(Line?)
  /// Shows progress on standard error, until the next result is printed.
  case progress(Line)
  /// Prints a message to standard error.
  case complain(String)
  case fail(Failure)
  case exit(Int32)
  /// Ends with success, and replaces this process with a program.
  case give(Successor)
}

/// The counters of the network and of this process's queue.
package struct ViewerCounters: Equatable, Sendable {
  package var network = NetworkCounters()
  /// Rows and lines that `EventQueue` dropped, because the output is too slow.
  package var overflows = 0

  package init() {}
}
