public import FoundationEssentials
internal import SurfNetwork
internal import SurfThreads

/// Shows what a program does, and the state that it changes, to every viewer that listens.
///
/// For programs without a store; those with one have `HistoryTransceiver`. Any thread may call any
/// member. A call copies its values and returns; StateSurf describes, encodes and sends on a thread
/// of its own, and no fault there ever reaches the program.
///
/// `STATESURF=off` in the environment turns all of it off: no thread starts, no socket opens, and
/// no argument is evaluated. The same holds in a forked child that has not called `exec`. A
/// transceiver made there is a session of its own; its handler of resets must not be `async`,
/// because tasks do not run in such a child.
///
/// Call no member in a signal handler: each takes a lock, which the interrupted thread may hold.
/// `DispatchSource.makeSignalSource` calls its handler where that is allowed.
public final class Transceiver: Sendable {
  private let made: Recorder?

  /// None in a forked child, so that every call is inert there.
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

  deinit { recorder?.mailbox.close() }

  /// Whether this program was built and started with StateSurf on.
  public var isOn: Bool { recorder != nil }

  /// Starts recording and sending. A second call is harmless.
  public func resume() {
    Self.resumed.withLock { $0.transceiver = $0.transceiver ?? self }
    recorder?.resume()
  }

  /// The transceiver that was resumed first and still exists: where `@Inspected` shows its values.
  public static var shared: Transceiver? { resumed.withLock { $0.transceiver } }

  private struct Resumed { weak var transceiver: Transceiver? }
  private static let resumed = Monitor(Resumed())

  /// Stops recording, sends what is recorded, and says goodbye. A second call is harmless.
  ///
  /// Waits for that a second at most. Viewers keep the history, and `resume()` continues it.
  public func suspend() {
    guard let mailbox = recorder?.mailbox else { return }
    mailbox.close()
    _ = mailbox.waitUntilClosed(timeout: .seconds(1))
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

  /// The recorder, if it takes anything in: every call checks this before it evaluates an argument.
  var openRecorder: Recorder? {
    guard let recorder, recorder.mailbox.isOpen else { return nil }
    return recorder
  }
}
