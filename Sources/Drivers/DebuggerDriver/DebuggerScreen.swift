import SurfTTY
import TerminalScreen

/// Where a `DebuggerRunner` draws and gets its keys: a `Terminal`, or part of a program's own
/// screen.
package protocol DebuggerScreen: AnyObject {
  var size: ScreenSize { get }
  /// Waits for events, or until the monotonic clock passes the deadline.
  func nextEvents(until deadline: Duration?) throws(TerminalError) -> [TerminalEvent]
  func show(_ screen: Screen) throws(TerminalError)
  /// Draws the whole screen next time, because something else has written on it.
  func repaint()
  /// Stops the process, as Ctrl-Z does.
  func suspend()
  /// Copies to the person's clipboard; false if it cannot take the bytes.
  func copy(_ bytes: [UInt8]) -> Bool
  /// Handles clicks and the scroll wheel, or leaves them to the terminal.
  func takeMouse(_ isTaken: Bool)
  /// Shows text on the terminal's own screen until `endPlain`.
  func showPlain(_ lines: [String])
  func endPlain()
  /// Lends the terminal to another program until it ends or `isWanted` returns false.
  func lend(to words: [String], while isWanted: () -> Bool) throws(TerminalError) -> JobEnd
}

extension Terminal: DebuggerScreen {}
