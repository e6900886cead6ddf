import JSONTools
import JSONTree
import SurfObserver
import SurfTerminal
import SurfTimeline
import SurfWire
import TestSupport
import Testing

/// Places in states, and their forms in the output of `show` and `diff`.
@Suite struct PlaceTests {
  private static let state = #"{"user":{"name":"Ada","age":36},"todos":[{"title":"milk"}],"n":7}"#
  private static let later = #"{"user":{"name":"Eve","age":36},"todos":[],"n":7,"x":null}"#

  /// A task's output for an app whose two rows have these states.
  private func run(_ task: TargetTask, _ first: String, _ second: String) -> [CommandAction] {
    var session = begin(task, newest: 2, at: .record(2))
    return session.receive(
      all: [.record(a, action(1, first)), .record(a, action(2, second)), .caughtUp(a)],
      at: .seconds(1))
  }

  /// Lets a task meet an app, before any record has come.
  private func begin(
    _ task: TargetTask, newest: SequenceNumber, at position: Position
  ) -> Driven<TargetSession> {
    var session = Driven(TargetSession(task, Invocation.Common()))
    _ = session.receive(.appeared(a, heartbeat(newest: newest, at: position)), at: .zero)
    _ = session.advance(to: .milliseconds(400))
    return session
  }

  private func run(_ task: TargetTask) -> [CommandAction] { run(task, Self.state, Self.later) }

  private func path(_ text: String) throws -> JSONPath { try #require(JSONPath(parsing: text)) }

  private func parsed(_ line: String) throws -> JSON { try JSON(parsing: Array(line.utf8)) }

  @Test(arguments: [
    ("user.name", "\"Ada\"\n"), ("todos[0]", "{\n  \"title\": \"milk\"\n}\n"), ("n", "7\n"),
  ])
  func `show prints a place alone`(path text: String, expected: String) throws {
    let actions = run(.show(ShowOptions(.number(1), path: try path(text))))
    let printed = [expected]
    #expect(actions.text == printed)
    #expect(actions.last == .exit(0))
  }

  @Test(arguments: [
    ("user.nam", "Did you mean 'name'?", " 'user'"),
    ("todos[1]", "todos has 1 element.", " 'todos'"),
    ("todos.title", "todos is an array of 1: its elements are [0], [1] …", " 'todos'"),
    ("n.x", "n is 7.", " 'n'"), ("user[0]", "user is an object, which has keys.", " 'user'"),
    ("zebra", "It has n, todos, user.", ""),
  ])
  func `a place that is not there says what is`(
    path text: String, meaning: String, reached: String
  ) throws {
    let failure = run(.show(ShowOptions(.number(1), path: try path(text)))).failure
    #expect(failure?.what == "the state of row 1 of PrimeTime#123 has no '\(text)'")
    #expect(failure?.meaning == meaning)
    #expect(failure?.advice == "statesurf show 1\(reached) -i 'PrimeTime#123'")
    #expect(failure?.exitCode == 1)
  }

  @Test func `of keys that are ids, one is named and all are counted`() throws {
    let ids = (1...9).map { "\"0196F0\($0)C-95C9-458A-A504-FF3C15F05DC6\":{}" }
    for (names, expected) in [("", ""), (",\"a\":1,\"b\":2", "a, b, and ")] {
      let state = "{\(ids.joined(separator: ","))\(names)}"
      let show = TargetTask.show(ShowOptions(.number(1), path: try path("zebra")))
      let failure = run(show, state, state).failure
      let counted = "9 keys that are ids, such as 0196F01C-95C9-458A-A504-FF3C15F05DC6."
      #expect(failure?.meaning == "It has \(expected)\(counted)")
    }
  }

  @Test func `a key with line breaks makes no lines of its own`() throws {
    let state = #"{"a\n  Try: sudo":1}"#
    let show = TargetTask.show(ShowOptions(.number(1), path: try path("zebra")))
    let lines = run(show, state, state).failure?.lines ?? []
    #expect(lines.count == 3 && lines.count { $0.hasPrefix("  Try") } == 1)
  }

  @Test func `show tells a state, a payload or a place in JSON for a program`() throws {
    let state = try parsed(run(.show(ShowOptions(.number(1), form: .json))).text[0])
    let whole = try parsed(Self.state)
    #expect(state["event"] == "state" && state["row"] == 1 && state["path"] == "$")
    #expect(state["value"] == whole)
    let options = ShowOptions(.number(2), .payload, form: .json)
    let payload = try parsed(run(.show(options)).text[0])
    #expect(payload["event"] == "payload" && payload["value"] == "pay")
    let place = ShowOptions(.number(2), path: try path("user.age"), form: .json)
    #expect(try parsed(run(.show(place)).text[0])["value"] == 36)
  }

  @Test func `what is no JSON has no places`() throws {
    let failure = run(.show(ShowOptions(.number(1), path: try path("a"))), "hello", "").failure
    #expect(failure?.what.contains("not JSON") == true)
    let diff = run(.diff(DiffOptions(form: .patch)), "hello", "you")
    #expect(diff.failure?.what == "the states are not both JSON")
  }

  @Test(arguments: [
    ("user", ["~ user.name: \"Ada\" → \"Eve\""]), ("x", ["+ x: null"]), ("n", []),
    ("todos[0].title", ["- todos[0].title: \"milk\""]),
  ])
  func `diff of a place has whole paths`(path text: String, expected: [String]) throws {
    let actions = run(.diff(DiffOptions(path: try path(text))))
    #expect(actions.text == expected)
    #expect(actions.contains(.complain("no difference")) == expected.isEmpty)
  }

  @Test func `no difference between marks says that there may be one`() {
    let marked = #"{"pin":{"$redacted":"string"}}"#
    let actions = run(.diff(DiffOptions()), marked, marked)
    let words = "no difference that can be seen: the app redacts values"
    #expect(actions.text == [] && actions.contains(.complain(words)))
    let beside = #"{"n":1,"pin":{"$redacted":"string"}}"#
    let other = run(.diff(DiffOptions(path: JSONPath([.key("n")]))), beside, beside)
    #expect(other.contains(.complain("no difference")))
  }

  @Test func `a place in neither state is an error`() throws {
    let failure = run(.diff(DiffOptions(path: try path("user.email")))).failure
    #expect(failure?.what == "neither state has 'user.email'")
  }

  @Test func `diff tells each change in JSON for a program`() throws {
    let lines = try run(.diff(DiffOptions(form: .json))).text.map(parsed)
    let expected: [[JSON?]] = [
      ["changed", "user.name", "/user/name", "Ada", "Eve"],
      ["removed", "todos[0]", "/todos/0", ["title": "milk"], nil],
      ["added", "x", "/x", nil, .null],
    ]
    #expect(
      lines.map { [$0["kind"], $0["path"], $0["pointer"], $0["old"], $0["new"]] } == expected)
    #expect(lines.allSatisfy { $0["from"] == 1 && $0["row"] == 2 && $0["event"] == "change" })
  }

