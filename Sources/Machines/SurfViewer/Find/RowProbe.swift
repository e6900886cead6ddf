import SurfQuery
import SurfTimeline
import SurfWire

/// Asks a query of one row after another, and goes on from the row before where it can.
struct RowProbe: Sendable {
  let query: Query
  let asksStates: Bool
  private(set) var evaluator: QueryEvaluator
  /// Rows that were left behind without a look.
  private(set) var passedCount = 0
  private var walk: RowWalk
  /// The row behind the last one that was visited, if the walk can go on with it.
  private var walked: SequenceNumber?
  private var chains: RowChains
  /// The rows before this one are in the chains.
  private(set) var chainEnd: SequenceNumber = 0

  init(_ query: Query, wantsStates: Bool = false, secondsFromGMT: Int = 0) {
    self.query = query
    evaluator = QueryEvaluator(query, secondsFromGMT: secondsFromGMT)
    let sight = QuerySight(query)
    asksStates = wantsStates || query.asksStates
    walk = RowWalk(asksStates: asksStates) { !sight.sees($0) }
    chains = RowChains(query.chains)
  }

  /// Links the rows to their causes, of which those that come later are not the first.
  mutating func link(in timeline: Timeline) {
    guard !query.chains.isEmpty else { return }
    chains.add(timeline.rows[timeline.firstIndex(from: chainEnd)...])
    chainEnd = max(chainEnd, timeline.rows.last?.number.next ?? 0)
  }

  /// These rows are others than before.
  mutating func forget(from number: SequenceNumber) {
    if let walked, number < walked { self.walked = nil }
    guard number < chainEnd else { return }
    chains = RowChains(query.chains)
    chainEnd = 0
  }

  /// The rows of which the query is true.
  ///
  /// - Parameter rows: neighbours, the oldest first.
  mutating func hits(among rows: ArraySlice<Row>, in instance: Instance) -> [Find.Hit] {
    guard let first = rows.first?.number else { return [] }
    if walked != first { walk.begin() }
    walked = rows.last?.number.next
    var hits: [Find.Hit] = []
    // Rows are not copied: most are passed, and that takes no longer than a copy.
    for index in rows.indices {
      if let step = walk.approach(rows[index], in: instance.timeline), evaluator.rulesOut(step) {
        walk.pass(rows[index], in: instance.timeline)
        passedCount += 1
      } else if let hit = visit(rows[index], in: instance) {
        hits.append(hit)
      }
    }
    return hits
  }

  private mutating func visit(_ row: Row, in instance: Instance) -> Find.Hit? {
    var subject = walk.visit(row, in: instance.timeline)
    subject.appNames = [instance.name, instance.label]
    subject.chains = chains.chains(of: row.number)
    guard evaluator.holds(for: subject) else { return nil }
    // It leaves out what the query does not look at.
    subject.step = nil
    return Find.Hit(row: row.number, subject: subject)
  }
}

extension Query {
  /// Lines of the log from a level on.
  package static func log(from level: LogLevel) -> Query {
    let choice = QueryChoice("\(level)..", in: .level)
    return .field(.level, [choice].compactMap(\.self))
  }
}

extension LogLevel {
  /// The next higher one; behind the highest, the lowest.
  package var next: LogLevel { Self.allCases.first { $0.rawValue > rawValue } ?? .trace }
}

/// Which rows were set off, directly or not, by rows that a query names.
struct RowChains: Sendable {
  private var members: [[QueryChoice]: Set<SequenceNumber>]

  init(_ chains: Set<[QueryChoice]>) {
    members = Dictionary(uniqueKeysWithValues: chains.map { ($0, []) })
  }

  /// Rows in order: a cause comes before what it causes.
  mutating func add(_ rows: some Sequence<Row>) {
    guard !members.isEmpty else { return }
    for row in rows { add(row) }
  }

  mutating func add(_ row: Row) {
    for choices in members.keys {
      let isCaused = row.parent.map { members[choices]?.contains($0) ?? false } ?? false
      if isCaused || choices.contain(row.number.rawValue) {
        members[choices]?.insert(row.number)
      }
    }
  }

  func chains(of row: SequenceNumber) -> Set<[QueryChoice]> {
    Set(members.filter { $0.value.contains(row) }.keys)
  }
}
