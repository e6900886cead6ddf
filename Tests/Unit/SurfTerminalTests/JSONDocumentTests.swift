import Foundation
import JSONTree
import SurfControl
import SurfObserver
import SurfTerminal
import SurfTimeline
import SurfWire
import TestSupport
import Testing

/// The members that Command.md lists under "Output as JSON" are those that are printed.
@Suite struct JSONDocumentTests {
  private static let common: Set = ["event", "instance", "app", "pid"]

  private struct Members {
    var always: Set<String> = []
    var sometimes: Set<String> = []
  }

  /// By event.
  private static func documented() throws -> [String: Members] {
    let page = try String(
      contentsOf: repositoryRoot.appending(path: "Sources/Command.md"), encoding: .utf8)
    let part = page.split(separator: "\n## ").first { $0.hasPrefix("Output as JSON") }
    var all: [String: Members] = [:]
    for line in try #require(part).split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      let members = Set(words(cells[2]))
      for event in words(cells[1]) {
        if cells[4].isEmpty {
          all[event, default: Members()].always.formUnion(members)
        } else {
          all[event, default: Members()].sometimes.formUnion(members)
        }
      }
    }
    return all
  }

  private static func words(_ cell: String) -> [String] {
    cell.matches(of: #/`([^`]+)`/#).map { String($0.1) }
  }

  private static func commands(_ actions: [CommandAction]) throws -> [JSONObject] {
    try actions.text.flatMap { $0.split(separator: "\n") }.map {
      try #require(try JSON(parsing: Array($0.utf8)).object)
    }
  }

  // MARK: What is printed

  private static let states = [
    #"{"n":1,"user":"ada","gone":1}"#, #"{"n":2,"user":"ada","new":1}"#,
  ]

  private static func rich() throws -> Heartbeat {
    var rich = heartbeat(
      "Todo", pid: 7, id: 0xBEEF, newest: 2, at: .record(2),
      control: [.allCommands, .hasWheel, .driven], realm: try Realm("atelier"))
    rich.introduction = Introduction(
      version: "1.2", identifier: "org.example.todo", system: "Linux", machine: "x86_64",
      library: "1.0")
    return rich
  }

  /// A row of each kind that has members of its own.
  private static let rows: [Record] = [
    action(1, states[0]),
    Record(
      sequence: 2, kind: .action, wallTime: 5, parent: 1, name: "jumped", state: .givenUp,
      grownFrom: GrownFrom(from: .record(1), move: 3)),
    Record(
      sequence: 3, kind: .action, name: "tick", state: .keyframe(json(states[1])), count: 12),
    Record(
      sequence: 4, kind: .log(.error), parent: 3, name: "no", source: "Main.swift:1",
      payload: json("{}")),
    Record(sequence: 5, kind: .log(.error), name: "plain"),
    revision(6, #"{"command":"lock","viewer":"ada","exact":true}"#),
    action(7, states[1]), action(8, states[1]),
    Record(sequence: 9, kind: .update, name: "speed", payload: json("3")),
    Record(sequence: 10, kind: .remove, name: "speed"),
    // A delta without a base.
    Record(
      sequence: 11, kind: .log(.info), name: "late", state: .delta(Content(type: "x", bytes: []))),
  ]

  private static let history: [ObserverEvent] =
    [.appeared(a, heartbeat(newest: 13, at: .record(10)))] + rows.map { .record(a, $0) }
    + [.lost(a, 12...13), .caughtUp(a)]

  private static func asked(_ line: [String]) throws -> [JSONObject] {
    var session = try SurfTerminalTests.history(line)
    return try commands(session.run(history))
  }

  private static func watched() throws -> [JSONObject] {
    var options = WatchOptions()
    options.json = true
    options.contents = [.state, .payload]
    var session = Driven(
      WatchSession(name: nil, options: options, layout: Layout(), showsStatus: false))
    var actions = session.receive(all: [.appeared(b, try rich(), .sealed)])
    actions += session.receive(all: history)
    actions += session.receive(dropped: 3, in: 4...9, of: a, at: .zero)
    for (request, outcome) in [(1, .applied), (2, .applied), (3, .rejected(reason: "no"))]
      as [(UInt64, Outcome.Result)]
    {
      var moved = restored(to: .record(1))
      (moved.request, moved.moveCount, moved.outcome) = (request, WireCount(request), outcome)
      moved.newestRecord = 10
      actions += session.receive(.restored(a, moved), at: .zero)
    }
    actions += session.receive(.gone(a, saidGoodbye: true), at: .zero)
    return try commands(actions + session.advance(to: .seconds(3)))
  }

  private static func listed() throws -> [JSONObject] {
    var session = Driven(
      ListSession(json: true, wait: .seconds(1), Invocation.Common()))
    let actions = session.receive(all: [
      .appeared(a, heartbeat()), .appeared(b, try rich(), .sealed),
    ])
    return try commands(actions + session.advance(to: .seconds(1)))
  }

  private static func logged() throws -> [JSONObject] {
    var options = LogOptions()
    options.json = true
    var session = Driven(LogsSession(options, Invocation.Common("PrimeTime"), Layout()))
    return try commands(session.receive(all: history) + session.advance(to: .seconds(9)))
  }

  private static func valued() throws -> [JSONObject] {
    var options = ValueOptions()
    (options.json, options.follows) = (true, true)
    var session = Driven(ValuesSession(options, Invocation.Common("PrimeTime"), Layout()))
    var actions = session.receive(all: [
      .appeared(a, heartbeat(newest: 8)), .values(a, .asked),
      .values(a, .complete(horizon: 100, leftOut: 0)),
    ])
    actions += session.advance(to: .seconds(1))
    actions += session.receive(all: rows.map { .record(a, $0) }, at: .seconds(2))
    return try commands(actions)
  }

  private static func shown(_ task: TargetTask) throws -> [JSONObject] {
    var session = Driven(TargetSession(task, Invocation.Common()))
    let actions =
      session.receive(all: Array(history.prefix(1)))
      + session.advance(to: .milliseconds(400))
      + session.receive(all: Array(history.dropFirst()), at: .milliseconds(500))
    return try commands(actions)
  }

  private static func compared() throws -> [JSONObject] {
    let options = DiffOptions(
      .number(1), .number(1), form: .json, other: "Todo")
    var common = Invocation.Common()
    common.instance = "PrimeTime"
    var session = Driven(PairSession(options, common))
    var actions = session.receive(all: [
      .appeared(a, heartbeat(newest: 1)), .appeared(b, try rich()),
    ])
    actions += session.advance(to: .milliseconds(400))
    actions += session.receive(
      all: [.record(a, action(1, states[0])), .caughtUp(a)], at: .milliseconds(500))
    actions += session.advance(to: .milliseconds(900))
    actions += session.receive(
      all: [.record(b, action(1, states[1])), .caughtUp(b)], at: .seconds(1))
    return try commands(actions)
  }

  @Test func `every member that is printed is documented, and the other way around`() throws {
    let documented = try Self.documented()
    let form = ShowOptions.Form.json
    let printed =
      try Self.watched() + Self.listed() + Self.logged() + Self.valued()
      + Self.asked(["find", "row:1..", "--json", "--show", "n"])
      + Self.asked(["trace", "n", "--json"]) + Self.asked(["trace", "gone", "--json"])
      + Self.asked(["trace", "new", "--json"])
      + Self.asked(["report", "--json"])
      + Self.shown(.show(ShowOptions(.number(1), form: form)))
      + Self.shown(.show(ShowOptions(.number(0), form: form)))
      + Self.shown(.show(ShowOptions(.number(1), .payload, form: form)))
      + Self.shown(.diff(DiffOptions(.number(1), .number(3), form: .json))) + Self.compared()
    let lines = Dictionary(grouping: printed) { $0["event"]?.string ?? "" }
    #expect(Set(lines.keys) == Set(documented.keys))
    for (event, members) in documented {
      let keys = (lines[event] ?? []).map { Set($0.members.map(\.key)) }
      let all = keys.reduce(into: Set()) { $0.formUnion($1) }
      let wanted = members.always.union(members.sometimes).union(Self.common)
      #expect(all.subtracting(wanted) == [], "\(event) prints what is not documented")
      #expect(wanted.subtracting(all) == [], "\(event) does not print what is documented")
      for line in keys {
        #expect(members.always.union(Self.common).isSubset(of: line), "\(event): \(line)")
      }
      #expect(members.always.isDisjoint(with: members.sometimes))
    }
  }
}