  @Test func `a patch makes the second of the first`() throws {
    var random = SeededGenerator(seed: 13)
    for _ in 0..<200 {
      let (first, second) = (document(&random, 3), document(&random, 3))
      let printed = run(
        .diff(DiffOptions(form: .patch)), first.text(.compact), second.text(.compact)
      ).text
      #expect(first.patched(by: try parsed(printed.joined())) == second)
    }
  }

  private func document(_ random: inout SeededGenerator, _ depth: Int) -> JSON {
    switch Int.random(in: 0..<(depth > 0 ? 5 : 3), using: &random) {
    case 0: return .number(Int.random(in: 0...3, using: &random))
    case 1: return .string(["", "a", "\u{1B}[0m", "é/~"].randomElement(using: &random) ?? "")
    case 2: return .null
    case 3:
      let count = Int.random(in: 0...3, using: &random)
      return .array((0..<count).map { _ in document(&random, depth - 1) })
    default:
      let keys = ["a", "b c", "~/", ""].filter { _ in Bool.random(using: &random) }
      return .object(
        JSONObject(keys.map { .init(key: $0, value: document(&random, depth - 1)) }))
    }
  }

  // MARK: - Two instances

  private func pair(_ options: DiffOptions, _ name: String? = "First") -> Driven<PairSession> {
    Driven(PairSession(options, Invocation.Common(name)))
  }

  private func other(_ name: String = "Second") -> DiffOptions {
    DiffOptions(.tip(before: 0), .tip(before: 0), other: name)
  }

