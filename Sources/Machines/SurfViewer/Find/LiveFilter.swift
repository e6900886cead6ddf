import SurfQuery
import SurfTimeline
import SurfWire

/// Whether a query is true of the rows of an instance as they come. The state before is the one
/// that a row grew from, whichever rows were asked about.
package struct LiveFilter: Sendable {
  private let query: Query
  private var evaluator: QueryEvaluator
  private var walk: RowWalk
  /// The row behind the last one that was visited, if the walk can go on with it.
  private var next: SequenceNumber?
  private var chains: RowChains

  /// - Parameter secondsFromGMT: of the clock that times of day are read from.
  package init(_ query: Query, secondsFromGMT: Int = 0) {
    self.query = query
    evaluator = QueryEvaluator(query, secondsFromGMT: secondsFromGMT)
    walk = RowWalk(asksStates: query.asksStates)
    chains = RowChains(query.chains)
  }

  /// Where "no" may be wrong, because something was cut short.
  package var limits: Set<QueryEvaluator.Limit> { evaluator.limits }

  /// Whether the query is true of a row of the instance, the same one each time.
  package mutating func passes(_ row: Row, of instance: Instance) -> Bool {
    subject(row, of: instance) != nil
  }

  /// The row with its states, if the query is true of it.
  package mutating func subject(_ row: Row, of instance: Instance) -> QuerySubject? {
    let timeline = instance.timeline
    addChains(through: row, in: timeline)
    if next != row.number { walk.begin() }
    next = row.number.next
    var subject = walk.visit(row, in: timeline)
    subject.appNames = [instance.name, instance.label]
    subject.chains = chains.chains(of: row.number)
    return evaluator.holds(for: subject) ? subject : nil
  }

  /// Rows that nobody asked about may have caused this one.
  private mutating func addChains(through row: Row, in timeline: Timeline) {
    let first = timeline.firstIndex(from: next ?? 0)
    let end = timeline.firstIndex(from: row.number)
    chains.add(timeline.rows[min(first, end)..<end])
    chains.add([row])
  }
}
