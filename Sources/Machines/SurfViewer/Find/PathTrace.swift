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
  private var progress: Progress
  /// How it was before the last step.
  private var formerly: Progress

  private struct Progress: Sendable {
    var rows: RowProgress
    /// The state of the last row that was looked at and had one.
    var lastState: JSON?
    var visitedCount = 0
  }

  private static let stepRowCount = 128

  package init(_ place: QueryPlace, newestFirst: Bool = false) {
    self.place = place
    progress = Progress(rows: RowProgress(newestFirst: newestFirst))
    formerly = progress
    let query = Query.test(QueryTest(QueryPlace(.state, place.steps), .changed(from: nil, to: nil)))
    let sight = QuerySight(query)
    walk = RowWalk { !sight.sees($0) }
    evaluator = QueryEvaluator(query)
  }

  /// Whether no rows are left to visit. Without `extend`, these are the rows that existed at the
  /// first step.
  package var isDone: Bool { progress.rows.isDone }

  /// Rows that were visited.
  package var visitedCount: Int { progress.visitedCount }

  /// The rows to visit from now on. The range may grow at the end that the trace has not reached.
  package mutating func extend(to range: Range<SequenceNumber>) { progress.rows.extend(to: range) }

  /// Takes back the last step, so that it can be repeated when the initial state is known.
  package mutating func takeBackStep() {
    progress = formerly
    walk.begin()
  }

  /// Rows left to visit.
  package func leftCount(in timeline: Timeline) -> Int { progress.rows.rows(in: timeline).count }

  /// The writes of the next rows, in the order of time.
  package mutating func step(in timeline: Timeline) -> [Write] {
    formerly = progress
    let rows = progress.rows.take(Self.stepRowCount, in: timeline)
    progress.visitedCount += rows.count
    if progress.rows.isNewestFirst {
      walk.begin()
      progress.lastState =
        timeline.rows[..<rows.startIndex].reversed().lazy.compactMap {
          timeline.state(of: $0.number).flatMap { JSON(ifValid: $0.bytes) }
        }.first
    }
    return writes(among: rows, in: timeline)
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
