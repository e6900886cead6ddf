import SurfQuery
import SurfTimeline
import SurfWire

/// A search of an instance's rows, some at a time: a viewer shows how far it is, and can end it.
package struct Find: Sendable {
  package enum Order: Sendable {
    case oldestFirst, newestFirst
  }

  /// A row that was found.
  package struct Hit: Sendable {
    package let row: SequenceNumber
    package let subject: QuerySubject
  }

  private let order: Order
  private let budget: RowBudget
  private var probe: RowProbe
  /// What is left of the rows; nil before the first step.
  private var left: Range<SequenceNumber>?

  /// - Parameters:
  ///   - wantsStates: whether hits must have their states, though the query asks nothing of them.
  ///   - secondsFromGMT: of the clock that times of day are read from.
  ///   - budget: of one step.
  package init(
    _ query: Query, order: Order = .oldestFirst, wantsStates: Bool = false,
    secondsFromGMT: Int = 0, budget: RowBudget = RowBudget()
  ) {
    (self.order, self.budget) = (order, budget)
    probe = RowProbe(query, wantsStates: wantsStates, secondsFromGMT: secondsFromGMT)
  }

  /// Whether all rows that were there at the first step were searched.
  package var isDone: Bool { left?.isEmpty ?? false }

  /// Where "no" may be wrong, because something was cut short.
  package var limits: Set<QueryEvaluator.Limit> { probe.evaluator.limits }

  /// Rows of which the states were not read, as the step to them said enough.
  package var passedCount: Int { probe.passedCount }

  /// How many rows there are still to search in.
  package func leftCount(in timeline: Timeline) -> Int {
    guard let left else { return timeline.rows.count }
    return timeline.firstIndex(from: left.upperBound) - timeline.firstIndex(from: left.lowerBound)
  }

  /// Searches the next rows.
  ///
  /// - Returns: those found, in the order of the search.
  package mutating func step(in instance: Instance) -> [Hit] {
    let hits = probe.hits(among: nextRows(in: instance.timeline), in: instance)
    return order == .oldestFirst ? hits : hits.reversed()
  }

  /// Takes them from what is left.
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
