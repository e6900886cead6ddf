import SurfBasics
import SurfQuery
import SurfTimeline
import SurfWire

/// The debugger's search: keeps the rows that match a query up to date. Each call searches one
/// slice, newest rows first, and new rows are searched as they arrive. Commands use `Find`.
package struct RowSearch: Sendable {
  /// As the person typed it.
  package let text: String
  /// Ascending. May include rows that were evicted since the last slice.
  package private(set) var hits: [SequenceNumber] = []
  private var probe: RowProbe
  private let budget: RowBudget
  /// Rows not searched yet.
  private var pending = SequenceRanges()
  /// The timeline's, when the hits were last compared with its rows.
  private var evictionCount = 0

  /// - Parameters:
  ///   - scope: a query that must also match; `text` may then be empty.
  ///   - secondsFromGMT: the time zone of the query's times of day.
  ///   - budget: for one slice.
  package init(
    _ text: String, within scope: Query? = nil, in timeline: Timeline, secondsFromGMT: Int = 0,
    budget: RowBudget = RowBudget()
  ) throws(QueryError) {
    self.init(text, try Self.query(text, within: scope), timeline, secondsFromGMT, budget)
  }

  private init(
    _ text: String, _ query: Query, _ timeline: Timeline, _ secondsFromGMT: Int,
    _ budget: RowBudget
  ) {
    (self.text, self.budget) = (text, budget)
    probe = RowProbe(query, secondsFromGMT: secondsFromGMT)
    pending.insert(1...max(1, timeline.newestNumber))
  }

  package var query: Query { probe.query }

  /// The same search of another timeline.
  package func renewed(in timeline: Timeline, secondsFromGMT: Int) -> RowSearch {
    RowSearch(text, query, timeline, secondsFromGMT, budget)
  }

  private static func query(_ text: String, within scope: Query?) throws(QueryError) -> Query {
    guard let scope else { return try Query(text) }
    return text.isEmpty ? scope : .all([scope, try Query(text)])
  }

  /// Rows among which the search could not decide about all.
  package private(set) var undecided = SequenceRanges()

  /// Whether it could not decide about a row that grew from the app's initial state.
  package private(set) var needsInitialState = false

  /// What may have been meant, if it has found nothing: empty if nobody knows, nil before the end.
  package private(set) var hint: String?

  /// Whether rows may be missing among the hits.
  package var mayLackHits: Bool { !undecided.runs.isEmpty }

  /// Whether all rows were searched.
  package var isDone: Bool { pending.runs.isEmpty }

  package func hasSearched(_ rows: ClosedRange<SequenceNumber>) -> Bool {
    pending.intersection(rows).isEmpty
  }

  /// Searches rows that are new or have changed, and those after them whose answer may change with
  /// them.
  package mutating func add(_ rows: ClosedRange<SequenceNumber>, in timeline: Timeline) {
    let changesChains = rows.lowerBound < probe.chainEnd
    let reportsInitial = timeline.reportsInitialState(in: rows)
    if reportsInitial { needsInitialState = false }
    probe.forget(from: rows.lowerBound)
    let behind = timeline.rows[timeline.firstIndex(from: rows.upperBound.next)...]
    let next = changesChains ? nil : behind.first(where: \.isState)
    let last = next?.number ?? behind.last?.number ?? rows.upperBound
    pending.insert((reportsInitial ? 1 : rows.lowerBound)...last)
    for row in behind {
      guard let origin = row.record.grownFrom?.origin.row, rows.contains(origin) else { continue }
      pending.insert(row.number...row.number)
    }
  }

  /// Searches another slice, and forgets evicted rows.
  package mutating func advance(in instance: Instance) {
    let timeline = instance.timeline
    forgetEvicted(in: timeline)
    guard let run = pending.runs.last else { return }
    probe.link(in: timeline)
    let slice = slice(of: run, timeline)
    let found = probe.hits(among: timeline.rows[slice.rows], in: instance).map(\.row)
    undecided.remove(slice.numbers)
    let lacksPayloads =
      probe.asksPayloads && timeline.rows[slice.rows].contains(where: \.isDropped)
    let limits = probe.takeLimits()
    if limits.contains(.initialState) { needsInitialState = true }
    if lacksPayloads || !limits.subtracting([.initialState]).isEmpty {
      undecided.insert(slice.numbers)
    }
    merge(found, of: slice.numbers)
    pending.remove(slice.numbers)
    // Once: a busy app has new rows all the time.
    if isDone, hits.isEmpty, hint == nil { hint = query.hints(in: timeline).first ?? "" }
  }

  /// Rows are evicted behind those that were recalled, too.
  private mutating func forgetEvicted(in timeline: Timeline) {
    guard evictionCount != timeline.evictionCount else { return }
    evictionCount = timeline.evictionCount
    let rows = timeline.rows
    var index = 0
    hits.removeAll { hit in
      while index < rows.count, rows[index].number < hit { index += 1 }
      return index == rows.count || rows[index].number != hit
    }
  }

  /// The newest rows of a run that fit the budget, and the sequence numbers they settle.
  private func slice(
    of run: ClosedRange<SequenceNumber>, _ timeline: Timeline
  ) -> (rows: Range<Int>, numbers: ClosedRange<SequenceNumber>) {
    let rows = timeline.rows
    let start = timeline.firstIndex(from: run.lowerBound)
    let end = rows.partitionPoint { $0.number > run.upperBound }
    let left = rows[min(start, end)..<end]
    let index = end - budget.rowCount(in: left.reversed(), asksStates: probe.asksStates)
    let lower = index > start ? rows[index].number : run.lowerBound
    return (index..<end, lower...run.upperBound)
  }

  private mutating func merge(
    _ found: [SequenceNumber], of range: ClosedRange<SequenceNumber>
  ) {
    let first = hits.partitionPoint { $0 >= range.lowerBound }
    let end = hits.partitionPoint { $0 > range.upperBound }
    hits.replaceSubrange(first..<end, with: found)
  }
}

