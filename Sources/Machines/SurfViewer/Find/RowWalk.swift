import JSONTools
import JSONTree
import SurfControl
import SurfQuery
import SurfTimeline
import SurfWire

/// Goes through the rows of an instance, the oldest first, and tells of each what can be asked of
/// it. States are made and read one after the other.
package struct RowWalk: Sendable {
  /// A row with its states, and how far they can be trusted.
  package struct Visit: Sendable {
    package let subject: QuerySubject
    /// Rows between it and the state before are missing, or were without theirs: what it changed
    /// may be what they changed.
    package let isAfterGap: Bool
    package let hasState: Bool
  }

  private let asksStates: Bool
  private var cursor = StateCursor()
  private var reader: JSONRereader
  private var state = KnownState.none
  private var size: Int?
  /// The last row that it came to.
  private var last: (number: SequenceNumber, uptime: UInt64)?
  /// The next row, if the cursor is there already, and how its state follows the last one.
  private var approached: (row: SequenceNumber, reading: Reading)?
  private var visitCount = 0
  /// Whether rows were passed over since the last state.
  private var hasGap = false

  /// The state of the last row with one.
  private enum KnownState: Sendable {
    /// There is none, or it is not JSON.
    case none
    case value(JSON)
    /// The reader has it, and did not have to make its value.
    case unmade
  }

  private enum Reading: Sendable {
    /// The row brings none that is here.
    case none
    case same
    case edited(ForeseenChanges, [JSONRereader.Edit])
    /// Its text must be read.
    case unread
  }

  /// What a row has done to the state.
  fileprivate struct Effect {
    /// Nil if that is not known.
    var isChanged: Bool? = false
    /// Nil if they are not known.
    var changes: [JSONReplacement]? = []
  }

  /// - Parameters:
  ///   - asksStates: whether states are wanted, or only the rows themselves.
  ///   - ignores: whether changes of scalars at a place may be left out of what is told of a row's
  ///     step. Its answer is the same each time.
  package init(
    asksStates: Bool = true,
    ignoring ignores: @escaping @Sendable (JSONPath) -> Bool = { _ in false }
  ) {
    self.init(asksStates: asksStates, reader: JSONRereader(ignoring: ignores))
  }

  private init(asksStates: Bool, reader: JSONRereader) {
    (self.asksStates, self.reader) = (asksStates, reader)
  }

  /// Begins before a row: the last state before it is the state before.
  package mutating func begin(before number: SequenceNumber, in timeline: Timeline) {
    let visitCount = visitCount + 1
    // What was read last may resemble what comes next.
    self = RowWalk(asksStates: asksStates, reader: reader)
    self.visitCount = visitCount
    let rows = timeline.rows[..<timeline.firstIndex(from: number)]
    guard let near = rows.last else { return }
    let full = rows.lastIndex { $0.stateSize != nil }
    if let full { _ = visit(rows[full], in: timeline) }
    for row in rows[(full.map { $0 + 1 } ?? rows.startIndex)...] { leave(row) }
    last = near.moment
  }

  /// A row that has no state.
  private mutating func leave(_ row: Row) {
    hasGap = hasGap || !isNext(row) || row.state != .none
    last = row.moment
  }

  private func isNext(_ row: Row) -> Bool {
    last.map { $0.number.next == row.number } ?? (row.number == 1)
  }

  /// What can be asked of the next row.
  package mutating func visit(_ row: Row, in timeline: Timeline) -> Visit {
    let before = currentState()
    var subject = QuerySubject(row.record, before: before)
    subject.sizeBefore = size
    subject.stateSize = row.stateSize
    subject.sinceBefore = last.flatMap { Self.time(from: $0.uptime, to: row.record.uptime) }
    subject.viewer = Self.viewer(of: row.record, in: timeline)
    let isAfterGap = hasGap || !isNext(row)
    let effect = take(row, in: timeline)
    subject.state = currentState()
    subject.isChanged = effect.isChanged
    subject.step = StateStep(visitCount, changes: effect.changes)
    return Visit(subject: subject, isAfterGap: isAfterGap, hasState: row.isWhole)
  }

  private mutating func currentState() -> JSON? {
    switch state {
    case .none: return nil
    case .value(let json): return json
    case .unmade:
      let json = reader.value
      state = json.map(KnownState.value) ?? .none
      return json
    }
  }

  /// Goes to the next row, and makes no value that nobody has asked for.
  private mutating func take(_ row: Row, in timeline: Timeline) -> Effect {
    let reading = reading(of: row, in: timeline)
    approached = nil
    hasGap = hasGap || !isNext(row)
    switch row.state {
    case .none: break
    case .dropped, .givenUp, .unreadable: hasGap = true
    case .whole(_, let size): (self.size, hasGap) = (size, false)
    }
    visitCount += 1
    last = row.moment
    switch reading {
    case .none, .same: return Effect()
    case .edited(let changes, let edits):
      reader.follow(cursor.bytes, edits)
      state = .unmade
      return changes.effect
    case .unread: return readText()
    }
  }

  private mutating func readText() -> Effect {
    let before = currentState()
    switch reader.read(cursor.bytes) {
    case .invalid:
      state = .none
      return Effect(isChanged: before != nil, changes: nil)
    case .value(let json, let isSame, let replaced):
      // One that is not JSON may stand between them.
      state = .value(json)
      return Effect(
        isChanged: before == nil || !isSame, changes: before == nil ? nil : replaced)
    }
  }

  private mutating func reading(of row: Row, in timeline: Timeline) -> Reading {
    if let approached, approached.row == row.number { return approached.reading }
    guard asksStates else { return .none }
    switch cursor.step(to: row, in: timeline) {
    case .none: return .none
    case .same: return .same
    case .edited(let edits):
      return reader.foresee(cursor.bytes, edits).map { .edited($0, edits) } ?? .unread
    case .other: return .unread
    }
  }

  private static func time(from uptime: UInt64, to next: UInt64) -> UInt64? {
    let (time, isBack) = next.subtractingReportingOverflow(uptime)
    return isBack ? nil : time
  }

  /// Who rewrote the history by this record, or moved the app before it acted.
  private static func viewer(of record: Record, in timeline: Timeline) -> String? {
    if record.kind == .revision {
      do throws(ControlError) {
        return try Revision(parsing: record.payload?.bytes ?? []).viewerName
      } catch {
        return nil
      }
    }
    guard let move = record.growth?.move, !move.isZero else { return nil }
    return timeline.markers.last { $0.stamp.moveCount == move }?.viewerName
  }
}

// Rows that need no look.
extension RowWalk {
  /// The step to the next row, if it is known before a state is made. That row must then be passed
  /// or visited.
  mutating func approach(_ row: Row, in timeline: Timeline) -> StateStep? {
    guard asksStates, hasState else { return nil }
    let reading = reading(of: row, in: timeline)
    approached = (row.number, reading)
    switch reading {
    case .none, .same: return StateStep(visitCount + 1, changes: [])
    case .edited(let changes, _): return StateStep(visitCount + 1, changes: changes.replaced)
    case .unread: return nil
    }
  }

  /// Leaves a row that was approached behind.
  mutating func pass(_ row: Row, in timeline: Timeline) { _ = take(row, in: timeline) }

  private var hasState: Bool { if case .none = state { false } else { true } }
}

extension ForeseenChanges {
  fileprivate var effect: RowWalk.Effect {
    let isChanged = replaced.contains { $0.old != $0.new }
    return RowWalk.Effect(isChanged: isChanged || isComplete ? isChanged : nil, changes: replaced)
  }
}

extension Row {
  fileprivate var moment: (SequenceNumber, UInt64) { (number, record.uptime) }

  fileprivate var isWhole: Bool { if case .whole = state { true } else { false } }
}
