import JSONTree
import SurfControl
import SurfWire

/// The rows of an instance's history, in order, with their flags: Redux DevTools' lifted state
/// without the states. `PanelInstance` keeps it up to date.
///
/// Rows may arrive in any order: the newest first, then the past.
package struct LiftedRows: Equatable, Sendable {
  /// The rows of actions in the order of history, without row 0.
  package private(set) var staged: [SequenceNumber] = []
  package private(set) var skipped: Set<SequenceNumber> = []
  /// The rows of log lines and marks, ascending, from the start of history on.
  package private(set) var remarks: [SequenceNumber] = []
  /// History starts after this record: the newest command that restarted it; 0 for none.
  package private(set) var origin: SequenceNumber = 0
  /// Rows outside of history whose state is the one that it starts with, such as the rows of
  /// commands that left the app there.
  package private(set) var anchors: Set<SequenceNumber> = []
  /// Whether `newestStaging` left the app where history starts.
  private(set) var isLeftAtBeginning = false
  /// The newest revision that described rows, and so the state that the app is in.
  private(set) var newestStaging: SequenceNumber = 0
  /// The state that history starts with; nil for the app's initial state.
  package private(set) var committed: Content?
  /// The app's initial state; nil until the app has reported it.
  package private(set) var initial: Content?
  /// The row that the newest revision left the app in; nil if none.
  package private(set) var current: SequenceNumber?
  package var isLocked = false
  package var isPaused = false
  /// Recomputed states, each with the revision that reported it.
  private var revised: [SequenceNumber: (state: Content, by: SequenceNumber)] = [:]
  /// Revisions of the rows, newest first, each with the first row that it decides about. An older
  /// one counts only for rows before those of all newer ones.
  private var decisions: [(by: SequenceNumber, from: SequenceNumber)] = []
  private var newestRevision: SequenceNumber = 0
  /// The lowest row of history, which after a move is not the first.
  private var oldestStaged = SequenceNumber.max

  package init() {}

  package static func == (left: LiftedRows, right: LiftedRows) -> Bool {
    left.staged == right.staged && left.skipped == right.skipped
      && left.committed == right.committed && left.initial == right.initial
      && left.current == right.current && left.remarks == right.remarks
      && left.isLocked == right.isLocked && left.isPaused == right.isPaused
      && left.revised.mapValues(\.state) == right.revised.mapValues(\.state)
  }

  /// The recomputed state after a row; nil if the recorded one holds.
  package func revisedState(of row: SequenceNumber) -> Content? { revised[row]?.state }

  /// Whether history starts where the app started.
  package var beginsAtStart: Bool { committed == nil || committed == initial }

  /// The state that history starts with, if known.
  package var beginning: Content? { committed ?? initial }

  /// Adds the row of an action.
  package mutating func append(_ row: SequenceNumber) {
    // From its first row up to its own, a revision decides which rows are part of history.
    guard !decisions.contains(where: { $0.from <= row && row <= $0.by }) else { return }
    oldestStaged = min(oldestStaged, row)
    guard let last = staged.last, row <= last else {
      staged.append(row)
      return
    }
    // Reordered rows are either all before this row, or all after it.
    let index = staged.firstIndex { $0 >= row } ?? staged.count
    if index < staged.count, staged[index] == row { return }
    staged.insert(row, at: index)
  }

  /// Adds a log line or mark where it was made, unless history starts later. No command affects it.
  package mutating func remark(_ row: SequenceNumber) {
    guard row > origin else { return }
    let index = remarks.lastIndex { $0 <= row }.map { $0 + 1 } ?? 0
    if index > 0, remarks[index - 1] == row { return }
    remarks.insert(row, at: index)
  }

  /// Applies a rewrite of history by a viewer or panel, as a record describes it.
  ///
  /// - Parameter state: the app's state at the time of the record, if the record has one.
  package mutating func apply(
    _ revision: Revision, of record: SequenceNumber, state: Content? = nil
  ) {
    if record >= newestRevision {
      newestRevision = record
      isLocked = revision.isLocked
      isPaused = revision.isPaused
    }
    if let state = revision.initial { initial = Content(type: Content.json, bytes: state.bytes()) }
    guard let staging = revision.staging else { return }
    let items = Self.valid(staging.items, of: record)
    for item in items {
      guard let state = item.state, (revised[item.number]?.by ?? 0) <= record else { continue }
      revised[item.number] = (Content(type: Content.json, bytes: state.bytes()), record)
    }
    decide(staging, items, by: record)
    begin(revision, items, by: record, state)
    let kept = Set(staged)
    revised = revised.filter { kept.contains($0.key) }
  }

  private mutating func decide(
    _ staging: Revision.Staging, _ items: [Revision.Item], by record: SequenceNumber
  ) {
    let newer = decisions.prefix { $0.by > record }
    let limit = newer.last?.from ?? .max
    let oldest = SequenceNumber(staging.oldest)
    guard oldest < limit, !decisions.contains(where: { $0.by == record }) else { return }
    let older = decisions.dropFirst(newer.count).filter { $0.from < oldest }
    decisions = newer + [(record, oldest)] + older
    if newer.isEmpty {
      current = staging.current.map { SequenceNumber($0) }
      newestStaging = record
    }
    if oldest == 0 {
      let content = staging.committed.map { Content(type: Content.json, bytes: $0.bytes()) }
      if content != committed { anchors = [] }
      committed = content
    }
    // From `limit` on, newer revisions decide.
    let decided = items.filter { $0.number < limit }
    let isKept = { (row: SequenceNumber) in row < oldest || row > record || row >= limit }
    let others = staged.filter(isKept)
    staged =
      others.filter { $0 < oldest } + decided.map(\.number)
      + others.filter { $0 >= oldest }
    skipped = skipped.filter(isKept).union(decided.filter(\.isSkipped).map(\.number))
    oldestStaged = staged.min() ?? .max
  }

  /// Updates where the present history starts. Revisions may arrive in any order.
  private mutating func begin(
    _ revision: Revision, _ items: [Revision.Item], by record: SequenceNumber, _ state: Content?
  ) {
    guard let staging = revision.staging else { return }
    let restarts = ["commit", "rollback", "reset"].contains(revision.command)
    let isStart = staging.current == nil && (restarts || isBeginning(state))
    if record == newestStaging { isLeftAtBeginning = isStart }
    guard staging.oldest == 0 else { return }
    if isStart, staging.committed?.bytes() == committed?.bytes {
      anchors.insert(record)
    } else {
      // The record's state may arrive after its payload.
      anchors.remove(record)
    }
    switch revision.command {
    case _ where restarts: origin = max(origin, record)
    case "import": origin = max(origin, items.map(\.number).min()?.previous ?? record)
    default: return
    }
    remarks.removeAll { $0 <= origin }
  }

  /// Whether a state equals the one that history starts with. True if either is unknown.
  private func isBeginning(_ state: Content?) -> Bool {
    guard let state, let beginning, state.bytes != beginning.bytes else { return true }
    return JSON(ifValid: state.bytes) == JSON(ifValid: beginning.bytes)
  }

  /// Takes the state of a row outside of history, which may be the one that history starts with.
  mutating func anchor(_ row: SequenceNumber, of state: Content) {
    if beginning != nil, isBeginning(state) { anchors.insert(row) }
  }

  /// Drops invalid items: a revision may name only rows before its own, each of them once.
  private static func valid(_ items: [Revision.Item], of record: SequenceNumber) -> [Revision.Item]
  {
    var seen: Set<SequenceNumber> = [0]
    return items.filter { $0.number < record && seen.insert($0.number).inserted }
  }

  /// Drops the rows before `row`, because the viewer has no memory for them.
  ///
  /// - Returns: whether there were any.
  @discardableResult
  package mutating func drop(before row: SequenceNumber) -> Bool {
    let oldest = min(staged.first ?? .max, remarks.first ?? .max, oldestStaged)
    guard oldest < row else { return false }
    staged.removeAll { $0 < row }
    remarks.removeAll { $0 < row }
    anchors = anchors.filter { $0 >= row }
    skipped = skipped.filter { $0 >= row }
    revised = revised.filter { $0.key >= row }
    oldestStaged = staged.min() ?? .max
    return true
  }
}

extension Revision.Item {
  fileprivate var number: SequenceNumber { SequenceNumber(row) }
}

// For an app without a store, the history exists only here.
extension LiftedRows {
  /// Toggles a row's skip. No state is computed for that.
  ///
  /// - Returns: the nearest row whose state stands in for the computed one; 0 for the beginning.
  ///   Nil if the row is not in history.
  package mutating func toggleApproximately(_ row: SequenceNumber) -> SequenceNumber? {
    guard let index = staged.firstIndex(of: row) else { return nil }
    if skipped.remove(row) == nil { skipped.insert(row) }
    return staged[...index].last { !skipped.contains($0) } ?? 0
  }

  package mutating func sweep() {
    staged.removeAll { skipped.contains($0) }
    skipped = []
  }

  /// Restarts history after the existing rows, from `state`; nil for the app's initial state.
  ///
  /// - Parameter place: a row that has this state.
  package mutating func restart(
    from state: Content?, of place: SequenceNumber?, after row: SequenceNumber
  ) {
    staged = []
    skipped = []
    revised = [:]
    remarks = []
    origin = row
    anchors = Set([place].compactMap(\.self))
    committed = state
    decisions = [(row, 0)]
  }
}
