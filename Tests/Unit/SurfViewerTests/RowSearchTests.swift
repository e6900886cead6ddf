import SurfQuery
import SurfTimeline
import SurfViewer
import SurfWire
import TestSupport
import Testing

@Suite struct RowSearchTests {
  private func searched(_ search: RowSearch, in timeline: Timeline) -> RowSearch {
    var search = search
    let instance = instance(timeline)
    for _ in 0..<1_000 where !search.isDone { search.advance(in: instance) }
    return search
  }

  @Test func `a word is found in names and payloads, in any case unless it has a capital`() throws {
    var timeline = Timeline()
    timeline.append(.action(1, "Increment"))
    timeline.append(
      Record(
        sequence: 2, kind: .action, name: "add",
        payload: Content(type: "application/json", bytes: Array(#"{"by":"INCREMENT"}"#.utf8))))
    timeline.append(.action(3, "other"))
    let both: [SequenceNumber] = [1, 2]
    let search = searched(try RowSearch("crement", in: timeline), in: timeline)
    #expect(search.isDone && search.hits == both)
    let first: [SequenceNumber] = [1]
    #expect(searched(try RowSearch("Inc", in: timeline), in: timeline).hits == first)
  }

  /// The rows of a history in batches of any order, and slices between them.
  @Test(arguments: 0..<12)
  func `slices and rows that come late find what one search of all finds`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let whole = RandomHistory(seed: seed, rowCount: 260).timeline
    let records = whole.rows.compactMap { whole.record($0.number) }
    let cuts = (0..<4).map { _ in Int.random(in: 0...records.count, using: &random) }.sorted()
    let bounds = [0] + cuts + [records.count]
    let batches = zip(bounds, bounds.dropFirst()).map { records[$0..<$1] }
      .shuffled(using: &random)
    for text in [
      "count over 3", "user.name changed", "list grew", "chain:1..9", "dt:60ms..", "row5",
      "kind:log not changed", "size:60..",
    ] {
      var timeline = Timeline()
      let budget = RowBudget(rowCountMax: Int.random(in: 1...300, using: &random))
      var search = try RowSearch(text, in: timeline, budget: budget)
      for batch in batches {
        for record in batch { timeline.append(record) }
        for run in runs(batch.map(\.sequence)) { search.add(run, in: timeline) }
        if Bool.random(using: &random) { search.advance(in: instance(timeline)) }
      }
      var find = Find(try Query(text))
      var wanted: [SequenceNumber] = []
      while !find.isDone { wanted += find.step(in: instance(timeline)).map(\.row) }
      #expect(searched(search, in: timeline).hits == wanted, "\(text)")
    }
  }

  private func runs(_ numbers: [SequenceNumber]) -> [ClosedRange<SequenceNumber>] {
    var ranges = SequenceRanges()
    for number in numbers { ranges.insert(number...number) }
    return ranges.runs
  }

  @Test(arguments: [
    ("", "add(1)", "-name:add"), ("milk", "add", "milk -name:add"),
    ("-name:add", "done(2)", "-name:add,done"), ("milk -name:add", "b", "milk -name:add,b"),
    ("milk or tea", "add", "(milk or tea) -name:add"),
    ("a or -name:b", "c", "(a or -name:b) -name:c"),
    ("not -name:b", "c", "not -name:b -name:c"), ("-name:b tea", "c", "-name:b tea -name:c"),
    ("-name:\"a b\"", "c", "-name:\"a b\" -name:c"), ("", "@@INIT *", #"-name:"@@INIT *""#),
  ])
  func `a query is told to hide a name as well`(text: String, name: String, wanted: String) throws {
    let hiding = RowSearch.text(text, hiding: .action(1, name))
    #expect(hiding == wanted)
    var timeline = Timeline()
    for (number, name) in ["add", name, "milk", "b"].enumerated() {
      timeline.append(.action(SequenceNumber(UInt64(number + 1)), name))
    }
    func hits(_ text: String) throws -> [SequenceNumber] {
      if text.isEmpty { return timeline.rows.map(\.number) }
      return searched(try RowSearch(text, in: timeline), in: timeline).hits
    }
    let like = try hits("name:\(QueryChoice(naming: .action(1, name)))")
    #expect(like.contains(2))
    let (before, after) = (try hits(text), try hits(hiding))
    #expect(after == before.filter { !like.contains($0) })
  }

  @Test func `all that a locked app refused is hidden at once`() throws {
    var timeline = Timeline()
    let names = [
      "refused while locked: add(1)", "refused while locked: done", "refused a call", "locked",
    ]
    for (number, name) in names.enumerated() {
      let sequence = SequenceNumber(UInt64(number + 1))
      timeline.append(Record(sequence: sequence, kind: .log(.warning), name: name))
    }
    let first = try #require(timeline.row(1)?.record)
    let text = RowSearch.text("", hiding: first)
    #expect(text == "-name:refused%while%locked%")
    #expect(searched(try RowSearch(text, in: timeline), in: timeline).hits == [3, 4])
  }

  @Test func `rows that made room are found no more, nor those behind recalled ones`() throws {
    var bounds = Timeline.Bounds()
    bounds.rowCountMax = 20
    var catalog = catalog(bounds)
    var search = try RowSearch("a", in: Timeline())
    func take(_ numbers: ClosedRange<SequenceNumber>, from origin: RecordOrigin = .live) throws {
      for number in numbers {
        catalog.add(ArrivedRecord(.action(number, "a"), from: origin), to: todo)
        let instance = try #require(catalog[todo])
        search.add(number...number, in: instance.timeline)
        search.advance(in: instance)
        #expect(search.hits == instance.timeline.rows.map(\.number))
      }
    }
    try take(1...100)
    catalog.recall(5...9, of: todo)
    try take(5...9, from: .backlog)
    try take(101...200)
    #expect(search.hits.prefix(6) == [5, 6, 7, 8, 9, 186])
  }

  @Test func `a slice is small, and the newest rows come first`() throws {
    var timeline = Timeline()
    for number in 1...5_000 as ClosedRange<SequenceNumber> { timeline.append(.action(number, "a")) }
    var search = try RowSearch("a", in: timeline)
    search.advance(in: instance(timeline))
    let newest: SequenceNumber = 5_000
    #expect(search.hits.last == newest && search.hits.count == 1_000 && !search.isDone)
  }

  /// - Parameter state: of some 30,000 octets.
  private func history(_ state: (SequenceNumber) -> String) -> Timeline {
    var timeline = Timeline()
    for number in 1...100 as ClosedRange<SequenceNumber> {
      timeline.append(
        Record(
          sequence: number, kind: .action, name: "a",
          state: .keyframe(Content(type: "application/json", bytes: Array(state(number).utf8)))))
    }
    return timeline
  }

  @Test func `large states make a slice smaller`() throws {
    let timeline = history { number in
      #"["\#(String(repeating: "\(number.rawValue % 9) \(number)", count: 30_000 / 4))"]"#
    }
    var search = try RowSearch("* exists", in: timeline)
    search.advance(in: instance(timeline))
    #expect(search.hits.count < 30 && search.hits.last == 100 && !search.isDone)
    var text = try RowSearch("a", in: timeline)
    text.advance(in: instance(timeline))
    #expect(text.hits.count == 100 && text.isDone)
  }

  @Test func `large states that are much like the one before leave it large`() throws {
    let timeline = history { #"["\#(String(repeating: "x", count: 30_000))", \#($0)]"# }
    var search = try RowSearch("* exists", in: timeline)
    search.advance(in: instance(timeline))
    #expect(search.hits.count == 100 && search.isDone)
  }

  @Test func `what is no query is refused`() {
    let error = #expect(throws: QueryError.self) { try RowSearch("count over", in: Timeline()) }
    let column = 11
    #expect(error?.column == column)
  }
}
