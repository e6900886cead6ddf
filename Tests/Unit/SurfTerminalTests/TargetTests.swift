import JSONTree
import SurfObserver
import SurfTerminal
import SurfTimeline
import SurfWire
import TestSupport
import Testing

@Suite struct TargetTests {
  private func session(_ task: TargetTask, _ name: String? = nil) -> Driven<TargetSession> {
    Driven(TargetSession(task, Invocation.Common(name)))
  }

  private static let settled = Duration.milliseconds(400)

  /// Lets a task meet one app at a position and returns what it does before any record came.
  private func meet(
    _ session: inout Driven<TargetSession>, newest: SequenceNumber, at position: Position
  ) -> [CommandAction] {
    _ = session.receive(.appeared(a, heartbeat(newest: newest, at: position)), at: .zero)
    return session.advance(to: Self.settled)
  }

  private func observing(_ task: TargetTask) -> Driven<TargetSession> {
    Driven(
      TargetSession(task, Invocation.Common(observes: true)))
  }

  @Test func `an observer shows the first state that it hears`() {
    var session = observing(.show(ShowOptions(.tip(before: 0), form: .raw)))
    #expect(meet(&session, newest: 3, at: .record(3)) == [.follow(a, .newestState)])
    #expect(session.receive(.caughtUp(a), at: .seconds(1)) == [])
    let heard = session.receive(.record(a, action(4)), at: .seconds(2))
    #expect(heard == [.write(Array("{\"n\":1}".utf8), path: nil), .exit(0)])
  }

  @Test func `an observer that hears nothing says why`() throws {
    var session = observing(.diff(DiffOptions(.tip(before: 1), .tip(before: 0))))
    _ = meet(&session, newest: 3, at: .record(3))
    _ = session.receive(all: [.caughtUp(a), .record(a, action(4))])
    let failure = try #require(value(session.advance(to: .seconds(6)).failure))
    #expect(failure.what == "PrimeTime#123 sent nothing that tells this")
    #expect(failure.exitCode == 2)
  }

  @Test func withNobodyThereItSaysWhatWasTried() throws {
    var session = session(.back(1))
    #expect(value(session.advance(to: Self.settled)) == [])
    let failure = try #require(value(session.advance(to: .seconds(5)).failure))
    #expect(failure.what == "no instance is live")
    #expect(failure.meaning == "Nothing answered on interface lo.")
    #expect(failure.exitCode == 1)
  }

  @Test func anAmbiguousNameListsTheCandidatesAndTouchesNothing() throws {
    var session = session(.reset, "primetime")
    var actions = session.receive(all: [
      .appeared(b, heartbeat(pid: 2, id: 0xBEEF)), .appeared(a, heartbeat(pid: 1, id: 0xCAFE)),
    ])
    actions += session.advance(to: Self.settled)
    let failure = try #require(actions.failure)
    #expect(actions.count == 1)
    #expect(failure.what == "'primetime' names 2 instances, so nothing was sent")
    #expect(failure.lines[1].contains("PrimeTime#1 on ada, id cafe0000"))
    #expect(failure.exitCode == 1)
  }

  /// The shorter beginning may be another's as well, who has not answered yet.
  @Test(arguments: ["cafe", "cafe000", nil]) func whatMayNameAnotherIsWaitedFor(_ name: String?) {
    var session = session(.back(1), name)
    let early = session.receive(.appeared(a, heartbeat(newest: 3, at: .record(3))), at: .zero)
    #expect(early == [])
    #expect(session.deadline == Self.settled)
    #expect(session.advance(to: Self.settled) == [.follow(a, .since(1))])
  }

  @Test func eightDigitsOfAnIDAreNot() {
    var session = session(.back(1), "CAFE0000")
    let actions = session.receive(.appeared(a, heartbeat(newest: 3, at: .record(3))), at: .zero)
    #expect(actions == [.follow(a, .since(1))])
  }

  @Test func whoDoesNotAnswerIsWaitedForToTheEnd() {
    var session = session(.back(1))
    #expect(session.deadline == Self.settled)
    #expect(value(session.advance(to: Self.settled)) == [])
    #expect(session.deadline == .seconds(5))
  }

