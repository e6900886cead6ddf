internal import SurfBasics
package import SurfNetwork
package import SurfValues
package import SurfWire

/// The queue of entries that wait to be encoded, under the lock of the `Mailbox`. When too much
/// waits, it decides what to give up.
///
/// It gives up states before records, because a row without its state still says what happened. It
/// keeps the newest state, because that is where the program is. One mark replaces all consecutive
/// records that it gave up. After the mark it sends the newest record of each value among them.
package struct RecordQueue {
  /// How much may wait.
  package struct Bounds: Sendable {
    /// A tenth of a second's records from a program that does nothing but record.
    package var recordCountMax = 65_536
    /// Octets of states, once encoded. The newest state is kept even if the total then exceeds it.
    package var stateSizeMax = 2 * Limits.contentSizeMax
    /// The assumed size of a value before any was encoded. So 8,192 values may wait for the first
    /// to show their size, which takes some milliseconds. No program fills much memory meanwhile.
    package var stateSizeGuess = 16_384
    /// Octets of names and payloads.
    package var detailSizeMax = 2 * Limits.contentSizeMax

    /// The limits for callers that wait. A short queue drains as fast as a long one, and reuses its
    /// memory. One state may always wait.
    package var awaitedRecordCountMax = 4_096
    package var awaitedStateSizeMax = 8 * 1_024 * 1_024

    /// The limits that the documentation promises.
    package init() {}
  }

  /// What the encoding thread does next.
  package enum Item: Sendable {
    /// Encode and send it. A mark has the tickets of all the records that it replaces.
    case record(ClosedRange<UInt64>, Entry)
    /// Act on it, after the records before it.
    case notice(Notice)
  }

  package enum Notice: Sendable {
    /// Answer a reset.
    indirect case answer(IncomingReset, Outcome.Result)
    /// Tell viewers that the app is in a state that no record contains.
    case leftRecords
    /// A viewer follows now: send it the newest state.
    case arrival
  }

  /// How many notices may wait. Only a flood exceeds it.
  static let noticeCountMax = 1_024

  package private(set) var counters = TransceiverCounters()
  private let owner: UInt64
  private let bounds: Bounds
  private var items = Queue<Item>()
  /// How many items have been taken.
  private var leftCount = 0
  private var recordCount = 0
  private var stateCount = 0
  private var states: WaitingSize
  private var details = WaitingSize()
  private var noticeCount = 0
  private var lastTicket: UInt64 = 0
  /// The index of the newest state among all items ever queued. It may have been taken.
  private var newestState: Int?
  /// Records given up since the last one that was kept; nil if none was given up.
  private var missing: MissingRecords?
  private var known = KnownNames()
  /// What the waiting marks replace, by their tickets.
  private var marked: [UInt64: MissingRecords.Counts] = [:]

  /// - Parameter owner: Every id that the queue makes contains this number.
  package init(owner: UInt64 = 0, bounds: Bounds = Bounds()) {
    self.owner = owner
    self.bounds = bounds
    states = WaitingSize(guess: bounds.stateSizeGuess)
  }

  package var isEmpty: Bool { items.isEmpty }

  /// The counts that heartbeats report.
  var givenUp: Heartbeat.GivenUp {
    Heartbeat.GivenUp(
      states: WireCount(counters.stateGivenUpCount),
      records: WireCount(counters.recordGivenUpCount))
  }

  /// Whether `add` would keep all of `entry`, within the limits for callers that wait.
  package func hasRoom(for entry: Entry) -> Bool {
    hasRoomToWait(for: entry.facts)
  }

  /// The same by what is known of the entry. Inlined like what it calls, because a call copies the
  /// queue.
  @inline(__always)
  func hasRoomToWait(for facts: Entry.Facts) -> Bool {
    guard recordCount < bounds.awaitedRecordCountMax, hasRoom(forRecordOf: facts) else {
      return false
    }
    guard facts.state.isHeld else { return true }
    let size = states.total + states.of(facts.state.size)
    return (stateCount == 0 || size <= bounds.awaitedStateSizeMax) && hasRoom(forStateOf: facts)
  }

  /// Whether this many more records fit, whatever they contain.
  func hasRoom(forRecords count: Int) -> Bool {
    recordCount + count + (missing == nil ? 0 : 1) <= bounds.recordCountMax
      && details.total < bounds.detailSizeMax
  }

  /// Adds an entry; `nil` if it does not fit. May give up the state that was the newest before.
  package mutating func add(_ entry: consuming Entry, at moment: Moment) -> RecordID? {
    guard hasRoom(forRecordOf: entry.facts) else {
      counters.recordGivenUpCount += 1
      let missing = missing ?? MissingRecords()
      missing.add(entry, at: moment, told: known)
      self.missing = missing
      return nil
    }
    markMissing()
    entry.moment = moment
    return append(consume entry)
  }

  /// Adds a notice; false if a flood of notices fills the queue.
  package mutating func add(_ notice: Notice) -> Bool {
    guard noticeCount < Self.noticeCountMax else { return false }
    noticeCount += 1
    items.append(.notice(notice))
    return true
  }

  /// Takes the oldest item. If it was the last record, queues the mark that is due.
  package mutating func take() -> Item? {
    guard let item = items.popFirst() else { return nil }
    leftCount += 1
    // Taken apart, because a look at the entry within would copy it.
    switch consume item {
    case .notice(let notice):
      noticeCount -= 1
      return .notice(notice)
    case .record(let tickets, let entry):
      if !marked.isEmpty { marked[tickets.upperBound] = nil }
      discount(entry.facts)
      if recordCount == 0 { markMissing() }
      return .record(tickets, entry)
    }
  }

  /// Gives up all waiting records, because there is no time left to encode them. One mark replaces
  /// them, with the newest state. Notices stay.
  package mutating func giveUpRest() {
    var kept = Queue<Item>()
    let rest = MissingRecords()
    var tickets: ClosedRange<UInt64>?
    while let item = items.popFirst() {
      leftCount += 1
      guard case .record(let own, let entry) = item else {
        kept.append(item)
        continue
      }
      tickets = (tickets?.lowerBound ?? own.lowerBound)...own.upperBound
      discount(entry.facts)
      if entry.kind == .mark, let counts = marked.removeValue(forKey: own.upperBound) {
        rest.add(entry, for: counts)
      } else {
        counters.recordGivenUpCount += 1
        // `known` no longer contains the names of a waiting removal, but viewers still know them.
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
      append(mark, tickets)
      for value in values { append(value) }
    }
    markMissing()
  }

  /// Subtracts the sizes of an entry that leaves the queue.
  private mutating func discount(_ facts: Entry.Facts) {
    recordCount -= 1
    details.remove(facts.subjectSize)
    details.remove(facts.payload.size)
    if facts.state.isHeld { forgetState(of: facts) }
  }

  /// Learns the sizes of pieces that were unknown before encoding.
  package mutating func learn(_ sizes: EncodedSizes) {
    states.learn(sizes.states)
    details.learn(sizes.details)
  }

  mutating func countFailure() { counters.failureCount += 1 }

  @inline(__always)
  private func hasRoom(forRecordOf facts: Entry.Facts) -> Bool {
    // Without one of these, viewers misread all later records. People cause them, so they are few.
    switch facts.kind {
    case .revision, .restored: return recordCount < bounds.recordCountMax + Self.noticeCountMax
    case .action, .update, .log, .mark, .remove, .other: break
    }
    // The mark comes first, and takes up a place as well.
    let needed = missing == nil ? 1 : 2
    let size = details.of(facts.subjectSize) + details.of(facts.payload.size)
    return recordCount + needed <= bounds.recordCountMax
      && (details.total + size <= bounds.detailSizeMax || recordCount == 0)
  }

  @inline(__always)
  private func hasRoom(forStateOf facts: Entry.Facts) -> Bool {
    stateCount == 0 || states.total + states.of(facts.state.size) <= bounds.stateSizeMax
  }

  /// Adds a record with a new ticket.
  @discardableResult
  private mutating func append(_ entry: consuming Entry) -> RecordID {
    known.note(entry)
    lastTicket += 1
    counters.recordCount += 1
    append(consume entry, lastTicket...lastTicket)
    return RecordID(owner: owner, ticket: lastTicket)
  }

  /// Adds a record for these tickets.
  private mutating func append(_ entry: consuming Entry, _ tickets: ClosedRange<UInt64>) {
    let facts = entry.facts
    recordCount += 1
    details.add(facts.subjectSize)
    details.add(facts.payload.size)
    if facts.state.isHeld {
      if !hasRoom(forStateOf: facts) { giveUpNewestState() }
      stateCount += 1
      states.add(facts.state.size)
      newestState = leftCount + items.count
    }
    items.append(.record(tickets, consume entry))
  }

  /// Gives up the state that was the newest until now. Earlier states stay: if the oldest always
  /// went, viewers would see no state at all of a program that is always too fast.
  private mutating func giveUpNewestState() {
    guard let place = newestState, place >= leftCount else { return }
    var given: Entry.Facts?
    items.update(place - leftCount) { item in
      guard case .record(let tickets, var entry) = item, entry.facts.state.isHeld else { return }
      given = entry.facts
      entry.state = .givenUp
      item = .record(tickets, entry)
    }
    guard let given else { return }
    forgetState(of: given)
    counters.stateGivenUpCount += 1
  }

  private mutating func forgetState(of facts: Entry.Facts) {
    stateCount -= 1
    states.remove(facts.state.size)
  }

  private mutating func markMissing() {
    guard let missing else { return }
    self.missing = nil
    marked[append(missing.mark()).ticket] = missing.counts
    for value in missing.newestValues { append(value) }
  }
}

/// Counts the octets of the pieces that wait. The size of a value is unknown before it is encoded,
/// so it counts as much as recently encoded values.
struct WaitingSize: Sendable {
  private var knownSize = 0
  private var unknownCount = 0
  /// The assumed size of a piece of unknown size.
  private var usualSize: Double
  /// How many pieces `usualSize` averages. The initial guess counts as one.
  private var memory = 1.0

  /// Bounded, because a program's values change.
  private static let memoryMax = 64.0

  /// - Parameter guess: The assumed size before any is known.
  init(guess: Int = 0) { usualSize = Double(guess) }

  var total: Int { knownSize + unknownCount * Int(usualSize) }

  /// What a piece adds to `total`; `nil` if its size is unknown.
  func of(_ size: Int?) -> Int { size ?? Int(usualSize) }

  mutating func add(_ size: Int?) {
    if let size { knownSize += size } else { unknownCount += 1 }
  }

  mutating func remove(_ size: Int?) {
    if let size { knownSize -= size } else { unknownCount -= 1 }
  }

  /// Updates the assumed size with actual sizes.
  mutating func learn(_ encoded: EncodedSizes.Sum) {
    guard encoded.count > 0 else { return }
    let count = Double(encoded.count)
    usualSize += (Double(encoded.size) - usualSize * count) / (count + memory)
    memory = min(memory + count, Self.memoryMax)
  }
}

/// The actual sizes of pieces whose size was unknown before encoding.
package struct EncodedSizes: Sendable {
  package struct Sum: Sendable {
    var size = 0
    var count = 0

    package mutating func add(_ more: Int) {
      size += more
      count += 1
    }
  }

  package var states = Sum()
  /// Names and payloads.
  package var details = Sum()
  package init() {}
}
