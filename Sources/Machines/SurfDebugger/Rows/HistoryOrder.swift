import SurfBasics
import SurfControl
import SurfTimeline
import SurfWire

/// An app's actions in their current order, as far as the loaded rows show. After a rewrite that
/// differs from the order of the rows. The debugger uses it to move actions and to word questions.
package struct HistoryOrder: Equatable, Sendable {
  package struct Step: Equatable, Sendable {
    package let row: SequenceNumber
    package let isLeftOut: Bool
  }

  package private(set) var steps: [Step] = []
  /// The order before this row is unknown, because the revision that reported it was evicted, or
  /// because the row before this one is missing. `steps` has those rows in order of arrival.
  package private(set) var unknownUpTo: SequenceNumber?
  /// The rows that the order was read from.
  package private(set) var oldest: SequenceNumber = 0
  package private(set) var newest: SequenceNumber = 0
  /// The newest revision that put all actions before it in one line.
  private(set) var newestReorder: SequenceNumber = 0
  /// Whether rows after `newest` are known to exist.
  private var lacksNewest = false

  /// Parses all revisions. Call it for a command, not for each frame.
  ///
  /// - Parameter row: the last row to read, for the order as it was then.
  package init(_ timeline: Timeline, upTo row: SequenceNumber = .max) {
    oldest = timeline.rows.first?.number ?? 0
    append(timeline.rows[..<timeline.firstIndex(from: row.next)], timeline)
  }

  /// Adds all rows after the newest. If `rows` begin earlier, reads everything again.
  package mutating func add(_ rows: ClosedRange<SequenceNumber>, in timeline: Timeline) {
    guard rows.lowerBound > newest, oldest > 0 else {
      self = HistoryOrder(timeline)
      return
    }
    append(timeline.rows[timeline.firstIndex(from: newest.next)...], timeline)
  }

  private mutating func append(_ rows: ArraySlice<Row>, _ timeline: Timeline) {
    for row in rows {
      // A missing row may be an action, or may have rewritten what came before.
      if row.number != newest.next { unknownUpTo = row.number }
      newest = row.number
      switch row.record.kind {
      case .action: steps.append(Step(row: row.number, isLeftOut: false))
      case .revision: revise(row)
      case .update, .log, .mark, .remove, .restored, .other: break
      }
    }
    lacksNewest = newest < timeline.newestNumber
  }

  package var leftOutCount: Int { steps.count(where: \.isLeftOut) }

  /// Whether the app has exactly these actions.
  package var isCertain: Bool { unknownUpTo == nil && !lacksNewest }

  /// The number of actions that the app certainly has.
  package var certainCount: Int { steps.count(where: isKnown) }

  package func contains(_ row: SequenceNumber) -> Bool { index(of: row) != nil }

  /// Whether `earlier` or, with `isLater`, `later` is certain to name the right place.
  package func isCertain(around row: SequenceNumber, isLater: Bool) -> Bool {
    guard let index = index(of: row), isKnown(steps[index]) else { return false }
    if isLater { return index + 2 < steps.count || !lacksNewest }
    return index > 0 ? isKnown(steps[index - 1]) : unknownUpTo == nil
  }

  /// The command that moves an action before its predecessor; nil for the first, or if `row` is not
  /// an action.
  package func earlier(_ row: SequenceNumber) -> HistoryCommand<SequenceNumber>? {
    guard let index = index(of: row), index > 0 else { return nil }
    return .move(row, before: steps[index - 1].row)
  }

  /// The command that moves an action after its successor; nil for the last, or if `row` is not an
  /// action.
  package func later(_ row: SequenceNumber) -> HistoryCommand<SequenceNumber>? {
    guard let index = index(of: row), index + 1 < steps.count else { return nil }
    return .move(row, before: index + 2 < steps.count ? steps[index + 2].row : nil)
  }

  /// The command that takes back a move, before it is carried out; nil if the row is not an action.
  func undoing(moveOf row: SequenceNumber) -> HistoryCommand<SequenceNumber>? {
    index(of: row).map { .move(row, before: $0 + 1 < steps.count ? steps[$0 + 1].row : nil) }
  }

  /// Whether this is the earlier order plus later actions. Ignores rows that were evicted since,
  /// and rows that were missing then.
  package func continues(_ earlier: HistoryOrder) -> Bool {
    let first = max(oldest, unknownUpTo ?? 0)
    guard first <= earlier.newest.next else { return false }
    let known = Set(earlier.steps.map(\.row))
    let now = steps.filter { $0.row >= first }
    let more = now.contains { $0.row <= earlier.newest && !known.contains($0.row) }
    return now.filter { known.contains($0.row) } == earlier.steps.filter { $0.row >= first }
      && (!more || earlier.unknownUpTo != nil)
  }

  private func index(of row: SequenceNumber) -> Int? { steps.firstIndex { $0.row == row } }

  private func isKnown(_ step: Step) -> Bool { step.row >= unknownUpTo ?? 0 }

  private mutating func revise(_ row: Row) {
    guard let revision = row.record.revision else {
      // Before the first action there is nothing to reorder.
      if !steps.isEmpty { unknownUpTo = row.number }
      return
    }
    guard let staging = revision.staging else { return }
    if revision.command == "reorder" { newestReorder = row.number }
    rearrange(staging)
    if let unknown = unknownUpTo, staging.oldest <= unknown.rawValue {
      unknownUpTo = staging.oldest <= 1 ? nil : SequenceNumber(staging.oldest)
    }
  }

  /// Rows before the oldest one it names are unchanged (Protocol.md §11.6).
  private mutating func rearrange(_ staging: Revision.Staging) {
    steps.removeAll { $0.row.rawValue >= staging.oldest }
    steps += staging.items.map { Step(row: SequenceNumber($0.row), isLeftOut: $0.isSkipped) }
  }
}

