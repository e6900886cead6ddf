import SurfObserver
import SurfQuery
import SurfTerminal
import SurfTimeline
import SurfWire
import TestSupport
import Testing

@Suite struct WatchTests {
  private func watch(
    _ name: String? = "PrimeTime", _ options: WatchOptions = WatchOptions(), columns: Int? = nil
  ) -> Driven<WatchSession> {
    var layout = Layout()
    layout.columns = columns
    return Driven(
      WatchSession(name: name, options: options, layout: layout, showsStatus: columns != nil))
  }

  @Test func aStoryInAPipe() {
    var session = watch()
    let actions = session.receive(all: [
      .appeared(a, heartbeat()), .caughtUp(a),
      .record(a, action(1)), .record(a, action(2, "{\"n\":1000}")),
      .restored(a, restored(to: .record(1))),
      .lost(a, 3...14),
      .record(a, Record(sequence: 15, kind: .log(.warning), name: "low\u{7}disk")),
      .gone(a, saidGoodbye: false),
    ])
    #expect(actions.contains(.follow(a, .newestState)))
    let expected = """
      ● PrimeTime#123 on ada (cafe0000)
      01:01:01.002      1  action  increment                                     7 B ?           Counter.swift:7
      01:01:01.002      2  action  increment ←1                                 10 B +3 B        Counter.swift:7
      ⤺ eve@host moved PrimeTime#123 from row 2 to row 1
      ⋯ 12 records lost (rows 3–14)
      00:00:00.000     15  warning low\\u{7}disk
      ○ PrimeTime#123 fell silent; only viewers that are open still have its history
      """
    #expect(actions.text.joined(separator: "\n") == expected)
  }

  @Test(arguments: [(0, 9, false), (10, 9, false), (8, 9, true)] as [(UInt64, Int64, Bool)])
  func `of an app that began meanwhile all rows are shown`(
    uptime: UInt64, now: Int64, isAll: Bool
  ) {
    var heartbeat = heartbeat(newest: 2)
    heartbeat.uptime = uptime * 1_000_000_000
    var session = watch()
    let actions = session.receive(.appeared(a, heartbeat), at: .seconds(now))
    #expect(actions.contains(.follow(a, isAll ? .since(1) : .newestState)))
    var options = WatchOptions()
    options.wish = .last(3)
    var asked = watch("PrimeTime", options)
    let answer = asked.receive(.appeared(a, heartbeat), at: .seconds(now))
    #expect(answer.contains(.follow(a, .last(3))))
  }

  @Test(arguments: [(RecordState.givenUp, "sent"), (.delta(Content(type: "x", bytes: [])), "here")])
  func `a missing state is told as that, with the reason`(state: RecordState, word: String) {
    var session = watch()
    var unsent = action(1)
    unsent.state = state
    let actions = session.receive(all: [
      .appeared(a, heartbeat()), .caughtUp(a), .record(a, unsent),
    ])
    let expected =
      "01:01:01.002      1  action  increment                                  state not \(word)     "
      + "Counter.swift:7"
    #expect(actions.text.last == expected)
  }

  @Test func whoComesBackIsFollowedAgainOnlyIfTheObserverHadForgottenIt() {
    var session = watch()
    let leave = ObserverEvent.gone(a, saidGoodbye: false)
    _ = session.receive(all: [.appeared(a, heartbeat()), .caughtUp(a), leave])
    let back = session.receive(all: [.heartbeat(a, heartbeat()), leave])
    #expect(!back.contains(.follow(a, .newestState)))
    let anew = session.receive(.appeared(a, heartbeat()), at: .zero)
    #expect(anew.contains(.follow(a, .newestState)))
  }

