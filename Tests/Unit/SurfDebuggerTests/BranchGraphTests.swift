import SurfDebugger
import SurfTimeline
import SurfWire
import TestSupport
import Testing

@Suite struct BranchGraphTests {
  /// An app that is put into earlier states now and then, and logs between its actions.
  private func records(
    _ count: Int, jumps: Int = 6, using random: inout SeededGenerator
  ) -> [Record] {
    var states: [UInt64] = [0]
    return (1...UInt64(count)).map { number in
      guard Int.random(in: 0..<5, using: &random) > 0 else {
        return Record(sequence: SequenceNumber(number), kind: .log(.info), name: "log")
      }
      var grownFrom: GrownFrom?
      if Int.random(in: 0..<jumps, using: &random) == 0 {
        let origin = states.randomElement(using: &random) ?? 0
        let isElsewhere = Int.random(in: 0..<10, using: &random) == 0
        grownFrom = GrownFrom(
          from: isElsewhere ? .elsewhere : Position(wire: SequenceNumber(origin)))
      }
      states.append(number)
      return grown(number, grownFrom)
    }
  }

  private func grown(_ number: UInt64, from origin: UInt64? = nil) -> Record {
    grown(number, origin.map { GrownFrom(from: Position(wire: SequenceNumber($0))) })
  }

  private func grown(_ number: UInt64, _ grownFrom: GrownFrom?) -> Record {
    Record(
      sequence: SequenceNumber(number), kind: .action, name: "row",
      state: .keyframe(Content(type: "application/json", bytes: [0x31])), grownFrom: grownFrom)
  }

  private func timeline(_ records: [Record]) -> Timeline {
    var timeline = Timeline()
    for record in records { timeline.append(record) }
    return timeline
  }

  private func cells(_ graph: BranchGraph, _ timeline: Timeline) -> [[BranchCell]] {
    [graph.cells(beside: 0, isState: true)]
      + timeline.rows.map { graph.cells(beside: $0.number, isState: $0.isState) }
  }

  private func drawing(_ records: [Record]) -> [String] {
    let timeline = timeline(records)
    return cells(BranchGraph(timeline), timeline).map { String($0.map(\.glyph)) }
  }

  @Test func `without a jump there is nothing to draw`() {
    let none = Array(repeating: "", count: 4)
    #expect(drawing((1...3).map { grown($0) }) == none)
  }

  @Test func `branches that made room behind recalled rows are forgotten`() {
    var bounds = Timeline.Bounds()
    bounds.rowCountMax = 20
    var timeline = Timeline(bounds: bounds)
    var graph = BranchGraph()
    func take(_ record: Record, from origin: RecordOrigin = .live) {
      timeline.add(ArrivedRecord(record, from: origin))
      graph.add(record.sequence...record.sequence, in: timeline)
    }
    for number in 1...100 as ClosedRange<UInt64> { take(grown(number)) }
    timeline.recall(5...9)
    for number in 5...9 as ClosedRange<UInt64> { take(grown(number), from: .backlog) }
    for number in 101...3_000 as ClosedRange<UInt64> { take(grown(number, from: 9)) }
    let futures = graph.futures(of: 9, in: timeline)
    #expect(futures.count <= 1_040)
    #expect(futures.suffix(15) == timeline.rows.suffix(15).map(\.number)[...])
  }

  @Test func `two futures of a row have a lane each`() {
    let lines = ["● ", "●╮", "●│", "●│", " ●", " ●"]
    #expect(drawing([grown(1), grown(2), grown(3), grown(4, from: 1), grown(5)]) == lines)
  }

  @Test func `a future that goes on goes on in its lane, past the others`() {
    let lines = ["● ", "●╮", "●│", "│●", "│●", "●│", " ●"]
    let records = [
      grown(1), grown(2), grown(3, from: 1), grown(4), grown(5, from: 2), grown(6, from: 4),
    ]
    #expect(drawing(records) == lines)
  }

  @Test func `a line crosses those that it passes`() {
    let lines = ["●  ", "●╮ ", "●┼╮", "●││", " ●│", "  ●"]
    let records = [grown(1), grown(2), grown(3), grown(4, from: 1), grown(5, from: 2)]
    #expect(drawing(records) == lines)
  }

  @Test func `where lanes are missing, a sign says so, and each row is drawn`() {
    var records = [grown(1), grown(2)]
    for number in 3...7 as ClosedRange<UInt64> { records.append(grown(number, from: 1)) }
    let lines = [
      "●    ", "●┬┬╮┊", "●│││┊", " ●││┊", "  ●│┊", "   ●┊", "○   ┊", "○   ┊",
    ]
    #expect(drawing(records) == lines)
  }

