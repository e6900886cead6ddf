import Foundation
import SurfObserver
import SurfQuery
import SurfTerminal
import SurfTimeline
import SurfWire
import TestSupport
import Testing

@Suite struct FindCommandTests {
  /// Counts to ten, and then loses a row.
  private let history: [ObserverEvent] =
    [.appeared(a, heartbeat(newest: 12))]
    + (1...10 as ClosedRange<SequenceNumber>).map {
      .record(a, action($0, "{\"n\":\($0.rawValue),\"user\":{\"name\":\"ada\"}}"))
    } + [
      .lost(a, 11...11), .record(a, action(12, "{\"n\":20}", name: "leap")), .caughtUp(a),
    ]

  private func run(_ line: [String], _ events: [ObserverEvent]? = nil) throws -> [CommandAction] {
    var session = try SurfTerminalTests.history(line)
    return session.run(events ?? history)
  }

  @Test func `the rows are printed, the oldest first`() throws {
    let actions = try run(["find", "n", "over", "8"])
    #expect(actions.text.map { $0.split(separator: " ")[1] } == ["9", "10", "12"])
    #expect(actions.last == .exit(0))
  }

  @Test func `if there is none, the exit code tells`() throws {
    let actions = try run(["find", "n", "over", "80"])
    #expect(actions.text == [] && actions.last == .exit(1))
  }

  @Test(arguments: [
    (["--first"], ["9"]), (["--last"], ["12"]), (["--first", "2"], ["9", "10"]),
    (["--last=2"], ["10", "12"]), (["--last", "9"], ["9", "10", "12"]),
  ])
  func `some can be picked, in the order of time`(option: [String], rows: [String]) throws {
    let actions = try run(["find", "n over 8"] + option)
    #expect(actions.text.map { String($0.split(separator: " ")[1]) } == rows)
    #expect(actions.last == .exit(0))
  }

  private func begin(_ session: inout Driven<HistorySession>) -> [CommandAction] {
    session.receive(all: Array(history.prefix(1))) + session.advance(to: .milliseconds(400))
      + session.receive(all: Array(history.dropFirst()), at: .milliseconds(500))
  }

  @Test(arguments: [
    (["find", "n over 8"], [["12"], ["13"]]), (["find", "n over 8", "--last"], [["12"], ["13"]]),
    (["trace", "n", "--last"], [["12"], ["13"]]),
  ])
  func `what is new is followed`(line: [String], expected: [[String]]) throws {
    var session = try SurfTerminalTests.history(line + ["--follow", "--for", "9"])
    var actions = begin(&session)
    while let deadline = session.deadline, deadline < .seconds(9) {
      actions += session.advance(to: deadline)
    }
    func last(_ actions: [CommandAction]) -> [String] {
      let fields = actions.text.map { $0.split(separator: " ") }
      return fields.suffix(1).map { String(line[0] == "find" ? $0[1] : $0[0]) }
    }
    #expect(last(actions) == expected[0])
    #expect(!actions.contains { if case .exit = $0 { true } else { false } })
    _ = session.receive(.record(a, action(13, "{\"n\":21}")), at: .seconds(2))
    #expect(last(session.advance(to: .seconds(2))) == expected[1])
    #expect(session.deadline == .seconds(9))
    let nothing = session.receive(.record(a, action(14, "{\"n\":1}")), at: .seconds(9))
    #expect(nothing == [])
    #expect(session.advance(to: .seconds(9)).last == .exit(0))
  }

