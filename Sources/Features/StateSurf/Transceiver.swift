internal import SurfThreads
// So that an app gets these values by importing this module.
@_exported public import SurfValues
internal import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Shows what a program does, and the state that it changes, to every viewer that listens.
///
/// Use it directly in a program without a store. `HistoryTransceiver` and `StoreObserver` each
/// contain one. Any thread may call any member. A call copies its values and returns; StateSurf
/// describes, encodes and sends them on a thread of its own. No fault there ever reaches the
/// program.
///
/// `STATESURF=off` in the environment turns it off: no thread starts, no socket opens, and no
/// argument is evaluated. It is also off in a forked child that has not called `exec`, if the
/// parent had resumed it. A transceiver that was not resumed before the fork works in the child,
/// and so does one created there; either is a session of its own. Its handler of resets must not
/// be `async`, because tasks do not run in such a child.
///
/// Call no member in a signal handler: each takes a lock, which the interrupted thread may hold.
/// The handler of `DispatchSource.makeSignalSource` may call them.
public final class Transceiver: Sendable {
  private let made: Recorder?
  private let hasResumed = Atomic(false)
  /// Whether a person has switched it off, so that nobody forgot `resume()`.
  private let isLeftOff = Atomic(false)
  /// The names of the scopes that lie in no other.
  let scopeNames = ScopeNames()
  /// The states of a program that has several.
  let parts = StateParts()

  /// Nil if recording is off, and in a forked child of a process that had resumed it: every call
  /// does nothing there.
  var recorder: Recorder? {
    guard let made, made.isOurs else { return nil }
    return made
  }

  /// The recorder, if it accepts records.
  var openRecorder: Recorder? {
    guard let made, made.isOpen else { return nil }
    return made
  }

  /// Silent until `resume()`.
  ///
  /// - Parameter name: What viewers call the program.
  public convenience init(
    name: String = ProcessInfo.processInfo.processName,
    configuration: Configuration = Configuration()
  ) {
    self.init(Recorder(name: name, configuration: configuration))
  }

  init(_ recorder: Recorder?) { made = recorder }

  /// Prints a reminder on standard error if the program recorded and never called `resume()`.
  deinit { recorder?.release(isLeftOff: isLeftOff.load(ordering: .relaxed)) }

  /// Whether viewers can receive what is recorded now: the program was built and started with
  /// StateSurf on, and `isResumed`.
  public var isOn: Bool { recorder?.isResumed ?? false }

  /// Whether the last call was `resume()` rather than `suspend()`.
  public var isResumed: Bool { hasResumed.load(ordering: .relaxed) }

  /// How many viewers follow. Viewers say no goodbye, so each counts for another minute.
  public var viewerCount: Int { recorder?.viewerCount ?? 0 }

  /// Starts recording and sending. A second call is harmless.
  public func resume() {
    hasResumed.store(true, ordering: .relaxed)
    Self.resumed.withLock { resumed in
      if resumed.transceiver?.isInert ?? true { resumed.transceiver = self }
    }
    recorder?.resume()
  }

  /// The same as `resume()`, under the name that services use.
  public func start() { resume() }

  /// Whether `resumeAtLaunch()` resumes: for a switch in the program's settings.
  ///
  /// False until it is set. It is kept from run to run, for all programs with this name and user.
  /// If that fails it stays as it was, and standard error says why.
  public var resumesAtLaunch: Bool {
    get { recorder?.resumesAtLaunch ?? false }
    set { recorder?.resumesAtLaunch = newValue }
  }

  /// Calls `resume()` if `resumesAtLaunch` is set. Otherwise does nothing.
  public func resumeAtLaunch() {
    if resumesAtLaunch { resume() } else { isLeftOff.store(true, ordering: .relaxed) }
  }

  /// Whether the parent of this process had resumed it.
  private var isInert: Bool { made.map { !$0.isOurs } ?? false }

  /// The transceiver that was resumed first and still exists; `@Inspected` shows its values there.
  /// In a forked child, the first that was resumed in the child.
  public static var shared: Transceiver? {
    resumed.withLock { $0.transceiver }.flatMap { $0.isInert ? nil : $0 }
  }

  private struct Resumed { weak var transceiver: Transceiver? }
  private static let resumed = Monitor(Resumed())

  /// Stops recording, sends the rest, and says goodbye. A second call is harmless.
  ///
  /// Waits as long as viewers need to receive it, but at most `Configuration.farewell`. Records
  /// that cannot be sent in that time are counted, and viewers see the number. Viewers keep the
  /// history, and `resume()` continues it. At a program's exit the same happens without a call.
  public func suspend() {
    hasResumed.store(false, ordering: .relaxed)
    recorder?.close()
  }

  /// What `suspend()` does, for a task: it waits without blocking a thread. Cancelling the task
  /// does not shorten the wait.
  public func stop() async {
    hasResumed.store(false, ordering: .relaxed)
    guard let recorder else { return }
    await withCheckedContinuation { done in recorder.close { done.resume() } }
  }

  /// Waits at most `timeout` until everything recorded is on the wire; true if it is.
  @discardableResult
  public func flush(timeout: Duration = .seconds(1)) -> Bool {
    recorder?.flush(timeout: timeout) ?? true
  }

  /// How much was recorded and given up.
  public var counters: Counters { recorder?.counters ?? Counters() }
}

extension Transceiver {
  /// The settings of a transceiver, fixed when it is created.
  public typealias Configuration = TransceiverConfiguration
  /// How much it recorded and gave up, counted since it was created.
  public typealias Counters = TransceiverCounters
  /// The severity of a log line.
  public typealias Level = TransceiverLevel
}
