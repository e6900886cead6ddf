import Redaction
import SurfQuery
import SurfTimeline
import SurfWire

/// Counts what a history's actions did, by name, and finds odd sequences among them, for the
/// command `report`. It visits some rows per step.
package struct HistoryReport: Sendable {
  /// Rows visited so far.
  package private(set) var rowCount = 0
  /// Rows before the last visited one that are not loaded.
  package private(set) var missingCount: WireCount = 0
  private var tallyIndices: [String: Int] = [:]
  private var unordered: [ActionTally] = []
  private var search = SequenceSearch()
  private var walk = RowWalk()
  private var last: SequenceNumber = 0
  private var progress = RowProgress()
  /// For each row, the index of the tally of the action that led to it.
  private var causes: [SequenceNumber: Int] = [:]
  private var lastAction: Int?

  private static let stepRowCount = 128

  package init() {}

  /// Whether no rows are left to visit. Without `extend`, these are the rows that existed at the
  /// first step.
  package var isDone: Bool { progress.isDone }

  /// The rows to visit from now on. The range may grow at its end.
  package mutating func extend(to range: Range<SequenceNumber>) { progress.extend(to: range) }

  /// Rows left to visit.
  package func leftCount(in timeline: Timeline) -> Int { progress.rows(in: timeline).count }

  /// Most frequent names first.
  package var tallies: [ActionTally] {
    unordered.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
  }

  /// Sequences that left the state unchanged most often come first, then longer runs.
  package var sequences: [SequenceTally] {
    search.tallies.values.sorted {
      let (left, right) = ($0.longest, $1.longest)
      return ($1.unchangedCount, right.count, left.rows.lowerBound)
        < ($0.unchangedCount, left.count, right.rows.lowerBound)
    }
  }

  /// Whether a row of the next step grew from the initial state, which no row here has.
  package func lacksInitialState(in timeline: Timeline) -> Bool {
    timeline.initialState == nil
      && progress.rows(in: timeline).prefix(Self.stepRowCount).contains { row in
        // Only the first action can grow from it without saying so.
        row.record.kind == .action && (lastAction == nil || row.record.grownFrom != nil)
          && timeline.parent(of: row) == .initial
      }
  }

  /// Reads further rows. After the last of them, call `finish`: it ends the last sequence.
  package mutating func step(in timeline: Timeline) {
    for row in progress.take(Self.stepRowCount, in: timeline) { visit(row, in: timeline) }
  }

  /// No more rows will come.
  package mutating func finish() { search.interrupt() }

  private mutating func visit(_ row: Row, in timeline: Timeline) {
    let subject = walk.visit(row, in: timeline)
    let missing = last.next.distance(to: row.number)
    missingCount = missingCount.adding(missing)
    if !missing.isZero { search.interrupt() }
    last = row.number
    rowCount += 1
    switch row.record.kind {
    case .action: count(row, subject, followsRow: missing.isZero)
    case .log(.error): error(row)
    default: break
    }
    // Something other than an action moved the state.
    if row.record.kind != .action, row.state != .none { search.interrupt() }
    if row.record.kind != .action { causes[row.number] = row.parent.flatMap { causes[$0] } }
  }

  private mutating func count(_ row: Row, _ subject: QuerySubject, followsRow: Bool) {
    let index = index(of: ActionIdentity.nameWithoutValues(row.record.name))
    // If the record combines several actions, the effect of each is unknown.
    let count = row.record.count.clamped(to: .max)
    let isKnown = count == 1 && subject.before != nil && subject.state != nil
    var isChanged = isKnown ? subject.isChanged : nil
    // Marks are equal whatever they replace.
    if isChanged == false, subject.state?.hasMark == true { isChanged = nil }
    unordered[index].add(count, isChanged: isChanged)
    if let size = subject.stateSize, let before = subject.sizeBefore {
      unordered[index].growth += size - before
    }
    unordered[index].payloadSize += row.record.payload?.bytes.count ?? 0
    if followsRow, count == 1, let interval = subject.sinceBefore {
      unordered[index].intervals.append(interval)
    }
    causes[row.number] = index
    lastAction = index
    if row.record.grownFrom != nil { search.interrupt() }
    search.add(
      ReportedAction(
        row: row.number, identity: ActionIdentity(row.record), isChanged: isChanged,
        state: row.isState ? subject.state : nil))
  }

  private mutating func error(_ row: Row) {
    let cause = row.parent.map { causes[$0] } ?? lastAction
    if let cause { unordered[cause].errorCount += 1 }
  }

  private mutating func index(of name: String) -> Int {
    if let index = tallyIndices[name] { return index }
    tallyIndices[name] = unordered.count
    unordered.append(ActionTally(name))
    return unordered.count - 1
  }
}

/// What the actions of one name did, ignoring the values in the name.
package struct ActionTally: Equatable, Sendable {
  package let name: String
  package internal(set) var count = 0
  /// Actions that are known to have left the state unchanged.
  package internal(set) var unchangedCount = 0
  /// Actions whose effect on the state is unknown.
  package internal(set) var unknownCount = 0
  /// How many octets the states grew, less how many they shrank.
  package internal(set) var growth = 0
  /// Octets of the payloads that were loaded.
  package internal(set) var payloadSize = 0
  /// Log lines of level error that they caused. A line that names no cause counts for the action
  /// before it.
  package internal(set) var errorCount = 0
  /// Nanoseconds since the row before, for each action whose row before is loaded.
  var intervals: [UInt64] = []

  init(_ name: String) { self.name = name }

  /// - Parameter more: the app sends this number, so it may be huge. 1 if `isChanged` is known.
  mutating func add(_ more: Int, isChanged: Bool?) {
    count += min(more, .max - count)
    if isChanged == nil { unknownCount += min(more, .max - unknownCount) }
    if isChanged == false { unchangedCount += 1 }
  }

  /// The median time since the row before, in nanoseconds; nil if no such time is known.
  package var medianInterval: UInt64? {
    intervals.isEmpty ? nil : intervals.sorted()[intervals.count / 2]
  }
}