  @Test(arguments: 0..<200)
  func `each line leads from the origin of a row to it, and nowhere else`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let timeline = timeline(records(80, using: &random))
    let graph = BranchGraph(timeline)
    let cells = cells(graph, timeline)
    guard graph.width > 0 else { return }
    var origin: SequenceNumber = 0
    for (index, row) in timeline.rows.enumerated() where row.isState {
      let wanted = row.record.grownFrom.map { Self.number($0.origin) } ?? origin
      origin = row.number
      let lane = cells[index + 1].firstIndex { [.row, .beginning].contains($0.dot) }
      guard let lane else {
        Issue.record("row \(row.number) is not drawn")
        continue
      }
      let found = follow(up: index, lane, cells).map { SequenceNumber(UInt64($0)) }
      let isOpen = cells[index + 1][lane].dot == .beginning
      let isCrowded = cells[index + 1].last?.dot == .more
      #expect(isOpen ? wanted == nil || isCrowded : found == wanted, "row \(row.number)")
    }
  }

  private static func number(_ position: Position) -> SequenceNumber? {
    switch position {
    case .initial: 0
    case .record(let number): number
    case .elsewhere: nil
    }
  }

  /// Follows a lane up from the row above a dot, to the row at the end of the line.
  private func follow(up start: Int, _ lane: Int, _ cells: [[BranchCell]]) -> Int? {
    var row = start
    while cells[row][lane].sides.isSuperset(of: [.up, .down]), cells[row][lane].dot == nil,
      row > 0
    {
      row -= 1
    }
    if cells[row][lane].dot != nil { return row }
    guard cells[row][lane].sides.contains(.down) else { return nil }
    // Aside, towards the dot of the row.
    guard let own = cells[row].firstIndex(where: { [.row, .beginning].contains($0.dot) })
    else { return nil }
    let between = cells[row][(min(own, lane) + 1)..<max(own, lane)]
    let isJoined = between.allSatisfy { $0.sides.isSuperset(of: [.left, .right]) }
    return isJoined ? row : nil
  }

  @Test(arguments: 0..<200)
  func `in whatever order rows come, the drawing is the same`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let records = records(60, jumps: 3, using: &random)
    var timeline = Timeline()
    var graph = BranchGraph()
    // A history, and meanwhile what is new; each in order, some rows at a time.
    var (past, live) = (records[..<30], records[30...])
    while !past.isEmpty || !live.isEmpty {
      let isPast = live.isEmpty || !past.isEmpty && Bool.random(using: &random)
      let count = Int.random(in: 1...7, using: &random)
      let batch = isPast ? past.prefix(count) : live.prefix(count)
      if isPast { past = past.dropFirst(count) } else { live = live.dropFirst(count) }
      for record in batch { timeline.append(record, from: isPast ? .backlog : .live) }
      graph.add(batch[batch.startIndex].sequence...batch[batch.endIndex - 1].sequence, in: timeline)
    }
    let whole = BranchGraph(timeline)
    #expect(cells(graph, timeline) == cells(whole, timeline) && graph.width == whole.width)
  }

  @Test(arguments: 0..<50)
  func `origins and futures are each other's, and both futures are reached`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let timeline = timeline(records(80, using: &random))
    let graph = BranchGraph(timeline)
    var before: SequenceNumber = 0
    var children: [SequenceNumber: [SequenceNumber]] = [:]
    for row in timeline.rows where row.isState {
      let origin = row.record.grownFrom.map { Self.number($0.origin) } ?? before
      before = row.number
      #expect(graph.origin(of: row.number, in: timeline) == origin)
      if let origin { children[origin, default: []].append(row.number) }
    }
    for row in [0] + timeline.rows.map(\.number) {
      #expect(graph.futures(of: row, in: timeline).sorted() == children[row] ?? [], "row \(row)")
    }
  }

  @Test func `a hundred thousand rows with ten thousand jumps are added one by one`() {
    var random = SeededGenerator(seed: 1)
    let timeline = timeline(records(100_000, jumps: 10, using: &random))
    var graph = BranchGraph()
    for row in timeline.rows { graph.add(row.number...row.number, in: timeline) }
    let whole = BranchGraph(timeline)
    let last = timeline.rows[99_990...].map { graph.cells(beside: $0.number, isState: $0.isState) }
    let wanted = timeline.rows[99_990...].map {
      whole.cells(beside: $0.number, isState: $0.isState)
    }
    #expect(last == wanted && graph.width == BranchGraph.laneCountMax + 1)
  }
}
