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
  /// Put the app into the state of these octets, and then remove the file that has them, too.
  case put(SessionID, [UInt8], serial: Int, file: String? = nil)
  case command(SessionID, HistoryCommand<SequenceNumber>, serial: Int)
  /// Write the state of a row to a file; the answer is `told`.
  case save(SessionID, SequenceNumber, path: String)
  /// See whether there is such a file, for an app; if so, the answer is `found`, else `told`.
  case examine(SessionID, path: String)
  /// List the files whose path begins so; the answer is `names`.
  case complete(String)
  /// Show a place in a source, `Main.swift:12`, in the person's editor. It is below the working
  /// directory, or below one of these folders.
  case openSource(String, folders: [String])
  /// Let the person edit the state of a row; the answer is `edited`, or `told`.
  case edit(SessionID, SequenceNumber)
  /// Let the person edit this file again.
  case editFile(SessionID, path: String)
  /// Take a row out of this viewer's sight, or bring all of them back.
  case hide(SessionID, SequenceNumber)
  case showHidden(SessionID)
  /// Give something to the person's clipboard; the answer is `told`.
  case copy(CopyRequest)
  /// Take clicks and the wheel, or leave them to the terminal.
  case mouse(Bool)
  /// Show this alone, outside of the screen, until `endPlain`.
  case showPlain([String])
  case endPlain
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
