import SurfControl
import SurfTimeline
import SurfWire

/// The actions of a history in the order that is in force, as far as its rows are here. After a
/// rewrite that is not the order in which they came.
package struct HistoryOrder: Equatable, Sendable {
  package struct Step: Equatable, Sendable {
    package let row: SequenceNumber
    package let isLeftOut: Bool
  }

  package private(set) var steps: [Step] = []

  /// Reads all revisions: for a command, not for each frame.
  package init(_ timeline: Timeline) {
    for row in timeline.rows {
      switch row.record.kind {
      case .action: steps.append(Step(row: row.number, isLeftOut: false))
      case .revision: row.record.payload.flatMap { Self.staging($0) }.map { rearrange($0) }
      case .update, .log, .mark, .remove, .other: break
      }
    }
  }

  package var leftOutCount: Int { steps.reduce(0) { $0 + ($1.isLeftOut ? 1 : 0) } }

  /// What puts an action before the one before; nil for the first, and for what is no action.
  package func earlier(_ row: SequenceNumber) -> HistoryCommand<SequenceNumber>? {
    guard let index = index(of: row), index > 0 else { return nil }
    return .move(row, before: steps[index - 1].row)
  }

  /// What puts an action behind the next one; nil for the last, and for what is no action.
  package func later(_ row: SequenceNumber) -> HistoryCommand<SequenceNumber>? {
    guard let index = index(of: row), index + 1 < steps.count else { return nil }
    return .move(row, before: index + 2 < steps.count ? steps[index + 2].row : nil)
  }

  private func index(of row: SequenceNumber) -> Int? { steps.firstIndex { $0.row == row } }

  /// Rows before the oldest that it names are unchanged (Protocol.md §11.6).
  private mutating func rearrange(_ staging: Revision.Staging) {
    steps.removeAll { $0.row.rawValue >= staging.oldest }
    steps += staging.items.map { Step(row: SequenceNumber($0.row), isLeftOut: $0.isSkipped) }
  }

  private static func staging(_ payload: Content) -> Revision.Staging? {
    do throws(ControlError) {
      return try Revision(parsing: payload.bytes).staging
    } catch {
      return nil
    }
  }
}
