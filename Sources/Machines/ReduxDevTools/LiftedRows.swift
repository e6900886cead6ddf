import JSONTree
import SurfControl
import SurfWire

/// Which rows are part of an instance's history, in which order, and how: what Redux DevTools calls
/// the lifted state, without the states themselves.
///
/// Rows may come in any order: the newest first, then the past.
package struct LiftedRows: Equatable, Sendable {
  /// Rows of actions in their order; not row 0.
  package private(set) var staged: [SequenceNumber] = []
  package private(set) var skipped: Set<SequenceNumber> = []
  /// Rows of log lines and marks, ascending, that are not older than history.
  package private(set) var remarks: [SequenceNumber] = []
  /// The record after which history begins: of the newest command that began it anew; 0 for none.
  package private(set) var origin: SequenceNumber = 0
  /// Rows whose own state is the one that history begins with: of the commands that left the app
  /// there.
  package private(set) var anchors: Set<SequenceNumber> = []
  /// Whether that revision left the app where history begins.
  private(set) var isLeftAtBeginning = false
  /// The newest revision that told of rows, and so of the state that the app is in.
  private(set) var newestStaging: SequenceNumber = 0
  /// The state that history begins with; nil for the initial state of the app.
  package private(set) var committed: Content?
  /// The initial state of the app; nil until the app has told it.
  package private(set) var initial: Content?
  /// The row that the newest revision left the app in; nil if it is in no row.
  package private(set) var current: SequenceNumber?
  package var isLocked = false
  package var isPaused = false
  /// States that were computed again, each with the revision that told it.
  private var revised: [SequenceNumber: (state: Content, by: SequenceNumber)] = [:]
  /// Revisions of the rows, the newest first, each with the first row that it decides about. An
  /// older one must begin further back: otherwise it has nothing left to say.
  private var decisions: [(by: SequenceNumber, from: SequenceNumber)] = []
  private var newestRevision: SequenceNumber = 0
  /// The lowest row of history, which is not its first after a move.
  private var oldestStaged = SequenceNumber.max

  package init() {}

  package static func == (left: LiftedRows, right: LiftedRows) -> Bool {
    left.staged == right.staged && left.skipped == right.skipped
      && left.committed == right.committed && left.initial == right.initial
      && left.current == right.current && left.remarks == right.remarks
      && left.isLocked == right.isLocked && left.isPaused == right.isPaused
      && left.revised.mapValues(\.state) == right.revised.mapValues(\.state)
  }

  /// The state after a row as it was computed last; nil if it is the one that was recorded.
  package func revisedState(of row: SequenceNumber) -> Content? { revised[row]?.state }

  /// Whether history begins where the app started.
  package var beginsAtStart: Bool { committed == nil || committed == initial }

  /// The state that history begins with, if known.
  package var beginning: Content? { committed ?? initial }

  /// An action happened.
  package mutating func append(_ row: SequenceNumber) {
    // Earlier rows are part of history only if a revision says so.
    guard !decisions.contains(where: { $0.from <= row && row <= $0.by }) else { return }
    oldestStaged = min(oldestStaged, row)
    guard let last = staged.last, row <= last else {
      staged.append(row)
      return
    }
    // Rows that a revision reordered lie all before this row, or all behind it.
    let index = staged.firstIndex { $0 >= row } ?? staged.count
    if index < staged.count, staged[index] == row { return }
    staged.insert(row, at: index)
  }

  /// Adds a log line or mark: it shows where it was made if history goes back that far, and no
  /// command touches it.
  package mutating func remark(_ row: SequenceNumber) {
    guard row > origin else { return }
    let index = remarks.lastIndex { $0 <= row }.map { $0 + 1 } ?? 0
    if index > 0, remarks[index - 1] == row { return }
    remarks.insert(row, at: index)
  }

  /// A viewer or a panel rewrote history, as `record` told.
  ///
  /// - Parameter state: the record's own, which the app was in then; nil if the record came without
  ///   it.
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
    let items = Self.sound(staging.items, of: record)
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
    // From `limit` on, a newer revision decides.
    let decided = items.filter { $0.number < limit }
    let isKept = { (row: SequenceNumber) in row < oldest || row > record || row >= limit }
    let others = staged.filter(isKept)
    staged =
      others.filter { $0 < oldest } + decided.map(\.number)
      + others.filter { $0 >= oldest }
    skipped = skipped.filter(isKept).union(decided.filter(\.isSkipped).map(\.number))
    oldestStaged = staged.min() ?? .max
  }

  /// Learns where the present history begins: revisions may come in any order.
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
      // The record's state may come later than its payload.
      anchors.remove(record)
    }
    switch revision.command {
    case _ where restarts: origin = max(origin, record)
    case "import": origin = max(origin, items.map(\.number).min()?.previous ?? record)
    default: return
    }
    remarks.removeAll { $0 <= origin }
  }

  /// Whether a state is the one that history begins with, rather than one from elsewhere, if both
  /// are known.
  private func isBeginning(_ state: Content?) -> Bool {
    guard let state, let beginning, state.bytes != beginning.bytes else { return true }
    return JSON(ifValid: state.bytes) == JSON(ifValid: beginning.bytes)
  }

  /// Learns the state of a row that is not part of history: it may be the one that history begins
  /// with.
  mutating func anchor(_ row: SequenceNumber, of state: Content) {
    if beginning != nil, isBeginning(state) { anchors.insert(row) }
  }

  /// A revision can name only rows before its own, and each of them once.
  private static func sound(_ items: [Revision.Item], of record: SequenceNumber) -> [Revision.Item]
  {
    var seen: Set<SequenceNumber> = [0]
    return items.filter { $0.number < record && seen.insert($0.number).inserted }
  }

  /// Forgets the oldest rows, which a viewer has no room for.
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

// If the app takes no commands, its viewer alone keeps the history.
extension LiftedRows {
  /// Leaves a row out, or takes it in again, without a state of its own.
  ///
  /// - Returns: the nearest row whose state stands in for the one that would be computed; 0 for the
  ///   beginning. Nil if there is no such row.
  package mutating func toggleApproximately(_ row: SequenceNumber) -> SequenceNumber? {
    guard let index = staged.firstIndex(of: row) else { return nil }
    if skipped.remove(row) == nil { skipped.insert(row) }
    return staged[...index].last { !skipped.contains($0) } ?? 0
  }

  package mutating func sweep() {
    staged.removeAll { skipped.contains($0) }
    skipped = []
  }

  /// Begins anew, after the existing rows, from `state`; nil for the app's beginning.
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
