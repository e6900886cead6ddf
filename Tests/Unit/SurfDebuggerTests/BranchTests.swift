import SurfDebugger
import SurfWire
import TerminalScreen
import Testing

/// Futures of a row, and rows that are taken out of sight.
@Suite struct BranchTests {
  private func person(width: Int = 100) -> Person {
    var person = Person(width: width)
    person.start(one)
    person.record(
      action(1, "start", "1"), action(2, "add", "2"), action(3, "add", "3"),
      action(4, "remove", "4", from: 1), log(5, .info, "a note"), action(6, "remove", "6"))
    return person
  }

  @Test func `a hit in another future is called that`() {
    var person = person()
    person.type("6")
    person.press("Enter", "*", "N")
    person.wait(.seconds(3))
    #expect(person.rowText == "4" && !person.text.contains("another future"))
    person.press("N")
    #expect(person.rowText == "3")
    #expect(person.text.contains("row 3 is in another future than row 4"))
    person.press("N")
    #expect(person.rowText == "2" && !person.text.contains("another future"))
  }

  @Test func `of rows that a move put in one line, or after a state of no row, nobody says that`() {
    var person = person()
    let order = [1, 2, 4, 3, 6].map { ($0 as UInt64, false) }
    person.record(revision(7, order: order, named: "move row 4 before 3 by eve"))
    person.type("6")
    person.press("Enter", "*", "N")
    person.wait(.seconds(3))
    person.press("N")
    #expect(person.rowText == "3" && !person.text.contains("another future"))
    person = self.person()
    person.record(
      Record(
        sequence: 7, kind: .action, name: "add", state: .keyframe(json("7")),
        grownFrom: GrownFrom(from: .elsewhere)))
    person.type("3")
    person.press("Enter", "/")
    person.type("add")
    person.press("Enter", "n")
    #expect(person.rowText == "7" && !person.text.contains("another future"))
  }

  @Test func `a search that begins again says so`() {
    var person = person()
    person.press("/")
    person.type("remove")
    person.press("Enter", "N")
    #expect(person.rowText == "4" && !person.text.contains("began again"))
    person.press("N")
    #expect(person.rowText == "6" && person.text.contains("the search began again"))
    person.press("n")
    #expect(person.rowText == "4" && person.text.contains("the search began again"))
    person.press("/", "Ctrl-u")
    person.type("start")
    person.press("Enter", "n")
    #expect(person.rowText == "1" && person.text.contains("there is no other hit"))
  }

  @Test func `both futures of a row are reached, and lead back to it`() {
    var person = person()
    person.press("g", ")")
    #expect(person.rowText == "1")
    person.press(")")
    #expect(person.rowText == "2")
    #expect(person.text.contains("1 of 2 rows that grew from row 1 · | next"))
    person.press("|")
    #expect(person.rowText == "4")
    person.press("|")
    #expect(person.rowText == "2")
    person.press("|", "(")
    #expect(person.rowText == "1")
    person.press("(", "(")
    #expect(person.rowText == "0" && person.text.contains("what row 0 grew from is not known here"))
    person.press("G", ")")
    #expect(person.text.contains("no row grew from row 6"))
    person.press("(", "(")
    #expect(person.rowText == "1")
  }

  @Test func `the order in force says which actions are in the future that the app is in`() {
    var person = person()
    person.press("O")
    #expect(person.lines[1].contains("order in force, all futures · 5 actions"))
    func isDim(_ name: String) -> Bool? {
      guard
        let line = person.lines.indices.dropFirst(3).first(where: {
          person.lines[$0].contains(" \(name) ")
        }),
        let column = person.lines[line].firstRange(of: name).map({
          person.lines[line].distance(from: person.lines[line].startIndex, to: $0.lowerBound)
        })
      else { return nil }
      return person.screen[row: line, column: column]?.style == .dim
    }
    #expect(person.lines.contains { $0.hasPrefix(" ·") && $0.contains(" add ") })
    #expect(isDim("start") == false && isDim("add") == true && isDim("remove") == false)
    for (row, name, isElsewhere) in [("2", "add", true), ("4", "remove", false)] {
      person.type(row)
      person.press("Enter", "x")
      guard case .command(one, _, let serial)? = person.takeEffects().last else {
        Issue.record("nothing was asked")
        return
      }
      person.send(.answered(serial: serial, .applied(.record(7))))
      #expect(person.text.contains("✓ skipped row \(row) \(name)"))
      #expect(person.text.contains("in a future that the app is not in") == isElsewhere)
    }
  }