  @Test func `a report that follows counts anew once rows have come, and not more often`() throws {
    var session = try SurfTerminalTests.history(["report", "--follow", "--json"])
    var actions = begin(&session)
    while let deadline = session.deadline { actions += session.advance(to: deadline) }
    #expect(actions.text.count { $0.contains(#""event":"report""#) } == 1)
    for number in 13...20 as ClosedRange<SequenceNumber> {
      _ = session.receive(.record(a, action(number)), at: .seconds(2))
    }
    actions = []
    while let deadline = session.deadline {
      actions += session.advance(to: max(deadline, .seconds(2)))
    }
    #expect(actions.text.count { $0.contains(#""event":"report""#) } == 1)
    #expect(
      actions.text.contains { $0.contains(#""name":"increment""#) && $0.contains(#""count":18"#) })
    let end = session.receive(.gone(a, saidGoodbye: true), at: .seconds(4))
    #expect(end.last == .exit(0))
  }

  @Test func `they can be counted`() throws {
    let actions = try run(["find", "name:increment", "--count"])
    #expect(actions.text == ["10"])
    let json = try run(["find", "name:increment", "--count", "--json"])
    #expect(json.text == ["{\"count\":10}\n"])
    let none = try run(["find", "name:decrement", "--count"])
    #expect(none.text == ["0"] && none.last == .exit(1))
  }

  @Test func `what stands at places is shown`() throws {
    let actions = try run(["find", "row:9,12", "--show", "n,user.name,before.n,gone"])
    #expect(
      actions.text.filter { $0.hasPrefix("    ") } == [
        "    n: 9", "    user.name: \"ada\"", "    before.n: 8", "    n: 20", "    before.n: ?",
      ])
    let json = try run(["find", "row:9", "--show", "n", "--json"])
    #expect(json.text.first?.contains(#""shown":{"n":9}"#) == true)
  }

  /// The app may have set the pin in each row.
  @Test(arguments: [
    ["find", "pin", "changed"], ["find", "user", "changed"], ["trace", "pin"], ["trace", "user"],
  ])
  func `a redacted place is named, because its changes cannot be seen`(line: [String]) throws {
    let mark = #"{"$redacted":"string"}"#
    let events: [ObserverEvent] =
      [.appeared(a, heartbeat(newest: 3))]
      + (1...3 as ClosedRange<SequenceNumber>).map {
        .record(a, action($0, #"{"n":\#($0.rawValue),"pin":\#(mark),"user":{"token":\#(mark)}}"#))
      } + [.caughtUp(a)]
    let words = "the app redacts \(line[1]), or a part of it: its changes cannot be seen here"
    #expect(try run(line, events).contains(.complain(words)))
    #expect(try !run(["find", "n", "over", "80"], events).contains(.complain(words)))
  }

  @Test func `a state with a redacted part is not called unchanged`() throws {
    let state = #"{"n":1,"pin":{"$redacted":"string"}}"#
    let events: [ObserverEvent] =
      [.appeared(a, heartbeat(newest: 3))]
      + (1...3 as ClosedRange<SequenceNumber>).map { .record(a, action($0, state)) }
      + [.caughtUp(a)]
    let actions = try run(["find", "kind:action not changed"], events)
    let words = "some rows were left out: their states differ in what the app redacts, or not"
    #expect(actions.text == [] && actions.contains(.complain(words)))
    let shown: [ObserverEvent] =
      [.appeared(a, heartbeat(newest: 3))]
      + (1...3 as ClosedRange<SequenceNumber>).map { .record(a, action($0, "{\"n\":1}")) }
      + [.caughtUp(a)]
    #expect(try run(["find", "kind:action not changed"], shown).text.count == 2)
  }

  @Test(arguments: [
    #"{"user":{"$redacted":"object"}}"#, #"{"user":{"name":{"$redacted":"string"}}}"#,
  ])
  func `a place within a mark is redacted, not absent`(state: String) throws {
    let events: [ObserverEvent] = [
      .appeared(a, heartbeat(newest: 2)), .record(a, action(1, state)),
      .record(a, action(2, state)), .caughtUp(a),
    ]
    let words = "the app redacts user.name, or a part of it: its changes cannot be seen here"
    #expect(try run(["find", "user.name", "changed"], events).contains(.complain(words)))
  }

  @Test func `rows of which nobody knows what they grew from are left out, and it says so`() throws
  {
    let actions = try run(["find", "n", "changed", "--last"])
    #expect(actions.text.first?.contains(" 10 ") == true && actions.text.count == 1)
    let warning = "some rows were left out: a state that the query asks about is not here"
    #expect(actions.contains(.complain(warning)))
    let complete = try run(["find", "n", "is", "3"])
    #expect(!complete.contains(.complain(warning)))
  }

  @Test func `what was cut short is told on standard error`() throws {
    let long = String(repeating: "x", count: 70_000)
    let events: [ObserverEvent] = [
      .appeared(a, heartbeat(newest: 1)), .record(a, action(1, "{\"n\":\"\(long)\"}")),
      .caughtUp(a),
    ]
    let actions = try run(["find", "n", "matches", "y$"], events)
    let warning = "some texts are too long for the pattern: they count as not found"
    #expect(actions.contains(.complain(warning)) && actions.last == .exit(1))
  }

  @Test func `an app that does not send its rows is told`() throws {
    let actions = try run(["find", "n exists"], [.appeared(a, heartbeat(newest: 5))])
    #expect(actions.failure?.exitCode == 2)
  }

  @Test func `an app that goes has told all that it will`() throws {
    let actions = try run(
      ["find", "n exists"],
      [
        .appeared(a, heartbeat(newest: 5)), .record(a, action(1)), .gone(a, saidGoodbye: true),
      ])
    #expect(actions.text.count == 1 && actions.last == .exit(0))
  }

  @Test func `a negative number is a value`() throws {
    let query = try Query("n over -3.2")
    let words = ["find", "n", "over", "-3.2", "--count"]
    #expect((try ArgumentParser.parse(words).command as? FindOptions)?.query == query)
  }

  @Test func `a trace says which row a write grew from, as a list of rows does`() throws {
    let records = [action(1), action(2, "{\"n\":2}")].map { ObserverEvent.record(a, $0) }
    let future = Record(
      sequence: 3, kind: .action, name: "add", state: .keyframe(json("{\"n\":3}")),
      grownFrom: GrownFrom(from: .record(1)))
    let lines = try run(
      ["trace", "n", "--last"],
      [.appeared(a, heartbeat(newest: 3))] + records + [.record(a, future), .caughtUp(a)]
    ).text
    #expect(lines == ["     3  1 → 3  add from row 1"])
  }

  @Test func `a trace has a line for each write`() throws {
    let actions = try run(["trace", "user.name"])
    #expect(
      actions.text == [
        "     1  ? → \"ada\"  increment  Counter.swift:7",
        "    12  ? → –  leap ←11  Counter.swift:7",
      ])
    #expect(actions.last == .exit(0))
    let several = try run(["trace", "user.*"])
    #expect(several.text.first == "     1  user.name: ? → \"ada\"  increment  Counter.swift:7")
    let json = try run(["trace", "n", "--json"])
    #expect(json.text.count == 11)
    #expect(json.text.last?.contains(#""doubtful":true,"event":"write""#) == true)
    #expect(json.text.last?.contains(#""new":20,"path":"n""#) == true)
  }

  /// An app that takes commands. Its second row writes `n`; its first row may.
  private func met(_ line: [String], _ more: [ObserverEvent] = []) throws -> (
    session: Driven<HistorySession>, actions: [CommandAction]
  ) {
    var session = try SurfTerminalTests.history(line)
    _ = session.receive(
      .appeared(a, heartbeat(newest: 2, control: .takesCommands)), at: .zero)
    _ = session.advance(to: .milliseconds(400))
    let rows = [action(1, "{\"n\":0}"), action(2, "{\"n\":2}")].map { ObserverEvent.record(a, $0) }
    var actions = session.receive(all: rows, at: .milliseconds(500))
    // Another row may tell it as long as more may come.
    actions += session.advance(to: .milliseconds(500))
    #expect(actions.text == [])
    actions += session.receive(all: more + [.caughtUp(a)], at: .milliseconds(500))
    while let deadline = session.deadline, deadline <= .milliseconds(500) {
      actions += session.advance(to: deadline)
    }
    return (session, actions)
  }

  private static let question = CommandAction.command(a, Array(#"{"command":"describe"}"#.utf8))

  private static func told(_ n: Int) -> ObserverEvent {
    .record(a, revision(3, #"{"command":"describe","viewer":"ada","initial":{"n":\#(n)}}"#))
  }

  @Test(arguments: [["trace", "n"], ["trace", "n", "--last", "2"]], [0, 7, nil])
  func `what only the initial state tells is asked of the app`(line: [String], n: Int?) throws {
    var (session, actions) = try met(line)
    #expect(actions.filter { $0 == Self.question }.count == 1 && actions.text == [])
    actions =
      n.map { session.receive(Self.told($0), at: .seconds(1)) }
      ?? session.receive(.answered(.rejected(reason: "what?"), .record(2)), at: .seconds(1))
    while let deadline = session.deadline { actions += session.advance(to: deadline) }
    let first =
      n == 0 ? [] : ["     1  \(n.map(String.init) ?? "?") → 0  increment  Counter.swift:7"]
    #expect(actions.text == first + ["     2  0 → 2  increment ←1  Counter.swift:7"])
    #expect(!actions.contains(Self.question) && actions.last == .exit(0))
  }

  @Test(
    arguments: [
      (["find", "n changed"], [1, 2]), (["find", "n changed", "--last", "5"], [1, 2]),
      (["find", "n changed", "--first"], [1]), (["find", "not n changed"], []),
      (["find", "before.n is 7"], [1]),
    ], [true, false])
  func `find asks for the initial state, too, or says what it left out`(
    asked: (line: [String], rows: [Int]), answers: Bool
  ) throws {
    var (session, actions) = try met(asked.line)
    #expect(actions.filter { $0 == Self.question }.count == 1)
    actions +=
      answers
      ? session.receive(Self.told(7), at: .seconds(1))
      : session.receive(.answered(.rejected(reason: "what?"), .record(2)), at: .seconds(1))
    while let deadline = session.deadline { actions += session.advance(to: deadline) }
    let rows = actions.text.compactMap { $0.split(separator: " ").dropFirst().first }
    let isFirst = asked.line.last == "--first"
    let known = answers ? asked.rows : isFirst ? [2] : asked.rows.filter { $0 > 1 }
    #expect(rows.compactMap { Int($0) } == known)
    let notes = actions.compactMap { if case .complain(let text) = $0 { text } else { nil } }
    let leftOut = notes.filter { $0.hasPrefix("rows right after the initial state were left out") }
    #expect(leftOut.count == (answers ? 0 : 1))
  }

  @Test func `the number of found rows waits for the initial state`() throws {
    var (session, actions) = try met(["find", "n changed", "--count"])
    #expect(actions.text == [])
    actions = session.receive(Self.told(7), at: .seconds(1))
    while let deadline = session.deadline { actions += session.advance(to: deadline) }
    #expect(actions.text == ["2"])
  }

  @Test(arguments: [
    ("n over user.name", ["user.name"]), ("n is \"user.@count\"", ["user.@count"]),
    ("n is not [user]", []), ("n over user.nam", []), ("user.name is ada", []),
    ("n over user and user.age is n", ["user", "n"]),
  ])
  func `a text that is a path is asked about if no row is found`(
    query: String, texts: [String]
  ) throws {
    let actions = try findInOneRow(query)
    let notes = actions.compactMap { (action) -> String? in
      if case .complain(let text) = action, text.contains("as a text") { text } else { nil }
    }
    let isFound = query.hasPrefix("n is not") || query.hasPrefix("user.name")
    #expect(isFound == (actions.last == .exit(0)))
    #expect(
      notes == texts.map { "'\($0)' is compared as a text. Did you mean 'state.\($0)'?" })
  }

  @Test(arguments: [
    ("skipped", true), ("\"skipped row 1 by ada\"", true), ("\"skip row 1 by ada\"", true),
    ("unskipped", false),
  ])
  func `a rewrite is found by its name and by what the debugger shows`(
    query: String, isFound: Bool
  ) throws {
    let events: [ObserverEvent] = [
      .appeared(a, heartbeat(newest: 2)), .record(a, action(1)), .record(a, revision(2, "{}")),
      .caughtUp(a),
    ]
    #expect(try run(["find", query], events).text.count == (isFound ? 1 : 0))
  }

  @Test(
    arguments: [
      ("name is add", "'name' is a place here. Did you mean 'name:add'?"),
      ("row over 5", "'row' is a place here. Did you mean 'row:…'?"),
      (
        "state has needle",
        "'needle' is looked for among the keys of the whole state. '..KEY has needle' looks at"
          + " each KEY."
      ),
      (
        "needle",
        "'needle' is looked for in names and payloads. '..KEY has needle' looks in states, at each"
          + " KEY."
      ),
      ("n is 99", nil), ("increment", nil), ("user.name is add", nil),
    ] as [(String, String?)])
  func `a query that finds nothing says how states and rows are asked about`(
    query: String, note: String?
  ) throws {
    let actions = try findInOneRow(query)
    let notes = actions.compactMap { (action) -> String? in
      if case .complain(let text) = action, text.contains("KEY") || text.contains("a place here") {
        text
      } else {
        nil
      }
    }
    #expect(notes == [note].compactMap(\.self))
  }

  @Test func `the initial state is not asked for if the answer needs none, or a row tells it`()
    throws
  {
    for (line, more) in [
      (["trace", "n", "--last"], []), (["trace", "gone"], []), (["trace", "n"], [Self.told(0)]),
      (["trace", "n", "--last", "2"], [Self.told(0)]),
    ] {
      let (_, actions) = try met(line, more)
      #expect(!actions.contains(Self.question), "\(line)")
      #expect(actions.contains { if case .exit = $0 { true } else { false } }, "\(line)")
    }
  }

  @Test func `a place that nobody wrote is told by the exit code`() throws {
    let actions = try run(["trace", "gone"])
    #expect(actions.text == [] && actions.last == .exit(1))
  }

  @Test(arguments: [
    (["find"], "'find' needs a query"), (["trace"], "'trace' needs a path"),
    (["trace", "1", "b"], "'trace' takes no 'b'"),
    (["find", "a", "--first", "--last"], "'--first' and '--last' exclude each other"),
    (["find", "kinds:action"], "column 1: unknown field 'kinds:'"),
    (["find", "count", "over"], "column 11: expected a value"),
    (["find", "a", "--show", "x,("], "column 1: expected a path, not '('"),
    (["trace", "a["], "column 2: '[' is never closed"),
  ])
  func `misuse is told`(words: [String], what: String) {
    let failure = #expect(throws: Failure.self) { try ArgumentParser.parse(words) }
    #expect(failure?.what == what && failure?.exitCode == 64)
  }

  @Test func `a mark shows where a query is wrong`() {
    let failure = #expect(throws: Failure.self) {
      try ArgumentParser.parse(["find", "count", "over", "1", "kinds:action"])
    }
    #expect(
      failure?.lines == [
        "statesurf: column 14: unknown field 'kinds:'", "  count over 1 kinds:action",
        "               ^", "  Did you mean 'kind:'?", "  Try: statesurf help query",
      ])
  }

  @Test(arguments: [
    (["changed", "n"], true), (["changed n"], true), (["not", "changed", "till"], true),
    (["changed", "till"], true), (["changed", "increment"], false), (["n", "changed"], false),
    (["milk"], false),
  ])
  func `a place behind a lone 'changed' is asked about`(words: [String], isAsked: Bool) throws {
    let notes = try run(["find"] + words).compactMap {
      if case .complain(let text) = $0 { text } else { nil }
    }
    let asked = notes.filter {
      $0.contains("Did you mean '\(words.last?.split(separator: " ").last ?? "") changed'?")
    }
    #expect(asked.count == (isAsked ? 1 : 0), "\(notes)")
  }

  @Test(arguments: [
    (["state", "contains", "Needle"], ["'contains' is searched for as text. Did you mean 'has'?"]),
    (["..title contains Needle"], ["'contains' is searched for as text. Did you mean 'has'?"]),
    (
      ["not", "n", "Equals", "all"], ["'Equals' is searched for as text. Did you mean 'is'?"]
    ),
    (
      ["n gt 4 and becomes user.name startsWith a"],
      [
        "'gt' is searched for as text. Did you mean 'over'?",
        "'startsWith' is searched for as text. Did you mean 'starts'?",
      ]
    ),
    (["contains"], []), (["n over 80 like"], []), (["increment or n contains 1"], []),
  ])
  func `another language's relation is asked about if no row is found`(
    words: [String], expected: [String]
  ) throws {
    let notes = try run(["find"] + words).compactMap {
      if case .complain(let text) = $0, text.contains("searched for") { text } else { nil }
    }
    #expect(notes == expected)
  }

  private func findInOneRow(_ query: String) throws -> [CommandAction] {
    try run(
      ["find", query],
      [
        .appeared(a, heartbeat(newest: 1)),
        .record(a, action(1, #"{"n":1,"user":{"name":"ada"}}"#)), .caughtUp(a),
      ])
  }

  @Test func `a query keeps the boundaries of its words`() throws {
    let find = try ArgumentParser.parse(["find", "n", "is", "a b"]).command as? FindOptions
    #expect(find?.query.description == "n is \"a b\"")
    let whole = try ArgumentParser.parse(["find", "--", "-by:ada"]).command as? FindOptions
    #expect(whole?.query.description == "not by:ada")
  }

  @Test func `help explains the language`() throws {
    let page = try ArgumentParser.parse(["help", "query"]).command
    #expect(page.equals(Page(QueryHelp.lines)))
    let find = try #require(Subcommand.named("find"))
    #expect(try ArgumentParser.parse(["help", "find"]).command.equals(Page(Help.page(find))))
    #expect(QueryHelp.lines.allSatisfy { columns($0) <= 80 })
  }

  @Test(arguments: QueryHelp.examples.map(\.query))
  func `every example of the language runs`(text: String) throws {
    let words = text.split(separator: " ").map(String.init)
    let actions = try run(["find", "--"] + words)
    #expect(actions.failure == nil && [.exit(0), .exit(1)].contains(actions.last))
  }

  @Test func `every question of the page has an answer`() throws {
    let page = repositoryRoot.appending(path: "Sources/Query.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let lines = text.matches(of: #/\| `find ([^`]+)` \|/#).map { String($0.1) }
    #expect(lines.count == 12)
    for line in lines {
      let quoted = line.split(separator: "'").map(String.init)
      let words = line.contains("'") ? [quoted[0]] : line.split(separator: " ").map(String.init)
      let actions = try run(["find"] + words)
      #expect(actions.failure == nil && !actions.isEmpty, "\(line)")
    }
  }

  /// The words that the page explains are those that the parser knows.
  @Test func `the page has every word of the language`() {
    let page = QueryHelp.lines.joined(separator: "\n")
    for field in QueryField.allCases { #expect(page.contains("\(field.rawValue):")) }
    for vocabulary in [QueryVocabulary.kind, .type, .aggregate] {
      for word in vocabulary.words { #expect(page.contains(word)) }
    }
    for comparison in QueryRelation.Comparison.allCases {
      #expect(page.contains(comparison.rawValue))
    }
  }
}
