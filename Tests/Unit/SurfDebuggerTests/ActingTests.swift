import JSONTree
import SurfControl
import SurfDebugger
import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen
import TestSupport
import Testing

/// Keys that ask something of an app.
@Suite struct ActingTests {
  private func serial(_ effects: [DebuggerEffect]) -> Int { effects.last?.serial ?? -1 }

  @Test func `surf puts the app where the cursor is, and undo puts it back`() {
    var person = Person.atPrimeTime()
    person.type("3")
    person.press("Enter", "s")
    let surf = person.takeEffects()
    let wanted: [DebuggerEffect] = [.move(one, to: .record(3), serial: serial(surf))]
    #expect(surf == wanted)
    person.send(.answered(serial: serial(surf), .applied(.record(3))))
    #expect(person.text.contains("✓ moved PrimeTime#11105 to row 3 · u undoes"))
    person.press("u")
    let undo = person.takeEffects()
    let back: [DebuggerEffect] = [.move(one, to: .record(8), serial: serial(undo))]
    #expect(undo == back)
    person.send(.answered(serial: serial(undo), .applied(.record(8))))
    person.press("u")
    #expect(person.takeEffects() == [])
    #expect(person.text.contains("nothing is left to undo"))
  }

  @Test func `a row without a state leads to the state in force there`() {
    var person = Person.atPrimeTime()
    person.press("s")
    let effects = person.takeEffects()
    let wanted: [DebuggerEffect] = [.move(one, to: .record(8), serial: serial(effects))]
    #expect(effects == wanted)
    person.send(.answered(serial: serial(effects), .applied(.record(8))))
    #expect(person.text.contains("✓ row 9 has no state of its own"))
  }

  @Test(arguments: [Record.Kind.mark, .update, .remove])
  func `so does a row of any kind that never had one`(kind: Record.Kind) {
    var person = Person.atPrimeTime()
    person.record(Record(sequence: 10, kind: kind, name: "news"))
    person.press("G", "Down", "s")
    let effects = person.takeEffects()
    #expect(effects == [.move(one, to: .record(8), serial: serial(effects))])
    person.send(.answered(serial: serial(effects), .applied(.record(8))))
    #expect(person.text.contains("row 10 has no state of its own"))
  }

  @Test func `on the line of a move, keys mean the state that the app was moved to`() {
    var person = Person.atPrimeTime()
    person.catalog.note(moved(by: "bob@lap", 5, to: 3, count: 1), by: one)
    person.send(.news)
    person.press("G", "Down")
    #expect(person.text.contains("bob@lap moved the app from row 8 to row 3"))
    for key in ["s", "c"] as [CommandKey] {
      person.press(key)
      let effects = person.takeEffects()
      #expect(effects == [.move(one, to: .record(3), serial: serial(effects))])
      person.send(.answered(serial: serial(effects), .applied(.record(3))))
    }
    person.press("y", "v")
    let copied = person.takeEffects().compactMap { effect -> CopyRequest.Content? in
      if case .copy(let request) = effect { request.content } else { nil }
    }
    let state = #"{"count":3,"user":{"name":"Ada","age":36},"theme":"dark"}"#
    #expect(copied == [.bytes(Array(state.utf8))])
  }

  @Test func `an action whose state could not be encoded stands for no other row's state`() {
    var person = Person.atPrimeTime()
    person.record(
      Record(sequence: 10, kind: .action, name: "increment"),
      log(11, .error, "state not recorded"))
    for row in [10, 11] {
      person.press("G")
      if row == 10 { person.press("Up") }
      person.press("s")
      let effects = person.takeEffects()
      #expect(effects.allSatisfy { if case .move = $0 { false } else { true } })
      #expect(person.text.contains("the state at this row is not known"))
    }
  }

  @Test func `in a row without a state, the cursor's value and the state in force can be copied`() {
    var person = Person.atPrimeTime()
    person.press("y", "v")
    let copies = person.takeEffects().compactMap { effect -> CopyRequest? in
      if case .copy(let request) = effect { request } else { nil }
    }
    let state = #"{"count":8,"user":{"name":"Ada","age":36},"theme":"dark"}"#
    #expect(copies.map(\.title) == ["the state"])
    #expect(copies.map(\.content) == [.bytes(Array(state.utf8))])
  }

