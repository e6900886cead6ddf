import SurfBasics
import SurfControl
import SurfWire

/// A viewer's knowledge of one session: its rows, its losses, and where its app is.
///
/// Records may come in any order and more than once. Row 0, the initial state, is always there and
/// needs no record.
package struct Timeline: Sendable {
  /// How much one timeline may hold.
  package struct Bounds: Equatable, Sendable {
    /// Bytes held for states, payloads and names. Four of the largest states fit.
    package var byteCountMax = 4 * Limits.contentSizeMax
    /// The same bytes if no state were kept as a delta: for viewers that show all at once.
    package var wholeByteCountMax = Int.max
    /// A row without its contents is a few hundred bytes, so these are tens of megabytes.
    package var rowCountMax = 100_000
    var markerCountMax = 1_000

    package init() {}
  }

  package let bounds: Bounds
  /// Ascending by number; row 0 is not among them.
  package internal(set) var rows: [Row] = []
  /// Records that the app no longer has.
  package internal(set) var lost = SequenceRanges()
  /// The moves of the app, in the order in which this viewer heard of them.
  package internal(set) var markers: [Marker] = []
  /// Where the app is, if known.
  package internal(set) var position = Position.initial
  /// The newest record that the viewer has heard of.
  package internal(set) var newestNumber: SequenceNumber = 0
  /// Bytes held, as `Bounds.byteCountMax` counts them: without the two states that the next ones
  /// are made of.
  package var byteCount: Int { rowByteCount + archive.byteCount }
  /// Bytes of these two states.
  package var headByteCount: Int { archive.headByteCount }
  /// The same as `Bounds.wholeByteCountMax` counts them.
  package private(set) var wholeByteCount = 0

  /// What the newest revision of the wheel that came tells of it.
  package internal(set) var wheel: WheelNote?
  /// The newest row in which the app tells its initial state; 0 for none.
  var initialTeller: SequenceNumber = 0

  /// Of the newest report on `position`.
  var stamp = PositionStamp()
  /// The states of all rows.
  private(set) var archive = StateArchive()
  /// Bytes in the rows themselves.
  private var rowByteCount = 0
  /// Rows that this viewer has hidden.
  package internal(set) var hiddenCount = 0
  /// Rows before this index have no contents left to drop.
  private var firstFull = 0

  package init(bounds: Bounds = Bounds()) { self.bounds = bounds }

  /// The row with this number, unless it is not loaded, lost or evicted.
  package func row(_ number: SequenceNumber) -> Row? {
    let index = firstIndex(from: number)
    return index < rows.count && rows[index].number == number ? rows[index] : nil
  }

  /// The fate of a record that was added.
  package enum Addition: Equatable, Sendable {
    /// It is a new row: the record, with a whole payload, its state aside.
    case row(Record)
    /// Its row was there. Its state, if it brought one, is for a viewer that wants a dropped one.
    case again(Record, state: Content?)
    /// It is not a row: it only brings a base for other states, or a number that no record has.
    case none
  }

  /// Adds a record as it came. Within each of the two runs they come in order.
  @discardableResult
  package mutating func add(_ arrived: ArrivedRecord) -> Addition {
    var record = arrived.record
    // 0 is the initial state and `.max` says "elsewhere" (Protocol.md §4): neither can be a record.
    guard record.sequence > 0, record.sequence < .max else { return .none }
    let index = firstIndex(from: record.sequence)
    let isKnown = index < rows.count && rows[index].number == record.sequence
    let isMissed = isKnown && rows[index].state == .givenUp
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
    if let state { complete(index, with: Row(record, state: state)) }
    let isMade = carriesState && record.state != .givenUp
    return .again(record, state: isMade ? archive.newest(of: arrived.origin) : nil)
  }

  /// Adds a record; false if its row is already there.
  @discardableResult
  package mutating func append(_ record: Record, from origin: RecordOrigin = .live) -> Bool {
    if case .row = add(ArrivedRecord(record, from: origin)) { true } else { false }
  }

  /// A row that came without its state, while the app was away, has it now.
  private mutating func complete(_ index: Int, with row: Row) {
    count(rows[index], -1)
    let isHidden = rows[index].isHidden
    rows[index] = row
    rows[index].isHidden = isHidden
    count(rows[index], +1)
    firstFull = min(firstFull, index)
    makeRoom()
  }

  /// These records are no longer available. Rows that did arrive stay.
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

  /// Reports on records from this one on were not the app's word. Rows stay: they came.
  package mutating func retract(from first: SequenceNumber) {
    lost.remove(from: first)
    newestNumber = max(rows.last?.number ?? 0, first.previous)
    stamp = PositionStamp()
    if let row = wheel?.row, row >= first { wheel = nil }
    if initialTeller >= first { initialTeller = 0 }
  }

  /// Gives up the memory of the newest states (`headByteCount`).
  ///
  /// - Parameter all: also where later states then cannot be made before one comes whole.
  package mutating func restHeads(all: Bool) { archive.restHeads(all: all) }

  /// Drops the oldest contents, then the oldest rows, until no more than `byteCountMax` are held.
  package mutating func trim(toBytes byteCountMax: Int) {
    trim(toBytes: byteCountMax, whole: .max)
  }

  /// The index of the first row with this number or a higher one.
  package func firstIndex(from number: SequenceNumber) -> Int {
    // Live records come in order: the place is nearly always the end.
    guard let last = rows.last, last.number >= number else { return rows.count }
    return rows.partitionPoint { $0.number >= number }
  }

  private mutating func insert(_ row: Row, at index: Int) {
    rows.insert(row, at: index)
    count(row, +1)
    firstFull = min(firstFull, index)
  }

  private mutating func count(_ row: Row, _ sign: Int) {
    rowByteCount += sign * (row.contentSize + row.textSize)
    wholeByteCount += sign * (row.wholeContentSize + row.textSize)
  }

  private mutating func makeRoom() {
    // A batch at a time, because taking rows from the front moves all the others.
    if rows.count > bounds.rowCountMax { evictRows(1 + bounds.rowCountMax / 64) }
    trim(toBytes: bounds.byteCountMax, whole: bounds.wholeByteCountMax)
  }

  private mutating func trim(toBytes byteCountMax: Int, whole wholeByteCountMax: Int) {
    func isTooMuch() -> Bool {
      byteCount > byteCountMax || wholeByteCount > wholeByteCountMax
    }
    while isTooMuch(), firstFull < rows.count { dropOldestContents() }
    while isTooMuch(), !rows.isEmpty { evictRows(1 + rows.count / 64) }
  }

  private mutating func dropOldestContents() {
    count(rows[firstFull], -1)
    rows[firstFull].dropContents(from: &archive)
    count(rows[firstFull], +1)
    firstFull += 1
  }

  private mutating func evictRows(_ evictedCount: Int) {
    let evicted = rows.prefix(evictedCount)
    for row in evicted {
      count(row, -1)
      if row.isHidden { hiddenCount -= 1 }
      if let place = row.place { archive.release(place) }
    }
    rows.removeFirst(evicted.count)
    firstFull = max(0, firstFull - evicted.count)
  }

  /// The part of a range that can hold records.
  private static func possible(_ range: ClosedRange<SequenceNumber>) -> ClosedRange<SequenceNumber>?
  {
    let all: ClosedRange<SequenceNumber> = 1...SequenceNumber.max.previous
    return range.overlaps(all) ? range.clamped(to: all) : nil
  }
}

