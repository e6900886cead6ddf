import SurfDebugger
import SurfViewer
import SurfWire
import TerminalScreen
import Testing

/// The texts for the clipboard and the terminal's own screen, and the effects of the mouse.
@Suite struct CopyTests {
  private func copied(_ keys: CommandKey..., by person: inout Person) -> String? {
    _ = person.takeEffects()
    for key in keys { person.press(key) }
    guard case .copy(let request) = person.takeEffects().last,
      case .bytes(let bytes) = request.content
    else { return nil }
    return "\(request.title): \(String(decoding: bytes, as: UTF8.self))"
  }

  private func atState() -> Person {
    var person = Person.atPrimeTime()
    person.press("Up", "]", "Tab", "Down", "Down")
    return person
  }

  @Test func `the first key shows what may follow, and why not`() {
    var person = Person.atPrimeTime()
    person.press("y")
    #expect(person.text.contains("p  copy the path under the cursor (the cursor is not on a value"))
    #expect(person.text.contains("r  copy the row as JSON"))
    person.press("q")
    #expect(person.text.contains("no command has the key y>q") && person.takeEffects() == [])
    person.press("y", "Esc", "y", "s")
    #expect(person.text.contains("the app reported no source place for this row"))
  }

  @Test func `a box that is too small for all keys says how many are missing`() {
    var person = Person.atPrimeTime(width: 40, height: 10)
    person.press("y")
    #expect(person.text.contains("s  copy the source") && !person.text.contains("c  copy the"))
    #expect(person.text.contains("└─ 1 more ─"))
    person.send(.size(ScreenSize(width: 40, height: 11)))
    #expect(person.text.contains("c  copy the") && !person.text.contains(" more "))
  }

  @Test func `paths and values are those under the cursor`() {
    var person = atState()
    #expect(copied("y", "p", by: &person) == "the path: user")
    let user = "the value: {\n  \"name\": \"Ada\",\n  \"age\": 36\n}"
    #expect(copied("y", "v", by: &person) == user)
    let state = #"the state: {"count":8,"user":{"name":"Ada","age":36},"theme":"dark"}"#
    #expect(copied("Tab", "y", "v", by: &person) == state)
    #expect(copied("]", "Tab", "Down", "y", "v", by: &person) == "the value: 8")
  }

  @Test func `the difference is copied without what did not change`() {
    var person = Person.atPrimeTime()
    person.press("Up")
    #expect(copied("y", "d", by: &person) == "the difference: ~ count: 7 → 8\n")
  }

  @Test func `a row is copied whole, by the driver`() {
    var person = Person.atPrimeTime()
    person.press("Up", "y", "r")
    guard case .copy(let request) = person.takeEffects().last else {
      Issue.record("nothing is copied")
      return
    }
    let row = CopyRequest.Content.row(one, 8)
    #expect(request.content == row && request.title == "row 8")
  }

  @Test func `the command shows in a shell what is on the screen`() {
    var person = Person.atPrimeTime()
    let diff = "the command: statesurf diff 7 8 -i 'PrimeTime#11105'"
    #expect(copied("Up", "y", "c", by: &person) == diff)
    let place = "the command: statesurf show 8 user -i 'PrimeTime#11105'"
    #expect(copied("]", "Tab", "Down", "Down", "y", "c", by: &person) == place)
    let source = "the source place: PrimeTime/Main.swift:73"
    #expect(copied("Tab", "Up", "y", "s", by: &person) == source)
  }

  @Test func `no command is copied that would not find the app`() {
    var person = Person.atPrimeTime()
    person.catalog.leave(one, saidGoodbye: true)
    person.press("Up", "y", "c")
    #expect(person.takeEffects().allSatisfy { if case .copy = $0 { false } else { true } })
    #expect(person.text.contains("is gone: no command in a shell would find it"))
  }

