import JSONTree
import SurfQuery
import SurfTimeline
import SurfViewer
import SurfWire
import TestSupport
import Testing

@Suite struct FindTests {
  private static let queries = [
    "count over 3", "changed", "not changed", "kind:action not changed", "becomes count over 5",
    "user.name changed", "user changed to null", "list grew", "before.count is 2", "kind:log",
    "dt:60ms..", "chain:5", "chain:1..3", "size:60..", "grew:1..", "row5", "row:10..20",
    "user.name is n1 or list has 3", "before user missing", "app:todo line:3",
    "list.* over 1", "state.list.@sum over 2", "..name is n1", "list.@count under 2",
    "user.* changed", "becomes ..name is n2", "all list.% under 3", "before.list.@count is 2",
    "user exists", "user.name is before.user.name", "not (list[-1] is 2)", "list.@max changed",
    "noise over 900", "noise changed", "becomes noise over 500", "count changed to 5", "noise grew",
    "noise over 300 and kind:log", "..noise under 50", "* over 990", "* changed", "count over 1000",
  ]

  private func rows(
    _ query: Query, _ order: Find.Order, _ instance: Instance, stepRowCount: Int = 128
  ) -> [SequenceNumber] {
    var find = Find(query, order: order, budget: RowBudget(rowCountMax: stepRowCount))
    var rows: [SequenceNumber] = []
    while !find.isDone { rows += find.step(in: instance).map(\.row) }
    return rows
  }

  /// Each row alone: its state read whole, and the one that it grew from looked for.
  private func naive(
    _ query: Query, _ instance: Instance, _ states: [JSON?]
  ) -> [SequenceNumber] {
    let timeline = instance.timeline
    return timeline.rows.indices.filter { index in
      let row = timeline.rows[index]
      let parent = parent(index, timeline)
      var subject = QuerySubject(row.record, before: parent.flatMap { states[$0] })
      subject.state = row.isState ? states[index] : subject.before
      subject.stateSize = row.stateSize
      subject.sizeBefore = parent.flatMap { timeline.rows[$0].stateSize }
      if index > 0 {
        subject.sinceBefore = row.record.uptime - timeline.rows[index - 1].record.uptime
      }
      subject.appNames = ["Todo"]
      subject.chains = query.chains.filter { isIn($0, row, timeline) }
      var evaluator = QueryEvaluator(query)
      return evaluator.holds(for: subject)
    }.map { timeline.rows[$0].number }
  }

  /// The index of the row that one grew from, if that is known.
  private func parent(_ index: Int, _ timeline: Timeline) -> Int? {
    let row = timeline.rows[index]
    if case .record(let origin) = row.record.grownFrom?.origin {
      return timeline.rows.firstIndex { $0.number == origin }
    }
    var number = row.number
    for index in (0..<index).reversed() {
      guard timeline.rows[index].number == number.previous else { return nil }
      if timeline.rows[index].isState { return index }
      number = number.previous
    }
    return nil
  }

  private func isIn(_ chain: [QueryChoice], _ row: Row, _ timeline: Timeline) -> Bool {
    var link: Row? = row
    while let next = link {
      if chain.contain(next.number.rawValue) { return true }
      link = next.parent.flatMap { timeline.row($0) }
    }
    return false
  }

  private func states(_ timeline: Timeline) -> [JSON?] {
    timeline.rows.map { timeline.state(of: $0.number).flatMap { JSON(ifValid: $0.bytes) } }
  }

  @Test(arguments: 0..<8) func `a search finds what a look at each row finds`(seed: UInt64) throws {
    let instance = instance(RandomHistory(seed: seed, rowCount: 300).timeline)
    let states = states(instance.timeline)
    for text in Self.queries {
      let query = try Query(text)
      let wanted = naive(query, instance, states)
      #expect(rows(query, .oldestFirst, instance) == wanted, "\(text)")
      for count in [3, 128, 1_000] {
        let rows = rows(query, .newestFirst, instance, stepRowCount: count)
        #expect(rows == wanted.reversed(), "\(text)")
      }
    }
  }

  @Test(arguments: 0..<8) func `a live filter passes what a search finds`(seed: UInt64) throws {
    let instance = instance(RandomHistory(seed: seed, rowCount: 200).timeline)
    var random = SeededGenerator(seed: seed)
    for text in Self.queries {
      let query = try Query(text)
      let found = Set(rows(query, .oldestFirst, instance))
      var filter = LiveFilter(query)
      // Some rows are never asked about.
      for row in instance.timeline.rows where Bool.random(using: &random) {
        let passes = filter.passes(row, of: instance)
        #expect(passes == found.contains(row.number), "\(text), row \(row.number)")
      }
    }
  }

