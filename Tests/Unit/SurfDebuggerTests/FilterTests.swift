import SurfDebugger
import SurfTimeline
import SurfViewer
import SurfWire
import TestSupport
import Testing

/// Filters and jumps: the cursor stays where it was put.
@Suite struct FilterTests {
  private func filter(_ text: String, in person: inout Person) {
    person.press("f", "Ctrl-u")
    person.type(text)
    person.press("Enter")
    person.wait(.seconds(1))
  }

  @Test func `a filter keeps the cursor, or leads to the nearest row that passes`() {
    var person = Person.atPrimeTime()
    person.type("6")
    person.press("Enter")
    filter("isPrime", in: &person)
    #expect(person.shownRow == "6")
    person.press("Esc")
    person.type("5")
    person.press("Enter")
    filter("isPrime", in: &person)
    #expect(person.shownRow == "6")
    filter("row:1,2", in: &person)
    #expect(person.shownRow == "2")
    person.press("Esc")
    #expect(person.shownRow == "5")
  }

  @Test(arguments: ["/", "f"])
  func `another language's relation is asked about if no row is found`(key: CommandKey) {
    var person = Person.atPrimeTime()
    person.press(key)
    person.type("count eq 99")
    #expect(person.text.contains("0 \(key == "/" ? "found" : "pass") · did you mean 'is'?"))
    person.press("Ctrl-u")
    person.type("count is 99")
    #expect(!person.text.contains("did you mean"))
  }

  @Test func `a cursor that was moved among the rows that pass stays there`() {
    var person = Person.atPrimeTime()
    person.type("7")
    person.press("Enter")
    filter("isPrime", in: &person)
    person.press("Up", "Esc")
    #expect(person.shownRow == "3")
  }

  @Test func `a filter that nothing passes gives the place back as well`() {
    var person = Person.atPrimeTime()
    person.type("4")
    person.press("Enter")
    filter("nothing like it", in: &person)
    #expect(person.shownRow == nil && person.text.contains("no row passes the filter"))
    person.press("Esc")
    #expect(person.shownRow == "4")
  }

  @Test func `a filter opens with the one in force`() {
    var person = Person.atPrimeTime()
    filter("isPrime", in: &person)
    person.press("f")
    #expect(person.text.contains("filter: isPrime"))
    person.type(" row:6")
    person.wait(.seconds(1))
    person.press("Enter")
    #expect(person.text.contains("filter: isPrime row:6 · 1 of 9 rows"))
    person.press("f", "Ctrl-u", "Enter")
    #expect(person.text.contains("no filter"))
  }

  @Test func `rows named like this one are hidden by a filter that can be edited`() {
    var person = Person.atPrimeTime()
    person.record(action(10, "add(title: \"Milk\")"), action(11, "add(title: \"Tea\")"))
    person.press("X")
    person.wait(.seconds(1))
    #expect(person.text.contains("filter: -name:add · 9 of 11 rows"))
    #expect(person.shownRow == "9")
    person.press("Up", "X")
    person.wait(.seconds(1))
    #expect(person.text.contains("filter: -name:add,increment · 3 of 11 rows"))
    person.press("f")
    #expect(person.lines[28].contains("filter: -name:add,increment"))
    person.press("Esc", "Esc")
    #expect(person.text.contains("no filter") && person.shownRow == "8")
  }

  @Test func `a line of the log is hidden by its whole text, on the log page`() {
    var person = Person.atPrimeTime(width: 120)
    person.record(log(10, .error, "disk full"), log(11, .error, "disk full"))
    person.press("i", "X")
    person.wait(.seconds(1))
    #expect(person.text.contains(#"-name:"disk full""#) && person.text.contains("1 of 11 rows"))
    #expect(person.lines.contains { $0.hasPrefix("▸") && $0.contains("refused: increment") })
  }

  @Test func `jumps are gone back through, and forward again`() {
    var person = Person.atPrimeTime()
    for row in ["2", "7", "4"] {
      person.type(row)
      person.press("Enter")
    }
    person.press("Up", "Ctrl-o")
    #expect(person.shownRow == "7")
    person.press("Ctrl-o", "Ctrl-o")
    #expect(person.shownRow == "9")
    person.press("Ctrl-o")
    #expect(person.shownRow == "9" && person.text.contains("there is no jump to go back to"))
    person.press("Ctrl-n", "Ctrl-i", "Ctrl-n")
    #expect(person.shownRow == "3")
    person.press("Ctrl-n")
    #expect(person.text.contains("there is no jump to go forward to"))
    person.press("Ctrl-o", "g", "Ctrl-o")
    #expect(person.shownRow == "7")
  }

  @Test func `a found row is a jump, and a jump leaves a filter that hides its row`() {
    var person = Person.atPrimeTime()
    person.type("2")
    person.press("Enter", "/")
    person.type("isPrime")
    person.wait(.seconds(1))
    person.press("Enter")
    filter("isPrime", in: &person)
    person.press("Ctrl-o")
    #expect(person.shownRow == "2" && person.text.contains("the filter is off: it hid row 2"))
  }

  /// Against two stacks of plain numbers.
  @Test(arguments: 0..<50)
  func `whatever is jumped to, the way back is the way there`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var jumps = JumpList()
    var (behind, ahead): ([UInt64], [UInt64]) = ([], [])
    var here: UInt64 = 0
    func place(_ number: UInt64) -> ListPlace { ListPlace(SequenceNumber(number)) }
    for _ in 0..<60 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        while behind.last == here { behind.removeLast() }
        let next = behind.popLast()
        #expect(jumps.back(from: place(here)) == next.map(place))
        if let next { (ahead, here) = (ahead + [here], next) }
      case 1:
        while ahead.last == here { ahead.removeLast() }
        let next = ahead.popLast()
        #expect(jumps.forward(from: place(here)) == next.map(place))
        if let next { (behind, here) = (behind + [here], next) }
      default:
        jumps.leave(place(here))
        if behind.last != here { behind.append(here) }
        (ahead, here) = ([], UInt64.random(in: 0..<6, using: &random))
      }
    }
  }

  /// Whatever filters come and go, and whatever an app sends meanwhile.
  @Test(arguments: 0..<100)
  func `without a filter the cursor is where it was put`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var timeline = Timeline()
    for number in 1...20 { timeline.append(.action(SequenceNumber(UInt64(number)))) }
    var selection = RowSelection()
    let row = SequenceNumber(UInt64.random(in: 1...19, using: &random))
    selection.go(to: ListPlace(row), in: RowList(timeline), height: 8)
    for number in 21...40 {
      if Bool.random(using: &random) { timeline.append(.action(SequenceNumber(UInt64(number)))) }
      let hits = timeline.rows.map(\.number).filter { _ in Int.random(in: 0..<4, using: &random) < 1
      }
      selection.settle(in: RowList(timeline, hits: hits), height: 8)
      let distances = hits.map { abs(Int($0.rawValue) - Int(row.rawValue)) }
      let distance = abs(Int(selection.place.number.rawValue) - Int(row.rawValue))
      if let least = distances.min() { #expect(distance == least) }
      selection.settle(in: RowList(timeline), height: 8)
      #expect(selection.place == ListPlace(row))
    }
  }
}