extension HistoryCommand<SequenceNumber> {
  /// The effect of a skip, toggle or move, with its actions; the title of any other command.
  func deed(in timeline: Timeline) -> String {
    deed { timeline.row($0).map { Excerpt.text($0.record.name, limit: 24) } }
  }
}

/// The history's actions in the order in force, as a list shows them.
package struct Arrangement: Sendable {
  package private(set) var order: HistoryOrder
  package private(set) var rows: [SequenceNumber] = []
  private var indices: [SequenceNumber: Int] = [:]
  /// With more rows it is built again, without those that the timeline has evicted.
  private var rowCountMax = 0

  package init(_ timeline: Timeline) {
    order = HistoryOrder(timeline)
    arrange()
    rowCountMax = 2 * rows.count + 1_000
  }

  package mutating func add(_ rows: ClosedRange<SequenceNumber>, in timeline: Timeline) {
    guard self.rows.count < rowCountMax else {
      self = Arrangement(timeline)
      return
    }
    let (newest, count) = (order.newest, order.steps.count)
    order.add(rows, in: timeline)
    let more = timeline.rows[timeline.firstIndex(from: newest.next)...]
    guard rows.lowerBound > newest, more.allSatisfy({ $0.record.kind != .revision }) else {
      return arrange()
    }
    for step in order.steps[count...] { append(step.row) }
  }

  package func contains(_ row: SequenceNumber) -> Bool { indices[row] != nil }

  /// The rows after one, in order. For a row that is not among them: the one with the next number.
  func rows(after row: SequenceNumber) -> ArraySlice<SequenceNumber> {
    if let index = indices[row] { return rows[(index + 1)...] }
    if row == 0 { return rows[...] }
    return rows.filter { $0 > row }.min().map { rows[(indices[$0] ?? 0)...] } ?? []
  }

  /// The same upwards; the last row comes last.
  func rows(before row: SequenceNumber) -> ArraySlice<SequenceNumber> {
    if let index = indices[row] { return rows[..<index] }
    if row == .max { return rows[...] }
    return rows.filter { $0 < row }.max().map { rows[...(indices[$0] ?? 0)] } ?? []
  }

  private mutating func arrange() {
    (rows, indices) = ([], [:])
    for step in order.steps { append(step.row) }
  }

  /// A forged revision may name a row twice.
  private mutating func append(_ row: SequenceNumber) {
    guard indices[row] == nil else { return }
    indices[row] = rows.count
    rows.append(row)
  }
}

/// The actions that are left out, as far as the loaded rows show. Each revision is read once, so
/// that a list can ask about each row it shows.
package struct LeftOutRows: Sendable {
  /// A revision's verdict on the rows from `oldest` to its own.
  private struct Verdict: Sendable {
    let row: SequenceNumber
    let oldest: SequenceNumber
    /// Nil if the revision cannot be read.
    let leftOut: Set<SequenceNumber>?
  }

  /// Ascending. Each begins after the one before it, because overruled verdicts are not kept.
  private var verdicts: [Verdict] = []

  package init(_ timeline: Timeline) {
    if timeline.revisionCount > 0 { read(timeline.rows[...]) }
  }

  package mutating func add(_ rows: ClosedRange<SequenceNumber>, in timeline: Timeline) {
    let first = timeline.firstIndex(from: rows.lowerBound)
    read(timeline.rows[first...].prefix { $0.number <= rows.upperBound })
  }

  /// Nil if nobody here knows.
  package func contains(_ row: SequenceNumber, in timeline: Timeline) -> Bool? {
    let verdict = verdicts.last { $0.oldest <= row && row < $0.row }
    // A row that is missing there may say otherwise.
    if timeline.hasHole(behind: verdict?.row ?? row) { return nil }
    return verdict.map { $0.leftOut?.contains(row) } ?? false
  }

  /// The newest revision first, because it may make it needless to read older ones.
  private mutating func read(_ rows: ArraySlice<Row>) {
    for row in rows.reversed() where row.record.kind == .revision {
      if verdicts.contains(where: { $0.row > row.number && $0.oldest <= 1 }) { return }
      verdicts.removeAll { $0.row == row.number }
      if let verdict = Self.verdict(of: row) { add(verdict) }
    }
  }

  private static func verdict(of row: Row) -> Verdict? {
    guard let revision = row.record.revision else {
      return Verdict(row: row.number, oldest: 0, leftOut: nil)
    }
    return revision.staging.map { staging in
      Verdict(
        row: row.number, oldest: SequenceNumber(staging.oldest),
        leftOut: Set(staging.items.lazy.filter(\.isSkipped).map { SequenceNumber($0.row) }))
    }
  }

  private mutating func add(_ verdict: Verdict) {
    let index = verdicts.partitionPoint { $0.row >= verdict.row }
    guard !verdicts[index...].contains(where: { $0.oldest <= verdict.oldest }) else { return }
    verdicts.insert(verdict, at: index)
    verdicts.removeSubrange(
      (verdicts[..<index].firstIndex { $0.oldest >= verdict.oldest } ?? index)..<index)
  }
}
