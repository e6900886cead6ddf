public import FoundationEssentials
internal import SurfNetwork
internal import SurfThreads
internal import Synchronization

/// Shows what a program does, and the state that it changes, to every viewer that listens.
///
/// Use it directly in a program without a store. `HistoryTransceiver` and `StoreTransceiver` each
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

  /// Nil in a forked child of a process that had resumed it: every call does nothing there.
  var recorder: Recorder? {
    guard let made, made.isOurs else { return nil }
    return made
  }

  /// Silent until `resume()`.
  ///
  /// - Parameter name: What viewers call the program.
  public convenience init(
    name: String = ProcessInfo.processInfo.processName,
    configuration: Configuration = Configuration()
  ) {
    self.init(
      name: name, configuration: configuration,
      environment: ProcessInfo.processInfo.environment,
      makeSink: { Broadcaster(configuration: $0, onReset: $1) })
  }

  /// With a given environment and sink, for tests.
  package init(
    name: String, configuration: Configuration, environment: [String: String],
    makeSink: @escaping RecordSinkFactory
  ) {
    made = Settings(
      name: name, configuration: configuration, environment: environment
    ).map { Recorder(settings: $0, makeSink: makeSink) }
  }

  /// Prints a reminder on standard error if the program recorded and never called `resume()`.
  deinit {
    guard let recorder else { return }
    if recorder.wasForgotten, !isLeftOff.load(ordering: .relaxed) {
      Settings.complain(Settings.reminder(of: recorder.settings.broadcaster.app))
    }
    recorder.mailbox.close(within: recorder.settings.farewell)
  }

  /// Whether viewers can receive what is recorded now: the program was built and started with
  /// StateSurf on, and `isResumed`.
  public var isOn: Bool { recorder?.mailbox.isOpen ?? false }

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

  func leaveOff() { isLeftOff.store(true, ordering: .relaxed) }

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

  /// Waits at most `timeout` until everything recorded is on the wire; true if it is.
  @discardableResult
  public func flush(timeout: Duration = .seconds(1)) -> Bool {
    recorder?.flush(timeout: timeout) ?? true
  }

  /// How much was recorded and given up.
  public var counters: Counters { recorder?.mailbox.counters ?? Counters() }

  /// Counted since the transceiver was created.
  public struct Counters: Equatable, Sendable {
    /// Records accepted, marks included.
    public internal(set) var recordCount = 0
    /// Records sent without their state, because too much was waiting.
    public internal(set) var stateGivenUpCount = 0
    /// Records not sent, because too much was waiting. A mark in the history says where.
    public internal(set) var recordGivenUpCount = 0
    /// Records with a part that could not be encoded. An error record says why.
    public internal(set) var failureCount = 0
  }

  /// The recorder, if it accepts records.
  var openRecorder: Recorder? {
    guard let recorder, recorder.isOpen else { return nil }
    return recorder
  }
}
