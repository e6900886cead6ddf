import SurfDebugger
import SurfViewer
import SurfWire
import Testing

/// States by a paste or from files, and the paths of these.
@Suite struct FileTests {
  @Test func `a state that is pasted is loaded once the person says so`() {
    var person = Person.atPrimeTime()
    person.send(.paste("{\"count\": 3,\n \"theme\": 1}\n"))
    #expect(person.text.contains("load this state into PrimeTime#11105?"))
    #expect(person.text.contains(#"(25 B): {"count": 3,"#))
    person.press("x", "s")
    #expect(person.takeEffects() == [])
    person.press("Enter")
    let bytes = Array("{\"count\": 3,\n \"theme\": 1}".utf8)
    let put: [DebuggerEffect] = [.put(one, bytes, serial: 1)]
    #expect(person.takeEffects() == put)
    person.send(.answered(serial: 1, .applied(.elsewhere)))
    #expect(person.text.contains("✓ loaded the state"))
    person.press("u")
    #expect(person.takeEffects().count == 1)
    person.send(.paste("[1]"))
    person.press("Esc")
    #expect(person.takeEffects() == [] && person.text.contains("nothing was loaded"))
  }

  @Test func `a paste that is no state changes nothing, and says why`() {
    var person = Person.atPrimeTime()
    person.send(.paste("{\n  oops"))
    #expect(person.text.contains("! what was pasted is not JSON: line 2, column 3"))
    person.send(.paste("{}", isCut: true))
    #expect(person.text.contains("the paste is too long"))
    for text in ["rm -rf\nq\ns", "file:///tmp/%C3.json", "file:///tmp/%FF%41"] {
      person.send(.paste(text))
      #expect(person.text.contains("this paste does nothing") && person.takeEffects() == [])
    }
    var deaf = Person()
    deaf.start(one, acceptsResets: false)
    _ = deaf.takeEffects()
    deaf.send(.paste("{}"))
    deaf.press("Enter")
    #expect(deaf.takeEffects().allSatisfy { if case .put = $0 { false } else { true } })
  }

  @Test(arguments: [
    ("'/tmp/a b.json'", "/tmp/a b.json"), ("/tmp/a\\ b.json ", "/tmp/a b.json"),
    ("file:///tmp/a%20b.json", "/tmp/a b.json"), ("good.json", "good.json"),
    ("\"a\"", "a"), ("file://host/%ZZ", "/%ZZ"), ("file:///%C3%A9%41\u{301}", "/éA\u{301}"),
  ])
  func `a file that is dropped on the terminal is asked about`(text: String, path: String) {
    var person = Person.atPrimeTime()
    person.send(.paste(text))
    let examine: [DebuggerEffect] = [.examine(one, path: path)]
    #expect(person.takeEffects() == examine)
    person.send(.found(one, path: path, size: 1_200, beginning: "{\u{1B}[31m"))
    #expect(person.text.contains("(1.2 kB): {"))
    person.press("Enter")
    let load: [DebuggerEffect] = [.load(one, path: path, serial: 1)]
    #expect(person.takeEffects() == load)
  }

  @Test func `a long path hides neither itself nor the app that it is for`() {
    var person = Person.atPrimeTime()
    let path = "/home/ada/somewhere/far/away/good.json"
    person.send(.found(one, path: path, size: 2, beginning: "{}"))
    #expect(person.question?.contains("into PrimeTime#11105?") == true)
    #expect(person.question?.contains("\(path) (2 B): {}") == true)
  }

