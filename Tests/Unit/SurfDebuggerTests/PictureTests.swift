import SurfDebugger
import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen
import Testing

/// The look of the screen, apart from its text.
@Suite struct PictureTests {
  private func styles(_ person: Person, row: Int, _ columns: Range<Int>) -> Set<CellStyle> {
    Set(columns.compactMap { person.screen[row: row, column: $0]?.style })
  }

  private func cursorRow(_ person: Person) throws -> Int {
    try #require(person.lines.firstIndex { $0.hasPrefix("▸") })
  }

  @Test func `the cursor's line has one look from edge to edge`() throws {
    var person = Person.story()
    for key in ["Up", "Up", "Up", "g", "G"] as [CommandKey] {
      person.press(key)
      #expect(try styles(person, row: cursorRow(person), 0..<55) == [CellStyle(.reverse)])
    }
    person.press("Up", "Tab")
    #expect(try styles(person, row: cursorRow(person), 0..<55) == [.bold])
    #expect(styles(person, row: 5, 56..<100) == [CellStyle(.reverse)])
    person.press("Tab", ":")
    #expect(styles(person, row: 2, 15..<85) == [CellStyle(.reverse)])
  }

  @Test func `a long key leaves room for what changed, and to what`() {
    let id = "40154945-95C9-458A-A504-FF3C15F05DC6"
    func state(_ text: String) -> String { #"{"todos":{"\#(id)":\#(text)}}"# }
    let long = String(repeating: "a", count: 50)
    var person = Person(width: 110)
    person.start(one)
    person.record(
      action(1, "a", state(#"{"completed":false,"title":"\#(long)"}"#)),
      action(2, "b", state(#"{"completed":true,"title":"\#(long)"}"#)),
      action(3, "c", state(#"{"completed":true,"title":"new"}"#)), action(4, "d", state("7")))
    #expect(person.text.contains(#"~ ▸ todos["40154945…"]: {completed: true, t… → 7"#))
    person.press("Up")
    #expect(person.text.contains(#"~ todos["40154945…"].title: "aaaaaaaaaa… → "new""#))
    person.press("Up")
    #expect(person.text.contains(#"~ todos["40154945…"].completed: false → true"#))
    #expect(person.text.contains("…\(id.dropFirst(4)).completed ─"))
    person.press("]", "Tab", "Down", "Enter")
    #expect(person.text.contains("▸ 40154945-95C9-458A-A504-…: {completed: "))
  }

  @Test func `a struck name stays so under the cursor`() throws {
    var person = Person.afterSkips()
    person.type("2")
    person.press("Enter")
    let looks: Set<CellStyle> = [CellStyle(.reverse), CellStyle([.reverse, .strike])]
    #expect(try styles(person, row: cursorRow(person), 0..<55) == looks)
  }

  @Test(arguments: [false, true])
  func `the pane with the keys has a border of its own, and a bold title`(isASCII: Bool) {
    var person = Person(isASCII: isASCII)
    person.start(one)
    person.record(action(1, "increment", #"{"count":1}"#))
    let heavy: Character = isASCII ? "=" : "━"
    func heavies(_ person: Person) -> [Int] {
      person.lines[2].enumerated().filter { $0.element == heavy }.map(\.offset)
    }
    #expect(heavies(person) == Array(0..<55))
    #expect(
      styles(person, row: 1, 1..<10) == [.bold] && !styles(person, row: 1, 57..<60).contains(.bold))
    person.press("Tab")
    #expect(heavies(person) == Array(56..<100))
    #expect(styles(person, row: 1, 1..<10) == [.dim] && styles(person, row: 1, 57..<60) == [.bold])
    person.send(.size(ScreenSize(width: 70, height: 24)))
    #expect(heavies(person) == [])
    #expect(person.lines.filter { $0.contains(heavy) }.count == 1)
  }

  @Test func `a view that does not follow paints no name`() throws {
    var person = Person.story()
    person.press("Up")
    let line = person.lines[0]
    let start = try #require(line.range(of: "ada@desk")).lowerBound
    let column = line.distance(from: line.startIndex, to: start)
    #expect(styles(person, row: 0, column..<column + 8) == [.dim])
    #expect(styles(person, row: 0, column + 10..<column + 20) == [.colour(.yellow)])
  }

  @Test func `what stands behind a name gives way to it`() throws {
    var person = Person()
    person.start(one)
    let names = [10, 22, 27, 30, 40].map { String(repeating: "n", count: $0) }
    for (index, name) in names.enumerated() {
      let number = UInt64(index) + 1
      person.record(action(number, name, #"{"count":\#(number)}"#, parent: index > 0 ? 1 : 0))
    }
    let lines = person.lines.map { $0.prefix(55) }.filter { $0.contains("nnn") }
    try #require(lines.count == 5)
    #expect(lines[0].contains(names[0]) && lines[0].hasSuffix("11 B ? "))
    #expect(lines[1].contains(names[1] + " ←1") && lines[1].hasSuffix("11 B "))
    #expect(lines[2].contains(names[2] + " ←1") && !lines[2].contains(" B "))
    #expect(lines[3].contains(names[3]) && !lines[3].contains("←"))
    #expect(lines[4].contains(String(repeating: "n", count: 30) + "…"))
  }

  @Test func `elapsed times stand below each other by their ends`() {
    var person = Person()
    person.start(one)
    for number in [1, 30, 300, 3_000] as [UInt64] { person.record(action(number, "tick")) }
    person.press("t")
    let times = person.lines.filter { $0.contains("tick") }.map {
      String($0.dropFirst(4).prefix(17))
    }
    // The numbers of the rows stand beside them.
    #expect(
      times == [
        "     0.500 s    1", "    15.000 s   30", "   150.000 s  300", "  1500.000 s 3000",
      ])
  }

  @Test func `yellow and cyan are for dark backgrounds`() {
    func colours(_ person: Person) -> Set<CellStyle.Colour> {
      let cells = (0..<30).flatMap { row in (0..<100).map { person.screen[row: row, column: $0] } }
      return Set(cells.compactMap { $0?.style.colour })
    }
    let light = Person.Terminal.$current.withValue(.light) { Person.story() }
    #expect(colours(Person.story()).contains(.yellow))
    #expect(colours(light).isDisjoint(with: [.yellow, .cyan]) && colours(light).contains(.magenta))
  }
}