  @Test func whatThisOutputWasTooSlowForIsToldInItsPlace() {
    var session = watch()
    _ = session.receive(all: [.appeared(a, heartbeat()), .caughtUp(a)])
    let actions = session.receive(dropped: 12, in: 3...14, of: a, at: .zero)
    #expect(actions.text == ["⋯ 12 records not shown, too fast for this output (rows 3–14)"])
    var options = WatchOptions()
    options.json = true
    session = watch("PrimeTime", options)
    _ = session.receive(all: [.appeared(a, heartbeat()), .caughtUp(a)])
    let lines = session.receive(dropped: 12, in: 3...14, of: a, at: .zero).text
    #expect(lines.count == 1)
    #expect(lines.first?.contains(#""count":12,"event":"dropped","from":3"#) == true)
  }

  /// The catalog keeps only a few rows, and goes on while this output prints.
  @Test func rowsThatWereForgottenBeforeTheirTurnAreToldInOneLine() {
    var bounds = Catalog.Bounds()
    bounds.timeline.rowCountMax = 3
    var catalog = Catalog(bounds: bounds)
    var session = WatchSession(
      name: "PrimeTime", options: WatchOptions(), layout: Layout(), showsStatus: false)
    for event in [ObserverEvent.appeared(a, heartbeat()), .caughtUp(a)] {
      if let change = catalog.apply(event) {
        _ = session.receive(.change(change), in: catalog, at: .zero)
      }
    }
    for row in 1...9 as ClosedRange<SequenceNumber> {
      #expect(catalog.apply(.record(a, action(row))) == .rows(a, row...row))
    }
    let kept = catalog[a]?.timeline.rows.count ?? 0
    let first = 10 - kept
    let lines = session.receive(.change(.rows(a, 1...9)), in: catalog, at: .zero).text
    #expect(
      lines.first
        == "⋯ \(first - 1) records not shown, too fast for this output (rows 1–\(first - 1))")
    #expect(lines.count == 1 + kept)
    // Without later rows, the report comes as soon as nothing else waits.
    #expect(session.receive(.change(.rows(a, 1...2)), in: catalog, at: .seconds(1)).isEmpty)
    #expect(session.deadline == .seconds(1))
    let deadline = SessionEvent.deadline(ViewerCounters())
    let late = session.receive(deadline, in: catalog, at: .seconds(1)).text
    #expect(late == ["⋯ 2 records not shown, too fast for this output (rows 1–2)"])
  }

  @Test func theNewestStateWaitsForTheBacklogBeforeIt() {
    var session = watch()
    var actions = session.receive(all: [
      .appeared(a, heartbeat(newest: 3)), .record(a, action(3)), .record(a, action(1)),
      .record(a, action(2)),
    ])
    #expect(actions.text.count == 1)
    actions = session.receive(.caughtUp(a), at: .zero)
    #expect(actions.text.map { $0.dropFirst(12).prefix(7) } == ["      1", "      2", "      3"])
  }

  @Test func aRestoreOfLongAgoDoesNotLetTheNewestStateGoFirst() {
    var session = watch()
    var actions = session.receive(all: [
      .appeared(a, heartbeat(newest: 3)), .record(a, action(3)),
      .restored(a, restored(to: .record(1))), .lost(a, 1...1), .record(a, action(2)),
    ])
    #expect(actions.text.count == 1)
    actions = session.receive(.caughtUp(a), at: .zero)
    let starts = actions.text.map {
      $0.hasPrefix("⋯") || $0.hasPrefix("⤺") ? "\($0.prefix(1))" : "row"
    }
    #expect(starts == ["⋯", "row", "⤺", "row"])
    #expect(actions.text[1].contains("      2  ") && actions.text[3].contains("      3  "))
  }

  @Test func aPastThatTakesItsTimeIsWaitedForWhileItComes() throws {
    var session = watch()
    _ = session.receive(all: [.appeared(a, heartbeat(newest: 5)), .record(a, action(5))])
    var printed: [String] = []
    for row in 1...4 as ClosedRange<SequenceNumber> {
      let now = Duration.milliseconds(600 * Int64(row))
      printed += session.advance(to: now).text
      printed += session.receive(.record(a, action(row)), at: now).text
    }
    // A live event does not mean that more of the past will arrive.
    printed += session.receive(.record(a, action(6)), at: .milliseconds(2_900)).text
    #expect(printed == [])
    #expect(session.deadline == .milliseconds(3_100))
    printed = session.advance(to: .milliseconds(3_100)).text
    #expect(printed.map { $0.dropFirst(12).prefix(7) } == (1...6).map { "      \($0)" })
  }

  @Test func aBacklogThatDoesNotEndIsShownAfterAMoment() throws {
    var session = watch()
    _ = session.receive(all: [.appeared(a, heartbeat(newest: 3)), .record(a, action(3))])
    let deadline = try #require(session.deadline)
    let early = session.advance(to: deadline - .milliseconds(1)).text
    #expect(early == [])
    let late = session.advance(to: deadline).text
    #expect(late.count == 1)
  }

  @Test func anotherInstanceIsNoBusinessOfTheOneNamed() {
    var session = watch()
    let actions = session.receive(all: [.appeared(b, heartbeat("Todo", id: 0xBEEF))])
    #expect(actions == [])
  }

  @Test func withoutANameEachLineSaysWhoseItIs() {
    var session = watch(nil)
    let actions = session.receive(all: [
      .appeared(a, heartbeat()), .appeared(b, heartbeat("Todo", pid: 7, id: 0xBEEF)),
      .caughtUp(b), .record(b, action(1)),
    ])
    #expect(actions.text.last?.hasPrefix("01:01:01.002 Todo#7                  1  action") == true)
  }

  @Test func aNarrowTerminalWrapsNoLine() {
    for width in [20, 60, 80, 200] {
      var session = watch(columns: width)
      let record = action(1, name: String(repeating: "界", count: 200))
      let actions = session.receive(all: [
        .appeared(a, heartbeat()), .caughtUp(a), .record(a, record),
      ])
      #expect(actions.text.allSatisfy { columns($0) <= width })
    }
  }

  @Test func aTerminalThatIsMadeNarrowerOrWiderIsFollowed() {
    var session = watch(columns: 200)
    _ = session.receive(all: [.appeared(a, heartbeat()), .caughtUp(a)])
    let long = String(repeating: "x", count: 200)
    for (number, width) in [(1, 60), (2, 120)] as [(SequenceNumber, Int)] {
      session.resize(columns: width)
      let row = session.receive(.record(a, action(number, name: long)), at: .zero).text[0]
      #expect(columns(row) <= width && columns(row) > width - 40)
    }
    session.resize(columns: 20)
    guard case .status(let line?)? = session.advance(to: .milliseconds(100)).first else {
      Issue.record("no status")
      return
    }
    #expect(columns(line.text) == 19)
  }

  @Test func theBottomLineCounts() {
    var session = watch(columns: 100)
    _ = session.receive(all: [.appeared(a, heartbeat()), .caughtUp(a), .record(a, action(1))])
    var counters = ViewerCounters()
    counters.network.repairsReceived = 3
    counters.network.drops = ["foreign": 2, "truncated": 1]
    counters.overflows = 4
    let actions = session.advance(to: .milliseconds(100), counters: counters)
    let expected =
      "1 live · 1 records/s · 3 repairs · 0 lost · 3 drops (2 foreign, 1 truncated) · 4 overflows"
    #expect(actions == [.status(Line(expected, .dim))])
    #expect(session.deadline == .milliseconds(200))
  }

  @Test func jsonIsOneObjectALineWithSortedKeys() {
    var options = WatchOptions()
    options.json = true
    var session = watch("PrimeTime", options)
    let record = action(1, name: "é\u{202E}\nb")
    let actions = session.receive(all: [
      .appeared(a, heartbeat()), .caughtUp(a), .record(a, record),
    ])
    let expected = #"""
      {"app":"PrimeTime","event":"record","instance":"cafe0000000000000000000000000001",\#
      "kind":"action","name":"é\u202e\nb","pid":123,"row":1,"source":"Counter.swift:7",\#
      "stateSize":7,"stateType":"application/json","time":3661002000000,"uptime":0}

      """#
    #expect(actions.text.last == expected)
  }

  @Test(arguments: [
    (12, #""app":"PrimeTime","count":12,"event""#), (1, #""app":"PrimeTime","event""#),
  ])
  func `programs are told for how many equal actions a row stands`(
    count: UInt64, expected: String
  ) {
    var options = WatchOptions()
    options.json = true
    var session = watch("PrimeTime", options)
    let record = Record(sequence: 1, kind: .action, name: "tick", count: WireCount(count))
    let told = session.receive(all: [
      .appeared(a, heartbeat()), .caughtUp(a), .record(a, record),
    ])
    #expect(told.text.last?.contains(expected) == true)
  }

  @Test(arguments: [
    (GrownFrom(from: .record(1)), #""grownFrom":1,"instance""#, false),
    (GrownFrom(from: .initial, move: 2), #""grownFrom":0,"instance""#, true),
    (GrownFrom(from: .elsewhere, move: 2), #""grownFrom":null,"instance""#, true),
    (nil, #""event":"record","instance""#, false),
  ])
  func `programs are told what an action grew from, and after which move`(
    grownFrom: GrownFrom?, expected: String, isReaction: Bool
  ) {
    var options = WatchOptions()
    options.json = true
    var session = watch("PrimeTime", options)
    let record = Record(sequence: 3, kind: .action, name: "add", grownFrom: grownFrom)
    let actions = session.receive(all: [
      .appeared(a, heartbeat()), .caughtUp(a), .record(a, record),
    ])
    #expect(actions.text.last?.contains(expected) == true)
    #expect(actions.text.last?.contains(#""move":2,"#) == isReaction)
  }

  @Test func aRevisionKeepsItsColumnsAndIsColoured() throws {
    var session = watch()
    let actions = session.receive(all: [
      .appeared(a, heartbeat()), .caughtUp(a), .record(a, action(1)),
      .record(a, revision(2, "{}")),
    ])
    let before = try #require(actions.text.dropLast().last)
    let row = try #require(actions.text.last)
    #expect(row.hasPrefix("01:01:01.002      2  revision skip row 1 by ada@desk "))
    #expect(row.firstRange(of: "7 B")?.lowerBound == before.firstRange(of: "7 B")?.lowerBound)
    guard case .print(let line)? = actions.last else { throw Missing() }
    #expect(line.spans.filter { $0.style == .caution }.count == 2)
  }

  @Test(arguments: [
    (
      #"{"command":"toggle","viewer":"ada","exact":true,"locked":false,"paused":true,"#
        + #""oldest":0,"staged":[{"row":1,"skipped":true,"state":{"n":0}}],"current":1}"#,
      #""revision":{"command":"toggle","current":1,"exact":true,"inForce":[],"leftOut":[1],"#
        + #""locked":false,"oldest":0,"#
        + #""paused":true,"viewer":"ada"},"#
    ),
    (#"{"command":["lock"],"colour":"red"}"#, nil),
    ("[]", nil), ("{", nil),
  ])
  func aRevisionTellsProgramsHowHistoryStands(_ payload: String, _ expected: String?) throws {
    var options = WatchOptions()
    options.json = true
    var session = watch("PrimeTime", options)
    let actions = session.receive(all: [
      .appeared(a, heartbeat()), .caughtUp(a), .record(a, revision(2, payload)),
    ])
    let line = try #require(actions.text.last)
    #expect(line.contains(#""kind":"revision""#))
    #expect(line.contains(expected ?? #""pid":123,"row":2"#))
  }

  @Test(arguments: [
    (0, [2, 1, 4, 5, 6], [], "in force: 2, 1, 4–6"),
    (0, [1, 2, 4], [3], "in force: 1–2, 4; left out: 3"),
    (7, [8], [7, 9], "in force: all before 7, 8; left out: 7, 9"),
    (0, [], [1], "in force: nothing; left out: 1"),
  ])
  func aRevisionIsFollowedByTheOrderInForce(
    _ oldest: Int, _ inForce: [Int], _ leftOut: [Int], _ expected: String
  ) {
    let items =
      inForce.map { #"{"row":\#($0)}"# } + leftOut.map { #"{"row":\#($0),"skipped":true}"# }
    let payload =
      #"{"command":"reorder","viewer":"ada","oldest":\#(oldest),"staged":["#
      + items.joined(separator: ",") + "]}"
    var session = watch(columns: 80)
    let actions = session.receive(all: [
      .appeared(a, heartbeat()), .caughtUp(a), .record(a, revision(2, payload)),
    ])
    #expect(actions.text.last == "              " + expected)
    // After a jump it names the actions of all futures.
    let jumped = Record(
      sequence: 4, kind: .action, name: "add", grownFrom: GrownFrom(from: .record(1)))
    let more = session.receive(all: [
      .record(a, action(3)), .record(a, jumped), .record(a, revision(5, payload)),
    ])
    let all = expected.replacing(
      "force:", with: inForce.contains(4) ? "force, in all futures:" : "force:")
    #expect(more.text.last == "              " + all)
  }

  private func filtered(
    _ line: String, _ events: [ObserverEvent]
  ) throws -> [CommandAction] {
    let words = line.split(separator: " ").map { String($0).replacing("_", with: " ") }
    let command = try ArgumentParser.parse(["watch"] + words).command
    let options = try #require(command as? WatchOptions)
    var session = watch("PrimeTime", options)
    return session.receive(all: [.appeared(a, heartbeat()), .caughtUp(a)] + events)
  }

  private func rows(_ actions: [CommandAction]) -> [String] {
    actions.text.filter { $0.hasPrefix("01:01") }.map { String($0.split(separator: " ")[1]) }
  }

  @Test func `only rows that match a query are shown`() throws {
    let events = (1...9 as ClosedRange<SequenceNumber>).map {
      ObserverEvent.record(a, action($0, "{\"n\":\($0.rawValue / 3)}"))
    }
    #expect(try rows(filtered("--where n_changed", events)) == ["3", "6", "9"])
    #expect(
      try rows(filtered("--where kind:action_not_changed", events)) == ["2", "4", "5", "7", "8"])
    #expect(try rows(filtered("--where n_over_2", events)) == ["9"])
    #expect(try rows(filtered("--where chain:7", events)) == ["7", "8", "9"])
    let json = try filtered("--json --where n_over_2", events).text
    #expect(json.count == 2 && json.last?.contains(#""row":9,"#) == true)
  }

  @Test func `another language's relation in a filter is asked about once`() throws {
    let note = CommandAction.complain("'contains' is searched for as text. Did you mean 'has'?")
    let actions = try filtered(
      "--where n_contains_5", [.appeared(b, heartbeat()), .record(a, action(1))])
    #expect(actions.filter { $0 == note }.count == 1)
    #expect(try !filtered("--where n_has_5", []).contains(note))
  }

  @Test func `a filter hides no loss and no restore`() throws {
    let actions = try filtered(
      "--where n_over_5",
      [
        .record(a, action(1)), .lost(a, 2...3), .record(a, action(4)),
        .restored(a, restored(to: .record(1))), .gone(a, saidGoodbye: false),
      ])
    #expect(actions.text.map { $0.prefix(1) } == ["●", "⋯", "⤺", "○"])
  }

  @Test func `the state before is that in the history, though its row was not asked about`() throws
  {
    let old = action(1, "{\"n\":1}")
    let new = action(2, "{\"n\":2}")
    var options = WatchOptions()
    options.query = try Query("before.n is 1")
    var session = watch("PrimeTime", options)
    _ = session.receive(.appeared(a, heartbeat()), at: .zero)
    _ = session.catalog.apply(.record(a, old))
    let actions = session.receive(all: [.caughtUp(a), .record(a, new)])
    #expect(rows(actions) == ["2"])
  }

  @Test func `a row that comes late has the state that it grew from`() throws {
    let events = ([1, 3, 2, 4] as [SequenceNumber]).map {
      ObserverEvent.record(a, action($0, "{\"n\":\($0.rawValue)}"))
    }
    // Nobody knows what row 3 grew from while row 2 is missing.
    #expect(try rows(filtered("--where before.n_is_1", events)) == ["2"])
    #expect(try rows(filtered("--where before.n_is_3", events)) == ["4"])
  }

  @Test func `rows that a filter hides do not count`() throws {
    let events = (1...9 as ClosedRange<SequenceNumber>).map { ObserverEvent.record(a, action($0)) }
    let actions = try filtered("--where row:4.. --until-records 2", events)
    #expect(rows(actions) == ["4", "5"] && actions.contains(.exit(0)))
  }

  @Test func `what a filter cut short is told once`() throws {
    let long = "{\"n\":\"\(String(repeating: "x", count: 70_000))\"}"
    let events: [ObserverEvent] = [.record(a, action(1, long)), .record(a, action(2, long))]
    let actions = try filtered("--where n_matches_y$", events)
    #expect(actions.count { if case .complain = $0 { true } else { false } } == 1)
  }

  @Test func `a filter that is no query is misuse`() {
    let failure = #expect(throws: Failure.self) {
      try ArgumentParser.parse(["watch", "--where", "kinds:action"])
    }
    #expect(failure?.what == "column 1: unknown field 'kinds:'" && failure?.exitCode == 64)
  }

  @Test(arguments: [
    ("--json", false, false), ("--json --states", true, false), ("--json --payloads", false, true),
    ("--json --states --payloads", true, true),
  ])
  func `programs get the states and payloads that they ask for`(
    line: String, hasState: Bool, hasPayload: Bool
  ) throws {
    let text = try #require(filtered(line, [.record(a, action(1))]).text.last)
    #expect(text.contains(#""state":{"n":1}"#) == hasState)
    #expect(text.contains(#""payload":"pay""#) == hasPayload)
    #expect(text.contains(#""state":"#) == hasState && text.contains(#""payload":"#) == hasPayload)
  }

  @Test func `each row has its own state, and one without has none`() throws {
    let events: [ObserverEvent] = [
      .record(a, action(1, "{\"n\":1}")), .record(a, action(2, "{\"n\":2}")),
      .record(a, Record(sequence: 3, kind: .log(.info), name: "hello")),
    ]
    var options = WatchOptions()
    options.json = true
    options.contents = [.state, .payload]
    var session = watch("PrimeTime", options)
    // All are there before the first is printed.
    let told = session.receive(all: [.appeared(a, heartbeat())] + events + [.caughtUp(a)])
    let lines = told.text.suffix(3)
    let states = lines.map { line in
      line.firstRange(of: "\"state\":").map { line[$0.upperBound...].prefix(7) }
    }
    #expect(states == ["{\"n\":1}", "{\"n\":2}", nil])
    #expect(lines.last?.contains("payload") == false)
  }

  @Test func `what is no JSON is text`() throws {
    let record = Record(
      sequence: 1, kind: .action, name: "set",
      payload: Content(type: "application/octet-stream", bytes: [0, 1]),
      state: .keyframe(Content(type: "text/plain", bytes: Array("one \u{1B}[2J".utf8))))
    let line = try #require(filtered("--json --states --payloads", [.record(a, record)]).text.last)
    #expect(line.contains(#""state":"one \u001b[2J""#))
    #expect(line.contains(#""payload":"(2 B of application/octet-stream)""#))
  }

  private struct Missing: Error {}

  @Test func endsAfterSoManyRecordsOrSoMuchTime() {
    var options = WatchOptions()
    options.recordCount = 2
    options.duration = .seconds(9)
    var session = watch("PrimeTime", options)
    let actions = session.receive(all: [
      .appeared(a, heartbeat()), .caughtUp(a), .record(a, action(1)), .record(a, action(2)),
      .record(a, action(3)),
    ])
    #expect(actions.last == .exit(0) && actions.text.count == 3)
    #expect(session.advance(to: .seconds(9)).last == .exit(0))
  }
}
