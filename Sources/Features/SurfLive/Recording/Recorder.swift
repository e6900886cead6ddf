internal import Glibc
internal import Redaction
internal import SurfBasics
internal import SurfNetwork
internal import SurfThreads
internal import SurfWire
internal import Synchronization
internal import ValueCoding

/// The encoding thread: takes entries out of the mailbox, and hands records to the sink.
///
/// The thread keeps the recorder alive, but not the transceiver: when the transceiver goes, the
/// thread sends what is left and ends.
package final class Recorder: Sendable {
  let mailbox: Mailbox
  let resetQueue: ResetQueue
  let settings: Settings
  /// Of the scopes that lie in no other.
  let scopeNames = ScopeNames()
  private let makeSink: RecordSinkFactory
  /// Of the process that made it, and of the one that it serves: a child that was forked off before
  /// the first `resume()`, when there was no thread and no socket yet, takes it over.
  private let birth = Fork.generation
  private let generation = Atomic(Fork.generation)
  /// Whether it was ever resumed.
  private let hasBegun = Atomic(false)
  /// Whether somebody recorded before that.
  private let wasCalledInVain = Atomic(false)
  let control = ControlState()
  private let ownRequests = Monitor(OwnRequests())
  /// The encoding thread has it for as long as it lives; nil before the first.
  private let pipeline = Monitor<RecordPipeline?>(nil)
  let ledger = RecordLedger()

  init(settings: Settings, makeSink: @escaping RecordSinkFactory) {
    self.settings = settings
    self.makeSink = makeSink
    mailbox = Mailbox(whenFull: settings.whenFull)
    resetQueue = ResetQueue(mailbox: mailbox, coder: settings.coder)
    resetQueue.setWheelHandler { [weak control, mailbox] in control?.tell($0, through: mailbox) }
  }

  /// False in a child of a process that had resumed it.
  var isOurs: Bool {
    let current = Fork.generation
    if generation.load(ordering: .relaxed) == current { return true }
    guard !hasBegun.load(ordering: .relaxed) else { return false }
    generation.store(current, ordering: .relaxed)
    return true
  }

  /// Whether it takes anything in: every call checks this before it evaluates an argument.
  var isOpen: Bool {
    if mailbox.isOpen { return true }
    if !hasBegun.load(ordering: .relaxed), !wasCalledInVain.load(ordering: .relaxed) {
      wasCalledInVain.store(true, ordering: .relaxed)
    }
    return false
  }

  /// Whether the program recorded, and never resumed.
  var wasForgotten: Bool {
    wasCalledInVain.load(ordering: .relaxed) && !hasBegun.load(ordering: .relaxed)
  }

  /// Viewers that follow, as far as can be known.
  var viewerCount: Int { control.sink.withLock { $0 }?.viewerCount ?? 0 }

  func resume() {
    hasBegun.store(true, ordering: .relaxed)
    let (sink, isNew) = openSink()
    if mailbox.start() {
      AtExit.watch(self)
      start(with: sink)
    }
    guard isNew else { return }
    for warning in settings.warnings {
      _ = mailbox.add(Entry(kind: .log(.warning), subject: warning, source: .none))
    }
  }

  /// The ticket of a row, as a viewer names it; nil if no call of the app made it.
  func ticket(of row: SequenceNumber) -> UInt64? { ledger.sequences.ticket(of: row) }

  /// The newest row, counting those that wait to be encoded.
  var newestRow: SequenceNumber {
    let ticket = UInt64(clamping: mailbox.counters.recordCount)
    return max(ledger.sequences.sequence(of: ticket), ledger.lastSequence)
  }

  /// Tells viewers, behind all that is recorded, that the app is in a state that no record carries.
  func leaveRecords() {
    mailbox.addDeparture()
  }

  /// Tells the viewer of a request how much of the work on it is done.
  ///
  /// - Returns: false if the viewer waits no longer, so that the work is in vain.
  func note(_ done: Int, of total: Int, for reset: IncomingReset) -> Bool {
    guard !resetQueue.isAbandoned(reset) else { return false }
    let share = ResetProgress.Share(done, of: total)
    control.sink.withLock { $0 }?.note(share, of: reset)
    return true
  }

  func ownPackets(from place: SequenceNumber?, sizeMax: Int) -> OwnPackets? {
    control.sink.withLock { $0 }?.ownPackets(from: place, sizeMax: sizeMax)
  }

  var ownViewer: ViewerID { ownRequests.withLock { $0.viewer } }

  /// Puts a request of a debugger within the program before the app, as a viewer's from outside.
  func ask(
    _ name: String, _ target: Position, _ content: Content?, from file: String?, isCommand: Bool,
    _ completion: @escaping OwnHistory.Completion
  ) {
    guard settings.broadcaster.acceptsResets else { return completion(.forbidden) }
    // Answers come by the encoding thread.
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

  /// Ends the thread, and waits for that as long as the app wants to.
  func close() {
    mailbox.close(within: settings.farewell)
    _ = mailbox.waitUntilClosed(timeout: settings.farewell)
  }

  func flush(timeout: Duration) -> Bool {
    let deadline = monotonicTime(after: timeout)
    guard mailbox.waitUntilIdle(timeout: timeout) else { return false }
    let sink = control.sink.withLock { $0 }
    return sink?.flush(timeout: max(.zero, deadline - monotonicNow())) ?? true
  }

  /// Made late, because only now is it known whether the app handles resets.
  private func openSink() -> (any RecordSink, isNew: Bool) {
    control.sink.withLock { sink in
      if let sink { return (sink, false) }
      var configuration = settings.broadcaster
      // The parent may go on the wire as well: no two processes are one instance.
      if birth != Fork.generation { configuration.instance = .random() }
      configuration.acceptsResets = configuration.acceptsResets && resetQueue.isHandled
      configuration.onAbandon = { [weak resetQueue] in resetQueue?.abandon($0) }
      if settings.whenUnwatched != .everything {
        configuration.onArrival = { [mailbox] in mailbox.addArrival() }
      }
      configuration.onNetwork = { [mailbox, app = configuration.app] problem in
        mailbox.note(hasNetwork: problem == nil)
        if let problem { Settings.complain(noNetworkFor: app, problem) }
      }
      configuration.control = configuration.acceptsResets ? control.current : []
      let isForbidden = !configuration.acceptsResets
      let made = makeSink(configuration) { [resetQueue, mailbox] reset in
        if isForbidden {
          mailbox.add(answer: .forbidden, to: reset)
        } else {
          resetQueue.receive(reset)
        }
      }
      sink = made
      return (made, true)
    }
  }

  /// Octets; only those in use take memory. Describing an action takes some 1,500 for each of its
  /// levels, and giving back a value 100, as on a thread of the app's.
  private static let stackSize = 64 * 1_024 * 1_024

  /// Without a thread all stays as before `resume()`, which may be called again.
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

  /// Makes this thread, and those that it starts, give way when they are woken: above all to the
  /// thread of the app that has just left a record.
  private func yieldToApp() {
    // sched(7): these numbers are Linux's for ever, and no header that Swift reads has them.
    let (batchPolicy, idlePolicy) = (Int32(3), Int32(5))
    var (policy, parameters) = (Int32(0), sched_param())
    pthread_getschedparam(pthread_self(), &policy, &parameters)
    // An app that gives way to all others already does so with all of its threads.
    guard policy != idlePolicy else { return }
    parameters.sched_priority = 0
    // If the system refuses, calls cost more; nothing else changes.
    pthread_setschedparam(pthread_self(), batchPolicy, &parameters)
  }

  private func run(with sink: any RecordSink) {
    pipeline.withLock { kept in
      var pipeline = kept.take() ?? RecordPipeline(settings, ledger, mailbox, sink)
      defer { kept = pipeline }
      // The same memory for every batch.
      var items = Queue<RecordQueue.Item>()
      repeat {
        sink.resume()
        var givenUp = Heartbeat.GivenUp()
        while let count = mailbox.take(&items, until: pipeline.deadline) {
          if count != givenUp { sink.note(count) }
          givenUp = count
          pipeline.perform(&items) { reset, result in
            sink.answer(reset, with: result)
            if reset.isOwn { ownRequests.withLock { $0.take(reset.request) }?.complete(result) }
          }
        }
        // Whoever comes later must not miss it.
        pipeline.finish()
        // Viewers that missed something have the rest to ask for it.
        _ = sink.flush(timeout: mailbox.timeLeft / 2)
        sink.suspend(within: mailbox.timeLeft)
      } while !mailbox.finishIfIdle()
    }
  }
}
