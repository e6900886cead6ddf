import SurfDebugger
import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen
import Testing

/// Keys that move no app.
@Suite struct LookingTests {
  @Test func `an app that appears is followed and shown`() {
    var person = Person()
    #expect(person.text.contains("no app is here yet"))
    person.start(one)
    let follow: [DebuggerEffect] = [.follow(one)]
    #expect(person.takeEffects() == follow)
    #expect(person.lines[0].contains("[PrimeTime#11105 ●]"))
    person.send(.news)
    #expect(person.takeEffects() == [])
  }

  @Test func `rows that an app has told of, and that have not come, are on the way`() {
    var person = Person()
    person.start(one, newest: 2)
    #expect(person.text.contains("░░ rows 1–2 (2) on the way ░░"))
    person.record(action(3, "add", "{}"))
    person.start(one, newest: 5)
    person.press("End")
    #expect(person.text.contains("░░ rows 1–2 (2) not loaded ░░"))
    #expect(person.text.contains("░░ rows 4–5 (2) on the way ░░"))
    #expect(person.text.contains("these rows are on the way"))
    person.record(action(5, "add", "[]"))
    #expect(person.text.contains("░░ row 4 not loaded ░░"))
    person.start(one, newest: 6)
    person.catalog.leave(one, saidGoodbye: true)
    person.send(.news)
    #expect(person.text.contains("░░ row 6 not loaded ░░"))
  }

  @Test func `the app that was asked for is shown, and no other`() {
    var person = Person(wanted: "Todo")
    person.start(one)
    #expect(person.takeEffects() == [])
    person.start(two, "Todo", id: 7)
    let follow: [DebuggerEffect] = [.follow(two)]
    #expect(person.takeEffects() == follow)
    #expect(person.lines[0].contains("[Todo#7 ●]"))
  }

  @Test func `a name that several apps have is not waited for in vain`() {
    var person = Person(width: 120, wanted: "Todo")
    var others = Person()
    others.start(one, "Todo", id: 7)
    others.start(two, "Todo", id: 9)
    person.catalog = others.catalog
    person.send(.news)
    #expect(person.takeEffects() == [])
    for line in ["2 apps are named Todo:", "Todo#7 on desk, id 00000000", "Todo#9 on desk"] {
      #expect(person.text.contains(line))
    }
    #expect(person.text.contains("} leads to the next app"))
    person.press("}")
    #expect(person.lines[0].contains("[Todo#"))
  }

  @Test func `a name that no app has is compared with those that are here`() {
    var person = Person(width: 120, wanted: "Tood")
    person.start(one, "Todo", id: 7)
    #expect(person.text.contains("waiting for Tood on lo"))
    #expect(person.text.contains("No app has that name. Did you mean Todo"))
    person = Person(width: 40, height: 10, wanted: "Nope")
    #expect(person.text.contains("waiting for Nope on lo") && !person.text.contains("live:"))
    person.start(one, "PrimeTime", id: 7)
    person.start(two, "Todo", id: 8)
    person.start(SessionID(rawValue: 3), "Todo", id: 9)
    #expect(person.text.contains("waiting for Nope on lo"))
    #expect(person.text.contains("live: PrimeTime, Todo (2)"))
    #expect(person.lines.contains("  No app has that name."))
  }

  @Test func `an app of another machine has its host in its tab, and one of ours comes first`() {
    var person = Person(host: "desk")
    var stranger = Person()
    stranger.start(one, host: "pi")
    person.catalog = stranger.catalog
    person.start(two, "Todo", id: 7)
    #expect(person.lines[0].contains(" PrimeTime#11105@pi ● [Todo#7 ●]"))
    person.press("}")
    #expect(person.lines[0].contains("[PrimeTime#11105@pi ●]"))
  }

  @Test func `a host alone asks for what is live there`() {
    var person = Person(wanted: "@pi")
    person.start(one)
    #expect(person.takeEffects() == [])
    person.start(two, "Todo", id: 7, host: "pi")
    let follow: [DebuggerEffect] = [.follow(two)]
    #expect(person.takeEffects() == follow)
  }

  /// The bytes are a delta from the state of row 250.
  @Test(arguments: [
    (
      RecordState.givenUp, "not sent", "the app did not send this state", "not sent by the app"
    ),
    (
      .delta(Content(type: "x", bytes: [250, 1, 1, 5, 0x62])), "not here",
      "the app sent this state", "sent as a change of a state"
    ),
  ])
  func `a state that is missing is told as that, with the reason`(
    state: RecordState, inList: String, inDetail: String, inFacts: String
  ) {
    var person = Person()
    person.start(one)
    var unsent = action(1, "tick", "{}")
    unsent.state = state
    person.record(unsent)
    let list = person.lines.map { $0.prefix { $0 != "│" } }
    #expect(list.contains { $0.contains("tick") && $0.contains(inList) })
    #expect(person.text.contains(inDetail))
    person.press("]", "]", "]")
    #expect(person.lines.contains { $0.contains("state") && $0.contains(inFacts) })
  }

