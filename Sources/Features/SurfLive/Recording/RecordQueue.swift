internal import SurfBasics
package import SurfNetwork
package import SurfWire

/// The queue of what waits to be encoded; it decides what to give up when too much waits.
///
/// States go before records, because a row without its state still says what happened. The newest
/// state stays, because that is where the program is. One mark stands for all records that are
/// missing in a row; behind it comes again what they last told of each value.
package struct RecordQueue: Sendable {
  /// How much may wait.
  package struct Bounds: Sendable {
    /// A burst of a tenth of a second from a program that does nothing but record.
    package var recordCountMax = 65_536
    /// Octets of states, as they are once encoded. The newest is kept if it alone is larger, or
    /// larger than the one before.
    package var stateSizeMax = 2 * Limits.contentSizeMax
    /// What a value counts before any was encoded: 8,192 of them may wait until the first ones show
    /// their size, which takes some milliseconds. No program fills much memory in that time.
    package var stateSizeGuess = 16_384
    /// Octets of names and payloads.
    package var detailSizeMax = 2 * Limits.contentSizeMax

    /// The same for callers that prefer to wait: a short queue empties as fast as a long one, and
    /// what comes reuses the memory of what has left. One state may always wait.
    package var awaitedRecordCountMax = 4_096
    package var awaitedStateSizeMax = 8 * 1_024 * 1_024

    /// The bounds that the documentation names.
    package init() {}
  }

  /// What the encoding thread does next.
  package enum Item: Sendable {
    /// Encode and send it. A mark may have the tickets of all the records that it stands for.
    case record(ClosedRange<UInt64>, Entry, Entry.Sizes)
    /// Answer a reset, now that the records before the answer are sent.
    indirect case answer(IncomingReset, Outcome.Result)
    /// Tell viewers that the app is in a state that no record carries.
    case leftRecords
    /// Tell a viewer that has come of the newest state.
    case arrival
  }

  /// Answers and notices besides records; only a flood of them brings more.
  static let noticeCountMax = 1_024

  /// What became of everything that was offered.
  package private(set) var counters = Transceiver.Counters()
  private let bounds: Bounds
  private var items = Queue<Item>()
  /// How many items have left.
  private var leftCount = 0
  private var recordCount = 0
  private var stateCount = 0
  private var states: WaitingSize
  private var details = WaitingSize()
  private var noticeCount = 0
  private var lastTicket: UInt64 = 0
  /// The place of the newest state among all items that there ever were; it may have left.
  private var newestState: Int?
  /// Records given up since the last one that was kept.
  private var missing = MissingRecords()
  private var told = KnownNames()
  /// What the marks that wait stand for, by their tickets.
  private var marked: [UInt64: MissingRecords.Counts] = [:]

  /// An empty queue.
  package init(bounds: Bounds = Bounds()) {
    self.bounds = bounds
    states = WaitingSize(guess: bounds.stateSizeGuess)
  }

  package var isEmpty: Bool { items.isEmpty }

  /// What heartbeats tell of `counters`.
  var givenUp: Heartbeat.GivenUp {
    Heartbeat.GivenUp(
      states: WireCount(counters.stateGivenUpCount),
      records: WireCount(counters.recordGivenUpCount))
  }

  /// Whether a caller that can wait may add `entry`: `add` then keeps all of it, and all that
  /// waits.
  package func hasRoom(for entry: Entry) -> Bool {
    hasRoomToWait(for: Entry.Sizes(of: entry))
  }

  /// The same, by its sizes alone.
  func hasRoomToWait(for sizes: Entry.Sizes) -> Bool {
    guard recordCount < bounds.awaitedRecordCountMax, hasRoom(forRecordOf: sizes) else {
      return false
    }
    guard sizes.holdsState else { return true }
    let size = states.total + states.of(sizes.state)
    return (stateCount == 0 || size <= bounds.awaitedStateSizeMax) && hasRoom(forStateOf: sizes)
  }

  /// Whether so many more records would be taken in, whatever they carry.
  func hasRoom(forRecords count: Int) -> Bool {
    recordCount + count + (missing.count > 0 ? 1 : 0) <= bounds.recordCountMax
      && details.total < bounds.detailSizeMax
  }

  /// Takes in what there is room for; `nil` if the whole record was given up.
  package mutating func add(_ entry: consuming Entry, at moment: Moment) -> RecordID? {
    let sizes = Entry.Sizes(of: entry)
    return add(entry, sizes, at: moment)
  }

  mutating func add(
    _ entry: consuming Entry, _ sizes: Entry.Sizes, at moment: Moment
  ) -> RecordID? {
    guard hasRoom(forRecordOf: sizes) else {
      counters.recordGivenUpCount += 1
      missing.add(entry, at: moment, told: told)
      return nil
    }
    markMissing()
    entry.moment = moment
    return append(entry, sizes)
  }

  /// Puts an answer behind the records that wait; false if a flood of them has filled its room.
  package mutating func add(answer result: Outcome.Result, to reset: IncomingReset) -> Bool {
    addNotice(.answer(reset, result))
  }

  /// Queues a notice, behind the records that wait, that the app has left them; false as above.
  package mutating func addDeparture() -> Bool { addNotice(.leftRecords) }

  /// Queues a notice that somebody watches; false as above.
  mutating func addArrival() -> Bool { addNotice(.arrival) }

  private mutating func addNotice(_ item: Item) -> Bool {
    guard noticeCount < Self.noticeCountMax else { return false }
    noticeCount += 1
    items.append(item)
    return true
  }

  /// The oldest item; the last one leaves behind the mark that is due, if one is.
  package mutating func take() -> Item? {
    guard let item = items.popFirst() else { return nil }
    leftCount += 1
    switch item {
    case .answer, .leftRecords, .arrival: noticeCount -= 1
    case .record(let tickets, _, let sizes):
      if !marked.isEmpty { marked[tickets.upperBound] = nil }
      discount(sizes)
      if recordCount == 0 { markMissing() }
    }
    return item
  }

  /// Gives up all records that wait: there is no time left to encode them. A mark says how many,
  /// with the newest state. Answers and notices stay.
  package mutating func giveUpRest() {
    var kept = Queue<Item>()
    var rest = MissingRecords()
    var tickets: ClosedRange<UInt64>?
    while let item = items.popFirst() {
      leftCount += 1
      guard case .record(let own, let entry, let sizes) = item else {
        kept.append(item)
        continue
      }
      tickets = (tickets?.lowerBound ?? own.lowerBound)...own.upperBound
      discount(sizes)
      if entry.kind == .mark, let counts = marked.removeValue(forKey: own.upperBound) {
        rest.add(entry, for: counts)
      } else {
        counters.recordGivenUpCount += 1
        // A removal that still waits has left `told` already, but viewers know its names.
        rest.add(entry, at: entry.moment, told: .all)
      }
    }
    leftCount -= kept.count
    items = kept
    newestState = nil
    if let tickets {
      let values = rest.newestValues
      marked[tickets.upperBound] = rest.counts
      let mark = rest.mark()
      append(mark, Entry.Sizes(of: mark), tickets)
      for value in values { append(value) }
    }
    markMissing()
  }

  /// It leaves.
  private mutating func discount(_ sizes: Entry.Sizes) {
    recordCount -= 1
    details.remove(sizes.subject)
    details.remove(sizes.payload)
    if sizes.holdsState { forgetState(of: sizes) }
  }

  /// Learns the size of pieces whose size was not known before they were encoded.
  package mutating func learn(_ sizes: EncodedSizes) {
    states.learn(sizes.states)
    details.learn(sizes.details)
  }

  /// Counts a value that could not be encoded.
  mutating func countFailure() { counters.failureCount += 1 }

  private func hasRoom(forRecordOf sizes: Entry.Sizes) -> Bool {
    // Without one of these, viewers misread all that follows; people make them, so there are few.
    switch sizes.kind {
    case .revision, .restored: return recordCount < bounds.recordCountMax + Self.noticeCountMax
    case .action, .update, .log, .mark, .remove, .other: break
    }
    // The mark comes first, and needs a place as well.
    let needed = missing.count > 0 ? 2 : 1
    let size = details.of(sizes.subject) + details.of(sizes.payload)
    return recordCount + needed <= bounds.recordCountMax
      && (details.total + size <= bounds.detailSizeMax || recordCount == 0)
  }

  private func hasRoom(forStateOf sizes: Entry.Sizes) -> Bool {
    stateCount == 0 || states.total + states.of(sizes.state) <= bounds.stateSizeMax
  }

  /// Puts in a record of its own.
  @discardableResult
  private mutating func append(
    _ entry: consuming Entry, _ sizes: Entry.Sizes? = nil
  ) -> RecordID {
    let sizes = sizes ?? Entry.Sizes(of: entry)
    told.note(entry)
    lastTicket += 1
    counters.recordCount += 1
    append(entry, sizes, lastTicket...lastTicket)
    return RecordID(ticket: lastTicket)
  }

  /// Puts in what has these tickets.
  private mutating func append(
    _ entry: consuming Entry, _ sizes: Entry.Sizes, _ tickets: ClosedRange<UInt64>
  ) {
    recordCount += 1
    details.add(sizes.subject)
    details.add(sizes.payload)
    if sizes.holdsState {
      if !hasRoom(forStateOf: sizes) { giveUpNewestState() }
      stateCount += 1
      states.add(sizes.state)
      newestState = leftCount + items.count
    }
    items.append(.record(tickets, entry, sizes))
  }

  /// It is no longer the newest. States before it stay: if the oldest always went, a viewer of a
  /// program that is never slow enough would see no state at all.
  private mutating func giveUpNewestState() {
    guard let place = newestState, place >= leftCount else { return }
    var given: Entry.Sizes?
    items.update(place - leftCount) { item in
      guard case .record(let tickets, var entry, var sizes) = item, sizes.holdsState else { return }
      given = sizes
      entry.state = .givenUp
      sizes.forgetState()
      item = .record(tickets, entry, sizes)
    }
    guard let given else { return }
    forgetState(of: given)
    counters.stateGivenUpCount += 1
  }

  private mutating func forgetState(of sizes: Entry.Sizes) {
    stateCount -= 1
    states.remove(sizes.state)
  }

  private mutating func markMissing() {
    guard missing.count > 0 else { return }
    let (values, counts) = (missing.newestValues, missing.counts)
    let mark = missing.mark()
    missing = MissingRecords()
    marked[append(mark).ticket] = counts
    for value in values { append(value) }
  }
}