  @Test func backSendsTheStateBefore() {
    var session = session(.back(1))
    #expect(meet(&session, newest: 3, at: .record(3)) == [.follow(a, .since(1))])
    let late = session.receive(
      all: [.record(a, action(3)), .record(a, action(1))], at: .seconds(1))
    #expect(late == [])
    let actions = session.receive(.record(a, action(2, "{}")), at: .seconds(1))
    #expect(actions == [.reset(a, .record(2), json("{}"))])
    let end = session.receive(.answered(.applied, .record(2)), at: .seconds(1))
    #expect(end.text == ["PrimeTime#123 is at row 2 (applied)"])
    #expect(end.last == .exit(0))
  }

  @Test(
    arguments: [
      (TargetTask.back(99), .record(3), "0 (initial) (applied: 3 steps; there are no more)"),
      (.back(3), .record(3), "0 (initial) (applied)"),
      (.forward(2), .record(2), "3 (applied: 1 step; there are no more)"),
    ] as [(TargetTask, Position, String)])
  func `fewer steps than asked for are counted`(task: TargetTask, at: Position, end: String) throws
  {
    var session = session(task)
    _ = meet(&session, newest: 3, at: at)
    let rows = (1...3 as ClosedRange<SequenceNumber>).map { ObserverEvent.record(a, action($0)) }
    let actions = session.receive(all: rows + [.caughtUp(a)], at: .seconds(1))
    guard case .reset(_, let target, _, _)? = actions.last else { throw Failure("\(actions)") }
    let told = session.receive(.answered(.applied, target), at: .seconds(1)).text
    #expect(told == ["PrimeTime#123 is at row \(end)"])
  }

  @Test func backFromRowOneSendsTheInitialState() {
    var session = session(.back(1))
    #expect(meet(&session, newest: 1, at: .record(1)) == [.reset(a, .initial, nil)])
  }

  @Test(
    arguments: [
      (.back(1), 2, .initial, "PrimeTime#123 is at its initial state already"),
      (.forward(1), 2, .record(2), "PrimeTime#123 is at the tip already"),
      (.jump(.number(9)), 2, .record(2), "PrimeTime#123 has no row 9"),
    ] as [(TargetTask, SequenceNumber, Position, String)])
  func nothingIsSentWhereThereIsNowhereToGo(
    _ task: TargetTask, _ newest: SequenceNumber, _ position: Position, _ what: String
  ) {
    var session = session(task)
    let actions = meet(&session, newest: newest, at: position)
    #expect(actions.failure?.what == what)
    #expect(actions.count == 1)
  }

  @Test(arguments: [
    TargetTask.jump(.tip(before: 3)), .show(ShowOptions(.tip(before: 99), form: .raw)),
    .save(.tip(before: 3), to: nil), .diff(DiffOptions(.tip(before: 3), .tip(before: 0))),
    .rewrite(.toggle(.tip(before: 3), skipped: true)),
  ])
  func `a row before the beginning is refused, with how many rows there are`(task: TargetTask) {
    var session = session(task)
    _ = session.receive(
      .appeared(a, heartbeat(newest: 3, at: .record(3), control: .allCommands)),
      at: .zero)
    var actions = session.advance(to: .seconds(1))
    let log = Record(sequence: 2, kind: .log(.info), name: "")
    actions += session.receive(
      all: [.record(a, action(1)), .record(a, log), .record(a, action(3)), .caughtUp(a)],
      at: .seconds(1))
    let number = if case .show = task { 99 } else { 3 }
    #expect(actions.failure?.what == "tip~\(number) is before the beginning of PrimeTime#123")
    #expect(actions.failure?.meaning == "Only 2 of its rows have a state.")
    #expect(actions.failure?.advice == "tip~1, the first of them, or initial")
  }

