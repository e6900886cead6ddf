import JSONTree
import SurfDebugger
import SurfTimeline
import SurfViewer
import SurfWire
import TestSupport
import Testing

/// Apps that come and go, while a person is about to do something to one of them.
@Suite struct ForgottenAppTests {
  private static let three = SessionID(rawValue: 3)
  private static let sessions = (1...4).map { SessionID(rawValue: $0) }
  private static let names = ["Ada", "Bob", "Cleo", "Dan"]

  /// A person with room for `count` apps.
  private func person(roomFor count: Int) -> Person {
    var bounds = Catalog.Bounds()
    bounds.instanceCountMax = count
    var person = Person()
    person.catalog = Catalog(bounds: bounds)
    return person
  }

  /// Two apps. The first is shown, and a third may take its place.
  private var two: Person {
    var person = person(roomFor: 2)
    start(1, in: &person)
    start(2, in: &person)
    _ = person.takeEffects()
    return person
  }

  private func start(_ number: UInt64, in person: inout Person) {
    let session = SessionID(rawValue: number)
    person.start(session, Self.names[Int(number) - 1], id: UInt32(number))
    let newest = person.catalog[session]?.timeline.newestNumber ?? 0
    person.record(
      action(newest.rawValue + 1, "add", "{}"), action(newest.rawValue + 2, "add", "[]"),
      in: session)
  }

  private func forgetAda(_ person: inout Person) {
    person.catalog.leave(Self.sessions[0], saidGoodbye: true)
    start(3, in: &person)
  }

  /// Which app answers first is chance.
  @Test(arguments: [false, true])
  func `the oldest app is shown first, unless the person has begun`(hasBegun: Bool) {
    var person = Person()
    person.catalog.now = .seconds(70)
    start(1, in: &person)
    if hasBegun { person.press("j") }
    person.catalog.now = .seconds(69)
    start(2, in: &person)
    #expect(person.shownApp == (hasBegun ? "Ada" : "Bob"))
    person.catalog.now = .seconds(75)
    start(3, in: &person)
    let tabs = person.lines[0].split { " []●".contains($0) }.prefix(3)
    #expect(tabs == ["Bob#2", "Ada#1", "Cleo#3"])
    #expect(person.shownApp == (hasBegun ? "Ada" : "Bob"))
  }

  @Test func `no app takes the place of one that is no longer here`() {
    var person = two
    forgetAda(&person)
    #expect(person.shownApp == nil)
    #expect(person.text.contains("  Ada#1 is no longer here"))
    #expect(person.text.contains("! Ada#1 is no longer here"))
    person.press("s", "x", "D", "Delete")
    #expect(person.takeEffects() == [] && person.text.contains("Ada#1 is no longer here"))
    person.press("}")
    #expect(person.shownApp == "Bob")
    person.press("s")
    #expect(person.takeEffects().count == 2)
  }

  @Test func `the same app is shown again when it comes again, and is followed again`() {
    var person = two
    forgetAda(&person)
    person.catalog.leave(Self.sessions[1], saidGoodbye: true)
    start(1, in: &person)
    #expect(person.shownApp == "Ada")
    let follow: [DebuggerEffect] = [.follow(Self.sessions[0])]
    #expect(person.takeEffects() == follow)
  }

  /// What opens, and the keys that would do it. No text has an `a`: if its prompt did not open, that
  /// would lead to the table of apps.
  private static let asked: [(open: [CommandKey], type: String, close: CommandKey)] = [
    (["D"], "[1]", "Enter"), (["R"], "b.json", "Enter"), (["M"], "note", "Enter"),
    (["S"], "b.json", "Enter"), (["Ctrl-g"], "1", "Enter"), (["/"], "text", "Enter"),
    ([":"], "commit", "Enter"), ([":"], "skip the action", "Enter"), (["K"], "", "y"),
    (["C"], "", "Enter"), (["y"], "", "c"), ([], "", "s"), ([], "", "x"), (["A"], "", "k"),
  ]

  @Test(arguments: 0..<asked.count)
  func `what was opened about an app says that it is no longer here`(index: Int) {
    var person = two
    let asked = Self.asked[index]
    for key in asked.open { person.press(key) }
    person.type(asked.type)
    #expect(!person.text.contains("nothing has this name"))
    _ = person.takeEffects()
    forgetAda(&person)
    person.wait(.seconds(6))
    person.press(asked.close)
    #expect(person.takeEffects() == [])
    // `k` looks, and says nothing.
    #expect(person.text.contains("Ada#1 is no longer here"))
  }

