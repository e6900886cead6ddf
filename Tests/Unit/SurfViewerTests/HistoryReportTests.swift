import SurfQuery
import SurfTimeline
import SurfViewer
import SurfWire
import Testing

@Suite struct HistoryReportTests {
  private func report(_ timeline: Timeline) -> HistoryReport {
    var report = HistoryReport()
    while !report.isDone { report.step(in: timeline) }
    report.finish()
    return report
  }

  private func report(_ records: [Record]) -> HistoryReport {
    var timeline = Timeline()
    for record in records { timeline.append(record) }
    return report(timeline)
  }

  private func record(
    _ number: SequenceNumber, _ name: String, _ state: String?, payload: String? = nil,
    uptime: UInt64 = 0, grownFrom: GrownFrom? = nil, count: WireCount = 1
  ) -> Record {
    func content(_ text: String) -> Content {
      Content(type: "application/json", bytes: Array(text.utf8))
    }
    return Record(
      sequence: number, kind: .action, uptime: uptime, name: name,
      payload: payload.map(content), state: state.map { .keyframe(content($0)) } ?? .givenUp,
      grownFrom: grownFrom, count: count)
  }

  private func log(
    _ number: SequenceNumber, _ level: LogLevel = .error, after cause: SequenceNumber = 0
  ) -> Record {
    Record(sequence: number, kind: .log(level), parent: cause, name: "oops")
  }

  /// Actions of these names, a row each; a state after each.
  private func story(_ steps: [(name: String, state: Int)]) -> [Record] {
    steps.enumerated().map { index, step in
      record(SequenceNumber(UInt64(index + 1)), step.name, "{\"n\":\(step.state)}")
    }
  }

  @Test func `actions are counted by name, without their values, the most frequent first`() {
    let report = report(story([("b", 1), ("add(1)", 2), ("add(2, \"x\")", 3), ("a", 4)]))
    #expect(report.tallies.map { "\($0.name) \($0.count)" } == ["add 2", "a 1", "b 1"])
    #expect(report.rowCount == 4 && report.missingCount == 0)
  }

  @Test func `whoever changed nothing is counted, and of whom that is not known`() throws {
    let report = report([
      record(1, "set", "{\"a\":1,\"b\":2}"), record(2, "set", "{\"b\":2,\"a\":1}"),
      record(3, "set", "{\"a\":2}"), record(4, "set", nil), record(5, "set", "{\"a\":2}"),
      record(7, "set", "{\"a\":2}"), record(8, "set", "{\"a\":2}"),
      record(9, "set", "{\"a\":2}", grownFrom: GrownFrom(from: .record(3))),
    ])
    let tally = try #require(report.tallies.first)
    #expect(tally.count == 8 && tally.unchangedCount == 3 && tally.unknownCount == 4)
    #expect(report.missingCount == 1)
  }

  @Test func `of equal states with marks nobody knows whether they are equal`() throws {
    let state = #"{"pin":{"$redacted":"string"}}"#
    let report = report([record(1, "set", state), record(2, "set", state)])
    let tally = try #require(report.tallies.first)
    #expect(tally.unchangedCount == 0 && tally.unknownCount == 2)
  }

