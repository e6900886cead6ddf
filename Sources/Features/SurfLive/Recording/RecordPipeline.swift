internal import SurfBasics
internal import SurfNetwork
internal import SurfWire

/// Makes records of entries, and hands them to the sink: the only place that decides what of an
/// entry is sent, and when (Protocol.md §12).
///
/// Records that waited together leave together, several small ones in one packet.
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
  /// Whether anybody watches, as this batch begins.
  private var isWatched = true
  /// Go to the sink with one call.
  private var records: [Record] = []
  /// Octets of them.
  private var size = 0

  /// Octets beyond which records wait for no more: what one system call sends.
  private static let sizeMax = 60_000
  /// Octets of states that take some milliseconds to encode, however few of them leave.
  private static let encodedSizeMax = 1_048_576
  /// Octets of a record without its texts and contents: numbers, types and places.
  private static let headSize = 128

  init(
    _ settings: Settings, _ ledger: RecordLedger, _ mailbox: Mailbox, _ sink: any RecordSink
  ) {
    self.sink = sink
    self.mailbox = mailbox
    self.ledger = ledger
    watches = settings.whenUnwatched != .everything
    samples = !settings.sampled.isEmpty
    writer = RecordWriter(settings, ledger)
    actions = Coalescer(settings.coalesced, every: settings.thinningInterval)
    states = StateThinning(settings.whenUnwatched)
  }

  /// When the thread must send what it holds back, by the entries' uptime.
  var deadline: UInt64? { .least(actions.deadline, sampleDeadline) }

  /// Performs items in their order; without any, writes what is due.
  ///
  /// - Parameter answer: gives a viewer its answer, behind the records before it.
  mutating func perform(
    _ items: inout Queue<RecordQueue.Item>, answer: (IncomingReset, Outcome.Result) -> Void
  ) {
    look()
    if items.isEmpty { tellDue() }
    while let item = items.popFirst() {
      switch consume item {
      case .record(let tickets, var entry, _): take(&entry, tickets)
      case .answer(let reset, let result):
        tellAll()
        send()
        let placed = writer.placed(reset)
        writer.note(placed, result)
        answer(placed, result)
      case .leftRecords:
        tellAll()
        send()
        leaveRecords()
      case .arrival:
        tellHeld()
        tellUnwatched()
      }
    }
    send()
    if samples { sampleDeadline = writer.sampleDeadline }
  }

  /// Tells all that is held back.
  mutating func finish() {
    look()
    tellAll()
    tellUnwatched()
    send()
  }

  private mutating func look() { isWatched = !watches || sink.isWatched }

  private mutating func take(_ entry: inout Entry, _ tickets: ClosedRange<UInt64>) {
    guard actions.concerns(entry) else {
      tellHeld()
      return tell(&entry, tickets)
    }
    let next = Coalescer.Row(entry, tickets, writer.detail(of: entry))
    for row in actions.add(next) { tell(row) }
    guard actions.deadline != nil, entry.state.isHeld else { return }
    ledger.keepLive(.leftOut(entry.state), of: tickets.upperBound)
  }

  // MARK: Holding back

  /// All whose time has come; all of it if somebody waits for that.
  private mutating func tellDue() {
    let now = mailbox.uptime
    let isAwaited = deadline.map { now < $0 } ?? false
    if isAwaited || actions.deadline.map({ $0 <= now }) == true,
      let row = actions.expire(at: now)
    {
      tell(row)
    }
    if isAwaited || sampleDeadline.map({ $0 <= now }) == true { tellSampled() }
  }

  /// Before the app goes on from elsewhere.
  private mutating func tellAll() {
    tellHeld()
    tellSampled()
  }

  private mutating func tellHeld() {
    if let row = actions.interrupt() { tell(row) }
  }

  private mutating func tellSampled() {
    guard samples else { return }
    let begin = records.count
    writer.writeSampled(behind: states.lastTicket, at: mailbox.uptime, to: &records)
    measure(from: begin)
  }

  private mutating func tellUnwatched() {
    guard let mark = states.takeMark() else { return }
    let begin = records.count
    writer.write(own: mark, behind: states.lastTicket, to: &records)
    note(mark, from: begin)
  }

  // MARK: Writing

  private mutating func tell(_ row: consuming Coalescer.Row) {
    tell(&row.entry, row.tickets, count: row.count, known: row.detail)
  }

  private mutating func tell(
    _ entry: inout Entry, _ tickets: ClosedRange<UInt64>, count: WireCount = 1,
    known: RecordWriter.Detail? = nil
  ) {
    if isWatched { tellUnwatched() }
    let leftOut = isWatched ? nil : states.thin(&entry)
    let begin = records.count
    writer.write(entry, of: tickets, count: count, known: known, to: &records)
    note(entry, from: begin)
    if let leftOut { ledger.keepLive(.leftOut(leftOut), of: tickets.upperBound) }
    states.note(tickets.upperBound)
  }

  /// Takes note of the records that an entry became.
  private mutating func note(_ entry: Entry, from begin: Int) {
    if records.count > begin + 1 { mailbox.countFailure() }
    measure(from: begin)
    // Protocol.md §11.7: the app is in a state that could not be encoded.
    let isLost = entry.kind.movesApp && entry.state.isHeld && !records[begin].movesApp
    if isLost || size >= Self.sizeMax || writer.sizes.states.size >= Self.encodedSizeMax { send() }
    if isLost { leaveRecords() }
  }

  private mutating func measure(from begin: Int) {
    for record in records[begin...] { size += record.roughSize + Self.headSize }
  }

  private mutating func leaveRecords() {
    writer.leaveRecords()
    sink.leaveRecords()
  }

  /// First passes on the sizes that the records have shown: the queue judges those that wait by
  /// them, and the sink may take its time.
  private mutating func send() {
    guard !records.isEmpty else { return }
    mailbox.learn(writer.takeSizes())
    sink.send(records)
    records.removeAll(keepingCapacity: true)
    size = 0
  }
}
