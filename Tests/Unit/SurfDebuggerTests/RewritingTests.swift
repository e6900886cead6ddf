import JSONTree
import SurfControl
import SurfDebugger
import SurfTimeline
import SurfViewer
import SurfWire
import Testing

/// What cannot be undone.
@Suite struct RewritingTests {
  private func choose(_ words: String, in person: inout Person) {
    person.press(":")
    person.type(words)
    person.press("Enter")
  }

  @Test func `a commit asks, names what is lost, and happens only by a yes`() {
    var person = Person.atPrimeTime()
    choose("commit", in: &person)
    #expect(person.takeEffects() == [])
    #expect(person.text.contains("commit PrimeTime#11105?"))
    #expect(person.question?.contains("that of row 8. 8 actions, and") == true)
    // Enter may be one too many after the palette's.
    person.press("x", "s", "Down", "Enter")
    #expect(person.takeEffects() == [])
    person.press("n")
    #expect(!person.text.contains("commit PrimeTime#11105?"))
    choose("commit", in: &person)
    person.press("y")
    let commit: [DebuggerEffect] = [.command(one, .commit, serial: 1)]
    #expect(person.takeEffects() == commit)
    person.send(.answered(serial: 1, .applied(.record(8))))
    #expect(person.text.contains("✓ committed"))
  }

  @Test func `a rollback asks, and so does an import`() {
    var person = Person.atPrimeTime()
    choose("roll back", in: &person)
    #expect(person.question?.contains("and forgets 8 actions") == true)
    person.press("y")
    let rollback: [DebuggerEffect] = [.command(one, .rollback, serial: 1)]
    #expect(person.takeEffects() == rollback)
    choose("import", in: &person)
    person.type("other.json")
    person.press("Enter")
    let check: [DebuggerEffect] = [.check(one, path: "other.json", serial: 2)]
    #expect(person.takeEffects() == check && person.question == nil)
    person.send(.filed(serial: 2, .readable))
    #expect(person.takeEffects() == [] && person.text.contains("import other.json?"))
    person.press("y")
    let replace: [DebuggerEffect] = [.replace(one, path: "other.json", serial: 3)]
    #expect(person.takeEffects() == replace)
  }

  @Test func `a file without a history is not asked about, and its name can be changed`() {
    var person = Person.atPrimeTime()
    choose("import", in: &person)
    person.type("empty.json")
    person.press("Enter")
    _ = person.takeEffects()
    person.send(.filed(serial: 1, .failed("'empty.json' is not a history")))
    #expect(person.question == nil && person.text.contains("'empty.json' is not a history"))
    #expect(person.text.contains("import: empty.json"))
    person.press("Ctrl-u")
    person.type("late.json")
    person.press("Enter", "/")
    person.send(.filed(serial: 2, .readable))
    #expect(person.question == nil)
    person.press("Esc")
    #expect(person.text.contains("late.json was not imported: you went on before it was read"))
  }

  @Test func `sweep asks only if something is left out`() {
    var person = Person.atPrimeTime()
    choose("sweep", in: &person)
    #expect(person.text.contains("no action is left out"))
    person.record(revision(10, order: [(1, false), (3, true), (2, false)]))
    choose("sweep", in: &person)
    #expect(person.question?.contains("It forgets the 1 action left out.") == true)
    person.press("Enter")
    #expect(person.question != nil && person.takeEffects() == [])
  }

  @Test(arguments: ["commit", "roll back", "sweep", "import"])
  func `nothing is undone that was done before history was forgotten`(words: String) {
    var person = Person.atPrimeTime()
    person.record(revision(10, order: [(1, false), (3, true), (2, false)]))
    person.type("2")
    person.press("Enter", "s")
    _ = person.takeEffects()
    person.send(.answered(serial: 1, .applied(.record(2))))
    func chooseAndConfirm() {
      choose(words, in: &person)
      if words == "import" {
        person.press("Ctrl-u")
        person.type("other.json")
        person.press("Enter")
        person.send(.filed(serial: person.takeEffects()[0].serial, .readable))
      }
      person.press("y")
    }
    func answer(_ answer: MoveAnswer) {
      let effects = person.takeEffects()
      #expect(effects.count == 1)
      person.send(.answered(serial: effects[0].serial, answer))
    }
    chooseAndConfirm()
    answer(.failed("no answer"))
    if words == "import" { person.press("Esc") }
    person.press("u")
    answer(.failed("no answer"))
    chooseAndConfirm()
    answer(.applied(.record(2)))
    person.press("u")
    #expect(person.takeEffects() == [])
  }

