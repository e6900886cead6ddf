import SurfDebugger
import SurfViewer
import TerminalScreen
import Testing

@Suite struct SettingsPaneTests {
  private func personal(_ change: (inout PersonalSettings) -> Void = { _ in }) -> PersonalSettings {
    var personal = PersonalSettings()
    personal.lines = [
      .init(name: "interface", value: "eth0", origin: "line 2", isOverridden: false),
      .init(name: "port", value: "9000", origin: "STATESURF_PORT counts", isOverridden: true),
      .init(name: "theme.good", value: "green", origin: "default", isOverridden: false),
    ]
    change(&personal)
    return personal
  }

  private var person: Person {
    var person = Person.atPrimeTime()
    person.send(.personal(personal()))
    person.press(":")
    person.type("settings")
    person.press("Enter")
    return person
  }

  @Test func `the pane lists settings, and what counts instead of them`() {
    let person = person
    #expect(person.lines.contains { $0.contains("interface") && $0.contains("eth0  (line 2)") })
    #expect(person.text.contains("9000  (STATESURF_PORT counts)"))
  }

  @Test func `what the file says in vain is told when the pane opens`() {
    var person = Person.atPrimeTime()
    person.send(.personal(personal { $0.remarks = ["line 3: there is no setting 'prt'", "b"] }))
    person.press(":")
    person.type("settings")
    person.press("Enter")
    #expect(person.text.contains("! line 3: there is no setting 'prt'; and 1 more"))
  }

  @Test func `a line that is empty in the file can be taken out of it`() {
    var person = Person.atPrimeTime()
    person.send(
      .personal(
        personal {
          $0.lines = [
            PersonalSettings.Line(
              name: "key.find", value: "", origin: "line 4", isOverridden: false)
          ]
        }))
    person.press(":")
    person.type("settings")
    person.press("Enter", "Enter", "Enter")
    let set: [DebuggerEffect] = [.set("key.find", "")]
    #expect(person.takeEffects() == set)
  }

  @Test func `Enter edits one, and the pane stays`() {
    var person = person
    person.press("Down", "Enter")
    #expect(person.text.contains("port: 9000"))
    person.press("Ctrl-u")
    person.type("9100")
    person.press("Enter")
    let set: [DebuggerEffect] = [.set("port", "9100")]
    #expect(person.takeEffects() == set && person.text.contains("settings · Enter edits"))
    person.send(.told("'port' must be a number", isFailure: true))
    #expect(person.text.contains("! 'port' must be a number"))
    person.press("Enter", "Esc")
    #expect(person.takeEffects() == [] && person.text.contains("settings · Enter edits"))
    person.press("Esc")
    #expect(!person.text.contains("settings · Enter edits"))
  }

  @Test func `chosen keys count at once, in the footer and in help`() {
    var person = Person.atPrimeTime()
    person.press("Up")
    person.send(.personal(personal { $0.keys = KeyMap([.init(.surf, ["F5"])]) }))
    #expect(person.text.contains("F5 surf here"))
    person.press("s")
    #expect(person.takeEffects() == [] && person.text.contains("no command has the key s"))
    person.press("F5")
    let move: [DebuggerEffect] = [.move(one, to: .record(8), serial: 1)]
    #expect(person.takeEffects() == move)
    person.press("?")
    person.type("f5")
    #expect(person.text.contains("F5            put the app into the state of this row"))
  }

  @Test func `chosen colours take the places of the accents`() {
    var person = Person.atPrimeTime()
    func colours(_ person: Person) -> Set<CellStyle.Colour> {
      let screen = person.screen
      let cells = (0..<30).flatMap { row in (0..<100).map { screen[row: row, column: $0] } }
      return Set(cells.compactMap { $0?.style.colour })
    }
    #expect(colours(person).contains(.green) && !colours(person).contains(.blue))
    person.send(.personal(personal { $0.theme.colours[.good] = .blue }))
    #expect(!colours(person).contains(.green) && colours(person).contains(.blue))
  }

  @Test func `the order of the list is a setting`() {
    var person = Person.atPrimeTime()
    person.send(.personal(personal { $0.isNewestFirst = true }))
    #expect(person.lines[3].hasPrefix("▸"))
    person.press("r")
    person.send(.personal(personal { $0.isNewestFirst = true }))
    #expect(!person.lines[3].hasPrefix("▸"))
  }
}
