import SurfDebugger
import SurfViewer
import SurfWire
import TerminalScreen
import TestSupport
import Testing

/// Columns of the list for places in the state.
@Suite struct WatchedPlaceTests {
  /// The texts in the last column of the list, by row.
  private func cells(_ person: Person) -> [String: String] {
    let rows = person.lines.compactMap { line in
      String(line.prefix(55)).firstMatch(of: #/^.*?\d \s+(\d+)  \S.*$/#)
    }
    return Dictionary(
      rows.map { ("\($0.1)", $0.0.dropFirst(44).filter { $0 != " " }) },
      uniquingKeysWith: { $1 })
  }

  @Test func `a place gets a column, and loses it by the same key`() {
    var person = Person.atPrimeTime()
    person.press("Up", "w")
    #expect(person.text.contains("watching count · w there stops"))
    #expect(person.lines[1].prefix(55).contains(" count "))
    #expect(person.lines[2].contains("▁▁▂▃▄▅▆▇"))
    #expect(cells(person)["8"] == "8" && cells(person)["3"] == "3")
    #expect(
      person.lines.contains { $0.contains(" 8  increment ") && $0.prefix(44).contains(" B ") })
    person.press("w")
    #expect(person.text.contains("no longer watching count"))
    #expect(!person.lines[1].prefix(55).contains(" count "))
    person.press("w", "]", "Tab", "Down", "Down", "Enter", "Down", "w", "Tab")
    let shown = person.lines.map { $0.prefix(55) }
    #expect(shown.contains { $0.contains(#"8          "Ada""#) })
    person.press(":")
    person.type("stop watching")
    person.press("Enter")
    #expect(!person.lines.contains { $0.prefix(55).contains("Ada") })
  }

  @Test func `a state that is not here is a question mark, and a log line has no cell`() {
    var person = Person.atPrimeTime()
    person.record(action(10, "lost"), action(11, "other", #"{"theme":"dark"}"#))
    person.press("Up", "Up", "Up", "w")
    let cells = cells(person)
    #expect(cells["10"] == "?" && cells["11"] == "–" && cells["9"] == "")
  }

  @Test func `the course of the largest numbers is drawn, too`() {
    var person = Person()
    person.start(one)
    for (row, number) in zip([1, 2, 3] as [UInt64], ["-1.7e308", "0", "1.7e308"]) {
      person.record(action(row, "tick", #"{"count":\#(number)}"#))
    }
    person.press("w")
    #expect(person.lines[2].contains("▁▄▇"))
  }

  @Test func `the next run of an app has its columns`() {
    var person = Person.atPrimeTime()
    person.press("Up", "w")
    person.start(two, id: 12)
    person.record(action(1, "increment", #"{"count":70}"#), in: two)
    person.start(SessionID(rawValue: 3), "Todo", id: 13)
    person.record(action(1, "increment", #"{"count":80}"#), in: SessionID(rawValue: 3))
    person.press("}")
    #expect(cells(person)["1"] == "70")
    person.press("}")
    #expect(!person.text.contains("80"))
  }

  @Test func `a narrow list leaves out other columns first, and keeps the name`() {
    var person = Person.atPrimeTime()
    person.press("Up", "]", "Tab", "Down")
    for _ in 0..<3 { person.press("w", "Down") }
    let row = person.lines.first { $0.contains(" 8  incre") }
    #expect(row?.prefix(55).hasSuffix(#"increment   8          {name: "A… "dark"     "#) == true)
  }

  @Test func `only rows on screen are read, each once, and none while nothing is watched`() {
    var person = Person()
    person.start(one)
    for number in 1...300 as ClosedRange<UInt64> {
      person.record(action(number, "tick", #"{"count":\#(number)}"#))
    }
    #expect(person.readRows == [])
    person.press("w")
    #expect(person.readRows.count == 22 && person.readRows.first == 300)
    for number in 301...340 as ClosedRange<UInt64> {
      person.record(action(number, "tick", #"{"count":\#(number)}"#))
    }
    person.press("Up", "Down", "PageUp", "PageDown")
    #expect(Set(person.readRows).count == person.readRows.count)
    #expect(person.readRows.count <= 22 + 40 + 22)
  }

  @Test(arguments: 0..<30)
  func `each cell shows the value of its row`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var person = Person()
    person.start(one)
    person.record(action(1, "tick", #"{"count":7}"#))
    person.press("]", "Tab", "Down", "w", "Tab")
    var number: UInt64 = 1
    for _ in 0..<80 {
      if Bool.random(using: &random) {
        number += UInt64.random(in: 1...2, using: &random)
        let count = Int.random(in: 0..<5, using: &random)
        person.record(
          action(number, "tick", count == 0 ? nil : #"{"count":\#(number * 7)}"#))
      } else {
        let keys: [CommandKey] = ["Up", "Down", "PageUp", "g", "G", "r", "s"]
        person.press(keys.randomElement(using: &random) ?? "Up")
      }
      for (row, cell) in cells(person) where cell != "?" {
        #expect(UInt64(cell) == UInt64(row).map { $0 * 7 }, "seed \(seed)")
      }
    }
  }
}
