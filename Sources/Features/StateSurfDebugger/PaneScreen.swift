internal import DebuggerDriver
internal import Glibc
internal import SurfTTY
internal import TerminalScreen

/// The screen of a `DebuggerPane`: keeps the newest picture and never blocks.
final class PaneScreen: DebuggerScreen {
  private(set) var size: ScreenSize
  private var events: [TerminalEvent] = []
  private var shown: Screen

  init(_ size: ScreenSize) {
    self.size = size
    shown = Screen(size)
  }

  var hasEvents: Bool { !events.isEmpty }

  /// Queues an event for the next turn.
  func add(_ event: TerminalEvent) {
    if case .resized(let size) = event { self.size = size }
    events.append(event)
  }

  func nextEvents(until deadline: Duration?) throws(TerminalError) -> [TerminalEvent] {
    defer { events = [] }
    return events
  }

  func show(_ screen: Screen) throws(TerminalError) { shown = screen }

  func repaint() {}

  func suspend() {}

  /// The program owns the clipboard and the mouse.
  func copy(_ bytes: [UInt8]) -> Bool { false }

  func takeMouse(_ isTaken: Bool) {}

  func showPlain(_ lines: [String]) {}

  func endPlain() {}

  func lend(
    to words: [String], while isWanted: () -> Bool
  ) throws(TerminalError) -> JobEnd { throw .noTerminal(errno: ENOTTY) }

  var lines: [PaneLine] {
    (0..<shown.size.height).map { row in
      PaneLine((0..<shown.size.width).compactMap { shown[row: row, column: $0] })
    }
  }
}
