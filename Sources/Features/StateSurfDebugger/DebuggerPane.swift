internal import DebuggerDriver
internal import FoundationEssentials
public import StateSurf
internal import SurfDebugger
internal import SurfTTY
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
    screen = PaneScreen(Self.size(columns, rows))
    let setting = Debugger.Setting(of: kind, viewer: source.viewer)
    runner = DebuggerRunner(screen, setting, source, queue: queue)
    refresh()
  }

  /// Whether the person has closed it with `q`. The pane no longer changes then.
  public var isClosed: Bool { runner.ending != nil }

  /// Resizes the pane.
  public func resize(columns: Int, rows: Int) {
    screen.add(.resized(Self.size(columns, rows)))
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

  private static func size(_ columns: Int, _ rows: Int) -> ScreenSize {
    ScreenSize(width: max(1, columns), height: max(1, rows))
  }
}
