import SurfControl
import SurfDebugger
import SurfTimeline
import SurfViewer
import SurfWire
import Testing

/// The wheel of an app.
@Suite struct DrivingTests {
  private static let free: Heartbeat.Control = [.allCommands, .hasWheel]
  private static let driven = free.union(.driven)

  private func told(_ row: UInt64, _ viewer: UInt64?, _ name: String = "") -> Record {
    let revision = Revision(
      command: "drive", viewerName: name, replay: .exact, isLocked: false, isPaused: false,
      driver: viewer.map { .init(viewer: $0, name: name) })
    return Record(
      sequence: SequenceNumber(row), kind: .revision, name: "driven",
      payload: json(revision.json.text()))
  }

  private func serial(_ effects: [DebuggerEffect]) -> Int {
    if case .command(_, _, let serial) = effects.last { serial } else { -1 }
  }

  private func wheel(_ wish: WheelRequest, _ effects: [DebuggerEffect]) -> [DebuggerEffect] {
    [.command(one, .drive(wish), serial: serial(effects))]
  }

  /// Somebody at the wheel of PrimeTime, whose row has come.
  private func driving() -> Person {
    var person = Person.atPrimeTime()
    person.start(one, control: Self.free)
    person.press("V")
    let effects = person.takeEffects()
    #expect(effects == wheel(.take(over: false), effects))
    person.send(.answered(serial: serial(effects), .applied(.record(8))))
    person.start(one, control: Self.driven)
    person.record(told(10, 1, "ada@desk"))
    return person
  }

  @Test func `who takes the wheel is told, and gives it back by the same key`() {
    var person = driving()
    #expect(person.text.contains("✓ you drive PrimeTime#11105: others cannot move it"))
    #expect(person.text.contains("you drive ·"))
    person.press("V")
    let effects = person.takeEffects()
    #expect(effects == wheel(.giveBack, effects))
    person.send(.answered(serial: serial(effects), .applied(.record(8))))
    #expect(person.text.contains("✓ others may move PrimeTime#11105 again"))
    person.wait(.seconds(60))
    #expect(person.takeEffects() == [])
  }

  @Test func `it is renewed every ten seconds, and nobody is told of that`() {
    var person = driving()
    person.wait(.seconds(6))
    #expect(person.takeEffects() == [])
    let screen = person.text
    for _ in 0..<3 {
      person.wait(.seconds(10))
      let effects = person.takeEffects()
      #expect(effects == wheel(.take(over: false), effects))
      person.send(.answered(serial: serial(effects), .applied(.record(8))))
      #expect(person.text == screen)
    }
  }

  @Test func `who leaves an app locked is told so, and how it is unlocked`() {
    var person = Person.atPrimeTime()
    person.press("Z")
    person.send(.answered(serial: serial(person.takeEffects()), .applied(.record(8))))
    #expect(person.debugger.farewell(in: person.catalog) == [])
    person.start(one, control: [.takesCommands, .locked])
    #expect(
      person.debugger.farewell(in: person.catalog) == [
        "PrimeTime#11105 is still locked. Try: statesurf unlock -i 'PrimeTime#11105'"
      ])
    person.send(.paste("{}"))
    #expect(person.question?.contains("You made PrimeTime#11105 refuse its own actions") == true)
    person.press("n", "Z")
    person.send(.answered(serial: serial(person.takeEffects()), .failed("no answer")))
    #expect(person.debugger.farewell(in: person.catalog).count == 1)
    person.press("Z")
    person.send(.answered(serial: serial(person.takeEffects()), .applied(.record(8))))
    #expect(person.debugger.farewell(in: person.catalog) == [])
    // It was somebody else.
    person.send(.paste("{}"))
    #expect(person.question?.contains("Somebody made PrimeTime#11105 refuse") == true)
  }

  @Test func `who loses it is told who has it, and fights for it no more`() {
    var person = driving()
    person.record(told(11, 2, "bob@hut"))
    #expect(person.text.contains("! bob@hut drives PrimeTime#11105 now; you no longer do"))
    #expect(person.text.contains("bob@hut drives ·"))
    person.wait(.seconds(60))
    #expect(person.takeEffects() == [])
  }

  @Test func `a renewal that is refused says so`() {
    var person = driving()
    person.wait(.seconds(10))
    person.send(
      .answered(serial: serial(person.takeEffects()), .failed("refused: bob is driving")))
    #expect(person.text.contains("! refused: bob is driving"))
    person.wait(.seconds(60))
    #expect(person.takeEffects() == [])
  }

  /// The row of an earlier driver may come behind the answer.
  @Test func `an older row takes nobody's wheel away`() {
    var person = Person.atPrimeTime()
    person.start(one, control: Self.free)
    person.press("V")
    person.send(.answered(serial: serial(person.takeEffects()), .applied(.record(8))))
    person.start(one, control: Self.driven)
    person.record(told(10, 2, "bob@hut"))
    person.wait(.seconds(10))
    #expect(person.takeEffects().count == 1)
    person.record(told(11, 1, "ada@desk"), told(12, nil))
    #expect(person.text.contains("! nobody drives PrimeTime#11105 now"))
  }

  @Test func `nobody takes it from another without a yes`() {
    var person = Person.atPrimeTime()
    person.start(one, control: Self.driven)
    person.record(told(10, 2, "bob@hut"))
    person.press("V")
    #expect(person.takeEffects() == [])
    #expect(person.question?.contains("take the wheel of PrimeTime#11105?") == true)
    #expect(person.question?.contains("bob@hut drives it, and will be told") == true)
    person.press("n", "V")
    // Meanwhile it is somebody else's.
    person.record(told(11, 3, "eve@hut"))
    person.press("y")
    #expect(person.takeEffects() == [])
    #expect(person.question?.contains("eve@hut drives the app now") == true)
    person.press("y")
    let effects = person.takeEffects()
    #expect(effects == wheel(.take(over: true), effects))
  }

  @Test func `an app without a wheel has none to take`() {
    var person = Person.atPrimeTime()
    person.press("V")
    #expect(person.takeEffects() == [])
    #expect(person.text.contains("the app has no wheel to take"))
  }

  @Test func `who leaves has wheels to give back, once`() {
    var person = driving()
    #expect(person.debugger.takeWheels() == [one])
    #expect(person.debugger.takeWheels() == [])
  }

  @Test func `what is not proven to be alive says so, and so does what anybody may pose as`() {
    for (standing, note) in [
      (Standing.unproven, "liveness unproven ·"), (.open, "open ·"), (.sealed, nil), (.plain, nil),
    ] {
      var person = Person()
      person.start(one)
      let heartbeat = person.catalog[one]!.heartbeat
      person.catalog.hear(one, heartbeat, as: standing)
      let notes = ["liveness unproven ·", "open ·"].filter { person.text.contains($0) }
      #expect(notes == [note].compactMap(\.self))
    }
  }
}
