import SurfQuery
import SurfTimeline
import SurfWire

/// A command's search of an instance's rows. It takes one step at a time, so that the caller can
/// show progress and stop it. The debugger uses `RowSearch`.
package struct Find: Sendable {
  package enum Order: Sendable {
    case oldestFirst, newestFirst
  }

  package struct Hit: Sendable {
    package let row: SequenceNumber
    package let subject: QuerySubject
  }

  private let budget: RowBudget
  private var probe: RowProbe
  private var progress: Progress
  /// How it was before the last step, and what the limits were.
  private var formerly: (progress: Progress, limits: Set<QueryEvaluator.Limit>)?

  private struct Progress: Sendable {
    var rows: RowProgress
    /// Rows that were searched before the last step, and those of that.
    var before = 0
    var last: [SequenceNumber] = []
  }

  /// - Parameters:
  ///   - wantsStates: whether hits need their states even if the query does not look at them.
  ///   - secondsFromGMT: the time zone of the query's times of day.
  ///   - budget: for one step.
  package init(
    _ query: Query, order: Order = .oldestFirst, wantsStates: Bool = false,
    secondsFromGMT: Int = 0, budget: RowBudget = RowBudget()
  ) {
    self.budget = budget
    progress = Progress(rows: RowProgress(newestFirst: order == .newestFirst))
    probe = RowProbe(query, wantsStates: wantsStates, secondsFromGMT: secondsFromGMT)
  }

  /// Whether no rows are left to search. Without `extend`, these are the rows that existed at the
  /// first step.
  package var isDone: Bool { progress.rows.isDone }

  /// Limits that were hit, so that "no" may be wrong.
  package var limits: Set<QueryEvaluator.Limit> { probe.evaluator.limits }

  /// Rows whose states were not parsed, because the step to them was enough.
  package var skippedCount: Int { probe.skippedCount }

  /// Takes back the last step, so that it can be repeated when the initial state is known.
  package mutating func takeBackStep() {
    guard let formerly else { return }
    progress = formerly.progress
    probe.lookAgain(formerly.limits)
  }

  /// Rows left to search.
  package func leftCount(in timeline: Timeline) -> Int { progress.rows.rows(in: timeline).count }

  /// The rows to search from now on. The range may grow at the end that the search has not reached.
  package mutating func extend(to range: Range<SequenceNumber>, in timeline: Timeline) {
    progress.rows.extend(to: range)
    probe.link(in: timeline, before: range.upperBound)
  }

  /// Searches the next rows.
  ///
  /// - Returns: the hits, in the order of the search.
  package mutating func step(in instance: Instance) -> [Hit] {
    let timeline = instance.timeline
    if !progress.rows.isBegun { extend(to: timeline.range, in: timeline) }
    formerly = (progress, limits)
    progress.before += progress.last.count
    let (left, isNewestFirst) = (progress.rows.rows(in: timeline), progress.rows.isNewestFirst)
    let count =
      isNewestFirst
      ? budget.rowCount(in: left.reversed(), asksStates: probe.asksStates)
      : budget.rowCount(in: left, asksStates: probe.asksStates)
    let rows = progress.rows.take(count, in: timeline)
    progress.last = rows.map(\.number)
    let hits = probe.hits(among: rows, in: instance)
    return isNewestFirst ? hits.reversed() : hits
  }

  /// Rows that were searched.
  package var visitedCount: Int { progress.before + progress.last.count }

  /// Rows that were searched up to a hit of the last step.
  package func visitedCount(upTo hit: Hit) -> Int {
    progress.before
      + progress.last.count { progress.rows.isNewestFirst ? $0 >= hit.row : $0 <= hit.row }
  }
}
