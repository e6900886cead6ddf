package import TerminalScreen

/// What `Terminal.nextEvents` returns.
package enum TerminalEvent: Equatable, Sendable {
  case input(InputEvent)
  /// The window's newest size.
  case resized(ScreenSize)
  /// The process was stopped and has continued. The last screen is shown again.
  case continued
  /// Some thread used `Terminal.waker`.
  case woken
}
