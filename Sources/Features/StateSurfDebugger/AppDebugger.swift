internal import DebuggerDriver
internal import FoundationEssentials
public import Glibc
public import StateSurf
internal import SurfDebugger
internal import SurfTTY
internal import SurfThreads
internal import SurfWire
internal import TerminalScreen

/// The debugger of `statesurf surf` within a program: over the program's own history, on the
/// program's own terminal.
///
///     let debugger = AppDebugger(history.transceiver)
///     try debugger.opens(on: SIGUSR2)
///
/// It needs no network: it reads the records that the program keeps for viewers, so it shows what
/// was recorded before it was opened, and costs nothing while it is closed. The program goes on
/// behind it. What the program prints to the terminal meanwhile is kept in memory, and its newest
/// 256 KiB are shown when the debugger closes.
///
/// Keys go to the debugger: a thread that reads the terminal must not do so meanwhile, so a program
/// with keys of its own calls `run()` on that thread. Any thread may call any member.
public final class AppDebugger: Sendable {
  private let transceiver: Transceiver
  private let state = Monitor(State())

  private struct State {
    /// Of the debugger that is open.
    var queue: DebuggerQueue?
    /// Counts openings and closings, so that a wait ends with the one that it waits for.
    var closeCount = 0
    /// Of the signal that opens.
    var caller: Waker?
  }

  /// Octets of the program's output that are kept.
  private static let outputSizeMax = 256 << 10

  /// - Parameter transceiver: whose history is shown. Resume it before a debugger opens.
  public init(_ transceiver: Transceiver) { self.transceiver = transceiver }

  /// Whether the debugger has the terminal.
  public var isOpen: Bool { state.withLock { $0.queue != nil } }

  /// Opens the debugger on a thread of its own, and returns when it has the terminal.
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

  /// Opens the debugger, and returns when the person has closed it: for the thread that reads the
  /// program's keys.
  public func run() throws(AppDebuggerError) { finish(try begin()) }

  /// Closes the debugger, and waits until the terminal is the program's again. Nothing happens if
  /// none is open.
  public func close() {
    let (open, count) = state.withLock { ($0.queue, $0.closeCount) }
    guard let queue = open else { return }
    queue.end(.closed)
    state.wait { $0.closeCount != count || $0.queue == nil }
  }

  /// From now on, and until the process ends, a signal opens the debugger. If it cannot open, a
  /// warning in the program's log says why. Signals while it is open do nothing.
  ///
  /// - Parameter signal: SIGUSR2, unless said otherwise. Its handler is replaced.
  public func opens(on signal: Int32 = SIGUSR2) throws(AppDebuggerError) {
    let isTaken = Monitor<Bool?>(nil)
    let waker: Waker
    do throws(ThreadError) {
      waker = try Waker()
      // First: from the moment when a signal writes to it, the waker must stay.
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
  /// What one opening has.
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
    // Who called until now sees the debugger that closes, and not the next one.
    state.withLock { $0.caller }?.clear()
    opened.terminal.close()
    end(opened.queue)
  }

  /// Another opening may have begun as soon as the terminal was free.
  private func end(_ queue: DebuggerQueue) {
    state.withLock { state in
      if state.queue === queue { state.queue = nil }
      state.closeCount += 1
    }
  }
}

extension Debugger.Setting {
  /// As this machine and its terminal are.
  init(of kind: TerminalKind, viewer: ViewerID) {
    self.init()
    self.viewer = viewer
    viewerName = OwnSource.viewerName
    personal.sourceFolders = PersonalSettings.folders(
      ProcessInfo.processInfo.environment["STATESURF_SOURCES"] ?? "")
    isWithin = true
    textWidth = kind.textWidth
    isASCII = kind.isASCII
    var (now, local) = (time(nil), tm())
    localtime_r(&now, &local)
    secondsFromGMT = local.tm_gmtoff
  }
}
