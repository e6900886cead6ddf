internal import DebuggerDriver
internal import SurfTTY
internal import TerminalScreen

/// What a debugger in a pane draws on: nobody waits for it, and it keeps the newest picture.
final class PaneScreen: DebuggerScreen {
  private(set) var size: ScreenSize
  private var events: [TerminalEvent] = []
  private var shown: Screen

  init(_ size: ScreenSize) {
    self.size = size
    shown = Screen(size)
  }

  var hasEvents: Bool { !events.isEmpty }

  /// To be told at the next turn.
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

  var lines: [PaneLine] {
    (0..<shown.size.height).map { row in
      PaneLine((0..<shown.size.width).compactMap { shown[row: row, column: $0] })
    }
  }
}
