internal import DebuggerDriver
internal import FoundationEssentials
internal import Glibc
public import StateSurf
internal import SurfDebugger
internal import SurfThreads
internal import TerminalScreen

/// The debugger as part of a screen that a program draws itself.
///
/// The program passes it the octets of keys as they arrive from the terminal, and draws its lines
/// anywhere:
///
///     let pane = try DebuggerPane(history.transceiver, columns: 60, rows: 20)
///     pane.receive(bytes)
///     pane.refresh()
///     for line in pane.lines { … }
///
/// Use a pane on one thread. It never blocks and never writes to the terminal.
public final class DebuggerPane {
  private let source: OwnSource
  private let queue: DebuggerQueue
  private let screen: PaneScreen
  private let runner: DebuggerRunner
  private var parser: InputParser

  /// - Parameters:
  ///   - columns: At least 1; the debugger needs 40.
  ///   - rows: At least 1; the debugger needs 10.
  public init(
    _ transceiver: Transceiver, columns: Int, rows: Int
  ) throws(AppDebuggerError) {
    guard let source = OwnSource(transceiver) else { throw .notRecording }
    let kind = TerminalKind(environment: ProcessInfo.processInfo.environment)
    do throws(ThreadError) {
      queue = DebuggerQueue(waker: try Waker())
    } catch {
      throw .unavailable(reason: "\(error)")
    }
    self.source = source
    parser = InputParser(escapeDelay: kind.escapeDelay)
    screen = PaneScreen(ScreenSize(width: columns, height: rows))
    let setting = Debugger.Setting(of: kind, viewer: source.viewer)
    runner = DebuggerRunner(screen, setting, source, queue: queue)
    refresh()
  }

  /// Whether the person has closed it with `q`. The pane no longer changes then.
  public var isClosed: Bool { runner.ending != nil }

  /// Resizes the pane.
  public func resize(columns: Int, rows: Int) {
    screen.add(.resized(ScreenSize(width: columns, height: rows)))
    turn()
  }

  /// Handles the octets of keys and pasted text. Ignores mouse events, because only the program
  /// knows where the pane is.
  public func receive(_ bytes: [UInt8]) {
    take(parser.receive(bytes, at: monotonicNow()))
  }

  /// Reads what the program has recorded since the last call. Call it up to 30 times a second,
  /// whenever there is nothing else to do.
  public func refresh() {
    for event in source.refreshSome() { queue.push(event) }
    take(parser.advance(to: monotonicNow()))
  }

  /// The rows of the pane, top to bottom.
  public var lines: [PaneLine] { screen.lines }

  private func take(_ inputs: [InputEvent]) {
    for input in inputs {
      switch input {
      case .key, .paste: screen.add(.input(input))
      case .mouse, .focus, .reply: break
      }
    }
    turn()
  }

  private func turn() {
    repeat {
      guard !isClosed else { return }
      do throws(TerminalError) { try runner.turn() } catch { return }
    } while screen.hasEvents
  }
}

/// A row of a pane. Its text cannot contain control sequences.
public struct PaneLine: Equatable, Sendable {
  /// Text in one style.
  public struct Run: Equatable, Sendable {
    /// Without control characters.
    public fileprivate(set) var text: String
    /// Whether it is bold.
    public let isBold: Bool
    /// Whether it is fainter than other text.
    public let isDim: Bool
    /// Whether it is underlined.
    public let isUnderlined: Bool
    /// Whether foreground and background are swapped.
    public let isReversed: Bool
    /// Whether it is struck out.
    public let isStruck: Bool
    /// A colour of the terminal's palette, 0 to 15; nil for the terminal's own.
    public let colour: Int?
  }

  /// From left to right.
  public private(set) var runs: [Run] = []

  init(_ cells: [Cell]) {
    var style: CellStyle?
    for cell in cells {
      if cell.style == style {
        runs[runs.count - 1].text += cell.cluster
      } else {
        runs.append(Run(cell))
        style = cell.style
      }
    }
  }

  /// The text without styles, as wide as the pane.
  public var text: String { runs.map(\.text).joined() }
}

extension PaneLine.Run {
  fileprivate init(_ cell: Cell) {
    let traits = cell.style.traits
    self.init(
      text: cell.cluster, isBold: traits.contains(.bold), isDim: traits.contains(.dim),
      isUnderlined: traits.contains(.underline), isReversed: traits.contains(.reverse),
      isStruck: traits.contains(.strike), colour: cell.style.colour.map { Int($0.rawValue) })
  }
}

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