  @Test func `rows without a state may hide that there are earlier states`() {
    var session = session(.show(ShowOptions(.tip(before: 1))))
    var actions = session.receive(.appeared(a, heartbeat(newest: 400, at: .record(50))), at: .zero)
    actions += session.advance(to: .seconds(1))
    // The newest state, though it lies before the part that was asked for.
    let logs = (144...400 as ClosedRange<SequenceNumber>).map {
      ObserverEvent.record(a, Record(sequence: $0, kind: .log(.info), name: ""))
    }
    actions = session.receive(
      all: [.record(a, action(50))] + logs + [.caughtUp(a)], at: .seconds(1))
    #expect(actions == [.follow(a, .since(1))])
    let rest = (1...49 as ClosedRange<SequenceNumber>).map {
      ObserverEvent.record(a, action($0, "{\"n\":\($0)}"))
    }
    let more = (51...143 as ClosedRange<SequenceNumber>).map {
      ObserverEvent.record(a, Record(sequence: $0, kind: .log(.info), name: ""))
    }
    actions = session.receive(all: rest + more + [.caughtUp(a)], at: .seconds(1))
    #expect(actions.last == .exit(0) && actions.text.contains { $0.contains("49") })
  }

  @Test func `the row before the first is the initial state`() {
    var session = session(.jump(.tip(before: 2)))
    var actions = meet(&session, newest: 2, at: .record(2))
    actions += session.receive(
      all: [.record(a, action(1)), .record(a, action(2)), .caughtUp(a)], at: .seconds(1))
    #expect(actions.last == .reset(a, .initial, nil))
  }

  @Test func `the end of an older branch is not called the tip`() {
    var session = session(.forward(1))
    var actions = meet(&session, newest: 5, at: .record(3))
    let branch = Record(
      sequence: 4, kind: .action, name: "x", state: .keyframe(json("{}")),
      grownFrom: GrownFrom(from: .record(1)))
    actions += session.receive(
      all: [action(1), action(2), action(3), branch, action(5)].map { .record(a, $0) }
        + [.caughtUp(a)], at: .seconds(1))
    #expect(actions.failure?.what == "no row grew from row 3; the tip is row 5")
  }

  @Test func backAsksForMoreWhereAWindowOfLogLinesHidesTheState() {
    var session = session(.back(1))
    #expect(meet(&session, newest: 400, at: .record(400)) == [.follow(a, .since(144))])
    let logs = (144...399 as ClosedRange<SequenceNumber>).map {
      ObserverEvent.record(a, Record(sequence: $0, kind: .log(.info), name: ""))
    }
    var actions = session.receive(all: [.record(a, action(400))] + logs, at: .seconds(1))
    #expect(actions == [])
    actions = session.receive(.caughtUp(a), at: .seconds(1))
    #expect(actions == [.follow(a, .since(1))])
    actions = session.receive(all: [.lost(a, 1...142), .record(a, action(143))], at: .seconds(1))
    #expect(actions == [.reset(a, .record(143), json("{\"n\":1}"))])
  }

  @Test func forwardGoesToTheNextRowWithAState() {
    var session = session(.forward(1))
    #expect(meet(&session, newest: 3, at: .record(1)) == [.follow(a, .since(2))])
    let log = Record(sequence: 2, kind: .log(.info), name: "")
    let actions = session.receive(
      all: [.record(a, action(3)), .record(a, log)], at: .seconds(1))
    #expect(actions == [.reset(a, .record(3), json("{\"n\":1}"))])
  }

  @Test(
    arguments: [
      (.back(3), .record(5), .record(1)), (.back(2), .elsewhere, .record(4)),
      (.back(9), .record(4), .initial), (.back(100_000), .record(5), .initial),
      (.forward(2), .record(1), .record(4)), (.forward(9), .initial, .record(5)),
    ] as [(TargetTask, Position, Position)])
  func severalStepsPassOverWhatHasNoState(_ task: TargetTask, _ from: Position, _ to: Position) {
    var session = session(task)
    _ = meet(&session, newest: 5, at: from)
    let log = ObserverEvent.record(a, Record(sequence: 2, kind: .log(.info), name: ""))
    let rows = ([5, 1, 3, 4] as [SequenceNumber]).map { ObserverEvent.record(a, action($0)) }
    let actions = session.receive(all: rows + [log, .caughtUp(a)], at: .seconds(1))
    let state = to == .initial ? nil : json("{\"n\":1}")
    #expect(actions == [.reset(a, to, state)])
  }