  @Test func `Tab completes a path as far as it is clear`() {
    var person = Person.atPrimeTime()
    person.press("R")
    person.type("~/st")
    person.press("Tab")
    let complete: [DebuggerEffect] = [.complete("~/st")]
    #expect(person.takeEffects() == complete)
    person.send(.names(["state-2.json", "state-1.json", "states/"], of: "~/st"))
    #expect(person.text.contains("load: ~/state ") || person.text.contains("load: ~/state\n"))
    #expect(person.text.contains("3 files") && person.text.contains("states/"))
    person.press("Shift-Tab")
    #expect(person.text.contains("load: ~/states/"))
    // Tab looks into a folder.
    person.press("Tab")
    let look: [DebuggerEffect] = [.complete("~/states/")]
    #expect(person.takeEffects().suffix(1) == look[...])
    person.press("Shift-Tab", "Shift-Tab")
    #expect(person.text.contains("load: ~/state-1.json"))
    person.press("Ctrl-u")
    person.type("~/state-1")
    #expect(!person.text.contains("3 files"))
    person.press("Tab")
    person.send(.names(["state-1.json"], of: "~/state-1"))
    person.press("Enter")
    let load: [DebuggerEffect] = [.load(one, path: "~/state-1.json", serial: 1)]
    #expect(person.takeEffects().last == load[0])
  }

  @Test func `JSON that is typed for a path is loaded, and typed again if the app refuses it`() {
    var person = Person.atPrimeTime()
    person.press("R")
    person.type("{\"count\":1}")
    person.press("Enter")
    guard case .put(one, let bytes, let serial, nil)? = person.takeEffects().last else {
      Issue.record("nothing was put")
      return
    }
    #expect(String(decoding: bytes, as: UTF8.self) == "{\"count\":1}")
    person.send(.answered(serial: serial, .failed("no such state")))
    #expect(person.text.contains("load: {\"count\":1}") && person.text.contains("no such state"))
    // No prompt offers the JSON as a path.
    person.press("Esc", "S", "Up")
    #expect(!person.promptLine.contains("count"))
  }

  @Test func `what looks like JSON may be a path, and the answer says that it is neither`() {
    var person = Person.atPrimeTime()
    for path in ["[id].json", "{\"count\":1"] {
      person.press("R")
      person.type(path)
      person.press("Enter")
      guard case .load(one, path: path, let serial)? = person.takeEffects().last else {
        Issue.record("\(path) was not looked for")
        return
      }
      person.send(.answered(serial: serial, .failed("no file is at it")))
      #expect(person.text.contains("no file is at it, and it is not JSON: line 1, column "))
      person.press("Esc")
    }
  }

  @Test func `a state that is pasted into the prompt is asked about, whole`() {
    var person = Person.atPrimeTime()
    person.press("R")
    person.send(.paste("{\n  \"count\": 1\n}\n"))
    #expect(person.question?.contains("load this state into PrimeTime#11105?") == true)
    person.press("y")
    guard case .put(one, let bytes, _, nil)? = person.takeEffects().last else {
      Issue.record("nothing was put")
      return
    }
    #expect(String(decoding: bytes, as: UTF8.self) == "{\n  \"count\": 1\n}")
  }

  private var atLockedApp: Person {
    var person = Person.atPrimeTime()
    person.start(one, control: [.takesCommands, .locked])
    _ = person.takeEffects()
    return person
  }

  @Test func `a locked app is asked about after the file was found`() {
    var person = atLockedApp
    person.press("R")
    person.type("bad.json")
    person.press("Enter")
    let examine: [DebuggerEffect] = [.examine(one, path: "bad.json", serial: 1)]
    #expect(person.takeEffects() == examine && person.question == nil)
    person.send(.filed(serial: 1, .failed("no file is at 'bad.json'")))
    #expect(person.text.contains("load: bad.json") && person.text.contains("no file is at"))
    person.press("Enter")
    person.send(.found(one, path: "bad.json", size: 2, beginning: "{}", serial: 2))
    #expect(person.question?.contains("load bad.json into the locked app?") == true)
    // Of a pipe nobody knows how it begins.
    person.press("n", "R", "Enter")
    person.send(.found(one, path: "bad.json", size: 0, beginning: "", serial: 3))
    #expect(person.question?.contains("load bad.json into the locked app?") == true)
    #expect(person.question?.contains("(0 B)") == false)
  }

