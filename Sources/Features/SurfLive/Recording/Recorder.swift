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
  let desk: ResetDesk
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
  let board = ControlBoard()
  private let ownRequests = Monitor(OwnRequests())
  /// The encoding thread alone has it, for as long as the app's values take to encode.
  private let writer: Monitor<RecordWriter>
  let ledger: RecordLedger

  init(settings: Settings, makeSink: @escaping RecordSinkFactory) {
    self.settings = settings
    self.makeSink = makeSink
    let writer = RecordWriter(settings)
    ledger = writer.ledger
    self.writer = Monitor(writer)
    mailbox = Mailbox(whenFull: settings.whenFull)
    desk = ResetDesk(mailbox: mailbox, coder: settings.coder)
    desk.setWheelHandler { [weak board, mailbox] in board?.tell($0, through: mailbox) }
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
  var viewerCount: Int { board.sink.withLock { $0 }?.viewerCount ?? 0 }

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
    guard !desk.isAbandoned(reset) else { return false }
    let share = ResetProgress.Share(done, of: total)
    board.sink.withLock { $0 }?.note(share, of: reset)
    return true
  }

  func ownPackets(from place: SequenceNumber?, sizeMax: Int) -> OwnPackets? {
    board.sink.withLock { $0 }?.ownPackets(from: place, sizeMax: sizeMax)
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
    desk.receive(reset)
  }

  /// Ends the thread, and waits for that as long as the app wants to.
  func close() {
    mailbox.close(within: settings.farewell)
    _ = mailbox.waitUntilClosed(timeout: settings.farewell)
  }

  func flush(timeout: Duration) -> Bool {
    let deadline = monotonicTime(after: timeout)
    guard mailbox.waitUntilIdle(timeout: timeout) else { return false }
    let sink = board.sink.withLock { $0 }
    return sink?.flush(timeout: max(.zero, deadline - monotonicNow())) ?? true
  }

  /// Made late, because only now is it known whether the app handles resets.
  private func openSink() -> (any RecordSink, isNew: Bool) {
    board.sink.withLock { sink in
      if let sink { return (sink, false) }
      var configuration = settings.broadcaster
      // The parent may go on the wire as well: no two processes are one instance.
      if birth != Fork.generation { configuration.instance = .random() }
      configuration.acceptsResets = configuration.acceptsResets && desk.isHandled
      configuration.onAbandon = { [weak desk] in desk?.abandon($0) }
      if settings.whenUnwatched != .everything {
        configuration.onArrival = { [mailbox] in mailbox.addArrival() }
      }
      configuration.onNetwork = { [mailbox, app = configuration.app] problem in
        mailbox.note(hasNetwork: problem == nil)
        if let problem { Settings.complain(noNetworkFor: app, problem) }
      }
      configuration.control = configuration.acceptsResets ? board.current : []
      let isForbidden = !configuration.acceptsResets
      let made = makeSink(configuration) { [desk, mailbox] reset in
        if isForbidden {
          mailbox.add(answer: .forbidden, to: reset)
        } else {
          desk.receive(reset)
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
    // The same memory for every batch.
    var items = Queue<RecordQueue.Item>()
    var thinning = Thinning(settings)
    repeat {
      sink.resume()
      var givenUp = Heartbeat.GivenUp()
      while let count = mailbox.take(&items, until: thinning.deadline) {
        if count != givenUp { sink.note(count) }
        givenUp = count
        perform(&items, &thinning, with: sink)
      }
      // Whoever comes later must not miss it.
      var batch = Batch()
      thinning.isWatched = isWatched(by: sink)
      tellAll(of: &thinning, &batch, to: sink)
      tell(of: &thinning.states, &batch, to: sink)
      send(&batch, to: sink)
      // Viewers that missed something have the rest to ask for it.
      _ = sink.flush(timeout: mailbox.timeLeft / 2)
      sink.suspend(within: mailbox.timeLeft)
    } while !mailbox.finishIfIdle()
  }

  /// What the app wants to be left out.
  private struct Thinning {
    var actions: Coalescer
    var states: StateThinning
    /// When states that are sampled must be told of.
    var sampleDeadline: UInt64?
    /// Whether anybody watches, as this batch begins.
    var isWatched = true

    init(_ settings: Settings) {
      actions = Coalescer(settings.coalesced, every: settings.thinningInterval)
      states = StateThinning(settings.whenUnwatched)
    }

    /// When something that is held back must be told, by the entries' uptime.
    var deadline: UInt64? {
      guard let sampleDeadline else { return actions.deadline }
      return min(sampleDeadline, actions.deadline ?? .max)
    }
  }

  /// Records that waited together leave together, several small ones in one packet.
  private func perform(
    _ items: inout Queue<RecordQueue.Item>, _ thinning: inout Thinning, with sink: any RecordSink
  ) {
    var batch = Batch()
    thinning.isWatched = isWatched(by: sink)
    if items.isEmpty { tellDue(of: &thinning, &batch, to: sink) }
    while let item = items.popFirst() {
      switch consume item {
      case .answer(let reset, let result):
        tellAll(of: &thinning, &batch, to: sink)
        send(&batch, to: sink)
        let reset = writer.withLock { writer in
          let placed = writer.placed(reset)
          writer.note(placed, result)
          return placed
        }
        sink.answer(reset, with: result)
        if reset.isOwn { ownRequests.withLock { $0.take(reset.request) }?.complete(result) }
      case .leftRecords:
        tellAll(of: &thinning, &batch, to: sink)
        send(&batch, to: sink)
        leaveRecords(sink)
      case .arrival:
        tellHeld(of: &thinning, &batch, to: sink)
        tell(of: &thinning.states, &batch, to: sink)
      case .record(let id, let entry): take(entry, id, &thinning, &batch, to: sink)
      case .missing(let tickets, let entry):
        tellHeld(of: &thinning, &batch, to: sink)
        var telling = Coalescer.Telling(entry, RecordID(ticket: tickets.upperBound), nil)
        telling.firstTicket = tickets.lowerBound
        tell(telling, &thinning, &batch, to: sink)
      }
    }
    send(&batch, to: sink)
    if !settings.sampled.isEmpty {
      thinning.sampleDeadline = writer.withLock { $0.sampleDeadline }
    }
  }

  private func take(
    _ entry: Entry, _ id: RecordID, _ thinning: inout Thinning, _ batch: inout Batch,
    to sink: any RecordSink
  ) {
    guard thinning.actions.concerns(entry) else {
      tellHeld(of: &thinning, &batch, to: sink)
      return tell(Coalescer.Telling(entry, id, nil), &thinning, &batch, to: sink)
    }
    let detail = writer.withLock { $0.detail(of: entry) }
    let tellings = thinning.actions.add(Coalescer.Telling(entry, id, detail))
    for telling in tellings { tell(telling, &thinning, &batch, to: sink) }
    guard thinning.actions.deadline != nil, entry.state.isHeld else { return }
    ledger.keepLive(.leftOut(entry.state), of: id.ticket)
  }

  /// What is held back until now; all of it if somebody waits for that.
  private func tellDue(of thinning: inout Thinning, _ batch: inout Batch, to sink: any RecordSink) {
    let now = mailbox.uptime
    let isAwaited = thinning.deadline.map { now < $0 } ?? false
    if isAwaited || thinning.actions.deadline.map({ $0 <= now }) == true,
      let telling = thinning.actions.expire(at: now)
    {
      tell(telling, &thinning, &batch, to: sink)
    }
    if isAwaited || thinning.sampleDeadline.map({ $0 <= now }) == true {
      tellSampled(of: thinning, &batch, to: sink)
    }
  }

  /// What is held back, before the app goes on from elsewhere.
  private func tellAll(of thinning: inout Thinning, _ batch: inout Batch, to sink: any RecordSink) {
    tellHeld(of: &thinning, &batch, to: sink)
    tellSampled(of: thinning, &batch, to: sink)
  }

  private func tellSampled(of thinning: Thinning, _ batch: inout Batch, to sink: any RecordSink) {
    guard !settings.sampled.isEmpty else { return }
    let (ticket, now) = (thinning.states.lastTicket, mailbox.uptime)
    let (records, sizes) = writer.withLock {
      ($0.sampledRecords(behind: ticket, at: now), $0.takeSizes())
    }
    batch.add(records, of: sizes)
  }

  private func tellHeld(
    of thinning: inout Thinning, _ batch: inout Batch, to sink: any RecordSink
  ) {
    guard let telling = thinning.actions.interrupt() else { return }
    tell(telling, &thinning, &batch, to: sink)
  }

  private func tell(
    _ telling: Coalescer.Telling, _ thinning: inout Thinning, _ batch: inout Batch,
    to sink: any RecordSink
  ) {
    if thinning.isWatched { tell(of: &thinning.states, &batch, to: sink) }
    var telling = telling
    let leftOut = thinning.isWatched ? nil : thinning.states.thin(&telling.entry)
    write(telling.entry, &batch, to: sink) { $0.records(for: telling) }
    if let leftOut { ledger.keepLive(.leftOut(leftOut), of: telling.id.ticket) }
    thinning.states.note(telling.id)
  }

  private func isWatched(by sink: any RecordSink) -> Bool {
    settings.whenUnwatched == .everything || sink.isWatched
  }

  private func tell(
    of thinning: inout StateThinning, _ batch: inout Batch, to sink: any RecordSink
  ) {
    guard let mark = thinning.takeMark() else { return }
    let ticket = thinning.lastTicket
    write(mark, &batch, to: sink) { $0.records(forOwn: mark, behind: ticket) }
  }

  private func write(
    _ entry: Entry, _ batch: inout Batch, to sink: any RecordSink,
    _ make: (inout RecordWriter) -> [Record]
  ) {
    let (records, sizes) = writer.withLock { (make(&$0), $0.takeSizes()) }
    if records.count > 1 { mailbox.countFailure() }
    batch.add(records, of: sizes)
    // Protocol.md §11.7: the app is in a state that could not be encoded.
    let isLost =
      entry.kind.movesApp && entry.state.isHeld && records.first?.state == RecordState.none
    if isLost || batch.isFull { send(&batch, to: sink) }
    if isLost { leaveRecords(sink) }
  }

  private func leaveRecords(_ sink: any RecordSink) {
    writer.withLock { $0.leaveRecords() }
    sink.leaveRecords()
  }

  /// First passes on the sizes that the records have shown: the queue judges those that wait by
  /// them, and the sink may take its time.
  private func send(_ batch: inout Batch, to sink: any RecordSink) {
    guard !batch.isEmpty else { return }
    mailbox.learn(batch.encoded)
    batch.send(to: sink)
  }
}

/// Records that go to the sink with one call.
private struct Batch {
  private var records: [Record] = []
  private var size = 0
  /// What was learned while they were encoded.
  private(set) var encoded = EncodedSizes()

  /// Octets beyond which a batch waits for no more: what one system call sends.
  private static let sizeMax = 60_000
  /// Octets of states that take some milliseconds to encode, however few of them leave.
  private static let encodedSizeMax = 1_048_576
  /// Octets of a record besides its texts and contents: the numbers, types and places.
  private static let headSize = 128

  var isEmpty: Bool { records.isEmpty }
  var isFull: Bool { size >= Self.sizeMax || encoded.states.size >= Self.encodedSizeMax }

  mutating func add(_ more: [Record], of sizes: EncodedSizes) {
    records += more
    encoded.add(sizes)
    size += more.reduce(0) { $0 + $1.state.size + $1.detailSize + Self.headSize }
  }

  mutating func send(to sink: any RecordSink) {
    sink.send(records)
    self = Batch()
  }
}
