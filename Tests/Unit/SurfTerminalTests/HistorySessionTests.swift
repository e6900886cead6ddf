import SurfObserver
import SurfTerminal
import SurfTimeline
import SurfWire
import TestSupport
import Testing

/// `find`, `trace` and `report` while the history arrives.
@Suite struct HistorySessionTests {
  private static let count: SequenceNumber = 3_000

  /// An app that counts its rows; `n` is the row, `tens` changes every tenth row.
  private static func record(_ number: SequenceNumber) -> Record {
    action(number, "{\"n\":\(number),\"tens\":\(number.rawValue / 10)}")
  }

  private static func grown(
    _ number: SequenceNumber, _ state: String, from origin: SequenceNumber
  ) -> Record {
    Record(
      sequence: number, kind: .action, name: "grown", state: .keyframe(json(state)),
      grownFrom: GrownFrom(from: .record(origin)))
  }

  private func start(_ line: [String]) throws -> (Driven<HistorySession>, [CommandAction]) {
    var session = try history(line)
    var actions = session.receive(.appeared(a, heartbeat(newest: Self.count)), at: .zero)
    actions += session.advance(to: .milliseconds(400))
    return (session, actions)
  }

  private func rows(_ range: ClosedRange<SequenceNumber>) -> [ObserverEvent] {
    range.map { .record(a, Self.record($0)) }
  }

  /// Until nothing is left to do.
  private func settle(_ session: inout Driven<HistorySession>) -> [CommandAction] {
    var actions: [CommandAction] = []
    while let deadline = session.deadline, deadline <= .milliseconds(500) {
      actions += session.advance(to: .milliseconds(500))
    }
    return actions
  }

  private func send(
    _ events: [ObserverEvent], to session: inout Driven<HistorySession>
  ) -> [CommandAction] {
    session.receive(all: events, at: .milliseconds(500)) + settle(&session)
  }

  private func follows(_ actions: [CommandAction]) -> [HistoryRequest] {
    actions.compactMap { if case .follow(_, let request) = $0 { request } else { nil } }
  }

