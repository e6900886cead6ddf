import SurfBasics
import SurfControl
import SurfWire

/// A viewer's knowledge of one session: its rows, its losses, and where its app is.
///
/// Records may arrive in any order and more than once. Row 0, the initial state, always exists and
/// needs no record.
package struct Timeline: Sendable {
  /// How much one timeline may hold.
  package struct Bounds: Equatable, Sendable {
    /// Bytes of states, payloads and names: enough for four of the largest states.
    package var byteCountMax = 4 * Limits.contentSizeMax
    /// The same with every state counted at full size, for viewers that show all of them.
    package var wholeByteCountMax = Int.max
    /// A row without its contents takes a few hundred bytes, so this is tens of megabytes.
    package var rowCountMax = 100_000
    var markerCountMax = 1_000

    package init() {}
  }

  package let bounds: Bounds
  /// Ascending by number, without row 0.
  package internal(set) var rows: [Row] = []
  /// Records that the app no longer has.
  package internal(set) var lost = SequenceRanges()
  /// The app's moves, in the order that this viewer heard of them.
  package internal(set) var markers: [Marker] = []
  package internal(set) var position = Position.initial
  /// The newest record that the viewer knows of, received or not.
  package internal(set) var newestNumber: SequenceNumber = 0
  /// Bytes as `Bounds.byteCountMax` counts them, without the archive's heads.
  package var byteCount: Int { rowByteCount + archive.byteCount }
  /// Bytes of the newest states, live and backlog, which the next deltas apply to.
  package var headByteCount: Int { archive.headByteCount }
  /// Bytes as `Bounds.wholeByteCountMax` counts them.
  package private(set) var wholeByteCount = 0

  /// The run of the same program that this one continues; nil for none.
  package var previousRun: SessionID?
  /// The newest report on who drives the app.
  package internal(set) var wheel: WheelNote?
  /// The newest row that reports the initial state; 0 for none.
  var initialStateRow: SequenceNumber = 0

  /// The stamp of the newest report on `position`.
  var stamp = PositionStamp()
  /// The first report: where the app was after which record. A viewer that joins late asks for the
  /// newest state, and not for the rows behind that.
  var firstReport: (record: SequenceNumber, position: Position)?
  private(set) var archive = StateArchive()
  private var rowByteCount = 0
  /// The rows that are errors of the app's log.
  package private(set) var errorCount = 0
  /// The rows that rewrite the history. While it is 0, nobody has to look for them.
  package private(set) var revisionCount = 0
  package internal(set) var hiddenCount = 0
  /// How often rows were evicted, several at a time.
  package private(set) var evictionCount = 0
  /// Rows before this index have no contents left to drop, but for the recalled ones.
  private var firstFull = 0
  /// Rows that the viewer has requested again. They are evicted last.
  private var recalled: ClosedRange<SequenceNumber>?

  package init(bounds: Bounds = Bounds()) { self.bounds = bounds }

  /// Nil if the row is not loaded, lost or evicted.
  package func row(_ number: SequenceNumber) -> Row? {
    let index = firstIndex(from: number)
    return index < rows.count && rows[index].number == number ? rows[index] : nil
  }

  package enum Addition: Equatable, Sendable {
    /// A new row. The record has its whole payload, but not its state.
    case row(Record)
    /// The row exists already. `state` is what the record brought, for a viewer that needs one it
    /// has dropped. `isCompleted`: the row now has contents that it lacked.
    case again(Record, state: Content?, isCompleted: Bool)
    /// Not a row: a base for other states, or a sequence number that no record can have.
    case none
  }

  /// Adds a record as it arrived. Within each origin, records must arrive in order.
  @discardableResult
  package mutating func add(_ arrived: ArrivedRecord) -> Addition {
    var record = arrived.record
    // 0 is the initial state and `.max` means "elsewhere" (Protocol.md §4), so neither is a record.
    guard record.sequence > 0, record.sequence < .max else { return .none }
    let index = firstIndex(from: record.sequence)
    let isKnown = index < rows.count && rows[index].number == record.sequence
    let isRecalled = isKnown && rows[index].isDropped && isSpared(record.sequence)
    let isMissed = isRecalled || isKnown && rows[index].state == .unmade
    let carriesState = record.carriesState
    let state = archive.take(
      &record, from: arrived.origin, keeps: !arrived.isBase && (!isKnown || isMissed))
    guard !arrived.isBase else { return .none }
    guard isKnown else {
      insert(Row(record, state: state), at: index)
      lost.remove(record.sequence)
      newestNumber = max(newestNumber, record.sequence)
      movePosition(with: rows[index])
      noteWheel(record)
      noteInitialState(record)
      makeRoom()
      return .row(record)
    }
    let isCompleted = state != nil || isRecalled && rows[index].stateSize == nil
    if isCompleted { complete(index, with: Row(record, state: state)) }
    let isMade = carriesState && record.state != .unmade
    return .again(
      record, state: isMade ? archive.newest(of: arrived.origin) : nil, isCompleted: isCompleted)
  }

  /// - Returns: false if the row exists already.
  @discardableResult
  package mutating func append(_ record: Record, from origin: RecordOrigin = .live) -> Bool {
    if case .row = add(ArrivedRecord(record, from: origin)) { true } else { false }
  }

  /// Completes a row that arrived without its state while the app was away, or that lost its
  /// contents and was recalled.
  private mutating func complete(_ index: Int, with row: Row) {
    count(rows[index], -1)
    let isHidden = rows[index].isHidden
    rows[index] = row
    rows[index].isHidden = isHidden
    count(rows[index], +1)
    if !isSpared(row.number) { firstFull = min(firstFull, index) }
    makeRoom()
  }

  /// Marks records as no longer available. Rows that did arrive stay.
  package mutating func lose(_ range: ClosedRange<SequenceNumber>) {
    guard let range = Self.possible(range) else { return }
    var next = range.lowerBound
    for row in rows[firstIndex(from: range.lowerBound)...] {
      guard row.number <= range.upperBound else { break }
      if next < row.number { lost.insert(next...row.number.previous) }
      next = row.number.next
    }
    if next <= range.upperBound { lost.insert(next...range.upperBound) }
    newestNumber = max(newestNumber, range.upperBound)
  }

  /// Forgets reports about records from `first` on, which turned out not to be the app's. Rows
  /// stay, because their records did arrive. The next report on the position wins.
  package mutating func retract(from first: SequenceNumber) {
    lost.remove(from: first)
    newestNumber = max(rows.last?.number ?? 0, first.previous)
    stamp = PositionStamp()
    if let row = wheel?.row, row >= first { wheel = nil }
    if let record = firstReport?.record, record >= first { firstReport = nil }
    if initialStateRow >= first { initialStateRow = 0 }
  }

  /// Call it before requesting rows again that were evicted, or have lost their contents. Keeps
  /// them instead of those of the call before, once they are here.
  package mutating func recall(_ rows: ClosedRange<SequenceNumber>) {
    forgetRecalled()
    recalled = Self.possible(rows)
  }

  /// Releases the memory of the newest states (`headByteCount`).
  ///
  /// - Parameter all: also where later deltas then fail until a whole state arrives.
  package mutating func restHeads(all: Bool) { archive.restHeads(all: all) }

  /// Drops the oldest contents, and then the oldest rows, until at most `byteCountMax` are left.
  package mutating func trim(toBytes byteCountMax: Int) {
    trim(toBytes: byteCountMax, whole: .max)
  }

  package func firstIndex(from number: SequenceNumber) -> Int {
    // Live records arrive in order, so this is nearly always the end.
    guard let last = rows.last, last.number >= number else { return rows.count }
    // Exact if no row after it is missing.
    let guess = rows.count - 1 - number.distance(to: last.number).clamped(to: rows.count)
    return rows.indices.partitionPoint(near: guess) { rows[$0].number >= number }
  }

  private mutating func insert(_ row: Row, at index: Int) {
    rows.insert(row, at: index)
    count(row, +1)
    if !isSpared(row.number) {
      firstFull = min(firstFull, index)
    } else if index <= firstFull {
      firstFull += 1
    }
  }

  private mutating func count(_ row: Row, _ sign: Int) {
    rowByteCount += sign * (row.contentSize + row.textSize)
    wholeByteCount += sign * (row.wholeContentSize + row.textSize)
    switch row.record.kind {
    case .log(.error): errorCount += sign
    case .revision: revisionCount += sign
    default: break
    }
  }

  private mutating func makeRoom() {
    // In batches, because removing rows from the front moves all the others.
    if rows.count > bounds.rowCountMax { evictRows(1 + bounds.rowCountMax / 64) }
    trim(toBytes: bounds.byteCountMax, whole: bounds.wholeByteCountMax)
  }

  private mutating func trim(toBytes byteCountMax: Int, whole wholeByteCountMax: Int) {
    func isTooMuch() -> Bool {
      byteCount > byteCountMax || wholeByteCount > wholeByteCountMax
    }
    while isTooMuch(), firstFull < rows.count { dropOldestContents() }
    if isTooMuch(), recalled != nil {
      forgetRecalled()
      while isTooMuch(), firstFull < rows.count { dropOldestContents() }
    }
    while isTooMuch(), !rows.isEmpty { evictRows(1 + rows.count / 64) }
  }

  private mutating func dropOldestContents() {
    if let recalled, recalled.contains(rows[firstFull].number) {
      firstFull = firstIndex(from: recalled.upperBound.next)
      return
    }
    count(rows[firstFull], -1)
    rows[firstFull].dropContents(from: &archive)
    count(rows[firstFull], +1)
    firstFull += 1
  }

  /// Evicts the oldest rows that are not recalled; if all are, the oldest of those.
  private mutating func evictRows(_ evictedCount: Int) {
    var spared = 0..<0
    if let recalled {
      spared = firstIndex(from: recalled.lowerBound)..<firstIndex(from: recalled.upperBound.next)
    }
    if spared == rows.indices {
      forgetRecalled()
      spared = 0..<0
    }
    let older = 0..<min(evictedCount, spared.lowerBound)
    let end = min(rows.count, spared.upperBound + evictedCount - older.count)
    evict(spared.upperBound..<end)
    evict(older)
  }

  private mutating func evict(_ range: Range<Int>) {
    if !range.isEmpty { evictionCount += 1 }
    for row in rows[range] {
      count(row, -1)
      if row.isHidden { hiddenCount -= 1 }
      if let place = row.place { archive.release(place) }
    }
    rows.removeSubrange(range)
    firstFull -= max(0, min(range.upperBound, firstFull) - range.lowerBound)
  }

  private func isSpared(_ number: SequenceNumber) -> Bool { recalled?.contains(number) == true }

  private mutating func forgetRecalled() {
    guard let recalled else { return }
    firstFull = min(firstFull, firstIndex(from: recalled.lowerBound))
    self.recalled = nil
  }

  /// The part of a range that consists of valid sequence numbers.
  private static func possible(_ range: ClosedRange<SequenceNumber>) -> ClosedRange<SequenceNumber>?
  {
    let all: ClosedRange<SequenceNumber> = 1...SequenceNumber.max.previous
    return range.overlaps(all) ? range.clamped(to: all) : nil
  }
}