  @Test func `an action moves in the order that is in force`() {
    var person = Person.atPrimeTime()
    person.record(revision(10, order: [(1, false), (3, false), (2, false), (4, false)]))
    person.type("2")
    person.press("Enter", "K", "y")
    let earlier: [DebuggerEffect] = [.command(one, .move(2, before: 3), serial: 1)]
    #expect(person.takeEffects() == earlier)
    person.press("J")
    #expect(person.text.contains("move row 2 last?"))
    person.press("y")
    let later: [DebuggerEffect] = [.command(one, .move(2, before: nil), serial: 2)]
    #expect(person.takeEffects() == later)
    person.type("4")
    person.press("Enter", "J")
    #expect(person.text.contains("there is no action after row 4"))
    person.type("9")
    person.press("Enter", "J")
    #expect(person.text.contains("row 9 is not an action of the history"))
  }

  /// Whether the answer overtakes the record that tells or not.
  @Test(arguments: [true, false])
  func `a rewrite that is not exact says so`(answerIsFirst: Bool) {
    var person = Person.atPrimeTime()
    person.type("2")
    person.press("Enter", "x")
    let toggle: [DebuggerEffect] = [.command(one, .toggle(2, skipped: true), serial: 1)]
    #expect(person.takeEffects() == toggle)
    let record = revision(10, order: [(1, false), (2, true), (3, false)], replay: .differs(3))
    if answerIsFirst { person.send(.answered(serial: 1, .applied(.record(10)))) }
    person.record(record)
    if !answerIsFirst { person.send(.answered(serial: 1, .applied(.record(10)))) }
    #expect(person.text.contains("not exact: row 3 came out differently when it ran again"))
    #expect(person.text.contains("skipped row 2 increment") != answerIsFirst)
    person.record(revision(11, order: [(1, false), (2, false), (3, false)]))
    person.wait(.seconds(60))
    #expect(!person.text.contains("not exact"))
  }

  @Test func `a question names those who moved the app`() {
    var person = Person.atPrimeTime()
    person.catalog.note(moved(by: "bob@lap", 5, to: 3, count: 1), by: one)
    // A command of the same person's.
    person.catalog.note(moved(by: "ada@desk", 6, to: 4, count: 2), by: one)
    choose("commit", in: &person)
    #expect(person.text.contains("All viewers of the app see it. bob@lap moved it before"))
    #expect(!person.text.contains("ada@desk moved it"))
  }

  @Test func `a locked app is loaded with an edited state by a yes only`() {
    var person = Person()
    person.start(one, control: [.takesCommands, .locked])
    person.record(action(1, "increment", "{}"))
    _ = person.takeEffects()
    person.send(.edited(one, .changed([0x31], path: "/x")))
    #expect(person.takeEffects() == [] && person.text.contains("load the edited state into the"))
    person.press("n")
    #expect(person.text.contains("nothing was loaded; what you wrote is in /x"))
  }

  // MARK: What happens between the question and the answer

  @Test func `what the app does by itself changes no answer`() {
    var person = Person.atPrimeTime()
    choose("commit", in: &person)
    person.record(action(10, "increment", "{}"), action(11, "increment", "{}"))
    person.press("y")
    let commit: [DebuggerEffect] = [.command(one, .commit, serial: 1)]
    #expect(person.takeEffects() == commit)
  }

  @Test(arguments: ["commit", "roll back", "import"])
  func `a history that was rewritten meanwhile is asked about again`(words: String) {
    var person = Person.atPrimeTime()
    choose(words, in: &person)
    if words == "import" {
      person.type("a.json")
      person.press("Enter")
      person.send(.filed(serial: person.takeEffects()[0].serial, .readable))
    }
    person.record(revision(10, order: (1...7).map { ($0, false) }))
    person.press("y")
    #expect(person.takeEffects() == [])
    #expect(person.question?.contains("Asked again: the history was rewritten meanwhile.") == true)
    #expect(person.question?.contains("7 actions") == true)
    // The box may be too low for it.
    #expect(person.text.contains("asked again: the history was rewritten meanwhile"))
    person.press("y")
    #expect(person.takeEffects().count == 1 && !person.text.contains("Asked again"))
  }

