import JSONTree
import SurfControl
import SurfObserver
import SurfTerminal
import SurfTimeline
import SurfViewer
import SurfWire
import TestSupport
import Testing

private typealias Rewrite = HistoryCommand<RowReference>

@Suite struct RewriteTests {
  /// A task that has met an app of four rows with these abilities, and its first actions.
  private func meet(
    _ command: Rewrite, _ control: Heartbeat.Control, acceptsResets: Bool = true
  ) -> (session: Driven<TargetSession>, actions: [CommandAction]) {
    var session = Driven(
      TargetSession(
        .rewrite(command), Invocation.Common()))
    let heard = heartbeat(
      newest: 4, at: .record(4), acceptsResets: acceptsResets, control: control)
    _ = session.receive(.appeared(a, heard), at: .zero)
    let actions = session.advance(to: .milliseconds(400))
    return (session, actions)
  }

  private static let exact: Heartbeat.Control = .allCommands

  /// Rows 1, 2 and 4 are actions; row 3 is a line of a log.
  private static let rows: [ObserverEvent] = [
    .record(a, action(4, "4")), .record(a, action(1, "1")), .record(a, action(2, "2")),
    .record(a, Record(sequence: 3, kind: .log(.info), name: "hm")), .caughtUp(a),
  ]

  @Test(
    arguments: [
      (.dispatch("x"), #"{"command":"dispatch","action":"x"}"#, " (dispatched)"),
      (.dispatch(.null), #"{"command":"dispatch","action":null}"#, " (dispatched)"),
      (
        .toggle(.number(2), skipped: true), #"{"command":"toggle","row":2,"skipped":true}"#,
        ", without row 2"
      ),
      (
        .toggle(.number(2), skipped: false), #"{"command":"toggle","row":2,"skipped":false}"#,
        ", with row 2 again"
      ),
      (
        .move(.number(2), before: .number(1)), #"{"command":"reorder","row":2,"before":1}"#,
        ", with row 2 before row 1"
      ),
      (
        .move(.number(2), before: nil), #"{"command":"reorder","row":2}"#,
        ", with row 2 last"
      ),
      (.sweep, #"{"command":"sweep"}"#, " (swept)"),
      (.commit, #"{"command":"commit"}"#, " (committed)"),
      (.rollback, #"{"command":"rollback"}"#, " (rolled back)"),
      (.pause(true), #"{"command":"pause","on":true}"#, " (recording paused)"),
      (.pause(false), #"{"command":"pause","on":false}"#, " (recording resumed)"),
      (.lock(true), #"{"command":"lock","on":true}"#, " (locked)"),
      (.lock(false), #"{"command":"lock","on":false}"#, " (unlocked)"),
    ] as [(HistoryCommand<RowReference>, String, String)])
  func anAppThatCanIsAskedAtOnce(
    _ command: HistoryCommand<RowReference>, _ bytes: String, _ done: String
  ) {
    var (session, actions) = meet(command, Self.exact)
    let follow: [CommandAction] = command.replays ? [.follow(a, .newestState)] : []
    #expect(actions == follow + [.command(a, Array(bytes.utf8))])
    var end = session.receive(.answered(.applied, .record(5)), at: .seconds(1))
    #expect(end.isEmpty == command.replays)
    let rewrite = #"{"command":"toggle","viewer":"ada","exact":true}"#
    if command.replays { end += session.receive(.record(a, revision(5, rewrite)), at: .seconds(1)) }
    #expect(end.text == ["PrimeTime#123 is at row 5\(done)\(command.replays ? " (exact)" : "")"])
    #expect(end.last == .exit(0))
  }

  /// Whether the answer overtakes the record that tells or not; without it, nobody knows.
  @Test(
    arguments: [
      (#","skipped":true"#, "without row 2"), ("", "with row 2 again"), (nil, "with row 2 toggled"),
    ],
    [
      (#""exact":true"#, "exact"), (#""exact":false,"differs":3"#, differs),
      (#""exact":false,"kept":1"#, "not exact: row 1 cannot run again and kept its state"),
      (#""exact":false,"unchecked":1"#, "ran again; 1 row was not checked"),
      (#""exact":false,"unchecked":7"#, "ran again; 7 rows were not checked"),
      (#""exact":false"#, "approximate: the app cannot run its actions again"),
      // An app that says both contradicts itself: it is not exact.
      (#""exact":true,"differs":3"#, differs),
    ])
  func aRewriteSaysWhatItCameTo(
    _ toggle: (member: String?, done: String), _ replay: (members: String, note: String)
  ) {
    let staged = toggle.member.map { #","oldest":0,"staged":[{"row":1},{"row":2\#($0)}]"# } ?? ""
    let told = #"{"command":"toggle","viewer":"ada",\#(replay.members)\#(staged)}"#
    for answerIsFirst in [true, false] {
      var (session, actions) = meet(.toggle(.number(2), skipped: nil), Self.exact)
      let bytes = Array(#"{"command":"toggle","row":2}"#.utf8)
      #expect(actions == [.follow(a, .newestState), .command(a, bytes)])
      let record = revision(5, told)
      actions = answerIsFirst ? [] : session.receive(.record(a, record), at: .seconds(1))
      actions += session.receive(.answered(.applied, .record(5)), at: .seconds(1))
      #expect(actions.isEmpty == answerIsFirst)
      if answerIsFirst { actions += session.receive(.record(a, record), at: .seconds(1)) }
      #expect(actions.text == ["PrimeTime#123 is at row 5, \(toggle.done) (\(replay.note))"])
      #expect(actions.last == .exit(0))
    }
  }

  private static let differs = "not exact: row 3 came out differently when it ran again"

  @Test(
    arguments: [
      (.toggle(.number(2), skipped: nil), nil, "with row 2 toggled"),
      (.toggle(.number(2), skipped: true), "{}", "without row 2"),
      (.move(.number(2), before: nil), nil, "with row 2 last"),
    ] as [(HistoryCommand<RowReference>, String?, String)])
  func aRewriteWhoseRecordTellsNothingIsNotCalledExact(
    _ command: HistoryCommand<RowReference>, _ told: String?, _ done: String
  ) {
    var session = meet(command, Self.exact).session
    var end = session.receive(.answered(.applied, .record(5)), at: .seconds(1))
    #expect(session.deadline == .seconds(6))
    if let told { end += session.receive(.record(a, revision(5, told)), at: .seconds(1)) }
    #expect(end.isEmpty == (told == nil))
    end += session.advance(to: .seconds(6))
    let note = "(row 5, which says whether that is exact, did not arrive)"
    #expect(end.text == ["PrimeTime#123 is at row 5, \(done) \(note)"])
  }

  @Test(
    arguments: [
      (.toggle(.tip(before: 1), skipped: nil), .last(257), #"{"command":"toggle","row":2}"#),
      (
        .move(.tip(before: 0), before: .tip(before: 1)), .last(257),
        #"{"command":"reorder","row":4,"before":2}"#
      ),
      (
        .move(.tip(before: 0), before: .number(1)), .newestState,
        #"{"command":"reorder","row":4,"before":1}"#
      ),
    ] as [(HistoryCommand<RowReference>, HistoryRequest, String)])
  func aRowCountedFromTheTipIsFoundOutFirst(
    _ command: HistoryCommand<RowReference>, _ wish: HistoryRequest, _ bytes: String
  ) {
    var (session, actions) = meet(command, Self.exact)
    #expect(actions == [.follow(a, wish)])
    actions = session.receive(all: Self.rows)
    #expect(actions == [.command(a, Array(bytes.utf8))])
  }

  @Test(
    arguments: [
      (.number(4), true, .since(1), .record(2), "2"), (.number(1), true, .since(1), .initial, nil),
      (.tip(before: 0), true, .last(257), .record(2), "2"),
      (.number(2), false, .since(2), .record(2), "2"),
      (.tip(before: 0), false, .newestState, .record(4), "4"),
    ] as [(RowReference, Bool, HistoryRequest, Position, String?)],
    [[], .takesCommands] as [Heartbeat.Control])
  func whereNothingIsRunAgainTheNearestStateIsSent(
    _ skip: (RowReference, Bool, HistoryRequest, Position, String?), _ control: Heartbeat.Control
  ) {
    let (row, skipped, wish, target, state) = skip
    var (session, actions) = meet(.toggle(row, skipped: skipped), control)
    #expect(actions == [.follow(a, wish)])
    actions = session.receive(all: Self.rows)
    #expect(actions == [.reset(a, target, state.map(json))])
    let end = session.receive(.answered(.applied, target), at: .seconds(1))
    let done = "(approximate: the app cannot run its actions again, and went to the nearest state)"
    #expect(end.text == ["PrimeTime#123 is at \(positionText(target)) \(done)"])
    #expect(end.last == .exit(0))
  }

  @Test(arguments: [
    (3, "row 3 of PrimeTime#123 is not an action", "It is of kind 'info': hm"),
    (9, "PrimeTime#123 has no row 9", "Its rows are 1 to 4."),
  ])
  func whatIsNoActionIsNotSkipped(_ row: SequenceNumber, _ what: String, _ meaning: String) {
    var (session, actions) = meet(.toggle(.number(row), skipped: true), [])
    actions += session.receive(all: Self.rows)
    #expect(actions.failure?.what == what)
    #expect(actions.failure?.meaning == meaning)
    #expect(actions.failure?.exitCode == 1)
  }

  @Test(
    arguments: [
      .toggle(.number(5), skipped: nil), .toggle(.number(77), skipped: true),
      .toggle(.number(SequenceNumber.max.previous), skipped: false),
      .move(.number(77), before: nil), .move(.number(77), before: .number(1)),
      .move(.number(1), before: .number(77)),
    ] as [HistoryCommand<RowReference>])
  func aRowThatIsNotThereIsNotAskedFor(_ command: HistoryCommand<RowReference>) {
    let actions = meet(command, Self.exact).actions
    #expect(actions.count == 1)
    #expect(actions.failure?.what.hasPrefix("PrimeTime#123 has no row ") == true)
    #expect(actions.failure?.meaning == "Its rows are 1 to 4.")
    #expect(actions.failure?.exitCode == 1)
  }

  @Test(
    arguments: [
      (.toggle(.number(2), skipped: nil), [], "PrimeTime#123 cannot run its actions again"),
      (
        .toggle(.number(2), skipped: nil), .takesCommands,
        "PrimeTime#123 cannot run its actions again"
      ),
      (
        .move(.number(2), before: nil), .takesCommands,
        "PrimeTime#123 cannot run its actions again"
      ),
      (.move(.number(2), before: nil), [], "PrimeTime#123 takes no commands"),
      (.dispatch("x"), .replays, "PrimeTime#123 takes no commands"),
      (.dispatch("x"), .takesActions, "PrimeTime#123 takes no commands"),
      (
        .dispatch("x"), [.takesCommands, .replays],
        "PrimeTime#123 takes no actions from viewers"
      ),
      (.sweep, [], "PrimeTime#123 takes no commands"),
      (.commit, [], "PrimeTime#123 takes no commands"),
      (.rollback, [], "PrimeTime#123 takes no commands"),
      (.pause(true), [], "PrimeTime#123 takes no commands"),
      (.lock(false), [], "PrimeTime#123 takes no commands"),
    ] as [(HistoryCommand<RowReference>, Heartbeat.Control, String)])
  func anAppThatCannotIsNotAsked(
    _ command: HistoryCommand<RowReference>, _ control: Heartbeat.Control, _ what: String
  ) {
    let actions = meet(command, control).actions
    #expect(actions.count == 1)
    #expect(actions.failure?.what == what)
    #expect(actions.failure?.exitCode == 1)
    if case .toggle = command {
      let advice = ["skip", "unskip"].map { "statesurf \($0) ROW -i 'PrimeTime#123'" }
      #expect(actions.failure?.advice == advice.joined(separator: ", or "))
    }
  }

  @Test func anAppThatIsOnlyWatchedIsNotAskedEither() {
    let actions = meet(.toggle(.number(2), skipped: true), [], acceptsResets: false).actions
    #expect(actions.count == 1)
    #expect(actions.failure?.what == "PrimeTime#123 takes no states from outside")
  }

  @Test(
    arguments: [
      (
        .answered(.rejected(reason: "row 2 is no \u{1B}action"), .record(4)), 1,
        "refused the command: row 2 is no \u{1B}action"
      ),
      (.answered(.forbidden, .record(4)), 1, "takes no commands"),
      (.answered(.busy, .record(4)), 1, "is busy with other viewers' requests"),
      (.timedOut, 2, "did not answer in time"), (.unreachable, 2, "is no longer there"),
    ] as [(ResetAnswer, Int32, String)])
  func anAnswerThatIsNoYesIsAFailure(_ answer: ResetAnswer, _ code: Int32, _ words: String) {
    var session = meet(.toggle(.number(2), skipped: nil), Self.exact).session
    let failure = session.receive(answer, at: .seconds(1)).failure
    #expect(failure?.what == "PrimeTime#123 \(words)")
    #expect(failure?.exitCode == code)
    #expect(failure?.lines.allSatisfy { !$0.contains("\u{1B}") } == true)
  }

  @Test func `of several forms of an action the app takes the first that it can read`() {
    var session = Driven(TargetSession(.dispatch([1, 2, 3]), Invocation.Common()))
    let heard = heartbeat(newest: 4, at: .record(4), control: Self.exact)
    _ = session.receive(.appeared(a, heard), at: .zero)
    func asked(_ number: Int) -> [CommandAction] {
      [.command(a, Array(#"{"command":"dispatch","action":\#(number)}"#.utf8))]
    }
    #expect(session.advance(to: .milliseconds(400)) == asked(1))
    let no = { ResetAnswer.answered(.rejected(reason: $0), .record(4)) }
    #expect(session.receive(no("first"), at: .seconds(1)) == asked(2))
    var other = session
    let done = session.receive(.answered(.applied, .record(5)), at: .seconds(1))
    #expect(done.text == ["PrimeTime#123 is at row 5 (dispatched)"])
    #expect(other.receive(no("second"), at: .seconds(1)) == asked(3))
    let refused = other.receive(no("third"), at: .seconds(1))
    #expect(refused.failure?.what == "PrimeTime#123 refused the command: first")
  }

  @Test(arguments: [true, false])
  func `what cannot be undone is asked first, and names the app`(isSure: Bool) {
    let question = TargetSession.Question(verb: "commit", loss: "It forgets.")
    var session = Driven(
      TargetSession(.rewrite(.commit), Invocation.Common(), question: question))
    let heard = heartbeat(newest: 4, at: .record(4), control: Self.exact)
    _ = session.receive(.appeared(a, heard), at: .zero)
    let asked = session.advance(to: .milliseconds(400))
    #expect(asked == [.ask("commit PrimeTime#123 at row 4? It forgets. [y/N] ")])
    #expect(session.deadline == nil)
    let actions = session.receive(isSure: isSure, at: .seconds(9))
    if isSure {
      #expect(actions == [.command(a, Array(#"{"command":"commit"}"#.utf8))])
    } else {
      #expect(actions.failure?.what == "PrimeTime#123 was left as it is")
      #expect(actions.failure?.exitCode == 1)
    }
  }

  @Test(
    arguments: [
      (.commit, "commit PrimeTime#123 at row 4? It forgets the rows up to here"),
      (.rollback, "rollback PrimeTime#123 at row 4? It forgets all rows since the last commit"),
      (.sweep, "sweep PrimeTime#123 at row 4? It forgets the actions that are left out"),
      (
        .import("a b.json"),
        "import 'a b.json' into PrimeTime#123 at row 4? It forgets the app's own history"
      ),
      (
        .import(nil),
        "import standard input into PrimeTime#123 at row 4? It forgets the app's own history"
      ),
    ] as [(FinalCommand, String)])
  func `the question says what is lost`(command: FinalCommand, text: String) {
    var session = Driven(
      TargetSession(.rewrite(.sweep), Invocation.Common(), question: command.question))
    let heard = heartbeat(newest: 4, at: .record(4), control: Self.exact)
    _ = session.receive(.appeared(a, heard), at: .zero)
    #expect(session.advance(to: .milliseconds(400)) == [.ask("\(text), for all viewers. [y/N] ")])
  }

  @Test func `one of anything is not several`() {
    #expect(countText(0, "row") == "0 rows" && countText(1, "row") == "1 row")
    #expect(countText(2 as WireCount, "row") == "2 rows")
    let history = ForeignHistory(
      committed: nil, steps: [.init(name: "add", action: "add", state: nil)], current: nil)
    let command = HistoryCommand<RowReference>.replace(history)
    #expect(command.title == "import of 1 action" && command.done == " (1 of 1 actions imported)")
  }

  @Test func aCommandThatIsTooLargeIsCalledOne() {
    var session = meet(.dispatch("x"), Self.exact).session
    let failure = session.receive(.tooLarge(limit: 1_000), at: .seconds(1)).failure
    #expect(failure?.what == "the command is over 1.0 kB")
  }
}