  @Test func `a question about an app is no question about another`() {
    for words in ["commit", "roll back"] {
      var person = two
      person.press(":")
      person.type(words)
      person.press("Enter")
      forgetAda(&person)
      person.press("y")
      #expect(person.takeEffects() == [] && person.text.contains("! Ada#1 is no longer here"))
    }
  }

  @Test func `a file that was dropped for an app is loaded into no other`() {
    var person = two
    person.send(.paste("good.json"))
    person.press("}")
    person.send(.found(Self.sessions[0], path: "good.json", size: 2, beginning: "{}"))
    #expect(person.question == nil && person.text.contains("good.json was not loaded"))
  }

  @Test func `an app of the palette that is no longer here is not shown`() {
    var person = two
    person.press("}", ":")
    person.type("app ada")
    forgetAda(&person)
    person.press("Enter")
    #expect(person.shownApp == "Bob" && person.text.contains("! Ada#1 is no longer here"))
  }

  @Test func `a comparison says that the other app is no longer here`() {
    var person = two
    person.press("}", "C", "Enter")
    #expect(person.text.contains("- Ada#1 row 2"))
    forgetAda(&person)
    person.send(.news)
    #expect(person.text.contains("the other app is no longer here"))
  }

  @Test func `a row is saved that was under the cursor when its file was asked for`() {
    var person = two
    person.press("S")
    person.type("a")
    person.record(action(3, "add", "3"), in: Self.sessions[0])
    person.press("Enter")
    let save: [DebuggerEffect] = [.save(Self.sessions[0], 2, to: FileTarget("a", serial: 1))]
    #expect(person.takeEffects().suffix(1) == save[...])
  }

  // MARK: Whatever comes and goes

  private func churn(_ person: inout Person, _ random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      let number = UInt64.random(in: 1...4, using: &random)
      if Bool.random(using: &random) {
        person.catalog.leave(SessionID(rawValue: number), saidGoodbye: true)
      } else if Bool.random(using: &random) {
        start(number, in: &person)
      } else {
        person.catalog.hear(
          SessionID(rawValue: number),
          Heartbeat(
            instance: InstanceID(high: number, low: 1), app: Self.names[Int(number) - 1],
            host: "desk", processID: UInt32(number), contentType: "application/json",
            acceptsResets: true, control: .allCommands, datagramSize: 1_344))
      }
    }
  }

  @Test(arguments: 0..<20)
  func `what is done is done to the app that the person saw`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var person = person(roomFor: Int.random(in: 2...3, using: &random))
    start(1, in: &person)
    start(2, in: &person)
    for _ in 0..<20 {
      guard let asked = Self.asked.randomElement(using: &random) else { return }
      let before = person.shownApp
      for key in asked.open { person.press(key) }
      person.type(asked.type)
      churn(&person, &random)
      if Bool.random(using: &random) { person.send(.news) }
      person.press(asked.close)
      churn(&person, &random)
      person.press("y")
      let done = person.takeEffects().compactMap(\.target).map { Self.names[Int($0.rawValue) - 1] }
      #expect(done.allSatisfy { $0 == before }, "\(asked) of \(before ?? "none"): \(done)")
      let after = person.shownApp
      #expect(after == nil || after == before || before == nil)
      person.press("Esc", "Esc", "}")
      _ = person.takeEffects()
    }
  }
}

extension Person {
  /// The name of the app in the chosen tab.
  fileprivate var shownApp: String? {
    lines[0].firstMatch(of: #/\[([A-Za-z]+)#/#).map { String($0.1) }
  }
}

extension DebuggerEffect {
  /// The app that the effect acts on.
  fileprivate var target: SessionID? {
    switch self {
    case .move(let app, _, _), .load(let app, _, _), .put(let app, _, _, _),
      .command(let app, _, _), .save(let app, _, _), .edit(let app, _), .editFile(let app, _),
      .hide(let app, _), .showHidden(let app, _), .replace(let app, _, _), .export(let app, _),
      .examine(let app, _, _), .check(let app, _, _):
      app
    default: nil
    }
  }
}