  @Test func `a commit of another state is asked about again`() {
    var person = Person.atPrimeTime()
    choose("commit", in: &person)
    person.catalog.note(moved(by: "bob@lap", 5, to: 3, count: 1), by: one)
    person.press("y")
    #expect(person.takeEffects() == [])
    #expect(
      person.question?.contains("Asked again: the app was moved meanwhile, to row 3.") == true)
    #expect(person.question?.contains("that of row 3.") == true)
    person.record(action(10, "increment", "{}", from: 3))
    person.press("y")
    #expect(person.takeEffects().count == 1)
  }

  /// Each action after the question, by the row that it names as its origin.
  @Test(
    arguments: [
      (8, [], false), (8, [nil, nil], false), (8, [8, nil], false), (8, [nil, 2], true),
      (2, [2], false), (2, [3], true), (.max, [.max], false), (.max, [8], true),
    ] as [(UInt64, [UInt64?], Bool)])
  func `what an app does by itself makes no other commit`(
    start: UInt64, origins: [UInt64?], isAskedAgain: Bool
  ) {
    var person = Person.atPrimeTime()
    if start != 8 { person.catalog.note(moved(by: "bob@lap", 5, to: start, count: 1), by: one) }
    choose("commit", in: &person)
    for (number, origin) in zip(UInt64(10)..., origins) {
      person.record(action(number, "increment", "{}", from: origin))
    }
    person.press("y")
    #expect(person.takeEffects().isEmpty == isAskedAgain)
    #expect(person.text.contains("the app was moved meanwhile") == isAskedAgain)
  }

  @Test func `an action that was moved meanwhile is asked about by its new neighbours`() {
    var person = Person.atPrimeTime()
    person.press("Up", "K")
    #expect(person.question?.contains("move row 8 before 7?") == true)
    person.record(
      revision(10, order: [1, 2, 3, 4, 5, 7, 6, 8].map { (UInt64($0), false) }))
    person.press("y")
    #expect(person.takeEffects() == [] && person.question?.contains("move row 8 before 6?") == true)
    #expect(
      person.question?.contains("Asked again: the order of the actions has changed meanwhile.")
        == true)
    person.press("y")
    let move: [DebuggerEffect] = [.command(one, .move(8, before: 6), serial: 1)]
    #expect(person.takeEffects() == move)
    person.type("8")
    person.press("Enter", "K")
    person.record(revision(11, order: [(1, false)]))
    person.press("y")
    #expect(person.takeEffects() == [])
    #expect(person.text.contains("! row 8 is not an action of the history"))
  }

  @Test func `a row is moved that was asked about, wherever the cursor goes`() {
    var person = Person.atPrimeTime()
    person.press("Up", "K")
    person.record(action(10, "increment", "{}"))
    person.press("Down", "Down", "y")
    let move: [DebuggerEffect] = [.command(one, .move(8, before: 7), serial: 1)]
    #expect(person.takeEffects() == move)
  }

  @Test func `an app that was locked meanwhile is asked about again`() {
    var person = Person.atPrimeTime()
    person.send(.paste("{}"))
    person.start(one, control: [.allCommands, .locked])
    person.press("Enter")
    #expect(person.takeEffects() == [])
    #expect(person.question?.contains("Asked again: the app was locked meanwhile.") == true)
    person.start(one, control: [])
    person.press("Enter")
    #expect(person.takeEffects().count == 1)
  }

  @Test func `an app that takes no commands any more gets none`() {
    var person = Person.atPrimeTime()
    choose("commit", in: &person)
    person.start(one, control: [])
    person.press("y")
    #expect(person.takeEffects() == [] && person.text.contains("! the app takes no commands"))
  }

  @Test func `what a rewrite said and had to make room is not guessed`() {
    var bounds = Catalog.Bounds()
    bounds.timeline.byteCountMax = 2_000
    var person = Person()
    person.catalog = Catalog(bounds: bounds)
    person.start(one, control: [.allCommands, .leavesOut])
    for number in 1...4 as ClosedRange<UInt64> { person.record(action(number, "add")) }
    person.record(revision(5, order: [(1, false), (3, false), (2, true)]), action(6, "add"))
    choose("commit", in: &person)
    #expect(
      person.question?.contains(" 4 actions,") == true
        && person.question?.contains("make room") == false)
    person.press("n")
    let large = "\"\(String(repeating: "x", count: 1_900))\""
    person.record(action(7, "add", payload: large), action(8, "add"))
    choose("commit", in: &person)
    #expect(person.question?.contains("at least 3 actions,") == true)
    #expect(
      person.question?.contains("What became of the actions before row 5 is not known here") == true
    )
    person.press("n")
    choose("sweep", in: &person)
    #expect(
      person.question?.contains("It forgets all actions left out; how many these are") == true)
    person.press("n", "Up", "Up", "K")
    #expect(person.text.contains("What became of the actions before row 5"))
    _ = person.takeEffects()
    person.press("y")
    #expect(person.takeEffects() == [])
  }

  @Test func `who goes meanwhile is asked nothing`() {
    var person = Person.atPrimeTime()
    choose("commit", in: &person)
    person.catalog.leave(one, saidGoodbye: true)
    person.press("y")
    #expect(person.takeEffects() == [] && person.text.contains("! the app is gone"))
  }

  @Test func `a state is loaded into a locked app by a yes only`() {
    var person = Person()
    person.start(one, control: [.takesCommands, .locked])
    person.record(action(1, "increment", "{}"))
    _ = person.takeEffects()
    person.press("R")
    person.type("a.json")
    person.press("Enter")
    let examine: [DebuggerEffect] = [.examine(one, path: "a.json", serial: 1)]
    #expect(person.takeEffects() == examine)
    person.send(.found(one, path: "a.json", size: 2, beginning: "{}", serial: 1))
    #expect(person.takeEffects() == [] && person.text.contains("into the locked app?"))
    person.press("Enter")
    let load: [DebuggerEffect] = [.load(one, path: "a.json", serial: 2)]
    #expect(person.takeEffects() == load)
  }

  @Test func `reset is a move that undo takes back, and export writes a file`() {
    var person = Person.atPrimeTime()
    choose("reset", in: &person)
    let reset: [DebuggerEffect] = [.move(one, to: .initial, serial: 1)]
    #expect(person.takeEffects() == reset)
    person.send(.answered(serial: 1, .applied(.initial)))
    #expect(person.text.contains("u undoes"))
    choose("export", in: &person)
    person.type("out.json")
    person.press("Enter")
    let export: [DebuggerEffect] = [.export(one, to: FileTarget("out.json", serial: 2))]
    #expect(person.takeEffects() == export)
    person.send(.filed(serial: 2, .exists(path: "out.json")))
    #expect(person.text.contains("replace out.json?"))
    person.press("Enter")
    #expect(person.takeEffects() == [] && person.text.contains("replace out.json?"))
    person.press("y")
    let again: [DebuggerEffect] = [
      .export(one, to: FileTarget("out.json", replaces: true, serial: 3))
    ]
    #expect(person.takeEffects() == again)
    person.send(.filed(serial: 3, .written("exported 8 actions to out.json")))
    #expect(person.text.contains("✓ exported 8 actions to out.json"))
  }
}

/// Of all rows, their order and whether each is left out.
func revision(
  _ number: UInt64, order: [(UInt64, Bool)], replay: Revision.Replay = .exact,
  named name: String = "reorder", oldest: UInt64 = 1
) -> Record {
  let revision = Revision(
    command: "reorder", viewerName: "eve@hut", replay: replay, isLocked: false, isPaused: false,
    staging: Revision.Staging(
      oldest: oldest, committed: nil,
      items: order.map { Revision.Item(row: $0.0, isSkipped: $0.1) },
      current: nil))
  return Record(
    sequence: SequenceNumber(number), kind: .revision,
    wallTime: 22_000_000_000_000 + Int64(number) * 500_000_000,
    uptime: number * 500_000_000, name: name,
    payload: Content(type: "application/json", bytes: revision.json.bytes()))
}

func moved(by name: String, _ viewer: UInt64, to row: UInt64, count: WireCount) -> Restored {
  Restored(
    request: viewer, viewer: ViewerID(rawValue: viewer), viewerName: name,
    position: Position(wire: SequenceNumber(row)), newestRecord: 9, moveCount: count,
    outcome: .applied)
}
