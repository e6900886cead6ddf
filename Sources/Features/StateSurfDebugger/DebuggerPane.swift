internal import DebuggerDriver
internal import FoundationEssentials
public import StateSurf
internal import SurfDebugger
internal import SurfTTY
internal import SurfThreads
internal import TerminalScreen

/// The debugger as a part of a screen that a program draws itself.
///
/// The program gives it the octets of keys, as they come from the terminal, and draws its lines
/// wherever it likes:
///
///     let pane = try DebuggerPane(history.transceiver, columns: 60, rows: 20)
///     pane.receive(bytes)
///     pane.refresh()
///     for line in pane.lines { … }
///
/// One thread uses a pane. It never blocks and never writes to the terminal.
public final class DebuggerPane {
  private let source: OwnSource
  private let queue: DebuggerQueue
  private let screen: PaneScreen
  private let runner: DebuggerRunner
  private var parser: InputParser

  /// - Parameters:
  ///   - columns: At least 1; a debugger needs 40.
  ///   - rows: At least 1; a debugger needs 10.
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

  /// Whether the person has pressed `q`: nothing changes any more.
  public var isClosed: Bool { runner.ending != nil }

  /// Gives the pane another size.
  public func resize(columns: Int, rows: Int) {
    screen.add(.resized(Self.size(columns, rows)))
    turn()
  }

  /// Takes the octets of keys, pasted text among them. What the mouse does is left out: only the
  /// program knows where the pane is.
  public func receive(_ bytes: [UInt8]) {
    take(parser.receive(bytes, at: monotonicNow()))
  }

  /// Takes what the program has recorded since the last call: up to 30 times a second, and when
  /// there was nothing else to do.
  public func refresh() {
    for event in source.refreshSome() { queue.push(event) }
    take(parser.advance(to: monotonicNow()))
  }

  /// The rows of the pane, from top to bottom.
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
