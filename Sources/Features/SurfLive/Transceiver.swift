public import FoundationEssentials
internal import SurfNetwork
internal import SurfThreads
internal import Synchronization

/// Shows what a program does, and the state that it changes, to every viewer that listens.
///
/// For programs without a store; those with one have `HistoryTransceiver`. Any thread may call any
/// member. A call copies its values and returns; StateSurf describes, encodes and sends on a thread
/// of its own, and no fault there ever reaches the program.
///
/// `STATESURF=off` in the environment turns all of it off: no thread starts, no socket opens, and
/// no argument is evaluated. The same holds in a forked child that has not called `exec`, if the
/// parent had resumed the transceiver; one that was not resumed works in the child. It is a session
/// of its own there, as is one that is made there. Its handler of resets must not be `async`,
/// because tasks do not run in such a child.
///
/// Call no member in a signal handler: each takes a lock, which the interrupted thread may hold.
/// `DispatchSource.makeSignalSource` calls its handler where that is allowed.
public final class Transceiver: Sendable {
  private let made: Recorder?
  private let hasResumed = Atomic(false)
  /// Whether a person does not want it: nobody forgot `resume()`.
  private let isLeftOff = Atomic(false)

  /// None in a forked child of a process that had resumed it: every call is inert there.
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

  /// With another environment and another way to the network, for tests.
  package init(
    name: String, configuration: Configuration, environment: [String: String],
    makeSink: @escaping RecordSinkFactory
  ) {
    made = Settings(
      name: name, configuration: configuration, environment: environment
    ).map { Recorder(settings: $0, makeSink: makeSink) }
  }

  /// Says on standard error if the program recorded and never called `resume()`.
  deinit {
    guard let recorder else { return }
    if recorder.wasForgotten, !isLeftOff.load(ordering: .relaxed) {
      Settings.complain(Settings.reminder(of: recorder.settings.broadcaster.app))
    }
    recorder.mailbox.close(within: recorder.settings.farewell)
  }

  /// Whether what is recorded now reaches viewers, if there are any: the program was built and
  /// started with StateSurf on, and `isResumed`.
  public var isOn: Bool { recorder?.mailbox.isOpen ?? false }

  /// Whether the last call was `resume()`, and not `suspend()`.
  public var isResumed: Bool { hasResumed.load(ordering: .relaxed) }

  /// How many viewers follow. One that went away counts for a minute: none says goodbye.
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

  /// Whether the parent of this process had it.
  private var isInert: Bool { made.map { !$0.isOurs } ?? false }

  /// The transceiver that was resumed first and still exists: where `@Inspected` shows its values.
  /// In a forked child, the first that was resumed there.
  public static var shared: Transceiver? {
    resumed.withLock { $0.transceiver }.flatMap { $0.isInert ? nil : $0 }
  }

  private struct Resumed { weak var transceiver: Transceiver? }
  private static let resumed = Monitor(Resumed())

  /// Stops recording, sends what is recorded, and says goodbye. A second call is harmless.
  ///
  /// Waits for that as long as viewers need, `Configuration.farewell` at most. What cannot be sent
  /// in that time is counted, and viewers are told the number. They keep the history, and
  /// `resume()` continues it. A program that ends without it does the same at its exit.
  public func suspend() {
    hasResumed.store(false, ordering: .relaxed)
    recorder?.close()
  }

  /// Waits at most `timeout` until all that was recorded is on the wire; true if it is.
  @discardableResult
  public func flush(timeout: Duration = .seconds(1)) -> Bool {
    recorder?.flush(timeout: timeout) ?? true
  }

  /// What was recorded, and what was given up.
  public var counters: Counters { recorder?.mailbox.counters ?? Counters() }

  /// Counted since the transceiver was made.
  public struct Counters: Equatable, Sendable {
    /// Records taken in, marks included.
    public internal(set) var recordCount = 0
    /// Records that went without their state, because there was no room for it.
    public internal(set) var stateGivenUpCount = 0
    /// Records that found no room; a mark in the history says where.
    public internal(set) var recordGivenUpCount = 0
    /// Records of which a part could not be encoded; an error in the history says why.
    public internal(set) var failureCount = 0
  }

  /// The recorder, if it takes anything in.
  var openRecorder: Recorder? {
    guard let recorder, recorder.isOpen else { return nil }
    return recorder
  }
}