  @Test func `a file that is found when the person has gone on is not asked about`() {
    for key in ["Down", "}", "?"] as [CommandKey] {
      var person = atLockedApp
      person.start(two, "Other", id: 7)
      person.press("R")
      person.type("slow.json")
      person.press("Enter", key)
      person.send(.found(one, path: "slow.json", size: 2, beginning: "{}", serial: 1))
      #expect(person.question?.contains("slow.json") != true)
      #expect(person.text.contains("slow.json was not loaded"))
      person.press("Enter")
      #expect(person.takeEffects().allSatisfy { if case .load = $0 { false } else { true } })
    }
  }

  @Test func `JSON that is typed for a locked app is asked about, and typed again if refused`() {
    var person = atLockedApp
    person.press("R")
    person.type("[1]")
    person.press("Enter")
    #expect(person.question?.contains("load this state into the locked app?") == true)
    person.press("y")
    guard case .put(one, _, let serial, nil)? = person.takeEffects().last else {
      Issue.record("nothing was put")
      return
    }
    person.send(.answered(serial: serial, .failed("no such state")))
    #expect(person.text.contains("load: [1]") && person.text.contains("no such state"))
  }

  @Test func `names that come late, and hidden ones, are left out`() {
    var person = Person.atPrimeTime()
    person.press("Up", "S")
    person.type("a")
    person.press("Tab")
    person.type("b")
    person.send(.names(["abc"], of: "a"))
    #expect(!person.text.contains("abc"))
    person.press("Esc", "R", "Tab")
    person.send(.names([".hidden", "open"], of: ""))
    #expect(person.text.contains("load: open"))
    person.press("Ctrl-u")
    person.type(".")
    person.press("Tab")
    person.send(.names([".hidden"], of: "."))
    #expect(person.text.contains("load: .hidden"))
  }

  @Test func `the source of a row is opened, if the app told it`() {
    var person = Person.atPrimeTime()
    person.type("7")
    person.press("Enter", "o")
    let open: [DebuggerEffect] = [.openSource("PrimeTime/Main.swift:73", folders: [])]
    #expect(person.takeEffects() == open)
    var personal = PersonalSettings()
    personal.sourceFolders = PersonalSettings.folders("~/app::/src")
    person.send(.personal(personal))
    person.press("o")
    let there: [DebuggerEffect] = [
      .openSource("PrimeTime/Main.swift:73", folders: ["~/app", "/src"])
    ]
    #expect(person.takeEffects() == there)
    person.press("Down", "o")
    #expect(person.takeEffects() == [] && person.text.contains("the app reported no source place"))
  }

  @Test func `a state that was edited is loaded, or edited again until it is JSON`() {
    var person = Person.atPrimeTime()
    person.press("Up", ":")
    person.type("edit the state")
    person.press("Enter")
    let edit: [DebuggerEffect] = [.edit(one, 8)]
    #expect(person.takeEffects() == edit)
    person.send(.edited(one, .invalid("line 2, column 7: unexpected '}'", path: "/run/a.json")))
    #expect(person.text.contains("edit it again?"))
    #expect(person.text.contains("It is not JSON: line 2, column 7: unexpected '}'."))
    person.press("Enter")
    let again: [DebuggerEffect] = [.editFile(one, path: "/run/a.json")]
    #expect(person.takeEffects() == again)
    person.send(.edited(one, .invalid("line 1", path: "/run/a.json")))
    person.press("Esc")
    #expect(person.text.contains("what you wrote is in /run/a.json"))
    person.send(.edited(one, .changed([0x31], path: "/x")))
    let put: [DebuggerEffect] = [.put(one, [0x31], serial: 1, file: "/x")]
    #expect(person.takeEffects() == put)
  }

  @Test func `a row is found by its time`() {
    var person = Person.atPrimeTime()
    person.type("06:06:42")
    person.press("Enter")
    #expect(person.shownRow == "4")
    person.press("Ctrl-g")
    person.type("-1.5s")
    person.press("Enter")
    #expect(person.shownRow == "1")
    person.press("Ctrl-g")
    person.type("+500ms")
    person.press("Enter")
    #expect(person.shownRow == "2")
    person.press("Ctrl-g")
    person.type("-2 weeks")
    person.press("Enter")
    #expect(person.text.contains("'-2 weeks' is not a row"))
  }
}
