import SurfBasics
import SurfTransport
import SurfWire

/// How far history packets have arrived, in the order of the requests, for `MissingRuns`
/// (Protocol.md §10.4).
struct HistoryProgress: Sendable {
  /// The place of a packet in that order.
  struct Place: Comparable, Sendable {
    /// The number of the request.
    var number: Int
    var sequence: SequenceNumber

    static func < (left: Self, right: Self) -> Bool {
      (left.number, left.sequence) < (right.number, right.sequence)
    }
  }

  /// How far history had arrived at a time.
  private struct Mark: Sendable {
    var place: Place
    var at: Duration
  }

  /// When a history packet last arrived.
  private(set) var heardAt = Duration.zero
  /// The newest mark, one about a reorder wait older, and one before that. More marks are not
  /// needed.
  private var newest: Mark?
  private var recent: Mark?
  private var settled: Mark?

  /// Notes that history packets arrived.
  ///
  /// - Parameter place: the place of the one that was requested last; nil if unknown.
  mutating func note(_ place: Place?, at now: Duration) {
    heardAt = now
    guard let place else { return }
    let mark = Mark(place: max(place, newest?.place ?? place), at: now)
    newest = mark
    if recent.map({ now - $0.at >= Timers.reorderWait }) ?? true {
      (settled, recent) = (recent, mark)
    }
  }

  /// When a packet at a later place counts as arrived; nil if none has. The time includes a wait,
  /// because packets may be reordered a little.
  func passed(_ place: Place) -> Duration? {
    let mark = [settled, recent, newest].lazy.compactMap { $0 }.first { place < $0.place }
    return mark.map { $0.at + Timers.reorderWait }
  }
}

/// The limits and the results of the requests that a viewer makes at one time, over all windows.
struct RequestRound: Sendable {
  let now: Duration
  /// The first wait for an answer.
  let repeatMin: Duration
  /// Packets before this one are requested as history.
  let historyEnd: SequenceNumber
  /// The ranges and the packets that may still be requested.
  var historyRanges: Int
  var repairRanges: Int
  var packets: WireCount
  /// The number of the next request.
  private(set) var number: Int
  private(set) var asked: [MissingRuns.Run] = []

  init(
    at now: Duration, repeatMin: Duration, historyEnd: SequenceNumber = 0, historyRanges: Int = 0,
    repairRanges: Int = Limits.rangeCountMax, packets: WireCount, number: Int = 0
  ) {
    (self.now, self.repeatMin, self.historyEnd) = (now, repeatMin, historyEnd)
    (self.historyRanges, self.repairRanges, self.packets) = (historyRanges, repairRanges, packets)
    self.number = number
  }

  /// How many packets the next range may contain.
  func room(isHistory: Bool) -> WireCount {
    (isHistory ? historyRanges : repairRanges) > 0 ? packets : 0
  }

  func request(
    for run: MissingRuns.Run, using random: inout SeededGenerator
  ) -> MissingRuns.Request {
    let attempts = (run.state.request?.attempts ?? 0) + 1
    // Doubles from the third request on: losing the packet and one repetition may be chance.
    let doubled = repeatMin * (1 << min(max(attempts - 2, 0), 8))
    let wait = min(doubled, Timers.nakRepeatMax)
    return MissingRuns.Request(
      number: number, firstNumber: run.state.request?.firstNumber ?? number,
      isHistory: run.first < historyEnd, attempts: attempts, askedAt: now,
      due: now + wait + random.duration(upTo: wait / 4))
  }

  mutating func take(_ run: MissingRuns.Run) {
    if run.state.request?.isHistory == true { historyRanges -= 1 } else { repairRanges -= 1 }
    packets.subtract(run.length)
    number += 1
    asked.append(run)
  }
}

/// Decides for `SessionReader` which records to report as lost: each once, none that another window
/// has delivered, and none that may still arrive with the newest state.
struct LossReport: Sendable {
  /// Records that were reported and have not arrived since.
  private(set) var count: WireCount = 0
  private var lost = SequenceRanges()
  /// Records that a window other than the live one delivered.
  private var delivered = SequenceRanges()
  /// Backlog records that arrived with the newest state.
  private var ahead: Set<SequenceNumber> = []
  private var heldBack: [Range<SequenceNumber>] = []

  /// Notes a record that arrived with the newest state. Returns false if it had arrived that way
  /// before.
  mutating func note(ahead record: SequenceNumber) -> Bool {
    note(delivered: record)
    return ahead.insert(record).inserted
  }

  /// Notes a record that arrived with the past. It may have been reported as lost.
  mutating func note(delivered record: SequenceNumber) {
    delivered.insert(record...record)
    guard lost.contains(record) else { return }
    lost.remove(record)
    count.subtract(1)
  }

  func hasAhead(_ record: SequenceNumber) -> Bool { ahead.contains(record) }

  func holdsBack(_ record: SequenceNumber) -> Bool { heldBack.contains { $0.contains(record) } }

  /// Reports these records later, unless they arrive with the newest state.
  mutating func holdBack(_ records: Range<SequenceNumber>) { heldBack.append(records) }

  /// Call it when the newest state is here, or given up. Returns the held-back records to report.
  mutating func takeHeldBack() -> [Range<SequenceNumber>] { heldBack.takeAll() }

  /// The records of the range that were not delivered.
  func missing(of records: Range<SequenceNumber>) -> [ClosedRange<SequenceNumber>] {
    records.closed.map { delivered.complement(in: $0) } ?? []
  }

  /// Counts the records as lost. Returns those to report, because they were not lost before.
  mutating func lose(
    _ records: ClosedRange<SequenceNumber>
  ) -> [ClosedRange<SequenceNumber>] {
    let unreported = lost.complement(in: records)
    lost.insert(records)
    for range in unreported { count.add(range.length) }
    return unreported
  }
}
