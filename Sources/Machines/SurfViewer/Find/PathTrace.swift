import JSONTree
import SurfQuery
import SurfTimeline
import SurfWire

/// Every write of a place: which row put which value in the place of which.
package struct PathTrace: Sendable {
  /// A row that wrote, and what.
  package struct Write: Sendable {
    package let record: Record
    package let change: QueryChange
    /// Whether the value before it is known.
    package let hasOld: Bool
    /// Missing rows may have written it.
    package let isDoubtful: Bool
  }

  private let place: QueryPlace
  private var walk = RowWalk()
  private var next: SequenceNumber = 0
  private var end: SequenceNumber?

  private static let stepRowCount = 128

  package init(_ place: QueryPlace) { self.place = place }

  /// Whether all rows that were there at the first step were looked at.
  package var isDone: Bool { end.map { next >= $0 } ?? false }

  /// How many rows there are still to look at.
  package func leftCount(in timeline: Timeline) -> Int {
    let end = end ?? timeline.rows.last?.number.next ?? 0
    return timeline.firstIndex(from: end) - timeline.firstIndex(from: next)
  }

  /// What the next rows have written.
  package mutating func step(in timeline: Timeline) -> [Write] {
    let end = end ?? timeline.rows.last?.number.next ?? 0
    let start = timeline.firstIndex(from: next)
    let last = min(timeline.firstIndex(from: end), start + Self.stepRowCount)
    let rows = timeline.rows[start..<last]
    self.end = end
    next = last < timeline.firstIndex(from: end) ? rows.last?.number.next ?? end : end
    return rows.flatMap { writes(of: $0, in: timeline) }
  }

  private mutating func writes(of row: Row, in timeline: Timeline) -> [Write] {
    let visit = walk.visit(row, in: timeline)
    guard visit.hasState else { return [] }
    return visit.subject.changes(at: place).map {
      Write(
        record: row.record, change: $0, hasOld: visit.subject.before != nil,
        isDoubtful: visit.isAfterGap)
    }
  }
}
