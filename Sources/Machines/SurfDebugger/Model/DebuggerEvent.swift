import SurfViewer
import SurfWire
import TerminalScreen

/// What happens to a debugger. Each comes with the catalog as it is then.
package enum DebuggerEvent: Sendable {
  case key(CommandKey)
  /// Typed all at once.
  case paste(String)
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

/// What became of a request to an app.
package enum MoveAnswer: Equatable, Sendable {
  case applied(Position)
  /// In words for a person.
  case failed(String)
}
