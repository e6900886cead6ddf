import JSONTools
import JSONTree
import SurfQuery
import SurfTimeline
import SurfWire

/// Lists every write to a place in the state: the row, the old value and the new one. The command
/// `trace` uses it.
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
  /// Rows that were visited.
  package private(set) var visitedCount = 0

  private static let stepRowCount = 128

  package init(_ place: QueryPlace) { self.place = place }

  /// Lists the writes from a row on.
  package init(_ place: QueryPlace, from start: SequenceNumber, in timeline: Timeline) {
    self.init(place)
    next = start
    let before = timeline.rows[..<timeline.firstIndex(from: start)]
    let state = before.reversed().lazy.compactMap { timeline.state(of: $0.number) }.first
    lastState = state.flatMap { JSON(ifValid: $0.bytes) }
  }

  /// Whether all rows were visited that existed at the first step, or that the last one was for.
  package var isDone: Bool { end.map { next >= $0 } ?? false }

  /// Takes in the rows that came after the first step.
  package mutating func goOn() { end = nil }

  /// Rows left to visit.
  package func leftCount(in timeline: Timeline) -> Int {
    let end = end ?? timeline.rows.last?.number.next ?? 0
    return timeline.firstIndex(from: end) - timeline.firstIndex(from: next)
  }

  /// The writes of the next rows.
  ///
  /// - Parameter limit: the row to stop before, not before that of an earlier step; nil for those
  ///   that exist at the first step.
  package mutating func step(in timeline: Timeline, before limit: SequenceNumber? = nil) -> [Write]
  {
    let end = limit ?? end ?? timeline.rows.last?.number.next ?? 0
    let start = timeline.firstIndex(from: next)
    let last = min(timeline.firstIndex(from: end), start + Self.stepRowCount)
    let rows = timeline.rows[start..<max(start, last)]
    visitedCount += rows.count
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