  @Test func `a search goes on while rows come and go, and ends with those that were there`() throws
  {
    var history = RandomHistory(seed: 3, rowCount: 300).timeline
    var find = Find(try Query("row:1.."), budget: RowBudget(rowCountMax: 100))
    var found = find.step(in: instance(history)).map(\.row)
    #expect(found.count == 100)
    history.trim(toBytes: 0)
    for number in 301...400 as ClosedRange<SequenceNumber> {
      history.append(Record(sequence: number, kind: .log(.info), name: "new"))
    }
    while !find.isDone { found += find.step(in: instance(history)).map(\.row) }
    #expect(found.allSatisfy { $0 <= 300 })
    #expect(Set(found).count == found.count && find.leftCount(in: history) == 0)
  }

  @Test(arguments: [Find.Order.oldestFirst, .newestFirst])
  func `an empty history is searched at once`(order: Find.Order) throws {
    var find = Find(try Query("changed"), order: order)
    #expect(!find.isDone)
    let hits = find.step(in: instance(Timeline()))
    #expect(hits.isEmpty && find.isDone)
  }

  private func record(_ number: SequenceNumber, _ state: String?) -> Record {
    Record(
      sequence: number, kind: .action, name: "set",
      state: state.map {
        .keyframe(Content(type: "application/json", bytes: Array($0.utf8)))
      } ?? .givenUp)
  }