  @Test func `a move puts all actions before it in one line`() {
    var person = person()
    let order = [1, 2, 4, 3, 6].map { ($0 as UInt64, false) }
    person.record(revision(7, order: order, named: "move row 4 before 3 by eve"))
    person.press("O")
    for name in ["start", "add", "remove"] {
      let line = person.lines.indices.dropFirst(3).first { person.lines[$0].contains(" \(name) ") }
      #expect(line != nil)
      let cells = (23..<30).compactMap { person.screen[row: line ?? 0, column: $0]?.style }
      #expect(cells.allSatisfy { $0 != .dim }, "\(name)")
    }
  }

  @Test func `from anywhere in a future the other one is a key away`() {
    var person = person()
    person.press("G", "|")
    #expect(person.rowText == "2")
    #expect(person.text.contains("1 of 2 rows that grew from row 1 · | next"))
    person.press("Down", "|")
    #expect(person.rowText == "4")
    person.press("g", "|")
    #expect(person.rowText == "0" && person.text.contains("no known fork is before row 0"))
  }

  @Test func `from the fork itself a key leads into the future that the app is not in`() {
    var person = person()
    person.press("g", "Down", "|")
    #expect(person.rowText == "2")
    #expect(person.text.contains("1 of 2 rows that grew from row 1 · | next"))
    person.press("|")
    #expect(person.rowText == "4")
    // The app goes on in the other one.
    person.record(action(7, "add", "7", from: 3))
    person.press("g", "Down", "|")
    #expect(person.rowText == "4")
  }

  @Test func `a future that is a fork itself does not end the circle`() {
    var person = person()
    person.record(action(7, "add", "7", from: 2))
    person.type("2")
    person.press("Enter", "|")
    #expect(person.rowText == "4")
    #expect(person.text.contains("2 of 2 rows that grew from row 1 · | next"))
    person.press("|")
    #expect(person.rowText == "2")
    person.press(")", "|")
    #expect(person.rowText == "7")
    #expect(person.text.contains("2 of 2 rows that grew from row 2 · | next"))
  }

  @Test func `a difference is from the row that this one grew from`() {
    var person = person()
    person.type("4")
    person.press("Enter")
    #expect(person.text.contains("from row 1 · 1 change") && person.text.contains("1 → 4"))
  }

  @Test func `the lines stand in the list only where there are branches`() {
    var person = Person(width: 60, height: 20)
    person.start(one)
    person.record(action(1, "start", "1"), action(2, "add", "2"))
    #expect(!person.text.contains("●╮") && person.text.contains("40.500    1  start"))
    person.record(action(3, "other", "3", from: 1))
    #expect(person.text.contains("●╮ 06:06:40.500    1  start"))
    person.press("f")
    person.type("add")
    person.wait(.seconds(1))
    #expect(!person.text.contains("●│"))
  }

  @Test func `a deleted row leaves this view, keeps its number, and comes back`() {
    var person = person()
    person.type("3")
    person.press("Enter", "Delete")
    #expect(person.rowText == "2" && person.takeEffects().count == 1)
    #expect(person.text.contains("✓ row 3 is deleted from this view only · u undoes"))
    #expect(person.text.contains("6 rows · 1 deleted"))
    person.press("Down")
    #expect(person.rowText == "4")
    person.press(":")
    person.type("deleted rows again")
    person.press("Enter", "Up")
    #expect(person.rowText == "3" && person.text.contains("no filter · 6 rows  "))
    person.press(":")
    person.type("deleted rows again")
    #expect(person.text.contains("no row is deleted from this view · show"))
  }
}
