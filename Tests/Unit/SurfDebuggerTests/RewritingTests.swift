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
    #expect(person.text.contains("8 actions can no"))
    person.press("x", "s", "Down")
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
    #expect(person.text.contains("forgets 8 actions."))
    person.press("y")
    let rollback: [DebuggerEffect] = [.command(one, .rollback, serial: 1)]
    #expect(person.takeEffects() == rollback)
    choose("import", in: &person)
    person.type("other.json")
    person.press("Enter")
    #expect(person.takeEffects() == [] && person.text.contains("import other.json?"))
    person.press("y")
    let replace: [DebuggerEffect] = [.replace(one, path: "other.json", serial: 2)]
    #expect(person.takeEffects() == replace)
  }

  @Test func `sweep asks only if something is left out`() {
    var person = Person.atPrimeTime()
    choose("sweep", in: &person)
    #expect(person.text.contains("no action is left out"))
    person.record(revision(10, order: [(1, false), (3, true), (2, false)]))
    choose("sweep", in: &person)
    #expect(person.text.contains("It forgets the 1 action left out."))
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
    #expect(person.text.contains("no action is behind row 4"))
  }

  @Test func `a question names those who moved the app`() {
    var person = Person.atPrimeTime()
    person.catalog.note(moved(by: "bob@lap", 5, to: 3, count: 1), by: one)
    choose("commit", in: &person)
    #expect(person.text.contains("All viewers of the app see it. bob@lap moved it before"))
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
    #expect(person.takeEffects() == [] && person.text.contains("into the locked app?"))
    person.press("Enter")
    let load: [DebuggerEffect] = [.load(one, path: "a.json", serial: 1)]
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
    let export: [DebuggerEffect] = [.export(one, path: "out.json")]
    #expect(person.takeEffects() == export)
  }
}

/// Of all rows, their order and whether each is left out.
func revision(_ number: UInt64, order: [(UInt64, Bool)]) -> Record {
  let revision = Revision(
    command: "reorder", viewerName: "eve@hut", isExact: true, isLocked: false, isPaused: false,
    staging: Revision.Staging(
      oldest: 1, committed: nil, items: order.map { Revision.Item(row: $0.0, isSkipped: $0.1) },
      current: nil))
  return Record(
    sequence: SequenceNumber(number), kind: .revision, wallTime: 22_000_000_000_000,
    uptime: number * 500_000_000, name: "reorder",
    payload: Content(type: "application/json", bytes: revision.json.bytes()))
}

func moved(by name: String, _ viewer: UInt64, to row: UInt64, count: WireCount) -> Restored {
  Restored(
    request: viewer, viewer: ViewerID(rawValue: viewer), viewerName: name,
    position: .record(SequenceNumber(row)), newestRecord: 9, moveCount: count, outcome: .applied)
}
