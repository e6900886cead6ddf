import SurfObserver
import SurfTerminal
import SurfWire
import Testing

@Suite struct ReportTests {
  /// Increments, then sets the same twice, logs an error, and loses a row.
  private let history: [ObserverEvent] =
    [.appeared(a, heartbeat(newest: 6))]
    + [
      action(1), action(2, "{\"n\":22}"), action(3, "{\"n\":5}", name: "set(5)"),
      action(4, "{\"n\":5}", name: "set(5)"), Record(sequence: 5, kind: .log(.error), name: "no"),
      action(7, name: "set(6)"),
    ].map { .record(a, $0) } + [.lost(a, 6...6), .caughtUp(a)]

  private func run(
    _ line: [String], columns: Int? = nil, _ events: [ObserverEvent]? = nil
  ) throws -> [CommandAction] {
    var layout = Layout()
    layout.columns = columns
    var session = try SurfTerminalTests.history(line, layout: layout)
    return session.run(events ?? history)
  }

  private let table = [
    "ACTION         COUNT  NO CHANGE  ERRORS      GROWTH  PAYLOADS     AFTER",
    "set                3          1       1        -1 B      15 B      0 ns",
    "increment          2          0       0        +1 B      10 B      0 ns",
    "", "IN A ROW", "   2 × set(5)  rows 3–4, 1 changed nothing",
    "   2 × increment  rows 1–2", "",
    "rows missing: 1; not known whether they changed the state: 2 actions",
  ]

  @Test func `a table counts what each action did, and sequences follow`() throws {
    let actions = try run(["report"])
    #expect(actions.text == table && actions.last == .exit(0))
  }

  @Test(arguments: [true, false])
  func `the initial state is asked for, and tells what the first action did`(answers: Bool) throws {
    var session = try SurfTerminalTests.history(["report"])
    let heard = heartbeat(newest: 1, control: [.takesCommands])
    var actions = session.receive(.appeared(a, heard), at: .zero)
    actions += session.advance(to: .milliseconds(400))
    let first = Record(
      sequence: 1, kind: .action, name: "add", state: .keyframe(json("{\"n\":40}")),
      grownFrom: GrownFrom(from: .initial))
    actions += session.receive(all: [.record(a, first), .caughtUp(a)], at: .milliseconds(500))
    while let deadline = session.deadline, deadline < .seconds(1) {
      actions += session.advance(to: deadline)
    }
    #expect(actions.contains(.command(a, Array(#"{"command":"describe"}"#.utf8))))
    let told = #"{"command":"describe","viewer":"ada","initial":{"n":0}}"#
    actions =
      answers
      ? session.receive(.record(a, revision(2, told)), at: .seconds(1))
      : session.receive(.answered(.rejected(reason: "what?"), .record(1)), at: .seconds(1))
    while let deadline = session.deadline { actions += session.advance(to: deadline) }
    let growth = actions.text.dropFirst().first?.contains("+1 B")
    #expect(growth == answers && actions.last == .exit(0))
    let unknown = "not known whether it changed the state: 1 action"
    #expect(actions.text.contains(unknown) != answers)
  }

  @Test func `programs get a line for each`() throws {
    let lines = try run(["report", "--json"]).text
    #expect(lines.count == 5)
    let tally =
      #""count":3,"errors":1,"event":"tally","growth":-1,"instance":"cafe"#
      + #"0000000000000000000000000001","interval":0,"name":"set","payloadSize":15,"pid":123,"#
      + #""unchanged":1,"unknown":1}"#
    #expect(lines[0] == #"{"app":"PrimeTime","# + tally + "\n")
    let sequence = #""actions":[{"name":"set(5)","payload":"pay"}],"app":"PrimeTime","count":2,"#
    #expect(lines[2].contains(sequence))
    #expect(lines[2].contains(#""from":3,"#) && lines[2].contains(#""kind":"repetition""#))
    #expect(lines[4].contains(#""event":"report""#) && lines[4].contains(#""missing":1"#))
  }

  @Test(arguments: [13, 20, 40, 60, 80, 200])
  func `the table fits the terminal`(width: Int) throws {
    let name = String(repeating: "界", count: 90)
    let more = (8...60 as ClosedRange<SequenceNumber>).map {
      ObserverEvent.record(a, action($0, name: "\(name)\($0.rawValue % 40)"))
    }
    let actions = try run(["report"], columns: width, history + more)
    let isFitting = actions.text.allSatisfy { columns($0) <= width }
    #expect(isFitting && !actions.text.isEmpty)
  }

  @Test func `a terminal has as much as a person reads, and says what it leaves out`() throws {
    let more = (8...71 as ClosedRange<SequenceNumber>).map {
      ObserverEvent.record(a, action($0, name: "act\($0.rawValue / 2)"))
    }
    let events = Array(history.dropLast(1)) + more + [.caughtUp(a)]
    let lines = try run(["report"], columns: 80, events).text
    #expect(lines.count == 30 + 2 + 2 + 10 + 1 + 2)
    let isTold = lines.contains { $0.hasPrefix("… and 24 more sequences") }
    #expect(isTold && lines[31] == "… and 4 more names; a pipe has all")
    #expect(try run(["report"], events).text.count == 34 + 34 + 5)
  }

  @Test func `without an action there is nothing to count`() throws {
    let log = Record(sequence: 1, kind: .log(.info), name: "hello")
    let actions = try run(
      ["report"], [.appeared(a, heartbeat(newest: 1)), .record(a, log), .caughtUp(a)])
    #expect(actions.text.last == "no actions" && actions.last == .exit(1))
  }

  @Test func `an instance may be named`() throws {
    let invocation = try ArgumentParser.parse(["report", "Todo", "--json"])
    #expect(invocation.command.equals(ReportOptions(json: true)))
    #expect(invocation.common.instance == "Todo")
  }
}
