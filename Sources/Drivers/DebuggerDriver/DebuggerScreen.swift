import SurfTTY
import TerminalScreen

/// What a debugger draws on, and where its keys come from: a terminal, or a part of a program's own
/// screen.
package protocol DebuggerScreen: AnyObject {
  var size: ScreenSize { get }
  /// Waits until something happens, or the monotonic clock passes the deadline.
  func nextEvents(until deadline: Duration?) throws(TerminalError) -> [TerminalEvent]
  func show(_ screen: Screen) throws(TerminalError)
  /// All of it is drawn again: something else has written on it.
  func repaint()
  /// Stops the process as Ctrl-Z does.
  func suspend()
  /// Puts bytes into the person's clipboard. False if they are too many.
  func copy(_ bytes: [UInt8]) -> Bool
  /// Takes clicks and the wheel, or leaves them to the terminal.
  func takeMouse(_ isTaken: Bool)
  /// Shows text outside of the screen, until `endPlain`.
  func showPlain(_ lines: [String])
  func endPlain()
  /// Lends the terminal to another program until it ends, or until it is not wanted any more.
  func lend(to words: [String], while isWanted: () -> Bool) throws(TerminalError) -> JobEnd
}

extension Terminal: DebuggerScreen {}
