internal import SurfBasics
package import SurfNetwork
internal import SurfValues
package import SurfWire

/// Turns entries into records and passes them to the sink, on the encoding thread. It alone decides
/// which parts of an entry are sent, and when (Protocol.md §12).
///
/// Records that waited together are sent together, several small ones in one packet.
struct RecordPipeline {
  private let sink: any RecordSink
  private let mailbox: Mailbox
  private let ledger: RecordLedger
  private let watches: Bool
  private let samples: Bool
  private var writer: RecordWriter
  private var actions: Coalescer
  private var states: StateThinning
  /// When the writer must report sampled states, by the entries' uptime.
  private var sampleDeadline: UInt64?
  /// Whether a viewer followed when this batch began.
  private var isWatched = true
  /// Records to send with one call of the sink.
  private var records: [Record] = []

  /// Octets after which records are sent: as much as one system call sends.
  private static let sizeMax = 60_000
  /// Octets of encoded states after which records are sent, even if few of the octets leave.
  /// Encoding this much takes some milliseconds.
  private static let encodedSizeMax = 1_048_576

  init(
    _ settings: Settings, _ ledger: RecordLedger, _ mailbox: Mailbox, _ sink: any RecordSink
  ) {
    self.sink = sink
    self.mailbox = mailbox
    self.ledger = ledger
    watches = settings.thinning.whenUnwatched != .everything
    samples = !settings.thinning.sampled.isEmpty
    writer = RecordWriter(settings, ledger)
    actions = Coalescer(settings.thinning)
    states = StateThinning(settings.thinning)
  }

  /// When the thread must send what it holds back, by the entries' uptime.
  var deadline: UInt64? { .least(actions.deadline, sampleDeadline) }

  /// Handles items in order. Without items, writes the records that are due.
  ///
  /// - Parameter answer: Answers a viewer, after the records before the answer.
  mutating func perform(
    _ items: inout Queue<RecordQueue.Item>, answer: (IncomingReset, Outcome.Result) -> Void
  ) {
    updateIsWatched()
    if items.isEmpty { writeDue() }
    while let item = items.popFirst() {
      switch consume item {
      case .record(let tickets, var entry): take(&entry, tickets)
      case .notice(.answer(let reset, let result)):
        writeAll()
        send()
        let placed = writer.placed(reset)
        writer.note(placed, result)
        answer(placed, result)
      case .notice(.leftRecords):
        writeAll()
        send()
        leaveRecords()
      case .notice(.arrival):
        writeHeld()
        writeUnwatched()
      }
    }
    send()
    if samples { sampleDeadline = writer.sampleDeadline }
  }

  /// Sends everything that is held back.
  mutating func finish() {
    updateIsWatched()
    writeAll()
    writeUnwatched()
    send()
  }

  private mutating func updateIsWatched() { isWatched = !watches || sink.isWatched }

  private mutating func take(_ entry: inout Entry, _ tickets: ClosedRange<UInt64>) {
    guard actions.concerns(entry) else {
      writeHeld()
      return write(&entry, tickets)
    }
    let next = Coalescer.Row(entry, tickets, writer.detail(of: entry))
    for row in actions.add(next) { write(row) }
    guard actions.deadline != nil, entry.facts.state.isHeld else { return }
    ledger.keepLive(.leftOut(entry.state), of: tickets.upperBound)
  }

  // MARK: Holding back

  /// Writes what is due, or everything if somebody waits for it.
  private mutating func writeDue() {
    let now = mailbox.uptime
    let isAwaited = deadline.map { now < $0 } ?? false
    if isAwaited || actions.deadline.map({ $0 <= now }) == true,
      let row = actions.expire(at: now)
    {
      write(row)
    }
    if isAwaited || sampleDeadline.map({ $0 <= now }) == true { writeSampled() }
  }

  /// Called before the app moves to another state.
  private mutating func writeAll() {
    writeHeld()
    writeSampled()
  }

  private mutating func writeHeld() {
    if let row = actions.interrupt() { write(row) }
  }

  private mutating func writeSampled() {
    guard samples else { return }
    writer.writeSampled(behind: states.lastTicket, at: mailbox.uptime, to: &records)
  }

  private mutating func writeUnwatched() {
    guard states.isThinned else { return }
    let mark = states.takeMark()
    let begin = records.count
    writer.write(own: mark, behind: states.lastTicket, to: &records)
    note(from: begin)
  }

  // MARK: Writing

  private mutating func write(_ row: consuming Coalescer.Row) {
    write(&row.entry, row.tickets, count: row.count, known: row.detail)
  }

