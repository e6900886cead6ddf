import SurfViewer
import SurfWire
import TerminalScreen

/// What happens to a debugger. Each comes with the catalog as it is then.
package enum DebuggerEvent: Sendable {
  case key(CommandKey)
  /// Typed all at once; `isCut` if there was more.
  case paste(String, isCut: Bool = false)
  /// The answer to `examine`: a file of this many octets, and how it begins.
  case found(SessionID, path: String, size: Int, beginning: String)
  /// The answer to `complete`: the names in its folder that begin so, those of folders with `/`.
  case names([String], of: String)
  case pointer(PointerStep)
  case size(ScreenSize)
  /// The catalog has something new besides rows.
  case news
  /// Rows are new, or are complete now.
  case rows(SessionID, ClosedRange<SequenceNumber>)
  case inspected(Inspection)
  /// The answer to the effect with this serial number.
  case answered(serial: Int, MoveAnswer)
  case told(String, isFailure: Bool)
  /// What a person made of a state in an editor.
  case edited(SessionID, EditedState)
  /// What the person's settings are now.
  case personal(PersonalSettings)
  /// The deadline has come.
  case time
}

/// What a mouse does, with the place on the screen.
package enum PointerStep: Equatable, Sendable {
  case press(ScreenPlace)
  /// This many lines; up is negative.
  case scroll(Int, ScreenPlace)
}

/// A state that was edited.
package enum EditedState: Equatable, Sendable {
  /// It is JSON. It stays in the file until the app has taken it.
  case changed([UInt8], path: String)
  /// It is not JSON, for this reason; and it is still in the file.
  case invalid(String, path: String)

  var path: String {
    switch self {
    case .changed(_, let path), .invalid(_, let path): path
    }
  }
}

/// What became of a request to an app.
package enum MoveAnswer: Equatable, Sendable {
  case applied(Position)
  /// In words for a person.
  case failed(String)
}
