import SurfObserver
import SurfTerminal
import SurfTimeline
import SurfWire
import Testing

@Suite struct WaitTests {
  /// A wait for an app at row 4. This row is a log line, and arrives before row 3.
  private func wait(_ words: String...) throws -> Driven<WaitSession> {
    let command = try ArgumentParser.parse(["wait"] + words).command
    let options = try #require(command as? WaitOptions)
    var session = Driven(
      WaitSession(
        options, Invocation.Common(), Layout()))
    var actions = session.receive(
      .appeared(a, heartbeat(newest: 4, at: .record(3), control: [.takesCommands])), at: .zero)
    actions += session.advance(to: .milliseconds(400))
    #expect(actions == [.follow(a, .newestState)])
    let log = Record(sequence: 4, kind: .log(.info), name: "increment")
    #expect(value(told(&session, log, action(3))) == [])
    return session
  }

  private func begin(_ session: inout Driven<WaitSession>) -> [CommandAction] {
    session.receive(.caughtUp(a), at: .milliseconds(500))
  }

  private func told(
    _ session: inout Driven<WaitSession>, _ records: Record..., at now: Duration = .seconds(1)
  ) -> [CommandAction] {
    records.flatMap { session.receive(.record(a, $0), at: now) }
  }

  @Test func `the row is told, with its old and new values`() throws {
    var session = try wait("becomes", "n", "over", "2")
    #expect(value(begin(&session)) == [])
    #expect(value(told(&session, action(5, "{\"n\":2}"))) == [])
    let actions = told(&session, action(6, "{\"n\":7}"))
    #expect(actions.text.first?.contains("   6  action  increment") == true)
    #expect(actions.text.dropFirst() == ["    n: 2 → 7"] && actions.last == .exit(0))
    #expect(value(told(&session, action(7, "{\"n\":9}"))) == [])
  }

