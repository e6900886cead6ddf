import JSONTools
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
    /// Whether the value before it is known. If not, it may be the same.
    package let hasOld: Bool
  }

  private let place: QueryPlace
  private var walk = RowWalk()
  /// After the last row with one.
  private var lastState: JSON?
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
    let subject = walk.visit(row, in: timeline)
    guard let state = subject.state else { return [] }
    defer { lastState = state }
    let hasOld = subject.before != nil
    let changes = subject.changes(at: place) + (hasOld ? [] : vanished(from: subject))
    return changes.map { Write(record: row.record, change: $0, hasOld: hasOld) }
  }

  /// What the trace has seen before, and is gone in a state that grew from an unknown one.
  private func vanished(from subject: QuerySubject) -> [QueryChange] {
    var subject = subject
    subject.before = lastState
    return subject.changes(at: place).filter { $0.new == nil }
  }
}

extension QueryPlace {
  /// The same place of a state.
  package init(_ path: JSONPath) {
    let steps = path.elements.map { element -> Step in
      switch element {
      case .key(let key): .key(key)
      case .index(let index): .index(index)
      }
    }
    self.init(.state, steps)
  }
}
