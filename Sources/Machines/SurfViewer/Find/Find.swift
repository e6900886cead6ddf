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

  private let order: Order
  private let budget: RowBudget
  private var probe: RowProbe
  /// Rows left to search; nil before the first step.
  private var left: Range<SequenceNumber>?
  /// Rows that were searched before the last step, and those of that.
  private var before = 0
  private var last: [SequenceNumber] = []
  /// How it was before the last step.
  private var formerly: Progress?

  private struct Progress: Sendable {
    let left: Range<SequenceNumber>?
    let before: Int
    let last: [SequenceNumber]
    let limits: Set<QueryEvaluator.Limit>
  }

  /// - Parameters:
  ///   - wantsStates: whether hits need their states even if the query does not look at them.
  ///   - secondsFromGMT: the time zone of the query's times of day.
  ///   - budget: for one step.
  package init(
    _ query: Query, order: Order = .oldestFirst, wantsStates: Bool = false,
    secondsFromGMT: Int = 0, budget: RowBudget = RowBudget()
  ) {
    (self.order, self.budget) = (order, budget)
    probe = RowProbe(query, wantsStates: wantsStates, secondsFromGMT: secondsFromGMT)
  }

  /// Whether no rows are left to search. Without `extend`, these are the rows that existed at the
  /// first step.
  package var isDone: Bool { left?.isEmpty ?? false }

  /// Limits that were hit, so that "no" may be wrong.
  package var limits: Set<QueryEvaluator.Limit> { probe.evaluator.limits }

  /// Rows whose states were not parsed, because the step to them was enough.
  package var skippedCount: Int { probe.skippedCount }

  /// Takes back the last step, so that it can be repeated when the initial state is known.
  package mutating func takeBackStep() {
    guard let formerly else { return }
    (left, before, last) = (formerly.left, formerly.before, formerly.last)
    probe.lookAgain(formerly.limits)
  }

  /// Rows left to search.
  package func leftCount(in timeline: Timeline) -> Int {
    guard let left else { return timeline.rows.count }
    return timeline.firstIndex(from: left.upperBound) - timeline.firstIndex(from: left.lowerBound)
  }

  /// The rows to search from now on. Those that were searched stay so: the range may grow at the
  /// end that the search has not reached.
  package mutating func extend(to range: Range<SequenceNumber>, in timeline: Timeline) {
    switch order {
    case .oldestFirst:
      left = (left?.lowerBound ?? range.lowerBound)..<max(range.upperBound, left?.lowerBound ?? 0)
    case .newestFirst:
      left =
        min(range.lowerBound, left?.upperBound ?? .max)..<(left?.upperBound ?? range.upperBound)
    }
    probe.link(in: timeline, before: range.upperBound)
  }

  /// Searches the next rows.
  ///
  /// - Returns: the hits, in the order of the search.
  package mutating func step(in instance: Instance) -> [Hit] {
    formerly = Progress(left: left, before: before, last: last, limits: limits)
    before += last.count
    let rows = nextRows(in: instance.timeline)
    last = rows.map(\.number)
    let hits = probe.hits(among: rows, in: instance)
    return order == .oldestFirst ? hits : hits.reversed()
  }

  /// Rows that were searched.
  package var visitedCount: Int { before + last.count }

  /// Rows that were searched up to a hit of the last step.
  package func visitedCount(upTo hit: Hit) -> Int {
    before
      + last.count { order == .oldestFirst ? $0 <= hit.row : $0 >= hit.row }
  }

  /// Removes them from `left`.
  private mutating func nextRows(in timeline: Timeline) -> ArraySlice<Row> {
    let left = left ?? begin(in: timeline)
    let start = timeline.firstIndex(from: left.lowerBound)
    let end = timeline.firstIndex(from: left.upperBound)
    let all = timeline.rows[start..<end]
    switch order {
    case .oldestFirst:
      let rows = all.prefix(budget.rowCount(in: all, asksStates: probe.asksStates))
      self.left = (rows.last?.number.next ?? left.upperBound)..<left.upperBound
      return rows
    case .newestFirst:
      let rows = all.suffix(budget.rowCount(in: all.reversed(), asksStates: probe.asksStates))
      let isLast = rows.startIndex == start
      self.left = left.lowerBound..<(isLast ? left.lowerBound : rows.first?.number ?? 0)
      return rows
    }
  }

  private mutating func begin(in timeline: Timeline) -> Range<SequenceNumber> {
    probe.link(in: timeline)
    return 0..<(timeline.rows.last?.number.next ?? 0)
  }
}
