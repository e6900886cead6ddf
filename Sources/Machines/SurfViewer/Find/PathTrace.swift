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
  private var walk: RowWalk
  /// Rules out rows that certainly did not write the place.
  private var evaluator: QueryEvaluator
  private var progress = Progress()
  /// How it was before the last step.
  private var formerly = Progress()

  private struct Progress: Sendable {
    /// The state of the last row that was looked at and had one.
    var lastState: JSON?
    var next: SequenceNumber = 0
    var end: SequenceNumber?
    /// The first row that `stepBack` has visited.
    var oldest: SequenceNumber?
    var visitedCount = 0
  }

  private static let stepRowCount = 128

  package init(_ place: QueryPlace) {
    self.place = place
    let query = Query.test(QueryTest(QueryPlace(.state, place.steps), .changed(from: nil, to: nil)))
    let sight = QuerySight(query)
    walk = RowWalk { !sight.sees($0) }
    evaluator = QueryEvaluator(query)
  }

  /// Whether all rows were visited that existed at the first step, or that the last one was for.
  package var isDone: Bool { progress.end.map { progress.next >= $0 } ?? false }

  /// Rows that were visited.
  package var visitedCount: Int { progress.visitedCount }

  /// Takes in the rows that came after the first step.
  package mutating func goOn() { progress.end = nil }

  /// Takes back the last step, so that it can be repeated when the initial state is known.
  package mutating func takeBackStep() {
    progress = formerly
    walk.begin()
  }

  /// Rows left to visit.
  package func leftCount(in timeline: Timeline) -> Int {
    let end = progress.end ?? timeline.rows.last?.number.next ?? 0
    return timeline.firstIndex(from: end) - timeline.firstIndex(from: progress.next)
  }

  /// The writes of the next rows.
  ///
  /// - Parameter limit: the row to stop before, not before that of an earlier step; nil for those
  ///   that exist at the first step.
  package mutating func step(in timeline: Timeline, before limit: SequenceNumber? = nil) -> [Write]
  {
    formerly = progress
    let end = limit ?? progress.end ?? timeline.rows.last?.number.next ?? 0
    let start = timeline.firstIndex(from: progress.next)
    let last = min(timeline.firstIndex(from: end), start + Self.stepRowCount)
    let rows = timeline.rows[start..<max(start, last)]
    progress.visitedCount += rows.count
    progress.end = end
    progress.next = last < timeline.firstIndex(from: end) ? rows.last?.number.next ?? end : end
    return writes(among: rows, in: timeline)
  }

  /// The writes of the newest rows of a range that it has not visited, in the order of time. A
  /// trace steps either back or forward.
  ///
  /// - Parameter range: ends where that of the first step ended, and may begin earlier.
  package mutating func stepBack(
    through range: Range<SequenceNumber>, in timeline: Timeline
  ) -> [Write] {
    formerly = progress
    let end = timeline.firstIndex(from: progress.oldest ?? range.upperBound)
    let start = max(end - Self.stepRowCount, timeline.firstIndex(from: range.lowerBound))
    let rows = timeline.rows[min(start, end)..<end]
    progress.visitedCount += rows.count
    progress.oldest = rows.first?.number ?? progress.oldest
    walk.begin()
    progress.lastState =
      timeline.rows[..<rows.startIndex].reversed().lazy.compactMap {
        timeline.state(of: $0.number).flatMap { JSON(ifValid: $0.bytes) }
      }.first
    return writes(among: rows, in: timeline)
  }

  /// Rows of a range that `stepBack` has left to visit.
  package func leftCount(of range: Range<SequenceNumber>, in timeline: Timeline) -> Int {
    let end = timeline.firstIndex(from: progress.oldest ?? range.upperBound)
    return max(0, end - timeline.firstIndex(from: range.lowerBound))
  }

  private mutating func writes(among rows: ArraySlice<Row>, in timeline: Timeline) -> [Write] {
    var writes: [Write] = []
    // Indexed, because a copy of a row costs as much as skipping it.
    for index in rows.indices {
      if let step = walk.approach(rows[index], in: timeline), evaluator.rulesOut(step) {
        walk.skip(rows[index], in: timeline)
      } else {
        writes += self.writes(of: rows[index], in: timeline)
      }
    }
    return writes
  }

  private mutating func writes(of row: Row, in timeline: Timeline) -> [Write] {
    let subject = walk.visit(row, in: timeline)
    _ = evaluator.holds(for: subject)
    guard let state = subject.state else { return [] }
    defer { progress.lastState = state }
    let hasOld = subject.before != nil
    let changes = subject.changes(at: place) + (hasOld ? [] : vanished(from: subject))
    return changes.map { Write(record: row.record, change: $0, hasOld: hasOld) }
  }

  /// Values that the trace has seen and that are missing from a state that grew from an unknown
  /// one.
  private func vanished(from subject: QuerySubject) -> [QueryChange] {
    var subject = subject
    subject.before = progress.lastState
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