  @Test(
    arguments: [
      (.show(ShowOptions(.number(0), form: .raw)), ["{\"n\":0}"]),
      (.diff(DiffOptions(.number(0), .number(2))), ["~ n: 0 → 2"]),
      (.diff(DiffOptions(.number(1), .number(0))), ["~ n: 1 → 0"]),
    ] as [(TargetTask, [String])])
  func theInitialStateIsAskedOfTheApp(_ task: TargetTask, _ expected: [String]) {
    for answersFirst in [true, false] {
      var session = session(task)
      let control = Heartbeat.Control.takesCommands
      let hello = heartbeat(newest: 2, at: .record(2), control: control)
      _ = session.receive(.appeared(a, hello), at: .zero)
      let followed = session.advance(to: .seconds(1))
      guard case .follow(a, _) = followed.first, followed.count == 1 else {
        Issue.record("\(followed)")
        return
      }
      let rows = [action(2, "{\"n\":2}"), action(1)].map { ObserverEvent.record(a, $0) }
      // Somebody may have asked before.
      #expect(session.receive(all: rows, at: .seconds(1)) == [])
      let asked = session.receive(.caughtUp(a), at: .seconds(1))
      #expect(asked == [.command(a, Array(#"{"command":"describe"}"#.utf8))])
      var actions: [CommandAction] = []
      if answersFirst {
        actions += session.receive(.answered(.applied, .record(2)), at: .seconds(1))
      }
      #expect(actions == [])
      let told = revision(3, #"{"command":"describe","viewer":"ada","initial":{"n":0}}"#)
      actions = session.receive(.record(a, told), at: .seconds(1))
      #expect(actions.text.map { $0.filter { $0 != "\n" } } == expected)
      #expect(actions.last == .exit(0))
    }
  }

  /// Looking changes nothing: the app is not asked for anything that its history has.
  @Test(arguments: [
    TargetTask.show(ShowOptions(.number(0), form: .raw)),
    .diff(DiffOptions(.number(0), .tip(before: 0))),
  ])
  func theInitialStateIsAskedForOnce(_ task: TargetTask) {
    var session = session(task)
    let hello = heartbeat(newest: 3, at: .record(2), control: .takesCommands)
    _ = session.receive(.appeared(a, hello), at: .zero)
    let told = revision(3, #"{"command":"describe","viewer":"ada","initial":{"n":0}}"#)
    var actions = session.advance(to: .seconds(1))
    actions += session.receive(
      all: [.record(a, action(2, "{\"n\":2}")), .record(a, told), .caughtUp(a)], at: .seconds(1))
    #expect(actions.last == .exit(0))
    for action in actions {
      if case .command = action { Issue.record("\(action)") }
    }
  }

  @Test func anAppThatDoesNotTellItsInitialStateHasNone() {
    var session = session(.diff(DiffOptions(.number(0), .number(1))))
    _ = session.receive(
      .appeared(a, heartbeat(newest: 1, control: .takesCommands)), at: .zero)
    _ = session.advance(to: .seconds(1))
    _ = session.receive(all: [.record(a, action(1)), .caughtUp(a)], at: .seconds(1))
    let actions = session.receive(
      .answered(.rejected(reason: "what?"), .record(1)), at: .seconds(1))
    #expect(actions.failure?.what == "the initial state cannot be compared")
  }

  /// A panel takes at most 8 MiB in one message.
  @Test func `an export has all states, however large they are together`() throws {
    var session = session(.export(to: "x"))
    var actions = meet(&session, newest: 12, at: .record(12))
    var random = SeededGenerator(seed: 3)
    for number in 1...12 as ClosedRange<SequenceNumber> {
      let digits = (0..<100_000).map { _ in
        String(UInt64.random(in: 1_000_000_000...9_999_999_999, using: &random))
      }
      let state = "\"\(digits.joined())\""
      actions += session.receive(all: [.record(a, action(number, state))], at: .seconds(1))
    }
    actions += session.receive(all: [.caughtUp(a)], at: .seconds(1))
    let file = actions.compactMap { if case .write(let bytes, _) = $0 { bytes } else { nil } }.first
    let lifted = try JSON(parsing: try #require(file))
    let states = lifted["computedStates"]?.array ?? []
    #expect(states.count == 13)
    #expect(states.dropFirst().allSatisfy { $0["state"]?.string?.utf8.count == 1_000_000 })
  }

  @Test func aRowThatIsGoneIsNotWaitedFor() {
    var session = session(.jump(.number(2)))
    _ = meet(&session, newest: 5, at: .record(5))
    let actions = session.receive(all: [.record(a, action(5)), .lost(a, 1...3)], at: .seconds(1))
    #expect(actions.failure?.what == "row 2 of PrimeTime#123 is no longer available")
    // Of row 4 it does not know yet.
    #expect(actions.failure?.meaning == "Nor are the others of rows 1 to 3.")
  }

  @Test func `of a single row that is gone no others are named`() {
    var session = session(.jump(.number(2)))
    _ = meet(&session, newest: 5, at: .record(5))
    let actions = session.receive(all: [.record(a, action(5)), .lost(a, 2...2)], at: .seconds(1))
    #expect(actions.failure?.what == "row 2 of PrimeTime#123 is no longer available")
    #expect(actions.failure?.meaning == "It keeps only its newest rows.")
  }

  @Test(
    arguments: [
      (.answered(.rejected(reason: "no \u{1B}key"), .record(1)), 1, "refused the state"),
      (.answered(.forbidden, .record(1)), 1, "takes no states"),
      (.answered(.busy, .record(1)), 1, "is busy"), (.timedOut, 2, "did not answer"),
      (.unreachable, 2, "is no longer there"), (.tooLarge(limit: 1_000), 1, "the state is over"),
    ] as [(ResetAnswer, Int32, String)])
  func anAnswerThatIsNoYesIsAFailure(_ answer: ResetAnswer, _ code: Int32, _ words: String) {
    var session = session(.reset)
    _ = meet(&session, newest: 1, at: .record(1))
    let failure = session.receive(answer, at: .seconds(1)).failure
    #expect(failure?.exitCode == code)
    #expect(failure?.what.contains(words) == true)
    #expect(failure?.lines.allSatisfy { !$0.contains("\u{1B}") } == true)
  }

  @Test func `a reason with line breaks makes no lines of its own`() {
    var session = session(.reset)
    _ = meet(&session, newest: 1, at: .record(1))
    let answer = ResetAnswer.answered(.rejected(reason: "no\n  Try: sudo"), .record(1))
    let lines = session.receive(answer, at: .seconds(1)).failure?.lines ?? []
    #expect(lines.count == 2 && lines.allSatisfy { !$0.hasPrefix("  Try") })
  }

  @Test func anAppThatTakesNoStatesIsNotAsked() {
    var session = session(.reset)
    _ = session.receive(.appeared(a, heartbeat(acceptsResets: false)), at: .zero)
    let actions = session.advance(to: Self.settled)
    #expect(actions.failure?.what == "PrimeTime#123 takes no states from outside")
  }

  @Test func showLaysOutJSONAndLeavesRawBytesAlone() {
    for (raw, expected) in [
      (false, "{\n  \"a\": 1,\n  \"b\": 2\n}\n"), (true, "{\"b\":2,\"a\":1}"),
    ] {
      var session = session(.show(ShowOptions(.tip(before: 0), form: raw ? .raw : .laidOut)))
      #expect(meet(&session, newest: 1, at: .record(1)) == [.follow(a, .newestState)])
      let actions = session.receive(.record(a, action(1, "{\"b\":2,\"a\":1}")), at: .seconds(1))
      #expect(actions.text == [expected])
    }
  }

  @Test func bytesThatAreNoTextAreShownInHexadecimal() {
    var session = session(.show(ShowOptions(.number(1))))
    _ = meet(&session, newest: 1, at: .record(1))
    var record = action(1)
    record.state = .keyframe(Content(type: "application/octet-stream", bytes: [0, 0x7B, 0xFF]))
    let actions = session.receive(.record(a, record), at: .seconds(1))
    #expect(
      actions.text == ["00000000  00 7b ff                                         .{."])
  }

  @Test func diffTellsWhatChanged() {
    var session = session(.diff(DiffOptions(.tip(before: 1), .tip(before: 0))))
    #expect(meet(&session, newest: 2, at: .record(2)) == [.follow(a, .last(257))])
    let actions = session.receive(
      all: [.record(a, action(2, "{\"n\":2,\"k\":[]}")), .record(a, action(1))], at: .seconds(1))
    #expect(actions.text == ["~ n: 1 → 2", "+ k: []"])
    #expect(actions.last == .exit(0))
  }

  /// The newest row grew from row 1, row 2 is another future of that one.
  @Test func `a difference without rows is from the state that the newest row grew from`() {
    var session = session(.diff(DiffOptions()))
    #expect(meet(&session, newest: 3, at: .record(3)) == [.follow(a, .last(257))])
    var branch = action(3, "{\"n\":9}")
    branch = Record(
      sequence: 3, kind: .action, name: "add", state: branch.state,
      grownFrom: GrownFrom(from: .record(1))
    )
    let actions = session.receive(
      all: [
        .record(a, action(1, "{\"n\":1}")), .record(a, action(2, "{\"n\":2}")),
        .record(a, branch),
      ], at: .seconds(1))
    #expect(actions.text == ["~ n: 1 → 9"])
  }

  @Test(arguments: [
    (Position.elsewhere, "It grew from a state that is in no row."),
    (nil, "Rows before it are missing."),
  ])
  func `a row whose past is not known is compared with nothing`(
    origin: Position?, meaning: String
  ) throws {
    var session = session(.diff(DiffOptions()))
    _ = meet(&session, newest: 300, at: .record(300))
    let record = Record(
      sequence: 300, kind: .action, name: "add", state: action(1).state,
      grownFrom: origin.map { GrownFrom(from: $0) })
    var actions = session.receive(
      all: [.record(a, record), .lost(a, 40...299), .caughtUp(a)], at: .seconds(1))
    // Once more with all: the rows may be there after all.
    if origin == nil {
      #expect(actions == [CommandAction.follow(a, .since(1))])
      actions = session.receive(all: [.lost(a, 1...299), .caughtUp(a)], at: .seconds(2))
    }
    let failure = try #require(actions.failure)
    #expect(failure.what.contains("row 300 of PrimeTime#123 has no state before it"))
    #expect(failure.meaning == meaning)
  }

  /// The bytes are a delta from the state of row 250.
  @Test(arguments: [
    (RecordState.givenUp, "The app did not send its state"),
    (
      .delta(Content(type: "x", bytes: [250, 1, 1, 5, 0x62])),
      "The app sent its state as a change of another, which this viewer does not have."
    ),
  ])
  func `a state that is missing is compared with nothing`(
    state: RecordState, reason: String
  ) throws {
    var session = session(.diff(DiffOptions()))
    _ = meet(&session, newest: 2, at: .record(2))
    let unsent = Record(sequence: 1, kind: .action, name: "add", state: state)
    let actions = session.receive(
      all: [.record(a, unsent), .record(a, action(2))], at: .seconds(1))
    let failure = try #require(actions.failure)
    #expect(failure.what == "row 2 of PrimeTime#123 has no state before it to compare with")
    #expect(failure.meaning.hasPrefix("It grew from row 1. \(reason)"))
    #expect(failure.advice.contains("statesurf diff ROW 2"))
  }

  @Test func saveWritesTheBytesExactly() {
    for path in [nil, "f"] as [String?] {
      var session = session(.save(.number(1), to: path))
      _ = meet(&session, newest: 1, at: .record(1))
      let actions = session.receive(.record(a, action(1, "\u{1B} {")), at: .seconds(1))
      let bytes = Array("\u{1B} {".utf8)
      #expect(actions.first == .write(bytes, path: path))
    }
  }

  @Test func silenceWhileLoadingEndsWithTwo() throws {
    var session = session(.show(ShowOptions(.number(1))))
    _ = meet(&session, newest: 1, at: .record(1))
    var failure: Failure?
    while failure == nil {
      failure = session.advance(to: try #require(session.deadline)).failure
    }
    #expect(failure?.exitCode == 2)
  }
}
