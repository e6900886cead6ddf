import SurfViewer
import SurfWire
import TerminalScreen

/// An input to `Debugger.receive`, together with the catalog at that time.
package enum DebuggerEvent: Sendable {
  case key(CommandKey)
  /// Pasted text; `isCut` if there was more.
  case paste(String, isCut: Bool = false)
  /// The answer to `examine`: the file's size in octets, and how it begins.
  case found(SessionID, path: String, size: Int, beginning: String)
  /// The answer to `complete`: the matching names in the folder, with a `/` after those of folders.
  case names([String], of: String)
  case pointer(PointerStep)
  case size(ScreenSize)
  /// Something in the catalog other than rows has changed.
  case news
  /// Rows are new, or have been completed.
  case rows(SessionID, ClosedRange<SequenceNumber>)
  case inspected(Inspection)
  /// The answer to the effect with this serial.
  case answered(serial: Int, MoveAnswer)
  case told(String, isFailure: Bool)
  /// A person has closed the editor on a state.
  case edited(SessionID, EditedState)
  /// The person's settings have changed.
  case personal(PersonalSettings)
  /// `Debugger.deadline` has passed.
  case time
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

/// The outcome of a request to an app.
package enum MoveAnswer: Equatable, Sendable {
  case applied(Position)
  case failed(String)
}