  @Test func `a row says for how many equal actions it stands`() {
    var person = Person()
    person.start(one)
    person.record(
      Record(
        sequence: 1, kind: .action, name: "tick", state: .keyframe(json("1")), count: 12))
    #expect(person.text.contains("tick ×12"))
  }

  @Test func `a terminal without UTF-8 gets no boxes`() {
    var person = Person(isASCII: true)
    person.start(one)
    person.record(action(1, "increment", #"{"count":1}"#))
    #expect(person.lines[2].hasPrefix("=====") && !person.text.contains("─"))
  }

  @Test func `of many apps, the one that is shown has its tab on the screen`() {
    var person = Person()
    for number in 1...20 as ClosedRange<UInt64> {
      person.start(SessionID(rawValue: number), "App\(number)", id: 7)
    }
    for number in 2...20 {
      person.press("}")
      #expect(person.lines[0].contains("[App\(number)#7 ●]"))
    }
  }

  @Test func `the cursor follows until a step up, and the header counts what came since`() {
    var person = Person.atPrimeTime()
    let newest = "9"
    #expect(person.shownRow == newest && person.lines[0].hasSuffix("FOLLOW on"))
    person.press("Up")
    let eighth = "8"
    #expect(person.shownRow == eighth && person.lines[0].hasSuffix("FOLLOW off"))
    person.record(action(10, "increment"), action(11, "increment"))
    #expect(person.shownRow == eighth && person.lines[0].hasSuffix("FOLLOW off +2"))
    person.press("G")
    let last = "11"
    #expect(person.shownRow == last && person.lines[0].hasSuffix("FOLLOW on"))
  }

  @Test func `looking sends nothing to an app`() {
    var person = Person.atPrimeTime()
    let keys: [CommandKey] = [
      "Up", "k", "PageUp", "g", "m", "b", "d", "Tab", "]", "]", "=", "-", "[", "Enter", "Left",
      "G", "F", "z", "t", "e", "E", ",", ".", "'", "Down", "n", "/", "Esc", "f", "Esc",
    ]
    for key in keys { person.press(key) }
    #expect(person.takeEffects() == [])
  }

  @Test func `the difference of the row under the cursor is shown`() {
    var person = Person.atPrimeTime()
    person.press("Up")
    #expect(person.text.contains("from row 7 · 1 change"))
    #expect(person.text.contains("~ count: 7 → 8"))
    #expect(person.text.contains("▸ unchanged 2"))
    person.press("Up", "Up", "b", "Down", "Down")
    #expect(person.text.contains("from row 6 (base B)"))
    #expect(person.text.contains("~ count: 6 → 8"))
  }

  @Test func `a state is a tree that stays open from row to row`() {
    var person = Person.atPrimeTime()
    person.press("Up", "]", "Tab", "Down", "Down", "Enter")
    #expect(person.text.contains("▾ user: 2 keys"))
    person.press("Tab", "Down")
    #expect(person.text.contains("row 9 has no state of its own"))
    #expect(person.text.contains("count: 8"))
    person.press("Up", "Up")
    #expect(person.text.contains("▾ user: 2 keys") && person.text.contains("count: 7"))
  }

  @Test func `a number opens a prompt that goes to the row`() {
    var person = Person.atPrimeTime()
    person.type("3")
    #expect(person.text.contains("row: 3"))
    person.press("Enter")
    let third = "3"
    #expect(person.shownRow == third)
    // Row 9 has no state, as on the command line.
    person.type("~2")
    person.press("Enter")
    let sixth = "6"
    #expect(person.shownRow == sixth)
    person.type("~99")
    person.press("Enter")
    #expect(person.text.contains("there are not that many rows with a state"))
    person.press("Esc")
    #expect(person.shownRow == sixth)
    person.type("99")
    person.press("Enter")
    #expect(person.text.contains("there is no row 99 here"))
  }

  @Test func `a search shows what it finds while it is typed, and Esc takes it back`() {
    var person = Person.atPrimeTime()
    person.press("g", "/")
    person.type("isprime")
    person.wait(.seconds(1))
    let third = "3"
    #expect(person.shownRow == third && person.text.contains("1 of 2"))
    person.press("Enter", "n")
    let sixth = "6"
    #expect(person.shownRow == sixth)
    person.press("n")
    #expect(person.shownRow == third)
    person.press("N", "/")
    person.type("refused")
    person.wait(.seconds(1))
    person.press("Esc")
    #expect(person.shownRow == sixth && person.text.contains("find: isprime"))
  }

  @Test func `a filter hides the rest, also of what comes, and a way out of it takes it away`() {
    var person = Person.atPrimeTime()
    person.press("f")
    person.type("isPrime")
    person.wait(.seconds(1))
    person.press("Enter")
    #expect(person.text.contains("filter: isPrime · 2 of 9 rows"))
    person.record(action(10, "isPrime"), action(11, "other"))
    person.wait(.seconds(1))
    #expect(person.text.contains("filter: isPrime · 3 of 11 rows"))
    #expect(!person.text.contains("other"))
    person.type("5")
    person.press("Enter")
    #expect(person.text.contains("the filter is off: it hid row 5"))
  }

  @Test func `a search can be a query, and a row that comes is asked at once`() {
    var person = Person.atPrimeTime()
    person.press("g", "/")
    person.type("count over 6")
    person.wait(.seconds(1))
    #expect(person.text.contains("1 of 3"))
    person.press("Enter")
    let seventh = "7"
    #expect(person.shownRow == seventh)
    person.record(action(10, "increment", #"{"count":3}"#), action(11, "add", #"{"count":8}"#))
    person.wait(.seconds(1))
    #expect(person.text.contains("1 of 4"))
    person.press("n", "n", "n")
    let eleventh = "11"
    #expect(person.shownRow == eleventh)
  }

  @Test func `a text that is no query is told with its column, and is not taken`() {
    var person = Person.atPrimeTime(width: 120)
    person.press("f")
    person.type("count over")
    person.wait(.seconds(1))
    #expect(person.lines[28].contains("column 11: expected a value"))
    person.press("Enter")
    person.type(" 6")
    person.wait(.seconds(1))
    #expect(person.text.contains("filter: count over 6 "))
    #expect(person.lines[28].contains("3 pass"))
    person.press("Ctrl-u")
    person.type("knd:log")
    #expect(person.lines[28].contains("column 1: unknown field 'knd:'. Did you mean 'kind:'?"))
    person.press("Esc")
    #expect(person.text.contains("no filter"))
  }

  @Test func `while a query cannot be read, the rows of the last one stay`() {
    var person = Person.atPrimeTime()
    person.press("f")
    person.type("isprime")
    person.wait(.seconds(1))
    person.type(" (")
    #expect(person.text.contains("filter: isprime · 2 of 9 rows"))
  }

  @Test func `causes, effects, problems and marks are gone to`() {
    var person = Person.atPrimeTime()
    person.type("6")
    person.press("Enter", ",")
    let fifth = "5"
    #expect(person.shownRow == fifth)
    person.press(".")
    let sixth = "6"
    #expect(person.shownRow == sixth)
    person.press("m", "e")
    let ninth = "9"
    #expect(person.shownRow == ninth)
    person.press("'")
    #expect(person.shownRow == sixth)
    person.press("e", "e")
    #expect(person.text.contains("no error or warning after this row"))
  }

  @Test func `gaps and others' moves are lines that can be stepped onto`() {
    var person = Person.atPrimeTime()
    person.record(action(13, "increment"))
    person.catalog.lose(10...12, of: one)
    person.catalog.note(
      Restored(
        request: 1, viewer: ViewerID(rawValue: 5), viewerName: "bob@lap", position: .record(3),
        newestRecord: 13, moveCount: 1, outcome: .applied), by: one)
    person.send(.news)
    #expect(person.text.contains("░░ rows 10–12 (3) lost: no longer available ░░"))
    #expect(person.text.contains("⤺ bob@lap moved the app"))
    #expect(person.text.contains("to row 3"))
    person.press("Up")
    #expect(person.text.contains("the app no longer has these rows"))
  }

  @Test func `what came while a search was asked for is there when Esc leaves it`() {
    var person = Person.atPrimeTime(width: 120)
    person.press("f")
    person.type("isPrime")
    person.wait(.seconds(1))
    person.press("Enter", "/")
    person.record(action(10, "isPrime"))
    person.wait(.seconds(1))
    person.press("Esc")
    #expect(person.text.contains("filter: isPrime · 3 of 10 rows"))
    person.press("Home")
    #expect(!person.lines.contains { $0.hasPrefix("▸") && $0.contains("(initial)") })
  }

  @Test func `the row before all rows shows nothing of another`() {
    var person = Person.atPrimeTime(width: 120)
    person.press("Up", "]")
    #expect(person.text.contains("count"))
    person.press("Home")
    #expect(!person.text.contains("count"))
    person.press("y", "d")
    #expect(person.takeEffects().isEmpty)
  }

  @Test func `a paste without a prompt moves nothing`() {
    var person = Person.atPrimeTime()
    person.send(.paste("sssuuq"))
    let examine: [DebuggerEffect] = [.examine(one, path: "sssuuq")]
    #expect(person.takeEffects() == examine)
    person.press("/")
    person.send(.paste("isPrime\nq"))
    #expect(person.text.contains("find: isPrime"))
  }

  @Test func `a state that is too deep for a tree is told, and shown as text`() {
    var person = Person(width: 160)
    person.start(one)
    let depth = 100_000
    let deep =
      String(repeating: #"{"in":"#, count: depth) + "1" + String(repeating: "}", count: depth)
    person.record(action(1, "sink", deep))
    person.press("]")
    #expect(person.text.contains(#"[0]: "as text: more than 512 levels of nesting""#))
    #expect(person.text.contains(#"[1]: "{\"in\":{\"in\":"#))
  }
}