  @Test func `a name that could drive a shell is not copied`() {
    var person = Person()
    person.start(one, "it's")
    person.start(two, "a\u{1B}[31m\nrm", id: 7)
    #expect(copied("y", "c", by: &person) == nil)
    #expect(person.text.contains("there is no state to compare with"))
    person.press("]")
    #expect(copied("y", "c", by: &person)?.hasSuffix("-i 'it'\\''s#11105'") == true)
    let command = copied("}", "y", "c", by: &person) ?? ""
    #expect(command.unicodeScalars.allSatisfy { ("\u{20}"..."\u{7E}").contains($0) })
    #expect(!command.contains("rm"))
  }

  @Test func `of two apps, the command compares the same two`() {
    var person = Person.atPrimeTime()
    person.start(two, "it's", id: 7)
    person.record(action(1, "increment", #"{"count":1}"#), in: two)
    person.press("Up", "C", "Enter")
    let both = "the command: statesurf diff 1 8 -i 'it'\\''s#7' --with 'PrimeTime#11105'"
    #expect(copied("y", "c", by: &person) == both)
  }

  @Test func `the command names the app by what no other app has`() {
    var person = Person(wanted: "Todo#7@desk")
    person.start(one, "Todo", id: 7)
    person.start(two, "Todo", id: 7, host: "hut")
    person.press("]")
    let here = "the command: statesurf show 0 -i 'Todo#7@desk'"
    #expect(copied("y", "c", by: &person) == here)
    person.start(SessionID(rawValue: 3), "Todo", id: 7, host: "hut")
    let id = "the command: statesurf show 0 -i 00000000000000020000000000000001"
    #expect(copied("}", "y", "c", by: &person) == id)
  }

  @Test func `where no row is, and on the values, the command shows what is there`() {
    var person = Person.atPrimeTime()
    person.catalog.lose(10...12, of: one)
    person.send(.news)
    person.press("G")
    #expect(copied("y", "c", by: &person) == nil && person.text.contains("is not a row"))
    let values = "the command: statesurf values -i 'PrimeTime#11105'"
    #expect(copied("v", "y", "c", by: &person) == values)
  }

  @Test func `the mouse is left to the terminal, and taken back`() {
    var person = Person.atPrimeTime()
    person.press("F2", "F2")
    let turned: [DebuggerEffect] = [.mouse(false), .mouse(true)]
    #expect(person.takeEffects() == turned)
  }

  @Test func `the pane is shown as plain text until a key`() {
    var person = Person.atPrimeTime(width: 60, height: 12)
    person.press("L")
    guard case .showPlain(let lines) = person.takeEffects().last else {
      Issue.record("nothing is shown")
      return
    }
    #expect(lines.count == 10 && lines[0].contains("(initial)") && lines[9].contains("refused"))
    #expect(lines.allSatisfy { !$0.contains("│") && !$0.hasSuffix(" ") })
    person.press("s")
    let end: [DebuggerEffect] = [.endPlain]
    #expect(person.takeEffects() == end)
  }

  private func click(_ text: String, line: Int, by person: inout Person) {
    let line = line < 0 ? person.lines.count + line : line
    guard let range = person.lines[line].range(of: text) else {
      Issue.record("\(text) is not in \(person.lines[line])")
      return
    }
    let column = person.lines[line][..<range.lowerBound].count
    person.send(.pointer(.press(ScreenPlace(row: line, column: column))))
  }

  @Test func `clicks do what the places show`() {
    var person = Person.atPrimeTime()
    person.start(two, "Todo", id: 7)
    person.press("Up")
    click("State", line: 1, by: &person)
    #expect(person.lines[1].contains("[State]"))
    click("F follow", line: -1, by: &person)
    #expect(person.lines[0].hasSuffix("FOLLOW on"))
    click("? help", line: -1, by: &person)
    #expect(person.text.contains(" help: "))
    person.press("Esc")
    click("▸", line: -4, by: &person)
    let strip = person.lines[person.lines.count - 4]
    let first = strip.firstIndex(of: "▇").map { strip[..<$0].count } ?? 0
    person.send(.pointer(.press(ScreenPlace(row: person.lines.count - 4, column: first))))
    #expect(person.shownRow == "1" && person.takeEffects() == [])
    click("Todo#7", line: 0, by: &person)
    #expect(person.lines[0].contains("[Todo#7 ●]"))
  }
}
