internal import FoundationEssentials
internal import Glibc
internal import Redaction
internal import SurfBasics
internal import SurfNetwork
internal import SurfThreads
package import SurfValues
internal import SurfWire
internal import Synchronization
internal import ValueCoding

/// Owns the mailbox, and the encoding thread that turns its entries into records for the sink.
///
/// The thread keeps the recorder alive, but not the transceiver. When the transceiver is released,
/// the thread sends the rest and ends.
package final class Recorder: Sendable {
  let mailbox: Mailbox
  let resetQueue: ResetQueue
  let settings: Settings
  private let makeSink: RecordSinkFactory
  /// The fork generation in which it was made, and the one that it serves. A child that was forked
  /// before the first `resume()` takes it over, as there was no thread and no socket yet.
  private let birth = Fork.generation
  private let generation = Atomic(Fork.generation)
  /// Whether `resume()` was ever called.
  private let hasBegun = Atomic(false)
  /// Whether the app recorded before that.
  private let wasCalledInVain = Atomic(false)
  /// Whether it has recorded the state before the first change since `resume()`.
  let hasStateBefore = Atomic(false)
  let control = ControlState()
  let plain: PlainCommands
  private let ending: Ending
  private let ownRequests = Monitor(OwnRequests())
  /// Held by the encoding thread while it lives; nil before the first one.
  private let pipeline = Monitor<RecordPipeline?>(nil)
  let ledger = RecordLedger()

  init(settings: Settings, makeSink: @escaping RecordSinkFactory) {
    self.settings = settings
    self.makeSink = makeSink
    mailbox = Mailbox(whenFull: settings.whenFull)
    ending = Ending(mailbox, control, farewell: settings.farewell)
    resetQueue = ResetQueue(
      mailbox: mailbox, coder: settings.coder,
      wheelHandler: { [weak control, mailbox] in control?.tell($0, through: mailbox) })
    plain = PlainCommands(mailbox: mailbox, ledger: ledger) { [weak control] in
      control?.announcePlain($0)
    }
  }

  /// Nil if the environment turns recording off; `Settings` says when.
  package convenience init?(name: String, configuration: TransceiverConfiguration) {
    self.init(
      name: name, configuration: configuration,
      environment: ProcessInfo.processInfo.environment,
      makeSink: { Broadcaster(configuration: $0, onReset: $1) })
  }

  /// With a given environment and sink, for tests.
  package convenience init?(
    name: String, configuration: TransceiverConfiguration, environment: [String: String],
    makeSink: @escaping RecordSinkFactory
  ) {
    guard
      let settings = Settings(name: name, configuration: configuration, environment: environment)
    else { return nil }
    self.init(settings: settings, makeSink: makeSink)
  }

  /// False in a forked child of a process that had resumed it.
  package var isOurs: Bool {
    let current = Fork.generation
    if generation.load(ordering: .relaxed) == current { return true }
    guard !hasBegun.load(ordering: .relaxed) else { return false }
    generation.store(current, ordering: .relaxed)
    return true
  }

  /// Whether it accepts records. Every call checks this before it evaluates an argument.
  package var isOpen: Bool {
    guard isOurs else { return false }
    if mailbox.isOpen { return true }
    if !hasBegun.load(ordering: .relaxed), !wasCalledInVain.load(ordering: .relaxed) {
      wasCalledInVain.store(true, ordering: .relaxed)
    }
    return false
  }

  /// Whether the app recorded and never resumed.
  private var wasForgotten: Bool {
    wasCalledInVain.load(ordering: .relaxed) && !hasBegun.load(ordering: .relaxed)
  }

  /// Whether it is resumed, without noting a call in vain as `isOpen` does.
  package var isResumed: Bool { mailbox.isOpen }

  package var counters: TransceiverCounters { mailbox.counters }

  /// How many viewers follow, as far as is known.
  package var viewerCount: Int { control.sink.withLock { $0 }?.viewerCount ?? 0 }

  package func resume() {
    hasBegun.store(true, ordering: .relaxed)
    if !mailbox.isOpen { hasStateBefore.store(false, ordering: .relaxed) }
    let (sink, isNew) = openSink()
    let isAsleep = mailbox.start()
    ending.limitWaits(of: sink)
    if isAsleep {
      AtExit.watch(ending)
      start(with: sink)
    }
    guard isNew else { return }
    for warning in settings.warnings {
      _ = mailbox.add(Entry(kind: .log(.warning), subject: warning, source: .none))
    }
  }

  /// The ticket of a row; nil if no call of the app made the row.
  func ticket(of row: SequenceNumber) -> UInt64? { ledger.sequences.ticket(of: row) }

  /// The newest row, including those that wait to be encoded.
  var newestRow: SequenceNumber {
    let ticket = UInt64(clamping: mailbox.counters.recordCount)
    return max(ledger.sequences.sequence(of: ticket), ledger.lastSequence)
  }

  /// Tells viewers, after all queued records, that the app is in a state that no record contains.
  func leaveRecords() {
    mailbox.add(.leftRecords)
  }

  /// Reports to the viewer of a request how much of the work is done.
  ///
  /// - Returns: False if the viewer has stopped waiting, so that the work can stop.
  func note(_ done: Int, of total: Int, for reset: IncomingReset) -> Bool {
    guard !resetQueue.isAbandoned(reset) else { return false }
    let share = ResetProgress.Share(done, of: total)
    control.sink.withLock { $0 }?.perform(.share(share, of: reset))
    return true
  }

  func ownPackets(from place: SequenceNumber?, sizeMax: Int) -> OwnPackets? {
    control.sink.withLock { $0 }?.ownPackets(from: place, sizeMax: sizeMax)
  }

  var ownViewer: ViewerID { ownRequests.withLock { $0.viewer } }

  /// Passes a request of a debugger within the program to the app, like a viewer's from outside.
  func ask(
    _ name: String, _ target: Position, _ content: Content?, from file: String?, isCommand: Bool,
    _ completion: @escaping OwnHistory.Completion
  ) {
    guard settings.broadcaster.acceptsResets else { return completion(.forbidden) }
    // The encoding thread delivers answers.
    guard mailbox.isOpen else {
      return completion(.rejected(reason: "recording is suspended"))
    }
    let (viewer, request) = ownRequests.withLock { ($0.viewer, $0.add(completion)) }
    var reset = IncomingReset(
      request: request, viewer: viewer, viewerName: name, target: target, state: content,
      isCommand: isCommand)
    (reset.isOwn, reset.fileName) = (true, file)
    resetQueue.receive(reset)
  }

  /// Ends the thread, and waits for that at most as long as the app allows.
  package func close() { ending.close() }

  /// The same, but calls `then` when the thread has ended, and does not wait.
  package func close(then: @escaping @Sendable () -> Void) {
    ending.begin()
    do throws(ThreadError) {
      _ = try Thread.start(name: "statesurf-bye") { [ending] in
        // It must not begin again: the app may have resumed by now.
        ending.wait()
        then()
      }
    } catch {
      // Rather block this thread than lose the farewell.
      ending.wait()
      then()
    }
  }

  /// Ends the thread because the transceiver is released, and waits for nothing.
  ///
  /// - Parameter isLeftOff: Whether a person has switched it off, so that nobody forgot `resume()`.
  package func release(isLeftOff: Bool) {
    if wasForgotten, !isLeftOff {
      Settings.complain(Settings.reminder(of: settings.broadcaster.app))
    }
    ending.begin()
  }

  /// Whether the program resumes when it starts; kept from run to run.
  package var resumesAtLaunch: Bool {
    get { settings.launchFlag?.isSet ?? false }
    set {
      let fault =
        settings.launchFlag.map { $0.set(newValue) }
        ?? "StateSurf: HOME is not set, so that nothing can be kept from run to run"
      if let fault { Settings.complain(fault) }
    }
  }

  package func flush(timeout: Duration) -> Bool {
    let deadline = monotonicTime(after: timeout)
    guard mailbox.waitUntilIdle(timeout: timeout) else { return false }
    let sink = control.sink.withLock { $0 }
    return sink?.flush(timeout: max(.zero, deadline - monotonicNow())) ?? true
  }

  /// Makes the sink at the first `resume()`: by then it is known whether the app handles resets.
  private func openSink() -> (any RecordSink, isNew: Bool) {
    control.sink.withLock { sink in
      if let sink { return (sink, false) }
      var configuration = settings.broadcaster
      // The parent may be on the wire as well, and two processes must not be one instance.
      if birth != Fork.generation { configuration.instance = .random() }
      configuration.acceptsResets = configuration.acceptsResets && resetQueue.isHandled
      configuration.onAbandon = { [weak resetQueue] in resetQueue?.abandon($0) }
      if settings.thinning.whenUnwatched != .everything {
        configuration.onArrival = { [mailbox] in mailbox.add(.arrival) }
      }
      configuration.onNetwork = { [mailbox, app = configuration.app] problem in
        mailbox.note(hasNetwork: problem == nil)
        if let problem { Settings.complain(noNetworkFor: app, problem) }
      }
      configuration.control = configuration.acceptsResets ? control.current : []
      let made = makeSink(configuration) { [resetQueue] in resetQueue.receive($0) }
      sink = made
      return (made, true)
    }
  }

  /// In octets; only the part in use takes memory. Describing an action takes some 1,500 for each
  /// of its levels, and releasing a value takes 100, as on the app's threads.
  private static let stackSize = 64 * 1_024 * 1_024

  /// If there is no thread, everything stays as before `resume()`, which may be called again.
  private func start(with sink: any RecordSink) {
    do throws(ThreadError) {
      // The thread ends when the mailbox is closed and empty.
      _ = try Thread.start(name: "StateSurf", stackSize: Self.stackSize) { [self] in
        yieldToApp()
        ValueCoder.$current.withValue(settings.coder) { run(with: sink) }
      }
    } catch {
      mailbox.close(within: .zero)
      _ = mailbox.finishIfIdle()
    }
  }

  /// Gives this thread, and those that it starts, batch scheduling: when woken, they do not preempt
  /// other threads, above all not the app's thread that has just added a record.
  private func yieldToApp() {
    // sched(7): Linux will never change these numbers, and no header that Swift reads has them.
    let (batchPolicy, idlePolicy) = (Int32(3), Int32(5))
    var (policy, parameters) = (Int32(0), sched_param())
    pthread_getschedparam(pthread_self(), &policy, &parameters)
    // An app with idle scheduling gives way to all others already, with all of its threads.
    guard policy != idlePolicy else { return }
    parameters.sched_priority = 0
    // If the system refuses, calls cost more. Nothing else changes.
    pthread_setschedparam(pthread_self(), batchPolicy, &parameters)
  }

  private func run(with sink: any RecordSink) {
    pipeline.withLock { kept in
      var pipeline = kept.take() ?? RecordPipeline(settings, ledger, mailbox, sink)
      defer { kept = pipeline }
      // Reuses its memory for every batch.
      var items = Queue<RecordQueue.Item>()
      repeat {
        sink.resume()
        // The recorder may have been closed before this thread ran.
        ending.limitWaits(of: sink)
        var givenUp = Heartbeat.GivenUp()
        while let count = mailbox.take(&items, until: pipeline.deadline) {
          if count != givenUp { sink.perform(.givenUp(count)) }
          givenUp = count
          pipeline.perform(&items) { reset, result in
            // Viewers know that state. The app may go on as soon as it is answered.
            let isShown = reset.state != nil || ledger.initial != nil
            if result == .applied, !reset.isCommand, isShown {
              hasStateBefore.store(true, ordering: .relaxed)
            }
            sink.perform(.answer(reset, result))
            if reset.isOwn { ownRequests.withLock { $0.take(reset.request) }?.complete(result) }
          }
        }
        // Send what is held back, for viewers that join later.
        pipeline.finish()
        // Leave the second half of the time to viewers that request what they missed.
        _ = sink.flush(timeout: mailbox.timeLeft / 2)
        sink.suspend(within: mailbox.timeLeft)
      } while !mailbox.finishIfIdle()
    }
  }
}

