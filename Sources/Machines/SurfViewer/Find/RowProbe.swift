import SurfQuery
import SurfTimeline
import SurfWire

/// Tests rows against a query, for `Find` and `RowSearch`. Skips rows that certainly do not match,
/// and carries on from the row before where it can.
struct RowProbe: Sendable {
  let query: Query
  let asksStates: Bool
  let asksPayloads: Bool
  private(set) var evaluator: QueryEvaluator
  /// Rows skipped without evaluating the query.
  private(set) var skippedCount = 0
  private var walk: RowWalk
  /// The number after the last visited row; the walk can continue there.
  private var walked: SequenceNumber?
  private var chains: RowChains
  /// Rows before this one are in `chains`.
  private(set) var chainEnd: SequenceNumber = 0

  init(_ query: Query, wantsStates: Bool = false, secondsFromGMT: Int = 0) {
    self.query = query
    evaluator = QueryEvaluator(query, secondsFromGMT: secondsFromGMT)
    let sight = QuerySight(query)
    asksStates = wantsStates || query.asksStates
    asksPayloads = query.asksPayloads
    walk = RowWalk(asksStates: asksStates) { !sight.sees($0) }
    chains = RowChains(query.chains)
  }

  /// Returns the limits since the last call.
  mutating func takeLimits() -> Set<QueryEvaluator.Limit> { evaluator.takeLimits() }

  /// Adds new rows to the chains. Call it before `hits`, which may start anywhere.
  ///
  /// - Parameter limit: The rows before this one will get no older neighbours.
  mutating func link(in timeline: Timeline, before limit: SequenceNumber = .max) {
    let end = min(limit, timeline.rows.last?.number.next ?? 0)
    guard !query.chains.isEmpty, chainEnd < end else { return }
    chains.add(timeline.rows[timeline.firstIndex(from: chainEnd)..<timeline.firstIndex(from: end)])
    chainEnd = end
  }

  /// Reads the next row again, as if it had found only these limits so far.
  mutating func lookAgain(_ limits: Set<QueryEvaluator.Limit>) {
    walked = nil
    evaluator.limits = limits
  }

  /// Rows from `number` on have changed: drops what depends on them.
  mutating func forget(from number: SequenceNumber) {
    if let walked, number < walked { self.walked = nil }
    guard number < chainEnd else { return }
    chains = RowChains(query.chains)
    chainEnd = 0
  }

  /// The rows that match.
  ///
  /// - Parameter rows: neighbours, oldest first.
  mutating func hits(among rows: ArraySlice<Row>, in instance: Instance) -> [Find.Hit] {
    guard let first = rows.first?.number else { return [] }
    if walked != first { walk.begin() }
    walked = rows.last?.number.next
    var hits: [Find.Hit] = []
    // Indexed, because a copy of a row costs as much as skipping it.
    for index in rows.indices {
      if let step = walk.approach(rows[index], in: instance.timeline), evaluator.rulesOut(step) {
        walk.skip(rows[index], in: instance.timeline)
        skippedCount += 1
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
    // The step omits changes that the query ignores, so it must not leave here.
    subject.step = nil
    return Find.Hit(row: row.number, subject: subject)
  }
}

extension Query {
  /// Matches log lines of a level or higher.
  package static func log(from level: LogLevel) -> Query {
    let choice = QueryChoice("\(level)..", in: .level)
    return .field(.level, [choice].compactMap(\.self))
  }
}

extension LogLevel {
  /// The next higher level; after the highest, the lowest.
  package var next: LogLevel { Self.allCases.first { $0.rawValue > rawValue } ?? .trace }
}

/// Knows which rows were caused, directly or not, by rows that a query names.
struct RowChains: Sendable {
  private var members: [[QueryChoice]: Set<SequenceNumber>]

  init(_ chains: Set<[QueryChoice]>) {
    members = Dictionary(uniqueKeysWithValues: chains.map { ($0, []) })
  }

  /// Rows must come in order, causes before their effects.
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
