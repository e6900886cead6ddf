import SurfDebugger
import SurfTimeline
import SurfViewer
import SurfWire
import Testing

/// Two apps side by side, and who else is here.
@Suite struct ComparingTests {
  private var twoApps: Person {
    var person = Person.atPrimeTime()
    person.start(two, "Other", id: 7)
    person.record(action(1, "increment", #"{"count":1,"theme":"light"}"#), in: two)
    _ = person.takeEffects()
    person.press("Up", "C", "Enter")
    return person
  }

  @Test func `another app's newest state is compared with the row under the cursor`() {
    var person = twoApps
    let follow: [DebuggerEffect] = [.follow(two)]
    #expect(person.takeEffects() == follow)
    #expect(person.text.contains("- Other#7 row 1, its newest"))
    #expect(person.text.contains("+ PrimeTime#11105 row 8 · 3 changes"))
    #expect(person.text.contains(#"~ theme: "light" → "dark""#))
    #expect(person.text.contains("~ count: 1 → 8"))
  }

  @Test func `what either app does next is compared at once`() {
    var person = twoApps
    person.record(action(2, "increment", #"{"count":2,"theme":"dark"}"#), in: two)
    #expect(person.text.contains("- Other#7 row 2, its newest"))
    #expect(person.text.contains("~ count: 2 → 8"))
    person.press("G")
    person.record(action(10, "increment", #"{"count":10,"theme":"dark"}"#))
    #expect(person.text.contains("+ PrimeTime#11105 row 10"))
    #expect(person.text.contains("~ count: 2 → 10"))
  }

  @Test func `the row that the person chose in the other app is taken instead of its newest`() {
    var person = twoApps
    person.record(action(2, "increment", #"{"count":2,"theme":"dark"}"#), in: two)
    person.press("}", "Up", "{")
    #expect(person.lines.contains { $0.hasSuffix("- Other#7 row 1") })
    #expect(person.text.contains("~ count: 1 → 8"))
  }

  @Test func `Esc ends the comparison after search and filter, and the pane says so`() {
    var person = twoApps
    #expect(person.text.contains("│ d ends the comparison"))
    for key in ["f", "/"] as [CommandKey] {
      person.press(key)
      person.type("increment")
      person.press("Enter", "Esc")
      #expect(person.text.contains("- Other#7 row 1"))
    }
    // The way back from the other pane, once too often.
    person.press("Left")
    #expect(person.text.contains("- Other#7 row 1"))
    person.press("Esc")
    #expect(!person.text.contains("Other#7 row 1") && person.text.contains("from row 7"))
  }

  @Test func `d goes back to the row before`() {
    var person = twoApps
    person.press("d")
    #expect(person.text.contains("from row 7 · 1 change"))
  }

  @Test func `an app without a state is told`() {
    var person = Person.atPrimeTime()
    person.start(two, "Other", id: 7)
    person.press("Up", "C", "Enter")
    #expect(person.text.contains("Other#7 has no state to compare with"))
  }

  @Test func `the status says who moved the app last, and who did before`() {
    var person = Person.atPrimeTime(width: 120)
    #expect(!person.text.contains("moved by"))
    person.catalog.note(moved(by: "bob@lap", 5, to: 3, count: 1), by: one)
    person.send(.news)
    #expect(person.text.contains("PrimeTime#11105 is at row 3 · last moved by bob@lap"))
    person.catalog.note(moved(by: "ada@desk", 1, to: 4, count: 2), by: one)
    person.send(.news)
    #expect(person.text.contains("last moved by you · earlier by bob@lap"))
    // Another terminal of hers.
    person.catalog.note(moved(by: "ada@desk", 6, to: 4, count: 3), by: one)
    person.send(.news)
    #expect(person.text.contains("last moved by ada@desk · earlier by bob@lap"))
    for count in 4...5 as ClosedRange<UInt64> {
      person.catalog.note(moved(by: "bob@lap", 5 + count, to: 4, count: WireCount(count)), by: one)
    }
    person.catalog.note(moved(by: "eve@hut", 20, to: 4, count: 6), by: one)
    person.send(.news)
    let earlier = "last moved by eve@hut · earlier by bob@lap (3), ada@desk"
    #expect(person.text.contains(earlier))
    var refused = moved(by: "dan@bay", 21, to: 4, count: 7)
    refused.outcome = .busy
    person.catalog.note(refused, by: one)
    person.send(.news)
    #expect(person.text.contains(earlier))
  }
}
