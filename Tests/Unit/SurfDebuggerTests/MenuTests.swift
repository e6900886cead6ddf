import SurfDebugger
import SurfViewer
import SurfWire
import TerminalScreen
import Testing

/// Palette and help.
@Suite struct MenuTests {
  @Test func `help is searched and runs what is chosen`() {
    var person = Person.atPrimeTime()
    person.press("?")
    person.type("first row")
    person.press("Enter")
    #expect(person.text.contains("▸ "))
    let initial = "0"
    #expect(person.lines.first { $0.hasPrefix("▸") }?.contains("(initial)") == true)
    #expect(person.lines.first { $0.hasPrefix("▸") }?.contains(initial) == true)
  }

  @Test func `letters filter a menu, other keys move its cursor, and the last line says so`() {
    var person = Person.atPrimeTime(width: 40)
    person.press("?", "Ctrl-n", "Down", "Ctrl-n")
    #expect(person.text.contains(" 4 of "))
    person.press("Ctrl-p", "Up")
    #expect(person.text.contains(" 2 of ") && person.lines[29].hasSuffix("Esc leaves"))
    person.send(.size(ScreenSize(width: 80, height: 24)))
    #expect(
      person.lines[23].contains("type to filter   ↑↓ choose   Enter does it   Esc leaves"))
    person.press("Esc", "a")
    person.start(two, "Todo", id: 7)
    #expect(!person.lines[23].contains("type to filter"))
    person.press("/", "Ctrl-n", "Enter")
    #expect(person.lines[0].contains("[Todo#7 ●]"))
    person.press("a", "/")
    #expect(person.lines[23].contains("type to filter   ↑↓ choose"))
  }

  @Test func `the palette changes the app, and each keeps its cursor`() {
    var person = Person.atPrimeTime()
    person.start(two, "Todo", id: 7)
    person.press("Up", ":")
    person.type("app todo")
    person.press("Enter")
    #expect(person.lines[0].contains("[Todo#7 ●]"))
    person.press("{")
    let eighth = "8"
    #expect(person.shownRow == eighth)
  }

  /// The typed text, the first choice, and perhaps the second.
  @Test(arguments: [
    ("jump", "put the app into the state of this row", nil),
    ("skip", "skip the action", nil), ("trace", "to the last row that wrote", nil),
    ("branch", "to the row that this one grew from", "to the first row that grew from this one"),
    ("theme", "settings:", nil), ("undo", "undo your last jump", nil),
    ("load", "load a state", nil), ("save", "save the state", nil),
    ("diff", "compare with the row", "compare with another app"), ("find", "find rows by", nil),
    ("edit", "edit the state", nil), ("commit", "commit:", nil), ("mo", "move the action", nil),
    ("time", "to a row by its number", "show times by the clock"),
    ("row newest", "list the newest row first", nil),
    ("note mark", "mark the row with a note", nil),
    ("  Next   APP ", "next app", nil),
  ])
  func `the palette has first what a person means`(typed: String, first: String, next: String?) {
    var person = Person.atPrimeTime()
    person.press(":")
    person.send(.paste(typed))
    #expect(person.lines[2].contains(first), "\(typed): \(person.text)")
    if let next {
      #expect(person.lines[3].contains(next), "\(typed): \(person.text)")
    }
  }

  @Test func `letters alone find only what nothing else fits`() {
    var person = Person.atPrimeTime()
    person.press(":")
    person.type("cpyrw")
    #expect(person.lines[2].contains("copy the row as JSON") && person.text.contains(" 1 of 1 "))
    person.type("zz")
    #expect(person.text.contains("nothing has this name"))
    person.press("Enter")
    #expect(person.takeEffects() == [] && person.text.contains("nothing has this name"))
    person.press("Esc")
    #expect(!person.text.contains("nothing has this name"))
  }

  @Test func `what was chosen last is first, also among what fits equally well`() {
    var person = Person.atPrimeTime()
    person.press(":")
    person.type("branch")
    #expect(person.lines[2].contains("to the row that this one grew from"))
    person.press("Down", "Enter", ":")
    #expect(person.lines[2].contains("to the first row that grew from this one"))
    person.type("branch")
    #expect(person.lines[2].contains("to the first row that grew from this one"))
    person.press("Ctrl-u")
    person.type("fold all")
    person.press("Enter", ":")
    #expect(person.lines[2].contains("fold all"))
    #expect(person.lines[3].contains("to the first row that grew from this one"))
    person.type("branch")
    #expect(person.lines[2].contains("to the first row that grew from this one"))
  }

  @Test func `the palette has what can run before what cannot, and says why that is`() {
    var person = Person()
    person.start(one, control: [])
    person.press(":", "End")
    #expect(person.lines[28].contains("no row is marked: m marks · go to the previous mark"))
    person.press("Home")
    #expect(person.lines[2].contains("app PrimeTime#11105"))
    person.type("lock")
    #expect(person.lines[28].contains("the app takes no commands · "))
  }

  @Test func `a number in the palette is a row`() {
    var person = Person.atPrimeTime()
    person.press(":")
    person.type("3")
    #expect(person.text.contains("Enter goes to row 3"))
    person.press("Enter")
    #expect(person.shownRow == "3")
    // PrimeTime#11105 has this digit, too.
    person.press(":", "1", "Enter")
    #expect(person.shownRow == "1")
    person.press(":")
    person.type("11105")
    #expect(person.text.contains("app PrimeTime#11105") && !person.text.contains("goes to row"))
    person.press("Esc", "?")
    person.type("zzz")
    #expect(person.text.contains("nothing has this name"))
  }

  @Test func `the palette copies the beginning of a subcommand that only a shell has`() {
    var setting = Debugger.Setting()
    setting.reach = ["--realm", "a b"]
    setting.subcommands = [
      ShellSubcommand("find", "Find", takesInstance: true, takesReach: true),
      ShellSubcommand("report", "Count what each did", takesInstance: true, takesReach: true),
      ShellSubcommand("manual", "Print the page", takesInstance: false, takesReach: false),
    ]
    var person = Person()
    person.debugger = Debugger(setting, size: ScreenSize(width: 100, height: 30))
    person.start(one)
    _ = person.takeEffects()
    func copied(_ typed: String) -> [DebuggerEffect] {
      person.press(":")
      person.type(typed)
      person.press("Enter")
      return person.takeEffects()
    }
    for (typed, wanted) in [
      ("report", "statesurf report -i 'PrimeTime#11105' --realm 'a b'"),
      ("manual", "statesurf manual"),
    ] {
      guard case .copy(let request) = copied(typed).last else {
        #expect(Bool(false), "nothing was copied")
        continue
      }
      let content: CopyRequest.Content = .bytes(Array(wanted.utf8))
      #expect(request.content == content && request.title == "`\(wanted)`")
    }
    // The debugger's own command.
    #expect(copied("find") == [] && person.text.contains("find: "))
  }

  @Test func `help has sections, as wide as the screen, and turns by pages`() {
    var person = Person.atPrimeTime(width: 120)
    person.press("?")
    let count = ViewerCommand.allCases.count
    #expect(person.lines[2].contains("│ Move ") && person.text.contains(" 1 of \(count) "))
    #expect(person.lines[1].split(separator: "┌")[1].prefix { $0 != "┐" }.count == 108)
    var pages: [[Substring]] = []
    for _ in 0..<4 {
      pages.append(person.lines[2...23].map { $0.drop { $0 != "│" } })
      person.press("PageDown")
    }
    // Half a page stands before the cursor, so the second page follows half a page behind.
    #expect(Set(pages[0]).intersection(pages[2]).isEmpty)
    #expect(!Set(pages[0]).isSuperset(of: pages[1]))
    let headings = Set(pages.joined().compactMap { $0.dropFirst(2).split(separator: " ").first })
    #expect(headings.isSuperset(of: ["Move", "Look", "Search", "Surf"]))
    person.press("End")
    #expect(person.text.contains(" \(count) of \(count) "))
    #expect(person.lines.contains { $0.contains("│ Viewer ") })
    person.press("Home")
    #expect(person.lines[2].contains("│ Move ") && person.text.contains(" 1 of \(count) "))
  }

  @Test func `the cursor of the help is on the best find, which keeps its place in the table`() {
    var person = Person.atPrimeTime(width: 120)
    person.press("?")
    person.type("mark")
    #expect(person.lines[2].contains("│ Move ") && person.lines[3].contains(" mark the row, or"))
    person.press("Ctrl-u")
    person.type("save")
    person.press("Enter")
    #expect(person.promptLine == "save row 8 as: PrimeTime-8.json")
    // Enter has nothing to run, and the text stays.
    person.press("Esc", ":")
    person.type("row 5000")
    person.press("Enter")
    #expect(person.text.contains("row 5000") && person.text.contains("nothing has this name"))
  }
}
