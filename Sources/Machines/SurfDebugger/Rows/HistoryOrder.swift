import SurfControl
import SurfTimeline
import SurfWire

/// An app's actions in their current order, as far as the loaded rows tell. After a rewrite that
/// differs from the order of the rows. The debugger uses it to move actions and to word questions.
package struct HistoryOrder: Equatable, Sendable {
  package struct Step: Equatable, Sendable {
    package let row: SequenceNumber
    package let isLeftOut: Bool
  }

  package private(set) var steps: [Step] = []
  /// The order before this row is unknown, because the revision that reported it was evicted.
  /// `steps` has those rows in the order in which they arrived.
  package private(set) var unknownUpTo: SequenceNumber?
  /// The rows from which the order was read.
  package let oldest: SequenceNumber
  package let newest: SequenceNumber
  /// All actions up to this row are known, even if rows are missing.
  private var listed: SequenceNumber = 0
  /// Whether a row after `listed` is missing.
  private var hasGap = false

  /// Parses all revisions. Call it for a command, not for each frame.
  package init(_ timeline: Timeline) {
    oldest = timeline.rows.first?.number ?? 0
    newest = timeline.rows.last?.number ?? 0
    for row in timeline.rows {
      switch row.record.kind {
      case .action: steps.append(Step(row: row.number, isLeftOut: false))
      case .revision: revise(row)
      case .update, .log, .mark, .remove, .restored, .other: break
      }
    }
    let behind = timeline.rows.count - timeline.firstIndex(from: listed.next)
    hasGap = WireCount(UInt64(behind)) != listed.distance(to: timeline.newestNumber)
  }

  package var leftOutCount: Int { steps.reduce(0) { $0 + ($1.isLeftOut ? 1 : 0) } }

  /// Whether the app has exactly these actions.
  package var isCertain: Bool { unknownUpTo == nil && !hasGap }

  /// The number of actions that the app certainly has.
  package var certainCount: Int { steps.reduce(0) { $0 + (isKnown($1) ? 1 : 0) } }

  package func contains(_ row: SequenceNumber) -> Bool { index(of: row) != nil }

  /// Whether an action and the one before it are in a known order.
  package func isCertain(around row: SequenceNumber) -> Bool {
    guard let index = index(of: row) else { return false }
    return isKnown(steps[max(0, index - 1)]) && isKnown(steps[index])
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

  /// Whether this is the earlier order plus later actions. Ignores rows that were evicted since,
  /// and rows that were missing then.
  package func continues(_ earlier: HistoryOrder) -> Bool {
    let first = max(oldest, unknownUpTo ?? 0)
    guard first <= earlier.newest.next else { return false }
    let known = Set(earlier.steps.map(\.row))
    let now = steps.filter { $0.row >= first }
    let more = now.contains { $0.row <= earlier.newest && !known.contains($0.row) }
    return now.filter { known.contains($0.row) } == earlier.steps.filter { $0.row >= first }
      && (!more || earlier.hasGap)
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
    rearrange(staging)
    if staging.oldest <= 1 { listed = row.number }
    if let unknown = unknownUpTo, staging.oldest <= unknown.rawValue {
      unknownUpTo = staging.oldest <= oldest.rawValue ? nil : SequenceNumber(staging.oldest)
    }
  }

  /// Rows before the oldest one it names are unchanged (Protocol.md §11.6).
  private mutating func rearrange(_ staging: Revision.Staging) {
    steps.removeAll { $0.row.rawValue >= staging.oldest }
    steps += staging.items.map { Step(row: SequenceNumber($0.row), isLeftOut: $0.isSkipped) }
  }
}
