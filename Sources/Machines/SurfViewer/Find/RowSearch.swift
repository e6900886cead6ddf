import SurfBasics
import SurfQuery
import SurfTimeline
import SurfWire

/// The rows of which a query is true, for a person who waits. It looks at a slice of the rows at a
/// time, the newest first, and at new rows as they come.
package struct RowSearch: Sendable {
  /// As the person wrote it.
  package let text: String
  /// Ascending. Rows that have made room since the last slice may be among them.
  package private(set) var hits: [SequenceNumber] = []
  private var probe: RowProbe
  private let budget: RowBudget
  /// What was not looked at.
  private var pending = SequenceRanges()

  /// - Parameters:
  ///   - scope: what must be true as well; the text may then be empty.
  ///   - secondsFromGMT: of the clock that times of day are read from.
  ///   - budget: of one slice.
  package init(
    _ text: String, within scope: Query? = nil, in timeline: Timeline, secondsFromGMT: Int = 0,
    budget: RowBudget = RowBudget()
  ) throws(QueryError) {
    (self.text, self.budget) = (text, budget)
    probe = RowProbe(try Self.query(text, within: scope), secondsFromGMT: secondsFromGMT)
    pending.insert(1...max(1, timeline.newestNumber))
  }

  package var query: Query { probe.query }

  private static func query(_ text: String, within scope: Query?) throws(QueryError) -> Query {
    guard let scope else { return try Query(text) }
    return text.isEmpty ? scope : .all([scope, try Query(text)])
  }

  /// Whether all rows were looked at.
  package var isDone: Bool { pending.runs.isEmpty }

  /// These rows are new, or others than before; so may be what is true of those behind them.
  package mutating func add(_ rows: ClosedRange<SequenceNumber>, in timeline: Timeline) {
    let changesChains = rows.lowerBound < probe.chainEnd
    let tellsInitial = timeline.reportsInitialState(in: rows)
    probe.forget(from: rows.lowerBound)
    let behind = timeline.rows[timeline.firstIndex(from: rows.upperBound.next)...]
    let next = changesChains ? nil : behind.first(where: \.isState)
    let last = next?.number ?? behind.last?.number ?? rows.upperBound
    pending.insert((tellsInitial ? 1 : rows.lowerBound)...last)
    for row in behind {
      guard let origin = row.record.grownFrom?.origin.row, rows.contains(origin) else { continue }
      pending.insert(row.number...row.number)
    }
  }

  /// Looks at another slice, and forgets rows that have made room.
  package mutating func advance(in instance: Instance) {
    let timeline = instance.timeline
    if let oldest = timeline.rows.first?.number, let first = hits.first, first < oldest {
      hits.removeFirst(hits.partitionPoint { $0 >= oldest })
    }
    guard let run = pending.runs.last else { return }
    probe.link(in: timeline)
    let slice = slice(of: run, timeline)
    let found = probe.hits(among: timeline.rows[slice.rows], in: instance).map(\.row)
    merge(found, of: slice.numbers)
    pending.remove(slice.numbers)
  }

  /// The newest rows of a run that are not too much for once, and the numbers that are done with
  /// them.
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

extension SequenceRanges {
  fileprivate mutating func remove(_ range: ClosedRange<SequenceNumber>) {
    var removed = SequenceRanges()
    removed.insert(range)
    let rest = runs.flatMap { removed.complement(in: $0) }
    self = SequenceRanges()
    for run in rest { insert(run) }
  }
}

/// How many rows a search looks at at a time: some milliseconds' work.
package struct RowBudget: Sendable {
  private let rowCountMax: Int
  private let sizeMax: Int

  /// To make a state of the one before takes as long as to read one that is so much smaller.
  private static let deltaGain = 16

  /// - Parameters:
  ///   - rowCountMax: if names and small payloads are searched.
  ///   - sizeMax: octets of payloads and of states that are read as a whole.
  package init(rowCountMax: Int = 1_000, sizeMax: Int = 512 << 10) {
    (self.rowCountMax, self.sizeMax) = (rowCountMax, sizeMax)
  }

  /// The rows that it is enough for: one at least, if there is one.
  ///
  /// - Parameters:
  ///   - rows: from where the search is now.
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