  private mutating func write(
    _ entry: inout Entry, _ tickets: ClosedRange<UInt64>, count: WireCount = 1,
    known: consuming RecordWriter.Detail? = nil
  ) {
    if isWatched { writeUnwatched() }
    let leftOut = isWatched ? nil : states.thin(&entry)
    let begin = records.count
    writer.write(entry, of: tickets, count: count, known: known, to: &records)
    note(from: begin)
    if let leftOut { ledger.keepLive(leftOut, of: tickets.upperBound) }
    states.note(tickets.upperBound)
  }

  /// Sends if enough records have gathered.
  private mutating func note(from begin: Int) {
    if records.count > begin + 1 { mailbox.countFailure() }
    // Protocol.md §11.7: no record has the app's state.
    let isLost = writer.hasLostState
    if isLost || writer.size >= Self.sizeMax || writer.sizes.states.size >= Self.encodedSizeMax {
      send()
    }
    if isLost { leaveRecords() }
  }

  private mutating func leaveRecords() {
    writer.leaveRecords()
    sink.perform(.leftRecords)
  }

  /// Sends the records. First passes their sizes to the queue, which estimates waiting entries by
  /// them: the sink may take its time.
  private mutating func send() {
    guard !records.isEmpty else { return }
    mailbox.learn(writer.takeSizes())
    sink.send(records)
    records.removeAll(keepingCapacity: true)
  }
}

/// Leaves out actions' states while no viewer follows, if the app asks for it (Protocol.md §12).
struct StateThinning {
  private let choice: TransceiverConfiguration.Thinning.WhenUnwatched
  /// States left out since a viewer last followed.
  private var leftOutCount = 0
  /// Consecutive states left out.
  private var runLength = 0
  /// The newest state and its moment, if it was left out.
  private var newest = Piece.none
  private var moment = Moment()
  /// The ticket of the newest record.
  private(set) var lastTicket: UInt64 = 0

  init(_ thinning: TransceiverConfiguration.Thinning) { choice = thinning.whenUnwatched }

  /// Removes and returns the state that no viewer needs; nil if the record keeps its own.
  mutating func thin(_ entry: inout Entry) -> LiveState? {
    guard entry.kind == .action, entry.facts.state.isHeld else {
      if entry.kind.movesApp, entry.facts.state.isHeld { newest = .none }
      return nil
    }
    moment = entry.moment
    guard isLeftOut else {
      (runLength, newest) = (0, .none)
      return nil
    }
    leftOutCount += 1
    runLength += 1
    newest = entry.state
    entry.state = .givenUp
    return .leftOut(newest)
  }

  private var isLeftOut: Bool {
    switch choice {
    case .everything: false
    case .newestState: true
    case .everyNth(let count): runLength + 1 < count
    }
  }

  /// Notes the ticket of a record that has been written.
  mutating func note(_ ticket: UInt64) { lastTicket = ticket }

  /// Whether states were left out since the last mark.
  var isThinned: Bool { leftOutCount > 0 }

  /// A mark that counts the states left out, with the newest state.
  mutating func takeMark() -> Entry {
    let states = leftOutCount == 1 ? "1 state" : "\(leftOutCount) states"
    var mark = Entry(
      .mark, "\(states) left out while nobody watched", source: .none, state: newest)
    mark.moment = moment
    (leftOutCount, runLength, newest) = (0, 0, .none)
    return mark
  }
}

/// Where the encoding thread sends records: a `Broadcaster`, or a test that reads them. Its members
/// may be called from any thread.
package protocol RecordSink: Sendable {
  /// Goes on the wire. Idempotent.
  func resume()
  /// Says goodbye and leaves the wire within this time. Until then viewers may request what they
  /// miss. Idempotent.
  func suspend(within time: Duration)
  /// Must not block.
  func perform(_ command: BroadcastCommand)
  /// Sends the next records of the session; may block.
  func send(_ records: [Record])
  /// Lets `send` block until `end` at most, by `monotonicNow()`; nil lifts the limit.
  func limitWaits(until end: Duration?)
  /// Waits at most `timeout` until everything is on the wire; true if it is.
  func flush(timeout: Duration) -> Bool
  /// Whether a viewer follows, as far as is known.
  var isWatched: Bool { get }
  /// How many viewers follow, as far as is known.
  var viewerCount: Int { get }
  /// The next packets for a debugger in this process; nil if there are none to read.
  func ownPackets(from place: SequenceNumber?, sizeMax: Int) -> OwnPackets?
}

extension RecordSink {
  package var isWatched: Bool { true }

  package var viewerCount: Int { 0 }

  package func limitWaits(until end: Duration?) {}

  package func ownPackets(from place: SequenceNumber?, sizeMax: Int) -> OwnPackets? { nil }
}

extension Broadcaster: RecordSink {}

/// Makes the sink of a transceiver at its first `resume()`.
package typealias RecordSinkFactory =
  @Sendable (
    Broadcaster.Configuration, _ onReset: @escaping @Sendable (IncomingReset) -> Void
  ) -> any RecordSink
