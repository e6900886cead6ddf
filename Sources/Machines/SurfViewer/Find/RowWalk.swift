import JSONTools
import JSONTree
import SurfControl
import SurfQuery
import SurfTimeline
import SurfWire

/// Goes through an instance's rows, oldest first, and gives a `QuerySubject` for each. Searches,
/// filters, traces and reports use it. It builds and parses each state from the one before, and
/// compares it with the one it grew from.
struct RowWalk: Sendable {
  private let asksStates: Bool
  private var cursor = StateCursor()
  private var reader: JSONRereader
  private var state = KnownState.none
  /// The position of the state in `state`; nil before the first.
  private var here: Position?
  /// The last row, and where the records up to it put the app, if known.
  private var last: (row: Row, recorded: Position?)?
  /// The next row, if the cursor is there already, and how its state follows from the one it grew
  /// from.
  private var approached: (row: SequenceNumber, reading: Reading)?
  private var visitCount = 0

  private enum KnownState: Sendable {
    /// Unknown, or not JSON.
    case none
    case value(JSON)
    /// The reader has it, but has not built its value.
    case unmade
  }

  private enum Reading: Sendable {
    /// The row has no state, or it was dropped.
    case none
    case same
    case edited(ForeseenChanges, [JSONRereader.Edit])
    /// Its text must be parsed.
    case unread
  }

  /// A row's effect on the state.
  fileprivate struct Effect {
    /// Nil if unknown.
    var isChanged: Bool? = false
    /// Nil if unknown.
    var changes: [JSONReplacement]? = []
  }

  /// - Parameters:
  ///   - asksStates: whether to read states, or only the rows themselves.
  ///   - ignores: whether a step may omit changes of the scalar at a path. Must give the same
  ///     answer each time.
  init(
    asksStates: Bool = true,
    ignoring ignores: @escaping @Sendable (JSONPath) -> Bool = { _ in false }
  ) {
    self.init(asksStates: asksStates, reader: JSONRereader(ignoring: ignores))
  }

  private init(asksStates: Bool, reader: JSONRereader) {
    (self.asksStates, self.reader) = (asksStates, reader)
  }

  /// Starts over: the next row may be any.
  mutating func begin() {
    let visitCount = visitCount + 1
    // Keep the reader, because the next state may resemble the last.
    self = RowWalk(asksStates: asksStates, reader: reader)
    self.visitCount = visitCount
  }

  /// The next row as a query sees it.
  mutating func visit(_ row: Row, in timeline: Timeline) -> QuerySubject {
    let parent = parent(of: row, in: timeline)
    if asksStates, approached?.row != row.number { go(to: parent, in: timeline) }
    var subject = QuerySubject(row.record, before: currentState())
    subject.growsFromInitial = parent == .initial
    subject.sizeBefore = parent.flatMap(timeline.stateSize(at:))
    subject.stateSize = row.stateSize
    subject.sinceBefore = above(row, in: timeline).flatMap {
      Self.time(from: $0.record.uptime, to: row.record.uptime)
    }
    subject.deed = row.record.deed
    subject.viewer = Self.viewer(of: row.record, in: timeline)
    let effect = take(row, in: timeline)
    subject.state = currentState()
    subject.isChanged = effect.isChanged
    subject.step = StateStep(visitCount, changes: effect.changes)
    return subject
  }

  /// The row above in the list, if it is loaded.
  private func above(_ row: Row, in timeline: Timeline) -> Row? {
    if let last, last.row.number.next == row.number { return last.row }
    return timeline.rows[..<timeline.firstIndex(from: row.number)].last
  }

  /// `timeline.parent(of:)` would search for what a walk over neighbours knows.
  private func parent(of row: Row, in timeline: Timeline) -> Position? {
    guard let last, last.row.number.next == row.number else { return timeline.parent(of: row) }
    return timeline.parent(of: row, behind: recorded(behind: row, in: timeline))
  }

