import SurfObserver
import SurfTerminal
import SurfTimeline
import SurfWire
import TestSupport
import Testing

/// A first word that may name an instance.
@Suite struct ReadingTests {
  private func invocation(_ line: String) throws -> Invocation {
    try ArgumentParser.parse(line.split(separator: " ").map(String.init))
  }

  @Test(
    arguments: [
      ("jump Todo 3", TargetTask.jump(.number(3))), ("back Todo", TargetTask.back(1)),
      ("back Todo 2", TargetTask.back(2)),
      ("show Todo 3", TargetTask.show(ShowOptions(.number(3)))),
      ("diff Todo 3 4", DiffOptions(.number(3), .number(4))),
      ("save Todo f.json", TargetTask.save(.app, to: "f.json")),
      ("load Todo f.json", LoadOptions(path: "f.json")),
      ("skip Todo 3", TargetTask.rewrite(.toggle(.number(3), skipped: true))),
      ("move Todo 3 1", TargetTask.rewrite(.move(.number(3), before: .number(1)))),
      ("lock Todo", TargetTask.rewrite(.lock(true))),
      ("commit Todo --yes", FinalOptions(command: .commit, isSure: true)),
      ("list Todo", ListOptions(json: false, wait: .seconds(1))),
      ("dispatch Todo -", DispatchOptions([])),
    ] as [(String, any Command)])
  func `what makes sense as a name alone is one`(line: String, expected: any Command) throws {
    let invocation = try invocation(line)
    #expect(invocation.command.equals(expected))
    #expect(invocation.common.instance == "Todo" && invocation.named == nil)
    #expect(invocation.common.otherwise?.isEmpty == false)
  }

  @Test(arguments: [
    "show 3", "show tip", "back 3", "jump 12", "show a[0].b", "diff 3 4", "find n over 8",
    "find user.name changed to ada", "find kind:action not changed", "dispatch {\"add\":5}",
    "save f.json", "skip tip~1", "show count -i X", "trace total", "find not milk",
  ])
  func `rows, options, relations and what is written otherwise are no names`(line: String) throws {
    #expect(try invocation(line).named == nil)
  }

  @Test(arguments: ["find becomes changed", "find before count changed", "wait before changed"])
  func `a fault of a query is not blamed on its first word`(line: String) {
    let failure = #expect(throws: Failure.self) { try invocation(line) }
    #expect(failure?.what.contains("changed") == true)
    #expect(failure?.advice == "statesurf help query")
  }

  @Test(arguments: [
    ("show Todo", "show"), ("diff Todo", "diff"), ("find Todo milk", "find milk"),
    ("dispatch Todo clear", "dispatch clear"), ("wait Todo count over 3", "wait count over 3"),
  ])
  func `what makes sense either way has both readings`(line: String, rest: String) throws {
    let both = try invocation(line)
    let named = try #require(both.named)
    #expect(named.name == "Todo" && both.common.instance == nil)
    #expect(named.command.equals(try invocation(rest).command))
  }

  @Test func `a command line without a subcommand is the debugger's on a terminal`() throws {
    let debugger = try #require(Subcommand.named("surf"))
    let surf = try ArgumentParser.parse(["-i", "Todo"], bare: debugger)
    #expect(surf.command is DebuggerOptions && surf.common.instance == "Todo")
    #expect(try ArgumentParser.parse(["-i", "Todo"]).command.equals(Page(Help.overview)))
  }

  private func session() -> Driven<ReadingSession> {
    func show(_ name: String?, _ options: ShowOptions) -> TargetSession {
      TargetSession(.show(options), Invocation.Common(name))
    }
    return Driven(
      ReadingSession(
        "todo", plain: show(nil, ShowOptions(.number(1), form: .raw)),
        named: show("todo", ShowOptions(.tip(before: 0), form: .raw))))
  }

  @Test func `a live instance of that name decides at once`() {
    var session = session()
    #expect(session.receive(.appeared(b, heartbeat("Other", id: 2, newest: 1)), at: .zero) == [])
    let hello = heartbeat("Todo", newest: 2, at: .record(2))
    _ = session.receive(.appeared(a, hello), at: .milliseconds(10))
    let asked = session.advance(to: .milliseconds(400))
    #expect(asked == [.follow(a, .newestState)])
  }

  @Test func `otherwise the words are read without a name once all had time to answer`() {
    var session = session()
    let hello = heartbeat("Other", newest: 2, at: .record(2))
    #expect(session.receive(.appeared(a, hello), at: .milliseconds(10)) == [])
    #expect(session.advance(to: .milliseconds(400)) == [.follow(a, .since(1))])
  }

  @Test func `a failure names both readings`() throws {
    var session = session()
    while session.deadline ?? .seconds(9) < .seconds(5) {
      _ = session.advance(to: try #require(session.deadline))
    }
    let failure = try #require(session.advance(to: .seconds(5)).failure)
    #expect(failure.meaning.hasSuffix("No live instance is named 'todo'."))
    var other = Driven(
      TargetSession(.jump(.number(3)), try invocation("jump Tood 3").common))
    _ = other.receive(.appeared(a, heartbeat("Todo")), at: .zero)
    let named = try #require(other.advance(to: .seconds(5)).failure)
    #expect(named.what == "no instance is named 'Tood'")
    #expect(named.meaning == "Did you mean 'Todo'? Without a name, 'jump' takes no '3'.")
  }

  @Test func `the list may be of one name`() {
    var common = Invocation.Common()
    common.instance = "Todo"
    var session = Driven(ListSession(json: false, wait: .seconds(1), common))
    _ = session.receive(all: [.appeared(a, heartbeat()), .appeared(b, heartbeat("Todo", id: 7))])
    var none = session
    #expect(session.advance(to: .seconds(1)).text.count { $0.contains("PrimeTime") } == 0)
    _ = none.receive(.gone(b, saidGoodbye: true), at: .zero)
    #expect(none.advance(to: .seconds(1)).failure != nil)
  }
}
