internal import DebuggerDriver
internal import FoundationEssentials
public import Glibc
public import StateSurf
internal import SurfDebugger
internal import SurfThreads
internal import SurfWire
internal import TerminalScreen

/// The debugger of `statesurf surf` within a program, for the program's own history and on its own
/// terminal.
///
///     let debugger = AppDebugger(history.transceiver)
///     try debugger.opens(on: SIGUSR2)
///
/// It needs no network. It reads the records that the program keeps for viewers, so it shows what
/// was recorded before it opened, and costs nothing while it is closed. The program keeps running
/// behind it. What the program prints to the terminal meanwhile is kept in memory, and the newest
/// 256 KiB are shown when the debugger closes.
///
/// The debugger gets all keys, so no other thread may read the terminal meanwhile. A program that
/// reads keys itself calls `run()` on the thread that does. Any thread may call any member.
public final class AppDebugger: Sendable {
  private let transceiver: Transceiver
  private let state = Monitor(State())

  private struct State {
    /// The open debugger's.
    var queue: DebuggerQueue?
    /// Counts closings, so that `close` waits for the right one.
    var closeCount = 0
    /// Woken by the signal that opens the debugger.
    var caller: Waker?
  }

  /// Octets of the program's output to keep.
  private static let outputSizeMax = 256 << 10

  /// - Parameter transceiver: whose history to show. Resume it before opening a debugger.
  public init(_ transceiver: Transceiver) { self.transceiver = transceiver }

  /// Whether the debugger is open.
  public var isOpen: Bool { state.withLock { $0.queue != nil } }

  /// Opens the debugger on a new thread, and returns once it has the terminal.
  public func open() throws(AppDebuggerError) {
    let opened = try begin()
    let queue = opened.queue
    do throws(ThreadError) {
      _ = try Thread.start(name: "surf-debugger") { [self] in finish(opened) }
    } catch {
      end(queue)
      throw .unavailable(reason: "\(error)")
    }
  }

  /// Opens the debugger, and returns when it has closed. Call it on the thread that reads the
  /// program's keys.
  public func run() throws(AppDebuggerError) { finish(try begin()) }

  /// Closes the debugger, and waits until the program has its terminal back. Does nothing if none
  /// is open.
  public func close() {
    let (open, count) = state.withLock { ($0.queue, $0.closeCount) }
    guard let queue = open else { return }
    queue.end(.closed)
    state.wait { $0.closeCount != count || $0.queue == nil }
  }

  /// Makes a signal open the debugger, until the process ends. If the debugger cannot open, a
  /// warning in the program's log says why. While it is open, the signal does nothing.
  ///
  /// - Parameter signal: The signal. Its former handler is replaced.
  public func opens(on signal: Int32 = SIGUSR2) throws(AppDebuggerError) {
    let isTaken = Monitor<Bool?>(nil)
    let waker: Waker
    do throws(ThreadError) {
      waker = try Waker()
      // Start the thread first: once a signal can write to the waker, the waker must live.
      _ = try Thread.start(name: "surf-opener") { [self] in openAtSignals(waker, unless: isTaken) }
    } catch {
      throw .unavailable(reason: "\(error)")
    }
    do throws(TerminalError) {
      try Terminal.wake(waker, by: signal)
    } catch {
      isTaken.withLock { $0 = true }
      throw .signalTaken
    }
    state.withLock { $0.caller = waker }
    isTaken.withLock { $0 = false }
  }

  private func openAtSignals(_ waker: Waker, unless isTaken: Monitor<Bool?>) {
    isTaken.wait { $0 != nil }
    guard isTaken.withLock({ $0 == false }) else { return }
    while wait(for: waker) { openAtSignal() }
  }

  private func wait(for waker: Waker) -> Bool {
    do throws(ThreadError) {
      _ = try Poller.wait(reading: [waker.fileDescriptor], until: nil)
      waker.clear()
      return true
    } catch { return false }
  }

  private func openAtSignal() {
    guard !isOpen else { return }
    do throws(AppDebuggerError) {
      try run()
    } catch {
      transceiver.log("no debugger: \(error)", level: .warning)
    }
  }
}

extension AppDebugger {
  private struct Opened {
    let terminal: Terminal
    let source: OwnSource
    let queue: DebuggerQueue
  }

  private func begin() throws(AppDebuggerError) -> sending Opened {
    guard let source = OwnSource(transceiver) else { throw .notRecording }
    do throws(TerminalError) {
      let environment = ProcessInfo.processInfo.environment
      let terminal = try Terminal.open(
        kind: TerminalKind(environment: environment), outputSizeMax: Self.outputSizeMax)
      let queue = DebuggerQueue(waker: terminal.waker)
      state.withLock { $0.queue = queue }
      return Opened(terminal: terminal, source: source, queue: queue)
    } catch {
      throw AppDebuggerError(error)
    }
  }