extension Timeline {
  /// Hides a row; its number stays in use. The initial state cannot be hidden.
  @discardableResult
  package mutating func hide(_ number: SequenceNumber) -> Bool {
    let index = firstIndex(from: number)
    guard index < rows.count, rows[index].number == number, !rows[index].isHidden else {
      return false
    }
    rows[index].isHidden = true
    hiddenCount += 1
    return true
  }

  /// Shows a hidden row again, or all.
  package mutating func showHidden(_ number: SequenceNumber? = nil) {
    guard hiddenCount > 0 else { return }
    for index in rows.indices where rows[index].isHidden {
      guard number == nil || number == rows[index].number else { continue }
      rows[index].isHidden = false
      hiddenCount -= 1
    }
  }
}

/// The viewer that drives an app, if any, according to a row (Protocol.md §11.9).
package struct WheelNote: Equatable, Sendable {
  package let row: SequenceNumber
  /// Nil if nobody drives it.
  package let driver: WheelDriver?
}

extension Timeline {
  /// Larger payloads are not reports on the driver.
  private static let noteSizeMax = 4_096

  mutating func noteWheel(_ record: Record) {
    guard record.kind == .revision, record.sequence > wheel?.row ?? 0,
      record.payload?.bytes.count ?? 0 <= Self.noteSizeMax, let revision = record.revision,
      revision.command == "drive"
    else { return }
    let driver = revision.driver.map {
      WheelDriver(viewer: ViewerID(rawValue: $0.viewer), name: $0.name)
    }
    wheel = WheelNote(row: record.sequence, driver: driver)
  }
}

extension Record {
  /// The history after a command; nil for another kind of record, or if the payload is in another
  /// app's format. Parses it on each call.
  package var revision: Revision? {
    guard kind == .revision, let payload else { return nil }
    do throws(ControlError) {
      return try Revision(parsing: payload.bytes)
    } catch {
      return nil
    }
  }
}

extension Instance {
  /// The viewer that drives the app; nil if none does. The name is empty while the viewer is
  /// unknown.
  package var driver: WheelDriver? {
    guard heartbeat.control.contains(.driven) else { return nil }
    return timeline.wheel?.driver ?? WheelDriver(viewer: ViewerID(rawValue: 0), name: "")
  }
}