extension RowSearch {
  /// A query, perhaps none, that also rules out rows that are named like this one.
  package static func text(_ text: String, hiding record: Record) -> String {
    let name = QueryChoice(naming: record)
    do throws(QueryError) {
      let query = try Query(text)
      if case .any = query { return "(\(text)) -name:\(name)" }
      let last = if case .all(let parts) = query { parts.last } else { query }
      guard case .not(.field(.name, _))? = last,
        text.split(separator: " ").last?.hasPrefix("-name:") == true
      else { return "\(text) -name:\(name)" }
      return "\(text),\(name)"
    } catch {
      return "-name:\(name)"
    }
  }
}

extension SequenceRanges {
  fileprivate mutating func remove(_ range: ClosedRange<SequenceNumber>) {
    var removed = SequenceRanges()
    removed.insert(range)
    let rest = runs.flatMap { removed.complement(in: $0) }
    self = SequenceRanges()
    for run in rest { insert(run) }
  }
}

/// Limits the rows of one step of a search to a few milliseconds' work.
package struct RowBudget: Sendable {
  private let rowCountMax: Int
  private let sizeMax: Int

  /// Building a state from the one before costs as much as parsing one this many times smaller.
  private static let deltaGain = 16

  /// - Parameters:
  ///   - rowCountMax: the limit when only names and small payloads are searched.
  ///   - sizeMax: octets of payloads and of states that are parsed in full.
  package init(rowCountMax: Int = 1_000, sizeMax: Int = 512 << 10) {
    (self.rowCountMax, self.sizeMax) = (rowCountMax, sizeMax)
  }

  /// The rows that fit the budget: at least one, if there is one.
  ///
  /// - Parameters:
  ///   - rows: from the search's current row on.
  ///   - asksStates: whether states are read.
  package func rowCount(in rows: some Sequence<Row>, asksStates: Bool) -> Int {
    var (rowCount, size) = (0, 0)
    for row in rows {
      rowCount += 1
      size += row.record.payload?.bytes.count ?? 0
      if asksStates { size += Self.readingSize(of: row) }
      if rowCount >= rowCountMax || size >= sizeMax { break }
    }
    return rowCount
  }

  private static func readingSize(of row: Row) -> Int {
    let size = row.stateSize ?? 0
    return row.hasDelta ? size / deltaGain : size
  }
}