  @Test func `rows are printed as they arrive, once those before them are here`() throws {
    var (session, begun) = try start(["find", "tens changed to 1 or n is 3000"])
    #expect(follows(begun) == [.since(1)])
    // The newest state comes first, and its row last.
    #expect(send(rows(3_000...3_000) + rows(2...8), to: &session).text == [])
    #expect(send(rows(9...12), to: &session).text == [])
    let early = send(rows(1...1), to: &session)
    #expect(early.text.count == 1 && early.text[0].contains(" 10  action"))
    #expect(
      send(rows(13...2_999), to: &session).text.map { $0.contains(" 3000  action") } == [true])
    let end = send([.caughtUp(a)], to: &session)
    #expect(end.text == [] && end.last == .exit(0))
  }

  /// A viewer cannot hold a long history: its first rows would be gone again.
  @Test(arguments: [(20_000, true), (10_000, false)])
  func `the initial state is asked for at once if many rows are on their way`(
    count: SequenceNumber, asksAtOnce: Bool
  ) throws {
    let question = CommandAction.command(a, Array(#"{"command":"describe"}"#.utf8))
    var session = try history(["trace", "n"])
    let heard = heartbeat(newest: count, control: .allCommands)
    _ = session.receive(.appeared(a, heard), at: .zero)
    _ = session.advance(to: .milliseconds(400))
    let first = Record(
      sequence: 1, kind: .action, name: "first", state: .keyframe(json(#"{"n":1}"#)),
      grownFrom: GrownFrom(from: .initial))
    let begun = send([.record(a, first)] + rows(2...8), to: &session)
    #expect(begun.contains(question) == asksAtOnce && begun.text == [])
    var rest = rows(9...count)
    if !asksAtOnce {
      #expect(send(rest + [.caughtUp(a)], to: &session).contains(question))
      rest = []
    }
    let told = #"{"command":"describe","viewer":"ada","initial":{"n":0}}"#
    let answer = Record(
      sequence: count.next, kind: .revision, name: "described", payload: json(told))
    let early = send([.record(a, answer)], to: &session)
    #expect(early.text.first == "     1  0 → 1  first from row 0")
    let all = early + send(rest + [.caughtUp(a)], to: &session)
    #expect(all.text.count == Int(count.rawValue))
    #expect(all.last == .exit(0))
    #expect(!all.contains(question))
  }

  /// After a jump there. What was printed before stays.
  @Test(arguments: [
    (["trace", "n"], 300), (["trace", "n", "--last", "400"], 300), (["find", "n changed"], 299),
    (["find", "n changed", "--last", "400"], 299), (["trace", "n", "--last", "5"], 5),
  ])
  func `a row in the middle of a history may have grown from the initial state`(
    asked: (line: [String], count: Int)
  ) throws {
    var session = try history(asked.line)
    let heard = heartbeat(newest: 300, control: .allCommands)
    _ = session.receive(.appeared(a, heard), at: .zero)
    _ = session.advance(to: .milliseconds(400))
    func grown(_ number: SequenceNumber, _ n: Int, from origin: Position) -> ObserverEvent {
      .record(
        a,
        Record(
          sequence: number, kind: .action, name: "grown", state: .keyframe(json("{\"n\":\(n)}")),
          grownFrom: GrownFrom(from: origin)))
    }
    var begun = send(
      [grown(1, 1, from: .elsewhere)] + rows(2...298) + [grown(299, 7, from: .initial)]
        + rows(300...300) + [.caughtUp(a)], to: &session)
    // Older parts, if the newest rows do not answer.
    for _ in 1...2 { begun += send([.caughtUp(a)], to: &session) }
    let question = CommandAction.command(a, Array(#"{"command":"describe"}"#.utf8))
    #expect(begun.filter { $0 == question }.count == 1)
    let told = #"{"command":"describe","viewer":"ada","initial":{"n":0}}"#
    let answer = Record(sequence: 301, kind: .revision, name: "described", payload: json(told))
    let text = begun.text + send([.record(a, answer)], to: &session).text
    #expect(text.count == asked.count)
    #expect(asked.line[0] == "find" || text.contains("   299  0 → 7  grown from row 0"))
  }

  @Test func `the first row of all ends the command before the rest has arrived`() throws {
    var (session, _) = try start(["find", "n over 5", "--first"])
    let actions = send(rows(1...9), to: &session)
    #expect(actions.text.count == 1 && actions.text[0].contains(" 6  action"))
    // Nothing is missing: rows after this one do not matter.
    #expect(actions.last == .exit(0))
    #expect(!actions.contains { if case .complain = $0 { true } else { false } })
  }

  @Test func `the last row is looked for among the newest, and then further back`() throws {
    var (session, begun) = try start(["find", "tens changed to 3", "--last"])
    #expect(follows(begun) == [.last(256)])
    #expect(send(rows(2_745...3_000), to: &session) == [])
    let second = send([.caughtUp(a)], to: &session)
    #expect(follows(second) == [.last(2_048)] && second.text == [])
    let third = send(rows(953...2_744) + [.caughtUp(a)], to: &session)
    #expect(follows(third) == [.since(1)] && third.text == [])
    #expect(send(rows(1...900), to: &session).text == [])
    let end = send(rows(901...952) + [.caughtUp(a)], to: &session)
    #expect(end.text.count == 1 && end.text[0].contains(" 30  action") && end.last == .exit(0))
  }

  @Test func `a last row that is among the newest needs no more`() throws {
    var (session, _) = try start(["find", "tens changed", "--last"])
    let actions = send(rows(2_745...3_000) + [.caughtUp(a)], to: &session)
    #expect(actions.text.count == 1 && actions.text[0].contains(" 3000  action"))
    #expect(follows(actions) == [] && actions.last == .exit(0))
    #expect(!actions.contains { if case .complain = $0 { true } else { false } })
  }

  @Test func `a row that grew from one that is not here yet is decided once that is`() throws {
    var (session, _) = try start(["find", "n changed from 7 or n is 2_900", "--last"])
    var events = rows(2_745...3_000)
    events[2_950 - 2_745] = .record(a, Self.grown(2_950, "{\"n\":2950}", from: 7))
    let first = send(events + [.caughtUp(a)], to: &session)
    // The row 2900 is found, but this one may be the last.
    #expect(first.text == [] && follows(first) == [.last(2_048)])
    _ = send(rows(953...2_744) + [.caughtUp(a)], to: &session)
    let end = send(rows(1...952) + [.caughtUp(a)], to: &session)
    #expect(end.text.count == 1 && end.text[0].contains(" 2950  action"))
  }

  @Test func `a newest row that grew from an old one asks for the old ones, too`() throws {
    var (session, _) = try start(["find", "n is 3000", "--last"])
    var events = rows(2_745...3_000)
    events[255] = .record(a, Self.grown(3_000, "{\"n\":3000}", from: 10))
    #expect(follows(send(events + [.caughtUp(a)], to: &session)) == [.last(2_048)])
    #expect(follows(send(rows(953...2_744) + [.caughtUp(a)], to: &session)) == [.since(1)])
    let end = send(rows(1...952) + [.caughtUp(a)], to: &session)
    #expect(end.text.count == 1 && end.last == .exit(0))
  }

  @Test func `a row that comes meanwhile, and grew from an old one, stops nothing`() throws {
    var (session, _) = try start(["find", "tens changed to 100", "--last"])
    #expect(follows(send(rows(2_745...3_000) + [.caughtUp(a)], to: &session)) == [.last(2_048)])
    let new = ObserverEvent.record(a, Self.grown(3_001, "{\"n\":1}", from: 10))
    let actions = send([new] + rows(953...2_744) + [.caughtUp(a)], to: &session)
    #expect(actions.text.count == 1 && actions.text[0].contains(" 1000  action"))
  }

  @Test func `the newest state may come from before the rows that were asked for`() throws {
    var (session, _) = try start(["find", "level:error..", "--last"])
    func line(_ number: SequenceNumber) -> ObserverEvent {
      let level: LogLevel = number == 1_500 ? .error : .info
      return .record(a, Record(sequence: number, kind: .log(level), name: "line"))
    }
    let newest = [.record(a, Self.record(1_000))] + (2_745...3_000).map(line) + [.caughtUp(a)]
    let first = send(newest, to: &session)
    #expect(first.text == [] && follows(first) == [.last(2_048)])
    let second = send((1_001...2_744).map(line) + rows(953...999) + [.caughtUp(a)], to: &session)
    #expect(second.text.count == 1 && second.text[0].contains(" 1500  error"))
    #expect(!second.contains { if case .complain = $0 { true } else { false } })
  }

  @Test func `a question that needs the initial state rests until all rows are here`() throws {
    var session = try history(["trace", "n"])
    _ = session.receive(
      .appeared(a, heartbeat(newest: Self.count, control: [.takesCommands])), at: .zero)
    _ = session.advance(to: .milliseconds(400))
    #expect(send(rows(1...9), to: &session).text == [])
    _ = session.receive(all: rows(10...12), at: .milliseconds(500))
    _ = session.advance(to: .milliseconds(500))
    _ = session.receive(all: rows(13...15), at: .milliseconds(500))
    // Looking at the same rows again would find the same.
    #expect(session.deadline.map { $0 > .milliseconds(500) } == true)
    let asked = send(rows(16...3_000) + [.caughtUp(a)], to: &session)
    #expect(asked.contains { if case .command = $0 { true } else { false } })
  }

  @Test func `an app that the viewer has forgotten ends the command`() throws {
    for isDone in [false, true] {
      var (session, _) = try start(["find", "n over 5", "--follow"])
      _ = send(rows(1...3_000) + (isDone ? [.caughtUp(a)] : []), to: &session)
      _ = session.receive(.record(a, Self.record(3_001)), at: .milliseconds(500))
      session.catalog = Catalog()
      let actions = session.advance(to: .seconds(1))
      #expect(isDone ? actions.last == .exit(0) : actions.failure?.exitCode == 2)
      #expect(session.deadline == nil)
    }
  }

  @Test func `what a row set off is looked for from the beginning`() throws {
    var (session, begun) = try start(["find", "chain:5", "--last"])
    #expect(follows(begun) == [.since(1)])
    #expect(send(rows(1...20), to: &session).text == [])
    let end = send(rows(21...3_000) + [.caughtUp(a)], to: &session)
    #expect(end.text.count == 1 && end.text[0].contains(" 3000  action"))
  }

  @Test func `rows that did not arrive are counted beside what was found`() throws {
    var (session, _) = try start(["find", "n under 3"])
    let early = send([.lost(a, 1...1)] + rows(2...5), to: &session)
    #expect(early.text.count == 1)
    let end = send([.lost(a, 6...2_999)] + rows(3_000...3_000) + [.caughtUp(a)], to: &session)
    let words = "this answer leaves out 2995 rows, which are not here: the app no longer has them,"
    #expect(end.contains(.complain(words + " or it did not arrive")))
    var (silent, _) = try start(["find", "n under 3"])
    _ = send(rows(1...5), to: &silent)
    var actions: [CommandAction] = []
    while let deadline = silent.deadline { actions += silent.advance(to: deadline) }
    #expect(actions.failure?.exitCode == 2)
  }

  @Test func `the last writes need only the newest rows`() throws {
    var (session, begun) = try start(["trace", "tens", "--last", "2"])
    #expect(follows(begun) == [.last(256)])
    let actions = send(rows(2_745...3_000) + [.caughtUp(a)], to: &session)
    #expect(actions.text.map { $0.contains(" 2990 ") || $0.contains(" 3000 ") } == [true, true])
    #expect(actions.text.last?.contains("299 → 300") == true)
    #expect(follows(actions) == [] && actions.last == .exit(0))
    #expect(!actions.contains { if case .complain = $0 { true } else { false } })
  }

  @Test(arguments: ["find", "trace"])
  func `what follows the past takes in all of it, as a row to come may grow from any`(
    command: String
  ) throws {
    let question = command == "find" ? "tens changed" : "tens"
    var (session, begun) = try start([command, question, "--last", "--follow"])
    #expect(follows(begun) == [.since(1)])
    let past = send(rows(1...3_000) + [.caughtUp(a)], to: &session)
    #expect(past.text.count == 1 && past.text[0].contains(" 3000 "))
    let next = send(
      [.record(a, Self.grown(3_001, "{\"n\":3001,\"tens\":1}", from: 10))]
        + [.record(a, Self.grown(3_002, "{\"n\":3002,\"tens\":7}", from: 10))], to: &session)
    #expect(next.text.count == 1 && next.text[0].contains(" 3002 "))
    #expect(session.receive(.gone(a, saidGoodbye: true), at: .seconds(1)).last == .exit(0))
  }

  // MARK: Whatever comes first

  /// An app with rows that grow from each other in any order. Some are lost.
  private struct App {
    var events: [ObserverEvent] = []
    let count: SequenceNumber

    init(_ random: inout SeededGenerator) {
      count = SequenceNumber(UInt64.random(in: 1...700, using: &random))
      // Some end with many rows that have no state.
      let quiet =
        Bool.random(using: &random) ? count.next : .init(.random(in: 1...400, using: &random))
      for number in 1...count {
        if Int.random(in: 0..<30, using: &random) == 0 {
          events.append(.lost(a, number...number))
          continue
        }
        let value = Int.random(in: 0...3, using: &random)
        let state = "{\"n\":\(value)}"
        var record = action(number, state, name: value == 2 ? "two" : "other")
        if number > 1, Int.random(in: 0..<20, using: &random) == 0 {
          let origin = SequenceNumber(UInt64.random(in: 1..<number.rawValue, using: &random))
          record = HistorySessionTests.grown(number, state, from: origin)
        }
        if number >= quiet || Int.random(in: 0..<20, using: &random) == 0 { record.state = .none }
        if number > 3, Int.random(in: 0..<4, using: &random) == 0 {
          let cause = UInt64.random(in: 3..<number.rawValue, using: &random)
          record = record.caused(by: SequenceNumber(cause))
        }
        events.append(.record(a, record))
      }
    }

    /// The events that a request leads to: the newest state, then the past in order.
    func answer(_ request: HistoryRequest) -> [ObserverEvent] {
      let first =
        switch request {
        case .last(let count): Int(clamping: events.count - Int(count.rawValue))
        case .since, .newestState: 0
        }
      let newest = events.last {
        if case .record(_, let arrived) = $0 { arrived.record.state != .none } else { false }
      }
      return [newest].compactMap(\.self) + events[max(0, first)...] + [.caughtUp(a)]
    }
  }

  @Test(arguments: 0..<40)
  func `an answer is the same, in whatever parts its history arrives`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let app = App(&random)
    for line in [
      ["find", "n changed"], ["find", "n changed to 3", "--last"], ["find", "becomes n over 2"],
      ["find", "n is 1", "--first"], ["find", "name:two", "--count"], ["find", "n is 2", "--last"],
      ["find", "before.n is 2 n is 0", "--last"], ["trace", "n"], ["report"],
      ["find", "chain:3", "--last"], ["find", "n is 7", "--last"], ["find", "chain:3"],
      ["find", "chain:3,5 n changed", "--first", "2"],
      ["find", "name:two", "--last", "4"], ["trace", "n", "--last"], ["trace", "n", "--last", "5"],
      ["trace", "m", "--last"],
    ] {
      // The last rows found are the last of all that are found.
      let plain = line.prefix { $0 != "--last" }
      var whole = try history(Array(plain))
      let wanted = whole.run([.appeared(a, heartbeat(newest: app.count))] + app.answer(.since(1)))
      let last = plain.count == line.count ? .max : Int(line.last ?? "") ?? 1
      let text = wanted.text.suffix(last)
      var session = try history(line)
      var pending = session.receive(.appeared(a, heartbeat(newest: app.count)), at: .zero)
      pending += session.advance(to: .milliseconds(400))
      var actions: [CommandAction] = []
      while let request = follows(pending).last {
        var events = app.answer(request)[...]
        pending = []
        while !events.isEmpty {
          let part = events.prefix(Int.random(in: 1...200, using: &random))
          events = events.dropFirst(part.count)
          pending += session.receive(all: Array(part), at: .milliseconds(500))
          if Bool.random(using: &random) { pending += session.advance(to: .milliseconds(500)) }
        }
        pending += settle(&session)
        actions += pending
      }
      #expect(actions.text[...] == text, "\(seed): \(line)")
      #expect(actions.last == wanted.last, "\(seed): \(line)")
    }
  }
}

extension Record {
  fileprivate func caused(by parent: SequenceNumber) -> Record {
    Record(
      sequence: sequence, kind: kind, parent: parent, name: name, state: state,
      grownFrom: grownFrom)
  }
}