  @Test func `another language's relation is asked about before the wait`() throws {
    let command = try ArgumentParser.parse(["wait", "n", "eq", "5"]).command
    var session = Driven(
      WaitSession(try #require(command as? WaitOptions), Invocation.Common(), Layout()))
    _ = session.receive(.appeared(a, heartbeat(newest: 4)), at: .zero)
    #expect(
      session.advance(to: .milliseconds(400)) == [
        .complain("'eq' is searched for as text. Did you mean 'is'?"), .follow(a, .newestState),
      ])
  }

  @Test func `what is so already is not waited for`() throws {
    var session = try wait("n", "is", "1")
    #expect(value(begin(&session)).last == .exit(0))
  }

  /// Row 3 is where it was before somebody moved it to row 2.
  @Test(arguments: [("n is 2", true), ("n is 1", false)])
  func `only where the app is counts as now`(query: String, isNow: Bool) throws {
    let command = try ArgumentParser.parse(["wait", query]).command
    var session = Driven(
      WaitSession(try #require(command as? WaitOptions), Invocation.Common(), Layout()))
    _ = session.receive(.appeared(a, heartbeat(newest: 3, at: .record(2))), at: .zero)
    _ = session.advance(to: .milliseconds(400))
    #expect(value(told(&session, action(3))) == [])
    #expect(begin(&session) == [.follow(a, .since(2))])
    #expect(value(told(&session, action(2, "{\"n\":2}"))) == [])
    #expect(begin(&session).contains(.exit(0)) == isNow)
    #expect(told(&session, action(4)).contains(.exit(0)) != isNow)
  }

  /// Row 2 was asked for, and has not come when the app goes.
  @Test func `a later row that matches counts though the present one is not here`() throws {
    let command = try ArgumentParser.parse(["wait", "n is 7"]).command
    var session = Driven(
      WaitSession(try #require(command as? WaitOptions), Invocation.Common(), Layout()))
    _ = session.receive(.appeared(a, heartbeat(newest: 3, at: .record(2))), at: .zero)
    _ = session.advance(to: .milliseconds(400))
    #expect(value(told(&session, action(3), action(4, "{\"n\":7}"))) == [])
    let end = session.receive(.gone(a, saidGoodbye: true), at: .milliseconds(500))
    #expect(end.contains(.exit(0)))
  }

  @Test func `a place that comes into being later is named while nothing matches`() throws {
    var session = try wait("m", "is", "1")
    let note = CommandAction.complain("the newest state has no 'm'. Did you mean 'n'?")
    #expect(value(begin(&session)) == [note])
    #expect(value(begin(&session)) == [])
    session = try wait("m", "missing")
    #expect(!begin(&session).contains(note))
  }

  @Test func `a state that is in no row is not judged`() throws {
    let command = try ArgumentParser.parse(["wait", "n is 1"]).command
    var session = Driven(
      WaitSession(try #require(command as? WaitOptions), Invocation.Common(), Layout()))
    _ = session.receive(.appeared(a, heartbeat(newest: 3, at: .elsewhere)), at: .zero)
    _ = session.advance(to: .milliseconds(400))
    #expect(value(told(&session, action(3))) == [])
    #expect(
      value(begin(&session)) == [
        .complain("no row here holds the app's current state, so only later rows are checked")
      ])
    #expect(told(&session, action(4)).contains(.exit(0)))
  }

  @Test(arguments: ["name:increment", "increment", "payload is pay", "n changed", "becomes n is 1"])
  func `what happened before the wait does not count`(query: String) throws {
    var session = try wait(query)
    #expect(value(begin(&session)) == [])
    let actions = told(&session, action(5, "{\"n\":2}"), action(6))
    #expect(actions.contains(.exit(0)))
  }

  @Test func `what an earlier row sets off is waited for`() throws {
    var session = try wait("chain:4")
    #expect(value(begin(&session)) == [])
    let other = Record(sequence: 5, kind: .action, name: "other")
    #expect(value(told(&session, other)) == [])
    let caused = Record(sequence: 6, kind: .action, parent: 4, name: "caused")
    #expect(value(told(&session, caused)).last == .exit(0))
  }

  @Test func `rows between the newest state and the wait need not be here`() throws {
    let command = try ArgumentParser.parse(["wait", "becomes n is 2"]).command
    var session = Driven(
      WaitSession(try #require(command as? WaitOptions), Invocation.Common(), Layout()))
    var late = heartbeat(newest: 6, at: .record(4))
    late.stamp.newestRecord = 6
    _ = session.receive(.appeared(a, late), at: .zero)
    _ = session.advance(to: .milliseconds(400))
    #expect(value(told(&session, action(4, "{\"n\":1}"))) == [] && value(begin(&session)) == [])
    // Lines of the log are between them.
    let actions = told(&session, action(7, "{\"n\":2}"))
    #expect(actions.contains(.exit(0)))
    #expect(actions.text.last == "    n: 1 → 2")
  }

  @Test func `rows that do not come are not waited for long`() throws {
    var session = try wait("n", "is", "1")
    #expect(session.deadline == .milliseconds(5_400))
    #expect(value(session.advance(to: .milliseconds(5_400))).last == .exit(0))
  }

  @Test func `time runs out`() throws {
    var session = try wait("n", "is", "9", "--for", "30")
    #expect(value(begin(&session)) == [] && session.deadline == .milliseconds(30_400))
    #expect(value(told(&session, action(5))) == [])
    let actions = session.advance(to: .milliseconds(30_400))
    #expect(actions.failure?.exitCode == 2 && session.deadline == nil)
  }

  @Test func `who goes, or is late, is looked at once more`() throws {
    var session = try wait("n", "is", "1")
    #expect(value(session.receive(.gone(a, saidGoodbye: true), at: .seconds(1))).last == .exit(0))
    session = try wait("n", "is", "1", "--for", "0.1")
    #expect(value(session.advance(to: .milliseconds(500))).last == .exit(0))
  }

  @Test func `without a time it waits for ever`() throws {
    var session = try wait("n", "is", "9")
    #expect(value(begin(&session)) == [] && session.deadline == nil)
  }

  @Test func `an app that goes is told`() throws {
    var session = try wait("n", "is", "9")
    let actions = session.receive(.gone(a, saidGoodbye: true), at: .seconds(2))
    #expect(actions.failure?.what == "PrimeTime#123 is gone" && actions.failure?.exitCode == 1)
  }

  @Test func `one more thing is done then, and its answer told`() throws {
    var session = try wait("n", "is", "7", "--then", "pause")
    #expect(value(begin(&session)) == [])
    let actions = told(&session, action(5, "{\"n\":7}"))
    let isAsked = actions.contains { if case .command(a, _) = $0 { true } else { false } }
    #expect(isAsked && !actions.contains(.exit(0)))
    let answer = session.receive(.answered(.applied, .record(5)), at: .seconds(1))
    #expect(answer.last == .exit(0))
  }

  /// A person wants the row that met the query, and not what came while the lock was under way.
  @Test func `a lock puts the app back to the row, and says how far it had gone`() throws {
    var session = try wait("n", "is", "7", "--then", "lock")
    #expect(value(begin(&session)) == [])
    var actions = told(&session, action(5, "{\"n\":7}"))
    let isAsked = actions.contains { if case .command(a, _) = $0 { true } else { false } }
    #expect(isAsked && !actions.contains(.exit(0)))
    _ = told(&session, action(6, "{\"n\":8}"))
    _ = told(&session, action(7, "{\"n\":9}"))
    actions = session.receive(.answered(.applied, .record(7)), at: .seconds(1))
    #expect(!actions.contains(.exit(0)))
    actions += session.receive(.caughtUp(a), at: .seconds(1))
    let state = Content(type: "application/json", bytes: Array("{\"n\":7}".utf8))
    #expect(actions.contains(.reset(a, .record(5), state)))
    actions = session.receive(.answered(.applied, .record(5)), at: .seconds(1))
    let line = "PrimeTime#123 is at row 5 (locked; it had gone on to row 7)"
    #expect(actions.text == [line] && actions.last == .exit(0))
  }

  @Test func `an app that was locked in time is not moved`() throws {
    var session = try wait("n", "is", "7", "--then", "lock")
    #expect(value(begin(&session)) == [])
    _ = told(&session, action(5, "{\"n\":7}"))
    let actions = session.receive(.answered(.applied, .record(5)), at: .seconds(1))
    #expect(actions.last == .exit(0))
  }

  @Test func `a step back is from the row, wherever the app is by then`() throws {
    var session = try wait("n", "is", "7", "--then", "back")
    var actions = begin(&session)
    actions += told(&session, action(5, "{\"n\":7}"))
    actions += told(&session, action(6, "{\"n\":8}"))
    actions += session.receive(.caughtUp(a), at: .seconds(1))
    let isReset = actions.contains {
      if case .reset(a, .record(3), _, _) = $0 { true } else { false }
    }
    #expect(isReset)
  }

  @Test func `the state can be kept`() throws {
    var session = try wait("n", "is", "7", "--then", "save out.json")
    #expect(value(begin(&session)) == [])
    let actions = told(&session, action(5, "{\"n\":7}"))
    #expect(actions.contains(.write(Array("{\"n\":7}".utf8), path: "out.json")))
    #expect(actions.last == .exit(0))
  }

  @Test func `a program goes on, and is told the app and the row`() throws {
    var session = try wait("n", "is", "7", "--then", "--", "make", "--help", "-n", "--", "x")
    #expect(value(begin(&session)) == [])
    let actions = told(&session, action(5, "{\"n\":7}"))
    guard case .give(let successor)? = actions.last else { throw Failure("nothing goes on") }
    #expect(successor.words == ["make", "--help", "-n", "--", "x"])
    let variables = successor.variables.map { "\($0.name)=\($0.value)" }
    #expect(variables == ["STATESURF_INSTANCE=\(heartbeat().instance)", "STATESURF_ROW=5"])
  }

  @Test func `a step back goes to the state before`() throws {
    var session = try wait("n", "is", "7", "--then", "back")
    var actions = begin(&session) + told(&session, action(5, "{\"n\":7}"))
    actions += session.receive(.caughtUp(a), at: .seconds(1))
    let isReset = actions.contains {
      if case .reset(a, .record(3), _, _) = $0 { true } else { false }
    }
    #expect(isReset)
  }

  @Test(arguments: [
    (["wait"], "'wait' needs a query"),
    (
      ["wait", "a", "--then", "fly"],
      "'--then' must be back, pause, lock, 'save FILE' or '-- PROGRAM', not 'fly'"
    ),
    (["wait", "a", "--then", "--"], "'--then --' needs a program"),
    (
      ["wait", "a", "--then", "save "],
      "'--then' must be back, pause, lock, 'save FILE' or '-- PROGRAM', not 'save '"
    ),
    (["wait", "a", "--for", "x"], "'--for' must be a number of seconds, not 'x'"),
  ])
  func `misuse is told`(words: [String], what: String) {
    let failure = #expect(throws: Failure.self) { try ArgumentParser.parse(words) }
    #expect(failure?.what == what && failure?.exitCode == 64)
  }
}
