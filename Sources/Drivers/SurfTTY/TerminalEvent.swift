package import TerminalScreen

/// What happens at a terminal.
package enum TerminalEvent: Equatable, Sendable {
  case input(InputEvent)
  /// Its window has another size now: the newest of several.
  case resized(ScreenSize)
  /// The process was stopped and goes on; what was shown last is shown again.
  case continued
  /// Somebody called `Terminal.waker`.
  case woken
}