  @Test func `equal actions in one row count as many, and nobody knows what each did`() throws {
    let report = report([
      record(1, "tick", "1", uptime: 10), record(2, "tick", "1", uptime: 20),
      record(3, "tick", "1", uptime: 120, count: 9),
    ])
    let tally = try #require(report.tallies.first)
    #expect(tally.count == 11 && tally.unchangedCount == 1 && tally.unknownCount == 10)
    #expect(tally.medianInterval == 10)
    let most = try #require(
      self.report([record(1, "a", "1", count: .max), record(2, "a", "1", count: .max)])
        .tallies.first)
    #expect(most.count == .max && most.unknownCount == .max)
  }

  @Test func `states and payloads are added up, and times have a middle`() throws {
    let report = report([
      record(1, "set", "{}", uptime: 5), record(2, "set", "{\"a\":1}", payload: "12", uptime: 15),
      record(3, "set", "{\"a\":10}", payload: "3", uptime: 115),
      record(4, "set", "{\"a\":1}", uptime: 145), record(6, "set", "[]", uptime: 9_999),
    ])
    let tally = try #require(report.tallies.first)
    #expect(tally.growth == 5 && tally.payloadSize == 3 && tally.medianInterval == 30)
    #expect(value(self.report([record(1, "set", "{}")]).tallies.first)?.medianInterval == nil)
  }

  @Test func `an error counts for its cause, or for the action before it`() {
    let report = report([
      record(1, "first", "{}"), record(2, "second", "{}"), log(3), log(4, .warning),
      log(5, after: 1), log(6, .info, after: 1), log(7, after: 6), log(8, after: 99),
    ])
    let errors = report.tallies.map { "\($0.name) \($0.errorCount)" }
    #expect(errors == ["first 2", "second 1"])
  }

  @Test func `the same action again and again is a repetition`() throws {
    var records = story([
      ("add(1)", 1), ("add(1)", 1), ("add(2)", 2), ("add(1)", 3), ("add(1)", 4), ("add(1)", 4),
      ("clear", 0),
    ])
    records.append(log(8))
    records.append(record(9, "clear", "{\"n\":0}"))
    let report = report(records)
    let told = report.sequences.map {
      let rows = $0.longest.rows
      return "\(rows.lowerBound)–\(rows.upperBound): \($0.longest.count) of \($0.runCount), "
        + "\($0.unchangedCount)"
    }
    #expect(told == ["4–6: 3 of 2, 2", "7–9: 2 of 1, 1"])
  }

  @Test func `another payload is another action`() {
    let report = report([
      record(1, "add", "{}", payload: "1"), record(2, "add", "{}", payload: "2"),
      record(3, "add", "{}", payload: "2"),
    ])
    #expect(report.sequences.map(\.longest.rows) == [2...3])
  }

  @Test func `two actions in turn whose states return are an oscillation`() throws {
    let report = report(
      story([("x", 9), ("on", 1), ("off", 0), ("on", 1), ("off", 0), ("on", 1), ("x", 9)]))
    let tally = try #require(report.sequences.first)
    #expect(tally.sequence.actions.map(\.name) == ["on", "off"])
    #expect(tally.longest.rows == 2...6 && tally.longest.count == 5)
    #expect(report.sequences.count == 1)
  }

  @Test(arguments: [
    [("on", 1), ("off", 0), ("on", 1)],
    [("on", 1), ("off", 2), ("on", 3), ("off", 4)],
    [("on", 1), ("off", 1), ("on", 1), ("off", 1)],
    [("on", 1), ("off", 0), ("x", 2), ("on", 1), ("off", 0)],
    [("flip", 1), ("flop", 0), ("flip", 1), ("flip", 0), ("flop", 1)],
  ])
  func `what is shorter, or does not return, is none`(steps: [(String, Int)]) {
    let isNone = report(story(steps.map { (name: $0.0, state: $0.1) })).sequences.allSatisfy {
      $0.sequence.actions.count == 1
    }
    #expect(isNone)
  }

  @Test func `missing rows, updates and moves interrupt a sequence, a log does not`() {
    let one = "{\"n\":1}"
    let update = Record(
      sequence: 3, kind: .update, name: "",
      state: .keyframe(Content(type: "application/json", bytes: Array(one.utf8))))
    let first = record(1, "set", one)
    let gap = report([first, record(3, "set", one)])
    let moved = report([first, record(2, "set", one, grownFrom: GrownFrom(from: .initial))])
    let updated = report([first, log(2), update, record(4, "set", one)])
    let logged = report([first, log(2), record(3, "set", one)])
    #expect([gap, moved, updated, logged].map(\.sequences.count) == [0, 0, 0, 1])
  }

  @Test(arguments: 0..<8) func `a report counts what a search finds`(seed: UInt64) throws {
    let timeline = RandomHistory(seed: seed, rowCount: 400).timeline
    let instance = instance(timeline)
    func certain(_ text: String) throws -> Int {
      var find = Find(try Query(text))
      var count = 0
      while !find.isDone {
        count +=
          find.step(in: instance).filter { $0.subject.stateSize != nil }
          .count
      }
      return count
    }
    let tallies = report(timeline).tallies
    #expect(tallies.count == 7)
    for tally in tallies {
      let unchanged = try certain("kind:action name:\(tally.name) not changed")
      let changed = try certain("changed kind:action name:\(tally.name)")
      #expect(tally.unchangedCount == unchanged)
      #expect(tally.unknownCount == tally.count - changed - unchanged)
    }
  }

  @Test func `a report takes a part at a time, and ends with the rows that were there`() {
    var timeline = RandomHistory(seed: 1, rowCount: 300).timeline
    let rowCount = timeline.rows.count
    var report = HistoryReport()
    #expect(report.leftCount(in: timeline) == rowCount)
    report.step(in: timeline)
    #expect(report.rowCount == 128 && report.leftCount(in: timeline) == rowCount - 128)
    timeline.append(record(301, "late", "{}"))
    while !report.isDone { report.step(in: timeline) }
    #expect(report.rowCount == rowCount && report.leftCount(in: timeline) == 0)
    let isThere = report.tallies.contains { $0.name == "late" }
    #expect(!isThere)
    var empty = HistoryReport()
    empty.step(in: Timeline())
    #expect(empty.isDone && empty.tallies.isEmpty)
  }
}

/// A value as it is: `#expect` cannot look into a call that changes what it is called on.
private func value<Value>(_ value: Value) -> Value { value }
