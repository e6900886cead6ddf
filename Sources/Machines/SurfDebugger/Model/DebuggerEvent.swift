import SurfControl
import SurfViewer
import SurfWire
import TerminalScreen

/// An input to `Debugger.receive`, together with the catalog at that time.
package enum DebuggerEvent: Sendable {
  case key(CommandKey)
  /// Pasted text; `isCut` if there was more.
  case paste(String, isCut: Bool = false)
  /// The answer to `examine`: the file's size in octets, and how it begins. `serial` is that of the
  /// request, if the person typed the path.
  case found(SessionID, path: String, size: Int, beginning: String, serial: Int? = nil)
  /// The answer to `complete`: the matching names in the folder, with a `/` after those of folders.
  case names([String], of: String)
  case pointer(PointerStep)
  case size(ScreenSize)
  /// Something in the catalog other than rows has changed.
  case news
  /// The history of an app, requested with `follow`, is here as far as the app still has it.
  case caughtUp(SessionID)
  /// Rows are new, or have been completed.
  case rows(SessionID, ClosedRange<SequenceNumber>)
  case inspected(Inspection)
  /// Rows with watched values, all or some of those that `watch` requested.
  case watched([WatchedRow])
  /// The answer to the effect with this serial.
  case answered(serial: Int, MoveAnswer)
  /// The answer to `save`, `export` or `check`.
  case filed(serial: Int, FileAnswer)
  case told(String, isFailure: Bool)
  /// A person has closed the editor on a state.
  case edited(SessionID, EditedState)
  /// The person's settings have changed.
  case personal(PersonalSettings)
  /// `Debugger.deadline` has passed.
  case time

  /// Whether the driver may send this while it carries out the effects of the event before. A
  /// search must not continue then. Each slice may move the cursor, which requests another row, and
  /// no key would show before the search has ended.
  var followsAtOnce: Bool {
    switch self {
    case .inspected, .watched: true
    default: false
    }
  }
}

/// A mouse event and its place on the screen.
package enum PointerStep: Equatable, Sendable {
  case press(ScreenPlace)
  /// Lines; negative is up.
  case scroll(Int, ScreenPlace)
}

package enum EditedState: Equatable, Sendable {
  /// JSON. The file stays until the app has taken it.
  case changed([UInt8], path: String)
  /// Not JSON, for this reason. The file stays.
  case invalid(String, path: String)

  var path: String {
    switch self {
    case .changed(_, let path), .invalid(_, let path): path
    }
  }
}

/// Where to write, and whether to replace a file that is there.
package struct FileTarget: Equatable, Sendable {
  package let path: String
  package let replaces: Bool
  package let serial: Int

  package init(_ path: String, replaces: Bool = false, serial: Int) {
    (self.path, self.replaces, self.serial) = (path, replaces, serial)
  }
}

/// The outcome of a request to an app.
package enum MoveAnswer: Equatable, Sendable {
  case applied(Position)
  /// The app would not do it, and changed nothing.
  case refused(String)
  case failed(String)
}

/// The outcome of a request for a file.
package enum FileAnswer: Equatable, Sendable {
  /// It is written; what it has, in words.
  case written(String)
  /// This file exists, and was not to be replaced.
  case exists(path: String)
  /// It has a history that can be imported.
  case readable
  case failed(String)
}

/// An output of `Debugger`. Its driver carries it out and reports the result with a
/// `DebuggerEvent`.
package enum DebuggerEffect: Equatable, Sendable {
  /// Load an app's whole history and keep following it.
  case follow(SessionID)
  /// Load rows again that were evicted, or have lost their contents; keep them, not those of the
  /// request before.
  case refetch(SessionID, ClosedRange<SequenceNumber>)
  /// Ask an app for its initial state, which it sends in a row of its own.
  case describe(SessionID)
  /// Ask an app for its live values and keep following them.
  case values(SessionID)
  /// Decode a row; the answer is `inspected`.
  case inspect(InspectionRequest)
  /// Read watched places; the answers are `watched`. Replaces the last such request.
  case watch(WatchRequest)
  /// Move the app to a row's state; the answer is `answered`, as for the three below.
  case move(SessionID, to: Position, serial: Int)
  /// Load the state in a file.
  case load(SessionID, path: String, serial: Int)
  /// Load these octets. Once the app has taken them, remove the file that holds them, too.
  case put(SessionID, [UInt8], serial: Int, file: String? = nil)
  case command(SessionID, HistoryCommand<SequenceNumber>, serial: Int)
  /// Write the state of a row to a file; the answer is `filed`.
  case save(SessionID, SequenceNumber, to: FileTarget)
  /// Look at a file that an app may load. The answer is `found`. If the file is missing, it is
  /// `filed` to the request with this serial, or `told` if nothing was typed.
  case examine(SessionID, path: String, serial: Int? = nil)
  /// Read a file before it replaces an app's history; the answer is `filed`.
  case check(SessionID, path: String, serial: Int)
  /// List files whose path starts with this; the answer is `names`.
  case complete(String)
  /// Open a source place such as `Main.swift:12` in the person's editor. The file is under the
  /// working directory or one of these folders.
  case openSource(String, folders: [String])
  /// Let the person edit a row's state; the answer is `edited` or `told`.
  case edit(SessionID, SequenceNumber)
  /// Let the person edit this file again.
  case editFile(SessionID, path: String)
  /// Hide a row in this viewer, or show it again; without a row, all hidden ones.
  case hide(SessionID, SequenceNumber)
  case showHidden(SessionID, SequenceNumber? = nil)
  /// Copy to the person's clipboard; the answer is `told`.
  case copy(CopyRequest)
  /// Handle clicks and the scroll wheel, or leave them to the terminal.
  case mouse(Bool)
  /// Show these lines on the terminal's own screen until `endPlain`.
  case showPlain([String])
  case endPlain
  /// Replace the app's history with a file; the answer is `answered`.
  case replace(SessionID, path: String, serial: Int)
  /// Write the history to a file; the answer is `filed`.
  case export(SessionID, to: FileTarget)
  /// Write a setting to the person's file, or remove it for an empty value; the answers are
  /// `personal` and `told`.
  case set(String, String)
  case redraw
  case suspend
  case quit
}
