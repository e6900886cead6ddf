import SurfDebugger
import SurfTimeline
import SurfWire
import Testing

/// Messages that go when they are no longer true, or after some seconds.
@Suite struct NoticeTests {
  private func notice(_ person: Person) -> String { person.lines[person.lines.count - 2] }

  private func restored(_ row: UInt64, _ newest: UInt64, count: UInt64) -> Restored {
    Restored(
      request: 1, viewer: ViewerID(rawValue: 1), viewerName: "ada@desk",
      position: .record(SequenceNumber(row)), newestRecord: SequenceNumber(newest),
      moveCount: WireCount(count), outcome: .applied)
  }

  @Test func `the result of a jump stays on the screen, although a busy app has gone on`() {
    var person = Person.atPrimeTime()
    person.type("3")
    person.press("Enter", "s")
    person.record(action(10, "increment", "4", from: 3))
    person.send(.answered(serial: 1, .applied(.record(3))))
    let text = " ✓ moved PrimeTime#11105 to row 3 · u undoes"
    #expect(notice(person).hasPrefix(text))
    person.catalog.note(restored(3, 9, count: 1), by: one)
    person.record(action(11, "increment", "5"))
    #expect(notice(person).hasPrefix(text))
    person.wait(.seconds(6))
    #expect(!notice(person).contains("moved"))
  }

  @Test func `that a busy app is at an end already is shown until that is not so`() {
    var person = Person.atPrimeTime()
    person.press(">")
    #expect(notice(person).contains("is at the tip already"))
    person.record(action(10, "increment", "4"))
    #expect(notice(person).contains("is at the tip already"))
    person.catalog.note(restored(3, 10, count: 1), by: one)
    person.send(.news)
    #expect(!notice(person).contains("is at the tip already"))
  }

  @Test func `an app that is slow to answer is named until it answers`() {
    var person = Person.atPrimeTime()
    person.type("3")
    person.press("Enter", "s")
    person.wait(.milliseconds(999))
    #expect(!notice(person).contains("waiting for"))
    person.wait(.milliseconds(1))
    #expect(notice(person).hasPrefix(" waiting for PrimeTime#11105 to answer"))
    person.send(.answered(serial: 1, .applied(.record(3))))
    #expect(notice(person).hasPrefix(" ✓ moved PrimeTime#11105 to row 3"))
    person.press("s")
    person.send(.answered(serial: 2, .applied(.record(3))))
    person.wait(.seconds(9))
    #expect(!notice(person).contains("waiting for"))
  }

  @Test func `a long message takes the row of the hints as well, while it lasts`() {
    var person = Person.atPrimeTime(width: 60)
    person.type("3")
    person.press("Enter", "s")
    let cause = "its history was closed and the state has no place in it"
    person.send(.answered(serial: 1, .refused("PrimeTime#11105 refused the state: \(cause)")))
    let lines = person.lines.suffix(2).map(\.withoutBlankEnd)
    #expect(
      lines == [
        " ! PrimeTime#11105 refused the state: its history was",
        " closed and the state has no place in it",
      ])
    person.press("?")
    #expect(person.lines.last?.contains("Esc leaves") == true)
    person.press("Esc")
    #expect(person.lines.last?.contains("? help") == false)
    person.wait(.seconds(5))
    #expect(person.lines.last?.contains("? help") == true)
  }

  @Test func `a refusal goes with its cause`() {
    var person = Person.atPrimeTime()
    person.press("b")
    #expect(notice(person).contains("this row has no state"))
    person.send(.news)
    #expect(notice(person).contains("this row has no state"))
    person.press("Up")
    #expect(!notice(person).contains("this row has no state"))
    person.press("n")
    #expect(notice(person).contains("nothing is searched for"))
    person.press("/", "c", "Enter")
    #expect(!notice(person).contains("nothing is searched for"))
  }

  @Test func `a refusal goes with the next key, unless that is refused as well`() {
    var person = Person.atPrimeTime(width: 60)
    person.press("'")
    #expect(notice(person).hasPrefix(" no row is marked: m marks"))
    person.press("'")
    #expect(notice(person).hasPrefix(" no row is marked: m marks"))
    person.press("*")
    #expect(notice(person).hasPrefix(" the cursor is not on a value in Diff or State"))
    person.press("t")
    #expect(!notice(person).contains("the cursor is not on"))
    person.press("F9")
    #expect(notice(person).hasPrefix(" no command has the key F9: ? shows all"))
    person.press("t")
    #expect(!notice(person).contains("F9"))
  }

  @Test func `that no app is here is told until one is`() {
    var person = Person()
    person.press("f")
    #expect(notice(person).contains("no app is here yet"))
    person.start(one)
    #expect(!notice(person).contains("no app is here yet"))
  }

  @Test func `what is told about a row goes when the cursor does`() {
    var person = Person.atPrimeTime()
    person.press("e")
    #expect(notice(person).contains("no error or warning after this row"))
    person.press("Up")
    #expect(!notice(person).contains("no error or warning"))
    person.type("99")
    person.press("Enter")
    #expect(notice(person).contains("there is no row 99 here"))
    person.press("Up")
    #expect(!notice(person).contains("there is no row 99 here"))
  }

  @Test func `what has happened is told for five seconds, whatever is done`() {
    var person = Person.atPrimeTime()
    person.press("F2", "Up", "Up")
    #expect(notice(person).contains("the mouse is the terminal's"))
    person.wait(.seconds(6))
    #expect(!notice(person).contains("the mouse is the terminal's"))
  }
}

extension String {
  fileprivate var withoutBlankEnd: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
