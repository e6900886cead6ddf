import JSONTree
import SurfControl
import SurfDebugger
import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen
import Testing

/// The state before row 1, which no action's row carries.
@Suite struct InitialStateTests {
  private func description(_ number: UInt64) -> Record {
    let revision = Revision(
      command: "describe", viewerName: "ada@desk", replay: .exact, isLocked: false,
      isPaused: false, initial: ["count": 0])
    return Record(
      sequence: SequenceNumber(number), kind: .revision, uptime: number * 500_000_000,
      name: "initial state asked for by ada@desk",
      payload: Content(type: "application/json", bytes: revision.json.bytes()))
  }

  private func begun(observes: Bool = false) -> Person {
    var person = Person(observes: observes)
    person.start(one)
    person.record(action(1, "increment", #"{"count":1}"#))
    person.wait(.seconds(1))
    return person
  }

  @Test func `a newcomer's first row has something to compare with`() {
    var person = begun()
    #expect(person.described == [one])
    person.record(description(2))
    #expect(person.rowText == "1" && person.lines[0].hasSuffix("FOLLOW on"))
    #expect(person.text.contains("from row 0 (initial) · 1 change"))
    #expect(person.text.contains("~ count: 0 → 1"))
    #expect(person.text.contains("initial state asked for by ada"))
    person.record(action(3, "increment", #"{"count":2}"#))
    #expect(person.rowText == "3" && person.described == [one])
  }

  @Test func `row 0 shows the state that it stands for`() {
    var person = Person()
    person.start(one)
    // An app's first row is its own, if that comes soon.
    #expect(person.described == [])
    person.wait(.seconds(1))
    #expect(person.described == [one])
    person.record(description(1))
    #expect(person.text.contains("the app began in this state"))
    person.press("]")
    #expect(person.text.contains("[State]") && person.text.contains("count: 0"))
  }

  @Test func `nothing is due for an app that is no longer here`() {
    var bounds = Catalog.Bounds()
    bounds.instanceCountMax = 1
    var person = Person()
    person.catalog = Catalog(bounds: bounds)
    person.start(one)
    person.record(action(1, "increment", #"{"count":1}"#))
    #expect(person.debugger.deadline == .seconds(1))
    person.catalog.leave(one, saidGoodbye: true)
    person.start(two)
    person.wait(.seconds(60))
    #expect(person.debugger.deadline == nil && person.described == [])
  }

  @Test func `a row that only tells the initial state is stepped onto, but not followed`() {
    var person = begun()
    person.record(description(2))
    person.press("Down")
    #expect(person.rowText == "2" && person.lines[0].hasSuffix("FOLLOW off"))
    person.press("G")
    #expect(person.rowText == "1" && person.lines[0].hasSuffix("FOLLOW on"))
  }

  @Test func `an app that begins at once is not asked before its first row`() {
    var person = Person()
    person.start(one)
    person.wait(.milliseconds(900))
    person.record(action(1, "increment", #"{"count":1}"#), action(2, "increment", #"{"count":2}"#))
    person.wait(.seconds(2))
    #expect(person.rowText == "2" && person.described == [])
    person.press("Up")
    #expect(person.described == [one])
  }

  @Test func `who only observes asks no app`() {
    var person = begun(observes: true)
    person.press("g", "Down")
    person.wait(.seconds(2))
    #expect(person.described == [])
  }

  @Test func `nobody is asked who cannot answer, or has answered`() {
    var person = Person()
    person.start(one, control: [])
    person.record(action(1, "increment", #"{"count":1}"#))
    person.wait(.seconds(2))
    #expect(person.described == [])
    person = Person()
    person.start(one, newest: 3)
    person.record(action(1, "increment", #"{"count":1}"#))
    person.press("g", "Down")
    person.wait(.seconds(2))
    #expect(person.described == [])
    person.record(action(2, "increment", #"{"count":2}"#), description(3))
    person.wait(.seconds(2))
    #expect(person.described == [] && person.text.contains("~ count: 0 → 1"))
  }

  @Test func `a search that needs the initial state asks for it, and looks again`() {
    var person = Person()
    person.start(one, newest: 2)
    person.record(action(2, "increment", #"{"count":2}"#), action(1, "increment", #"{"count":1}"#))
    person.press("/")
    person.type("count over 0")
    person.wait(.seconds(2))
    #expect(person.described == [] && person.text.contains("of 2"))
    person.press("Ctrl-u")
    person.type("count changed")
    person.wait(.seconds(2))
    #expect(person.described == [one] && person.text.contains("1 of 1"))
    person.record(description(3))
    #expect(person.text.contains("2 of 2"))
  }

  @Test(arguments: [true, false])
  func `a key that goes to the hit before waits for the initial state`(isAnswered: Bool) {
    var person = Person()
    person.start(one, newest: 3)
    for (number, count) in [1: 1, 2: 1, 3: 2] as KeyValuePairs<UInt64, Int> {
      person.record(action(number, "add", #"{"count":\#(count)}"#))
    }
    person.press("*", "N")
    #expect(person.described == [one] && person.shownRow == "3")
    #expect(person.text.contains("asking for the initial state, to look for count changed"))
    if isAnswered { person.record(description(4)) }
    person.wait(.seconds(2))
    #expect(person.shownRow == (isAnswered ? "1" : "3"))
    #expect(person.text.contains("some rows could not be searched") != isAnswered)
  }

  @Test func `the initial state is asked for where it is needed`() {
    var person = Person()
    person.start(one, newest: 2)
    person.record(action(2, "increment", #"{"count":2}"#), action(1, "increment", #"{"count":1}"#))
    #expect(person.rowText == "2" && person.described == [])
    person.press("Up")
    person.wait(.seconds(1))
    #expect(person.described == [one])
    person.press("Up", "Down", "Up")
    person.wait(.seconds(2))
    #expect(person.described == [one])
  }
}