/// The end of a recorder. A separate class, because `AtExit` refers to it weakly: every call
/// retains the recorder, and Swift retains an object with weak references more slowly.
private final class Ending: Sendable {
  let mailbox: Mailbox
  private let control: ControlState
  private let farewell: Duration
  /// Held while the sink gets its limit, so that an older one is never set last.
  private let limiting = Monitor(())

  init(_ mailbox: Mailbox, _ control: ControlState, farewell: Duration) {
    (self.mailbox, self.control, self.farewell) = (mailbox, control, farewell)
  }

  /// Accepts no more records, and wakes the encoding thread if it waits for a slow network.
  func begin() {
    mailbox.close(within: farewell)
    if let sink = control.sink.withLock({ $0 }) { limitWaits(of: sink) }
  }

  /// The same, and waits for the thread to end.
  func close() {
    begin()
    wait()
  }

  /// Waits until the thread has ended, if it is about to, but no longer than the app allows.
  func wait() { mailbox.waitUntilClosed() }

  func limitWaits(of sink: any RecordSink) {
    limiting.withLock { _ in sink.limitWaits(until: mailbox.encodingEnd) }
  }
}

/// Lets transceivers say goodbye when a program ends without calling `suspend()`.
private enum AtExit {
  private struct Watched: Sendable {
    weak let ending: Ending?
    /// A forked child must not end what its parent has resumed.
    let generation = Fork.generation
  }

