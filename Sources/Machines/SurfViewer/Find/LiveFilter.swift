import SurfQuery
import SurfTimeline
import SurfWire

/// Tests rows against a query as they arrive, for `watch` and `wait`. The state before a row is the
/// one that it grew from, even if that row was not tested.
package struct LiveFilter: Sendable {
  /// Nil if every row matches.
  private var evaluator: QueryEvaluator?
  private var walk: RowWalk
  /// The number after the last visited row; the walk can continue there.
  private var next: SequenceNumber?
  private var chains: RowChains

  /// - Parameters:
  ///   - query: nil for every row.
  ///   - wantsStates: whether `subject` must have the states even if the query needs none.
  ///   - secondsFromGMT: the time zone of the query's times of day.
  package init(_ query: Query?, wantsStates: Bool = false, secondsFromGMT: Int = 0) {
    evaluator = query.map { QueryEvaluator($0, secondsFromGMT: secondsFromGMT) }
    walk = RowWalk(asksStates: wantsStates || query?.asksStates == true)
    chains = RowChains(query?.chains ?? [])
  }

  /// Limits that were hit, so that "no" may be wrong.
  package var limits: Set<QueryEvaluator.Limit> { evaluator?.limits ?? [] }

  /// Whether a row matches. The instance must be the same in each call.
  package mutating func passes(_ row: Row, of instance: Instance) -> Bool {
    subject(row, of: instance) != nil
  }

  /// The row with its states, if it matches.
  package mutating func subject(_ row: Row, of instance: Instance) -> QuerySubject? {
    let timeline = instance.timeline
    addChains(through: row, in: timeline)
    if next != row.number { walk.begin() }
    next = row.number.next
    var subject = walk.visit(row, in: timeline)
    subject.appNames = [instance.name, instance.label]
    subject.chains = chains.chains(of: row.number)
    return evaluator?.holds(for: subject) ?? true ? subject : nil
  }

  /// Rows that were not tested may have caused this one.
  private mutating func addChains(through row: Row, in timeline: Timeline) {
    let first = timeline.firstIndex(from: next ?? 0)
    let end = timeline.firstIndex(from: row.number)
    chains.add(timeline.rows[min(first, end)..<end])
    chains.add([row])
  }
}
