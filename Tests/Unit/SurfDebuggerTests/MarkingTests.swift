import SurfDebugger
import SurfViewer
import SurfWire
import Testing

/// Marks with notes, times from them, and the order of the list.
@Suite struct MarkingTests {
  @Test func `a mark with a note is shown in the list and in Info`() {
    var person = Person.atPrimeTime()
    person.type("7")
    person.press("Enter", "M")
    person.type("here it breaks")
    person.press("Enter")
    let line = person.lines.first { $0.hasPrefix("▸") } ?? ""
    #expect(line.hasPrefix("▸ m") && line.contains("increment  here it breaks"))
    person.press("]", "]", "]")
    #expect(person.text.contains("note       here it breaks"))
    person.press("M")
    #expect(person.text.contains("note at row 7: here it breaks"))
    person.press("Ctrl-u", "Enter")
    #expect(!person.text.contains("here it"))
    person.press("m", "m")
    #expect(!person.text.contains("here it"))
  }

  @Test func `times are counted from the mark before`() {
    var person = Person.atPrimeTime()
    person.press("T")
    #expect(person.text.contains("no row is marked"))
    person.type("3")
    person.press("Enter", "m", "T")
    #expect(person.lines.contains { $0.contains("-1.000 s") && $0.contains(" 1  increment") })
    #expect(person.lines.contains { $0.contains("+0.000 s") && $0.contains(" 3  isPrime") })
    #expect(person.lines.contains { $0.contains("+1.000 s") && $0.contains(" 5  increment") })
    person.press("T")
    #expect(!person.text.contains("-1.000 s"))
  }

  @Test func `the newest row may be first, and is followed there`() {
    var person = Person.atPrimeTime()
    person.press("r")
    let newest = "9"
    #expect(person.shownRow == newest && person.lines[3].hasPrefix("▸"))
    person.record(action(10, "increment"))
    let tenth = "10"
    #expect(person.shownRow == tenth && person.lines[3].hasPrefix("▸"))
    person.press("Down")
    #expect(person.shownRow == newest && person.lines[0].hasSuffix("FOLLOW off"))
    person.press("Up")
    #expect(person.shownRow == tenth)
    person.press("g")
    #expect(person.lines.contains { $0.hasPrefix("▸") && $0.contains("(initial)") })
    person.press("r", "G")
    #expect(person.shownRow == tenth && person.lines[13].hasPrefix("▸"))
  }
}