  /// Reads the state that the next row grew from, unless it is current already.
  private mutating func go(to parent: Position?, in timeline: Timeline) {
    guard parent == nil || parent != here else { return }
    // The next row's state does not follow from the last row's.
    visitCount += 1
    here = parent
    state = .none
    switch parent {
    case .record(let number):
      guard let row = timeline.row(number) else { return }
      switch cursor.step(to: row, in: timeline) {
      case .none: return
      case .same, .edited, .other: break
      }
    case .initial:
      guard let initial = timeline.initialState else { return }
      cursor.go(to: initial.bytes)
    case .elsewhere, nil: return
    }
    if case .value(let json, _, _) = reader.read(cursor.bytes) { state = .value(json) }
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

  /// Moves to the next row. Builds no value that nobody has asked for.
  private mutating func take(_ row: Row, in timeline: Timeline) -> Effect {
    let reading = reading(of: row, in: timeline)
    let recorded = row.isState ? .record(row.number) : recorded(behind: row, in: timeline)
    approached = nil
    visitCount += 1
    last = (row, recorded)
    guard asksStates else { return Effect(isChanged: nil, changes: nil) }
    // A row that does not move the app keeps the state from before.
    guard row.isState || row.stateSize != nil else { return Effect() }
    here = .record(row.number)
    switch reading {
    case .none:
      state = .none
      return Effect(isChanged: nil, changes: nil)
    case .same: return hasState ? Effect() : readText()
    case .edited(let changes, let edits):
      reader.follow(cursor.bytes, edits)
      state = .unmade
      return changes.effect
    case .unread: return readText()
    }
  }

  /// Where the records before a row put the app.
  private func recorded(behind row: Row, in timeline: Timeline) -> Position? {
    guard let last, last.row.number.next == row.number else {
      return timeline.recorded(before: row.number)
    }
    return last.recorded ?? timeline.reported(behind: last.row.number..<row.number)
  }

  private mutating func readText() -> Effect {
    let before = currentState()
    switch reader.read(cursor.bytes) {
    case .invalid:
      state = .none
      return Effect(isChanged: before != nil, changes: nil)
    case .value(let json, let isSame, let replaced):
      // A state that is not JSON may come between them.
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
      guard hasState else { return .unread }
      return reader.foresee(cursor.bytes, edits).map { .edited($0, edits) } ?? .unread
    case .other: return .unread
    }
  }

  private static func time(from uptime: UInt64, to next: UInt64) -> UInt64? {
    let (time, isBack) = next.subtractingReportingOverflow(uptime)
    return isBack ? nil : time
  }

  /// The viewer that rewrote the history with this record, dispatched it, or moved the app before
  /// it acted.
  private static func viewer(of record: Record, in timeline: Timeline) -> String? {
    if record.kind == .revision { return record.revision?.viewerName }
    if let dispatcher = record.dispatcher { return dispatcher }
    guard let move = record.grownFrom?.move, !move.isZero else { return nil }
    return timeline.markers.last { $0.stamp.moveCount == move }?.viewerName
  }
}

// Skipping rows.
extension RowWalk {
  /// The step to the next row, if it is known without building a state. The caller must then skip
  /// or visit that row.
  mutating func approach(_ row: Row, in timeline: Timeline) -> StateStep? {
    guard asksStates, hasState, let here, parent(of: row, in: timeline) == here else { return nil }
    let reading = reading(of: row, in: timeline)
    approached = (row.number, reading)
    switch reading {
    case .none: return row.isState ? nil : StateStep(visitCount + 1, changes: [])
    case .same: return StateStep(visitCount + 1, changes: [])
    case .edited(let changes, _): return StateStep(visitCount + 1, changes: changes.replaced)
    case .unread: return nil
    }
  }

  /// Skips a row that was approached.
  mutating func skip(_ row: Row, in timeline: Timeline) { _ = take(row, in: timeline) }

  private var hasState: Bool { if case .none = state { false } else { true } }
}

extension ForeseenChanges {
  fileprivate var effect: RowWalk.Effect {
    let isChanged = replaced.contains { $0.old != $0.new }
    return RowWalk.Effect(isChanged: isChanged || isComplete ? isChanged : nil, changes: replaced)
  }
}