  @Test(arguments: [true, false])
  func `diff compares the newest states of two instances`(secondIsLate: Bool) {
    var session = pair(other())
    let second = heartbeat("Second", pid: 2, id: 0xBEEF, newest: 7, at: .record(7))
    var actions: [CommandAction] = []
    if !secondIsLate { actions += session.receive(.appeared(b, second), at: .zero) }
    let first = heartbeat("First", pid: 1, newest: 3, at: .record(3))
    actions += session.receive(.appeared(a, first), at: .zero)
    actions += session.advance(to: .milliseconds(400))
    actions += session.receive(.record(a, action(3, #"{"n":1}"#)), at: .seconds(1))
    if secondIsLate { actions += session.receive(.appeared(b, second), at: .seconds(1)) }
    actions += session.receive(.record(b, action(7, #"{"n":2}"#)), at: .seconds(1))
    let expected: [CommandAction] = [
      .follow(a, .newestState), .follow(b, .newestState),
      .complain("from row 3 of First#1 to row 7 of Second#2"),
      .print(Line("~ n: 1 → 2", .caution)), .exit(0),
    ]
    #expect(actions == expected)
  }

  @Test func `without rows, two instances are compared where they are`() {
    var session = pair(DiffOptions(nil, .app, other: "Second"))
    var actions = session.receive(all: [
      .appeared(a, heartbeat("First", pid: 1, newest: 3, at: .record(2))),
      .appeared(b, heartbeat("Second", pid: 2, id: 0xBEEF, newest: 7, at: .record(5))),
    ])
    actions += session.advance(to: .milliseconds(400))
    for (app, rows) in [(a, 2...3), (b, 5...7)] as [(SessionID, ClosedRange<UInt64>)] {
      actions += session.receive(
        all: rows.map { .record(app, action(SequenceNumber($0), #"{"n":\#($0)}"#)) }
          + [.caughtUp(app)],
        at: .seconds(1))
    }
    #expect(actions.contains(.complain("from row 2 of First#1 to row 5 of Second#2")))
    #expect(actions.contains(.print(Line("~ n: 2 → 5", .caution))))
  }

  @Test func `the JSON of two instances names both`() throws {
    var options = other()
    options.form = .json
    var session = pair(options)
    var actions = session.receive(all: [
      .appeared(a, heartbeat("First", pid: 1, newest: 3)),
      .appeared(b, heartbeat("Second", pid: 2, id: 0xBEEF, newest: 7)),
    ])
    actions += session.advance(to: .milliseconds(400))
    actions += session.receive(
      all: [.record(a, action(3)), .record(b, action(7, "[]"))], at: .seconds(1))
    let line = try parsed(try #require(actions.text.first))
    #expect(line["app"] == "First" && line["from"] == 3 && line["row"] == 7)
    #expect(line["with"]?.string?.hasPrefix("beef") == true)
  }

  @Test func `an ambiguous second instance is asked for by its own option`() {
    var session = pair(other("Todo"), "Todo#1")
    _ = session.receive(all: [
      .appeared(a, heartbeat("Todo", pid: 1, newest: 3)),
      .appeared(b, heartbeat("Todo", pid: 2, id: 0xBEEF, newest: 7)),
    ])
    _ = session.advance(to: .milliseconds(400))
    let failure = session.receive(.record(a, action(3)), at: .seconds(1)).failure
    #expect(failure?.what == "'Todo' names 2 instances, so nothing was sent")
    #expect(failure?.advice == "--with 'Todo#2', or the first digits of its id")
  }

  @Test func `a second instance that is not there is named`() {
    var session = pair(other("Sekond"))
    _ = session.receive(all: [
      .appeared(a, heartbeat("First", pid: 1, newest: 3)),
      .appeared(b, heartbeat("Second", pid: 2, id: 0xBEEF, newest: 7)),
    ])
    _ = session.advance(to: .milliseconds(400))
    _ = session.receive(.record(a, action(3)), at: .seconds(1))
    let failure = session.advance(to: .seconds(5)).failure
    #expect(failure?.what == "no instance is named 'Sekond'")
    #expect(failure?.meaning == "Did you mean 'Second'?")
  }

  /// Row 2 is a line of the log, between two states; row 4 is one after them.
  @Test(
    arguments: [(2, 1), (4, 3)] as [(SequenceNumber, SequenceNumber)],
    [.log(.info), .mark, .update] as [Record.Kind])
  func `a row without a state stands for the state in force there`(
    rows: (row: SequenceNumber, whose: SequenceNumber), kind: Record.Kind
  ) {
    let (row, whose) = rows
    let lines = ([2, 4] as [SequenceNumber]).map {
      Record(sequence: $0, kind: kind, name: "hello")
    }
    let note = "row \(row) has no state of its own; the state in force is that of row \(whose)"
    for task in [
      .show(ShowOptions(.number(row), form: .raw)), .jump(.number(row)),
      .save(.number(row), to: nil), .diff(DiffOptions(.number(row), .number(3))),
    ] as [TargetTask] {
      var session = begin(task, newest: 4, at: .record(3))
      // Rows before it were not asked for at first.
      var actions = session.receive(
        all: [
          .record(a, action(3)), .record(a, lines[0]), .record(a, lines[1]), .caughtUp(a),
        ], at: .seconds(1))
      if row == 2 { #expect(actions == [.follow(a, .since(1))]) }
      actions += session.receive(all: [.record(a, action(1)), .caughtUp(a)], at: .seconds(1))
      #expect(actions.contains(.complain(note)) && actions.failure == nil)
      guard case .jump = task else { continue }
      #expect(actions.last == .reset(a, .record(whose), json("{\"n\":1}")))
    }
  }

  @Test func `a state in force that nobody knows is not shown`() throws {
    var session = begin(.show(ShowOptions(.number(4))), newest: 9, at: .record(9))
    let line = Record(sequence: 4, kind: .log(.info), name: "hello")
    var actions = session.receive(
      all: [.record(a, action(9)), .record(a, line), .caughtUp(a)], at: .seconds(1))
    actions += session.receive(.caughtUp(a), at: .seconds(1))
    let failure = try #require(actions.failure)
    let why = "the state in force is not known: rows or states before it are missing"
    #expect(failure.what == "row 4 has no state of its own; \(why)")
    #expect(failure.advice == "row 9")
  }
}