  private static let watched = Monitor<[Watched]>([])
  /// Installed once per process. A forked child inherits its parent's handler.
  private static let isInstalled: Bool = {
    atexit { AtExit.closeAll() }
    return true
  }()

  static func watch(_ ending: Ending) {
    _ = isInstalled
    watched.withLock { watched in
      watched.removeAll { $0.ending == nil || $0.ending === ending }
      watched.append(Watched(ending: ending))
    }
  }

  /// Does nothing if the lock is taken: `exit` in a signal handler may have interrupted its owner.
  private static func closeAll() {
    let watched = watched.withLockIfFree { $0 } ?? []
    let endings = watched.filter { $0.generation == Fork.generation }.compactMap(\.ending)
    for ending in endings { ending.begin() }
    // Also those that somebody has begun, and did not wait for.
    for ending in endings { ending.wait() }
  }
}

/// Distinguishes a forked child from its parent, for `Recorder`.
///
/// A child has none of our threads. A lock that one of the parent's threads held stays held
/// forever, so the child must not touch what the parent made.
enum Fork {
  private static let count = Atomic(0)
  private static let isWatched = pthread_atfork(nil, nil) {
    count.add(1, ordering: .relaxed)
  }

  /// A different number in each forked child of a process that has called this.
  static var generation: Int {
    _ = isWatched
    return count.load(ordering: .relaxed)
  }
}
