import SurfControl
import SurfWire

/// What a debugger wants done. Its driver tells what came of it by an event.
package enum DebuggerEffect: Equatable, Sendable {
  /// Load all of an app's history, and go on with it.
  case follow(SessionID)
  /// Ask an app for its live values, and go on with them.
  case values(SessionID)
  /// Read the contents of rows; the answer is `inspected`.
  case inspect(InspectionRequest)
  /// Put the app into the state of a row; the answer is `answered`, as for the next two.
  case move(SessionID, to: Position, serial: Int)
  /// Put the app into the state in a file.
  case load(SessionID, path: String, serial: Int)
  case command(SessionID, HistoryCommand<SequenceNumber>, serial: Int)
  /// Write the state of a row to a file; the answer is `told`.
  case save(SessionID, SequenceNumber, path: String)
  /// Put the history in a file in the place of the app's own; the answer is `answered`.
  case replace(SessionID, path: String, serial: Int)
  /// Write the history to a file; the answer is `told`.
  case export(SessionID, path: String)
  /// Write a setting to the person's file, none for an empty value; the answers are `personal`
  /// and `told`.
  case set(String, String)
  /// Draw all of the screen again.
  case redraw
  case suspend
  case quit
}