  private func finish(_ opened: Opened) {
    let feed = OwnFeed(opened.source, opened.queue)
    feed.start()
    let setting = Debugger.Setting(of: opened.terminal.kind, viewer: opened.source.viewer)
    let runner = DebuggerRunner(opened.terminal, setting, opened.source, queue: opened.queue)
    do throws(TerminalError) {
      _ = try runner.run()
    } catch {
      transceiver.log("the debugger has closed: \(error)", level: .warning)
    }
    runner.waitForFarewells(.zero)
    feed.stop()
    // Signals until now meant the debugger that is closing, not the next one.
    state.withLock { $0.caller }?.clear()
    opened.terminal.close()
    end(opened.queue)
  }

  /// Another debugger may have opened as soon as the terminal was free.
  private func end(_ queue: DebuggerQueue) {
    state.withLock { state in
      if state.queue === queue { state.queue = nil }
      state.closeCount += 1
    }
  }
}

extension Debugger.Setting {
  /// The setting for this machine and its terminal.
  init(of kind: TerminalKind, viewer: ViewerID) {
    self.init()
    self.viewer = viewer
    viewerName = OwnSource.viewerName
    personal.sourceFolders = PersonalSettings.folders(
      ProcessInfo.processInfo.environment["STATESURF_SOURCES"] ?? "")
    isWithin = true
    textWidth = kind.textWidth
    isASCII = kind.isASCII
    isLight = kind.isLight
    var (now, local) = (time(nil), tm())
    localtime_r(&now, &local)
    secondsFromGMT = local.tm_gmtoff
  }
}

/// Feeds an open `AppDebugger` with what the program records, up to 30 times a second. Also frees
/// the memory of captured output that will not be shown.
final class OwnFeed: Sendable {
  private let source: OwnSource
  private let queue: DebuggerQueue
  private let isStopped = Monitor(false)
  private let thread = Monitor<Thread?>(nil)

  private static let period = Duration.milliseconds(33)

  init(_ source: OwnSource, _ queue: DebuggerQueue) {
    self.source = source
    self.queue = queue
  }

  func start() {
    do throws(ThreadError) {
      let started = try Thread.start(name: "surf-feed") { [self] in run() }
      thread.withLock { $0 = started }
    } catch {
      queue.push(.told("only older rows are shown: \(error)", isFailure: true))
    }
  }

  func stop() {
    isStopped.withLock { $0 = true }
    thread.withLock { $0.take() }?.join()
  }

  private func run() {
    repeat {
      for event in source.refresh() { queue.push(event) }
      Terminal.trimOutput()
    } while !isStopped.wait(until: monotonicTime(after: Self.period), for: { $0 })
  }
}

/// Why a program's debugger cannot open. Nothing has changed.
public enum AppDebuggerError: Error, Equatable, Sendable {
  /// The program records nothing: it has not resumed its transceiver, recording is off, or it was
  /// built without the trait `Live`.
  case notRecording
  /// The program has no terminal, as in a pipe or under a daemon.
  case noTerminal
  /// The terminal shows only text; `name` is the value of `TERM`.
  case cannotDraw(name: String)
  /// The terminal belongs to another job of the shell.
  case inBackground
  /// A debugger of this program is open already.
  case alreadyOpen
  /// A signal already opens a debugger of this program.
  case signalTaken
  /// The process has no descriptors, threads or memory left, or the terminal went away.
  case unavailable(reason: String)
}

extension AppDebuggerError: CustomStringConvertible {
  /// One line for people.
  public var description: String {
    switch self {
    case .notRecording: "the program records nothing"
    case .noTerminal: "the program has no terminal"
    case .cannotDraw(let name): "the terminal shows only text (TERM=\(name))"
    case .inBackground: "the terminal belongs to another job"
    case .alreadyOpen: "the debugger is open already"
    case .signalTaken: "a signal opens a debugger already"
    case .unavailable(let reason): reason
    }
  }
}

extension AppDebuggerError {
  init(_ error: TerminalError) {
    self =
      switch error {
      case .noTerminal: .noTerminal
      case .cannotDraw(let name): .cannotDraw(name: name)
      case .inBackground: .inBackground
      case .alreadyOpen: .alreadyOpen
      case .closed, .stuck, .noResources: .unavailable(reason: "\(error)")
      }
  }
}