  @Test(arguments: [
    "user is eve", "user changed", "becomes user is eve", "n over 1000", "n is 3 and user is eve",
    "log.* over 1000", "user is eve and kind:action",
  ])
  func `rows of which their deltas say enough are passed`(text: String) throws {
    var timeline = Timeline()
    var before: [UInt8] = []
    let items = (0..<100).map { #"{"id":\#($0)}"# }.joined(separator: ",")
    for number in 1...1_000 as ClosedRange<UInt64> {
      let user = number == 700 ? "eve" : "ada"
      let state = Array(#"{"n":\#(number % 90),"items":[\#(items)],"user":"\#(user)"}"#.utf8)
      let delta = Delta.between(
        before, state, baseRecord: SequenceNumber(number - 1), sizeMax: 100)
      let form = delta.map {
        RecordState.delta(Content(type: "application/json", bytes: $0.encoded()))
      }
      timeline.append(
        Record(
          sequence: SequenceNumber(number), kind: .action, name: "set",
          state: form ?? .keyframe(Content(type: "application/json", bytes: state))))
      before = state
    }
    var find = Find(try Query(text))
    while !find.isDone { _ = find.step(in: instance(timeline)) }
    #expect(find.skippedCount > 950)
  }

  @Test func `what missing rows may have done is not known`() throws {
    var timeline = Timeline()
    timeline.append(record(2, #"{"a":1}"#))
    timeline.append(record(3, #"{"a":2}"#))
    timeline.append(record(5, #"{"a":3,"b":1}"#))
    timeline.append(record(6, nil))
    timeline.append(record(7, #"{"a":3}"#))
    for (text, wanted, isSure) in [
      ("a changed", [3], false), ("not a changed", [], false), ("before.a over 0", [3, 6], false),
      ("becomes a over 1", [3], false), ("a over 0", [2, 3, 5, 7], false),
      ("row:2..5 a over 0", [2, 3, 5], true),
    ] as [(String, [SequenceNumber], Bool)] {
      var find = Find(try Query(text))
      #expect(find.step(in: instance(timeline)).map(\.row) == wanted, "\(text)")
      #expect(find.limits.contains(.states) == !isSure, "\(text)")
    }
    var trace = PathTrace(try QueryPlace(path: "*"))
    #expect(
      trace.step(in: timeline).map(told) == [
        "2 a ? 1", "3 a 1 2", "5 a ? 3", "5 b ? 1", "7 a ? 3", "7 b ? -",
      ])
  }

  @Test func `a trace tells every write, its value before and after`() throws {
    var timeline = Timeline()
    timeline.append(record(1, #"{"a":{"x":1}}"#))
    timeline.append(record(2, #"{"a":{"x":1},"b":5}"#))
    timeline.append(record(3, #"{"a":{"x":2,"y":7}}"#))
    timeline.append(record(4, #"{}"#))
    var trace = PathTrace(try QueryPlace(path: "a.*"))
    var writes: [PathTrace.Write] = []
    while !trace.isDone { writes += trace.step(in: timeline) }
    let told = writes.map {
      "\($0.record.sequence) \($0.change.place) \($0.change.old?.text() ?? "-") \($0.change.new?.text() ?? "-")"
    }
    #expect(
      told == ["1 a.x - 1", "3 a.x 1 2", "3 a.y - 7", "4 a.x 2 -", "4 a.y 7 -"])
  }

  @Test func `a trace names what it made of several values`() throws {
    var timeline = Timeline()
    timeline.append(record(1, #"{"a":[{"b":1}]}"#))
    timeline.append(record(2, #"{"a":[{"b":1},{"b":2}]}"#))
    var trace = PathTrace(try QueryPlace(path: "a.@sum.b"))
    let writes = trace.step(in: timeline)
    #expect(writes.map { "\($0.change.place)" } == ["a.@sum.b", "a.@sum.b"])
    #expect(writes.last?.change.new == 3)
  }

  @Test(arguments: 0..<10) func `a trace has the rows where the place has changed`(seed: UInt64)
    throws
  {
    let instance = instance(RandomHistory(seed: seed, rowCount: 300).timeline)
    for path in ["count", "user.name", "list.@count", "$"] {
      var trace = PathTrace(try QueryPlace(path: path))
      var writes: [SequenceNumber] = []
      while !trace.isDone {
        // A query compares nothing with what is not known.
        writes += trace.step(in: instance.timeline).filter(\.hasOld).map(\.record.sequence)
      }
      let changes = rows(try Query("\(path) changed"), .oldestFirst, instance)
      #expect(writes == changes, "\(path)")
    }
  }

  /// A command that asks for the last writes looks at ever larger parts of the history.
  @Test(arguments: 0..<20) func `a trace from the end tells what one from the beginning tells`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let timeline = RandomHistory(seed: seed, rowCount: 600).timeline
    let end = timeline.newestNumber.next
    for path in ["count", "user.name", "list.@count", "$", "*"] {
      let place = try QueryPlace(path: path)
      var trace = PathTrace(place)
      var wanted: [String] = []
      while !trace.isDone { wanted += trace.step(in: timeline).map(told) }
      var (back, start) = (PathTrace(place, newestFirst: true), end)
      var found: [String] = []
      while start > 0 {
        let last = start.rawValue
        start = SequenceNumber(last - UInt64.random(in: 1...min(last, 300), using: &random))
        back.extend(to: start..<end)
        while !back.isDone { found = back.step(in: timeline).map(told) + found }
      }
      #expect(found == wanted, "\(path)")
      #expect(back.visitedCount == trace.visitedCount)
    }
  }

  @Test func `a value that vanished behind a state that is not JSON is told from either end`()
    throws
  {
    var timeline = Timeline()
    timeline.append(record(1, #"{"n":1}"#))
    timeline.append(record(2, "no JSON"))
    timeline.append(
      Record(
        sequence: 3, kind: .action, name: "grown", state: record(3, #"{"m":1}"#).state,
        grownFrom: GrownFrom(from: .elsewhere)))
    let place = try QueryPlace(path: "n")
    var (forward, back) = (PathTrace(place), PathTrace(place, newestFirst: true))
    let wanted = ["1 n ? 1", "3 n ? -"]
    #expect(forward.step(in: timeline).map(told) == wanted)
    back.extend(to: 3..<4)
    let last = back.step(in: timeline).map(told)
    back.extend(to: 0..<4)
    #expect(back.step(in: timeline).map(told) + last == wanted)
  }

  private func told(_ write: PathTrace.Write) -> String {
    let old = write.hasOld ? write.change.old?.text() ?? "-" : "?"
    let new = write.change.new?.text() ?? "-"
    return "\(write.record.sequence) \(write.change.place) \(old) \(new)"
  }

  @Test(arguments: [
    ("a b", "column 3: expected the end of the path, not 'b'"),
    ("", "column 1: expected a path"), ("(", "column 1: expected a path, not '('"),
  ])
  func `what is no path is told`(text: String, what: String) {
    let error = #expect(throws: QueryError.self) { try QueryPlace(path: text) }
    #expect(error.map { "\($0)" } == what)
  }

  @Test func `what a viewer dispatched is by that viewer, and in no file`() throws {
    var timeline = Timeline()
    for (number, source) in ["Todo/Main.swift:4", "by ada@desk", "by eve", ""].enumerated() {
      timeline.append(
        Record(
          sequence: SequenceNumber(UInt64(number + 1)), kind: .action, name: "add",
          source: source))
    }
    func found(_ text: String) throws -> [SequenceNumber] {
      rows(try Query(text), .oldestFirst, instance(timeline))
    }
    #expect(try found("by:ada") == [2] && found("by:eve") == [3] && found("-by:ada") == [1, 3, 4])
    #expect(try found("file:Main.swift") == [1] && found("file:*ada*") == [])
  }
}