  @Test func `the app goes back from a row that is deleted, and stays for any other`() {
    var person = Person.atPrimeTime()
    person.type("3")
    person.press("Enter", "Delete")
    #expect(person.rowText == "2" && person.takeEffects() == [])
    person.type("8")
    person.press("Enter", "Delete")
    let effects = person.takeEffects()
    let wanted: [DebuggerEffect] = [.move(one, to: .record(7), serial: serial(effects))]
    #expect(person.rowText == "7" && effects == wanted)
    person.send(.answered(serial: serial(effects), .applied(.record(7))))
    #expect(
      person.text.contains(
        "✓ row 8 is deleted from this view only · moved PrimeTime#11105 to row 7 · u undoes"))
    person.press("u")
    let undo = person.takeEffects()
    #expect(undo == [.move(one, to: .record(8), serial: serial(undo))] as [DebuggerEffect])
    person.send(.answered(serial: serial(undo), .applied(.record(8))))
    #expect(person.text.contains("✓ row 8 is shown again · moved PrimeTime#11105 to row 8"))
    #expect(person.text.contains("9 rows · 1 deleted"))
    person.press("u")
    #expect(person.takeEffects() == [] && person.text.contains("✓ row 3 is shown again"))
    #expect(!person.text.contains("deleted"))
  }

  @Test func `a deletion is undone before the jump that it followed`() {
    var person = Person.atPrimeTime()
    person.type("3")
    person.press("Enter", "s")
    person.send(.answered(serial: serial(person.takeEffects()), .applied(.record(3))))
    person.type("4")
    person.press("Enter", "Delete", "u")
    #expect(person.takeEffects() == [] && person.text.contains("✓ row 4 is shown again"))
    person.press("u")
    let undo = person.takeEffects()
    #expect(undo == [.move(one, to: .record(8), serial: serial(undo))] as [DebuggerEffect])
  }

  @Test func `a row is shown again even if the app could not be moved out of it`() {
    var person = Person.atPrimeTime()
    person.press("Up", "Delete")
    person.send(.answered(serial: serial(person.takeEffects()), .failed("no answer")))
    #expect(person.text.contains("9 rows · 1 deleted"))
    person.press("u")
    #expect(person.takeEffects() == [] && !person.text.contains("1 deleted"))
  }

  /// Somebody at an app of five rows, whose states take more room than there is.
  private func withoutRoom() -> Person {
    var bounds = Catalog.Bounds()
    bounds.timeline.byteCountMax = 4_500
    var person = Person()
    person.catalog = Catalog(bounds: bounds)
    person.start(one)
    var random = SeededGenerator(seed: 1)
    for number in 1...5 as ClosedRange<UInt64> {
      let digits = (0..<1_900).map { _ in "\(Int.random(in: 0...9, using: &random))" }
      person.record(action(number, "set", "\"\(digits.joined())\""))
    }
    _ = person.takeEffects()
    return person
  }

  /// Each would have put the app into its initial state.
  @Test(arguments: [["2", "Enter", "s"], ["2", "Enter", "c"], ["2", "Enter", "A"]])
  func `a row whose state was evicted is not asked for`(keys: [CommandKey]) {
    var person = withoutRoom()
    #expect(person.catalog[one]?.timeline.row(2)?.state == .dropped(size: 1_902))
    for key in keys { person.press(key) }
    let moves = person.takeEffects().filter { if case .move = $0 { true } else { false } }
    #expect(moves == [])
    #expect(person.text.contains("the state of row 2 is no longer here"))
  }

  @Test func `the way back to a row whose state was evicted is closed`() {
    var person = withoutRoom()
    person.type("0")
    person.press("Enter", "s")
    person.send(.answered(serial: serial(person.takeEffects()), .applied(.initial)))
    var random = SeededGenerator(seed: 2)
    for number in 6...9 as ClosedRange<UInt64> {
      let digits = (0..<1_900).map { _ in "\(Int.random(in: 0...9, using: &random))" }
      person.record(action(number, "set", "\"\(digits.joined())\""))
    }
    _ = person.takeEffects()
    person.press("u")
    #expect(person.takeEffects() == [])
    #expect(person.text.contains("the state of row 5 is no longer here"))
  }

  @Test func `a row whose state the app did not send is not asked for either`() {
    var person = Person()
    person.start(one)
    person.record(action(1, "start", "1"), action(2, "tick"), action(3, "add", "3"))
    _ = person.takeEffects()
    person.press("u")
    person.type("1")
    person.press("Enter", "s")
    person.send(.answered(serial: serial(person.takeEffects()), .applied(.record(1))))
    person.press("u")
    let moves: [DebuggerEffect] = person.takeEffects()
    #expect(moves == [.move(one, to: .record(3), serial: serial(moves))])
  }

  /// `find` warns of it; the debugger has room for two words.
  @Test func `a search that lacks states says that there may be more hits`() {
    var person = withoutRoom()
    person.press("f")
    person.type("state changed")
    person.wait(.seconds(1))
    person.press("Enter")
    #expect(person.text.contains(" or more of 5 rows"))
    person = Person.atPrimeTime()
    person.press("f")
    person.type("count over 6")
    person.wait(.seconds(1))
    person.press("Enter")
    #expect(person.text.contains("filter: count over 6 · 3 of 9 rows"))
  }

  @Test func `a row is deleted where the app takes no state`() {
    var person = Person()
    person.start(one, acceptsResets: false)
    person.record(action(1, "start", "1"), action(2, "add", "2"))
    _ = person.takeEffects()
    person.press("Delete")
    #expect(person.rowText == "1" && person.takeEffects() == [])
    #expect(person.text.contains("✓ row 2 is deleted from this view only · u undoes"))
  }

  @Test func `row 0 is the initial state`() {
    var person = Person.atPrimeTime()
    person.press("g", "s")
    let effects = person.takeEffects()
    let wanted: [DebuggerEffect] = [.move(one, to: .initial, serial: serial(effects))]
    #expect(effects == wanted)
  }

  @Test func `what the app refuses is told, and needs no undo`() {
    var person = Person.atPrimeTime()
    person.press("Up", "s")
    let effects = person.takeEffects()
    person.send(.answered(serial: serial(effects), .failed("PrimeTime#11105 refused: busy")))
    #expect(person.text.contains("! PrimeTime#11105 refused: busy"))
    person.press("u")
    #expect(person.takeEffects() == [])
  }

  @Test func `an undo that fails can be tried again`() {
    var person = Person.atPrimeTime()
    person.press("Up", "Up", "s")
    person.send(.answered(serial: serial(person.takeEffects()), .applied(.record(7))))
    person.press("u")
    person.send(.answered(serial: serial(person.takeEffects()), .failed("no answer")))
    person.press("u")
    let again = person.takeEffects()
    let back: [DebuggerEffect] = [.move(one, to: .record(8), serial: serial(again))]
    #expect(again == back)
  }

  @Test func `back and forward go from where the app is, not from the cursor`() {
    var person = Person.atPrimeTime()
    person.press("g", "<")
    let effects = person.takeEffects()
    let back: [DebuggerEffect] = [.move(one, to: .record(7), serial: serial(effects))]
    #expect(effects == back)
    person.press(">")
    #expect(person.takeEffects() == [])
    #expect(person.text.contains("is at the tip already"))
  }

  @Test func `the newest row of an older future is not called the tip`() {
    var person = Person.atPrimeTime()
    person.record(action(10, "increment", "{}", from: 3))
    let back = Restored(
      request: 1, viewer: ViewerID(rawValue: 10), viewerName: "bob@lap", position: .record(8),
      newestRecord: 10, moveCount: 1, outcome: .applied)
    person.catalog.note(back, by: one)
    _ = person.takeEffects()
    person.press(">")
    #expect(person.takeEffects() == [])
    #expect(person.text.contains("no row grew from row 8; the tip is row 10"))
  }

  @Test func `a command that cannot run says why, and asks nothing`() {
    var person = Person()
    person.start(one, control: [], acceptsResets: false)
    person.record(action(1, "increment", "{}"))
    _ = person.takeEffects()
    person.press("s")
    #expect(person.text.contains("the app takes no states from outside"))
    person.press("x")
    #expect(person.text.contains("the app takes no commands"))
    person.catalog.leave(one, saidGoodbye: true)
    person.press("s")
    #expect(person.text.contains("the app is gone"))
    #expect(person.takeEffects() == [])
  }

  @Test func `an action is dispatched as the command takes it`() {
    var person = Person.atPrimeTime()
    person.press("D")
    person.type("{add: 'Milk'}")
    person.press("Enter")
    let effects = person.takeEffects()
    let dispatch: [DebuggerEffect] = [
      .command(one, .dispatch(["add": "Milk"]), serial: serial(effects))
    ]
    #expect(effects == dispatch)
    person.press("D")
    person.type("{add")
    person.press("Enter")
    #expect(person.takeEffects() == [] && person.text.contains("cannot read the action: line 1"))
  }

  @Test(
    arguments: [
      ("add Oats", [["add": "Oats"], ["type": "add", "payload": "Oats"]]),
      (#"add("Oats")"#, [["add": "Oats"], ["type": "add", "payload": "Oats"]]),
      ("clear", ["clear", ["type": "clear"]]), (#"{"add":"Oats"}"#, [["add": "Oats"]]),
    ] as [(String, [JSON])])
  func `an action is tried in one form after another, until the app takes one`(
    text: String, forms: [JSON]
  ) {
    for takenCount in 0...forms.count {
      var person = Person.atPrimeTime()
      person.press("D")
      person.type(text)
      person.press("Enter")
      for (index, form) in forms.enumerated().prefix(takenCount + 1) {
        let effects = person.takeEffects()
        let dispatch: [DebuggerEffect] = [
          .command(one, .dispatch(form), serial: serial(effects))
        ]
        #expect(effects == dispatch)
        person.send(
          .answered(
            serial: serial(effects),
            index < takenCount ? .refused("no form \(index)") : .applied(.record(9))))
      }
      #expect(person.takeEffects() == [])
      let isTaken = takenCount < forms.count
      #expect(person.text.contains("✓ dispatched ") == isTaken)
      // The likeliest form's refusal says most, and the text is there again.
      #expect(person.text.contains("no form 0") == !isTaken)
      #expect(person.text.contains("dispatch: \(text)") == !isTaken)
    }
  }

  @Test func `an app that does not answer is sent no other form`() {
    var person = Person.atPrimeTime()
    person.press("D")
    person.type("add 5")
    person.press("Enter")
    person.send(.answered(serial: serial(person.takeEffects()), .refused("not that")))
    person.send(.answered(serial: serial(person.takeEffects()), .failed("no answer in time")))
    #expect(person.takeEffects() == [] && person.text.contains("no answer in time"))
  }

  @Test func `actions are left out, recording pauses, the app is locked`() {
    var person = Person.atPrimeTime()
    person.press("Up", "x")
    let toggle: [DebuggerEffect] = [.command(one, .toggle(8, skipped: true), serial: 1)]
    #expect(person.takeEffects() == toggle)
    person.press(":")
    person.type("pause recording")
    person.press("Enter")
    let pause: [DebuggerEffect] = [.command(one, .pause(true), serial: 2)]
    #expect(person.takeEffects() == pause)
  }

  @Test func `states go to files and come from them`() {
    var person = Person.atPrimeTime()
    person.press("Up", "S")
    person.type("good.json")
    person.press("Enter")
    let save: [DebuggerEffect] = [.save(one, 8, to: FileTarget("good.json", serial: 1))]
    #expect(person.takeEffects() == save)
    person.send(.filed(serial: 1, .written("saved good.json")))
    #expect(person.text.contains("✓ saved good.json"))
    person.press("R")
    person.type("good.json")
    person.press("Enter")
    let effects = person.takeEffects()
    let load: [DebuggerEffect] = [.load(one, path: "good.json", serial: serial(effects))]
    #expect(effects == load)
    person.send(.answered(serial: serial(effects), .applied(.elsewhere)))
    person.press("u")
    let undo = person.takeEffects()
    let back: [DebuggerEffect] = [.move(one, to: .record(8), serial: serial(undo))]
    #expect(undo == back)
  }

  @Test func `quit, suspend and redraw are the driver's`() {
    var person = Person.atPrimeTime()
    person.press("Ctrl-l", "Ctrl-z", "q")
    let effects: [DebuggerEffect] = [.redraw, .suspend, .quit]
    #expect(person.takeEffects() == effects)
    person.press("/")
    person.type("q")
    #expect(person.takeEffects() == [])
    person.press("Ctrl-c")
    let quit: [DebuggerEffect] = [.quit]
    #expect(person.takeEffects() == quit)
  }

  @Test func `a screen that is too small to show the app lets no key change anything`() {
    var person = Person.atPrimeTime()
    person.press("Up", "Up")
    person.send(.size(ScreenSize(width: 39, height: 24)))
    #expect(person.lines[0].hasPrefix("39×24 is too small: 40×10 at least"))
    #expect(person.lines[1].hasPrefix("only these keys work: Ctrl-l Ctrl-z q"))
    person.press("s", "x", "Delete", "Enter", "f", "1", "y")
    person.send(.paste("{}"))
    person.send(.pointer(.press(ScreenPlace(row: 4, column: 3))))
    #expect(person.takeEffects() == [])
    person.press("Ctrl-l", "Ctrl-z", "q", "Ctrl-c")
    #expect(person.takeEffects() == [.redraw, .suspend, .quit, .quit] as [DebuggerEffect])
    person.send(.size(ScreenSize(width: 100, height: 30)))
    #expect(person.rowText == "7" && person.text.contains("no filter · 9 rows"))
  }

  @Test func `what is typed when the screen becomes too small does not quit`() {
    var person = Person.atPrimeTime()
    person.press("f")
    person.type("is")
    person.send(.size(ScreenSize(width: 100, height: 9)))
    #expect(person.text.contains("only these keys work: Ctrl-l Ctrl-z Ctrl-c"))
    person.type("qq")
    person.press("Esc")
    #expect(person.takeEffects() == [])
    person.send(.size(ScreenSize(width: 100, height: 30)))
    #expect(person.lines[28].contains("is ") && !person.lines[28].contains("isq"))
  }

  @Test func `a notice goes after a while`() {
    var person = Person.atPrimeTime()
    person.press("u")
    #expect(person.text.contains("nothing is left to undo"))
    person.wait(.seconds(6))
    #expect(!person.text.contains("nothing is left to undo"))
  }
}