extension Timeline {
  /// Takes a row out of sight; its number stays taken. The initial state cannot be hidden.
  ///
  /// - Returns: false if there is no such row to hide.
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

  /// Brings the rows back that were taken out of sight.
  package mutating func showHidden() {
    guard hiddenCount > 0 else { return }
    for index in rows.indices where rows[index].isHidden { rows[index].isHidden = false }
    hiddenCount = 0
  }
}

/// Who drives an app, as a row of it tells (Protocol.md §11.9).
package struct WheelNote: Equatable, Sendable {
  package let row: SequenceNumber
  /// Nil for nobody.
  package let driver: WheelDriver?
}

extension Timeline {
  /// Octets of a payload beyond which it is not one of the wheel.
  private static let noteSizeMax = 4_096

  mutating func noteWheel(_ record: Record) {
    guard record.kind == .revision, record.sequence > wheel?.row ?? 0,
      let payload = record.payload, payload.bytes.count <= Self.noteSizeMax
    else { return }
    do throws(ControlError) {
      let revision = try Revision(parsing: payload.bytes)
      guard revision.command == "drive" else { return }
      let driver = revision.driver.map {
        WheelDriver(viewer: ViewerID(rawValue: $0.viewer), name: $0.name)
      }
      wheel = WheelNote(row: record.sequence, driver: driver)
    } catch {
      // Of something else, or of another's making.
    }
  }
}

extension Instance {
  /// Who drives it; nil for nobody. Without a name, it is not known who.
  package var driver: WheelDriver? {
    guard heartbeat.control.contains(.driven) else { return nil }
    return timeline.wheel?.driver ?? WheelDriver(viewer: ViewerID(rawValue: 0), name: "")
  }
}
