import JSONTools
import JSONTree
import SurfQuery
import SurfTimeline
import SurfWire

/// Lists every write of a place in the state: which row replaced which value with which. The
/// command `trace` uses it.
package struct PathTrace: Sendable {
  package struct Write: Sendable {
    package let record: Record
    package let change: QueryChange
    /// Whether the value before is known. If not, it may be the same.
    package let hasOld: Bool
  }

  private let place: QueryPlace
  private var walk = RowWalk()
  /// The state of the last row that had one.
  private var lastState: JSON?
  private var next: SequenceNumber = 0
  private var end: SequenceNumber?

  private static let stepRowCount = 128

  package init(_ place: QueryPlace) { self.place = place }

  /// Whether all rows that existed at the first step were visited.
  package var isDone: Bool { end.map { next >= $0 } ?? false }

  /// Takes in the rows that came after the first step.
  package mutating func goOn() { end = nil }

  /// Rows left to visit.
  package func leftCount(in timeline: Timeline) -> Int {
    let end = end ?? timeline.rows.last?.number.next ?? 0
    return timeline.firstIndex(from: end) - timeline.firstIndex(from: next)
  }

  /// The writes of the next rows.
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

  /// Values that the trace has seen and that are missing from a state that grew from an unknown
  /// one.
  private func vanished(from subject: QuerySubject) -> [QueryChange] {
    var subject = subject
    subject.before = lastState
    return subject.changes(at: place).filter { $0.new == nil }
  }
}

extension QueryPlace {
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
