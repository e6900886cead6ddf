import SurfDebugger
import SurfTimeline
import SurfViewer
import SurfWire
import TestSupport
import Testing

/// Programs that start again while a person looks at them.
@Suite struct RestartTests {
  private static let three = SessionID(rawValue: 3)

  /// Todo with four rows, on screen, and another app.
  private var atTodo: Person {
    var person = Person()
    person.start(one, "Todo", id: 11)
    person.start(two, "Basket", id: 12)
    for number in 1...4 as ClosedRange<UInt64> {
      person.record(action(number, "add", #"{"count":\#(number),"user":{"name":"Ada"}}"#))
    }
    _ = person.takeEffects()
    return person
  }

  private func end(_ session: SessionID, in person: inout Person) {
    person.catalog.leave(session, saidGoodbye: true)
    person.send(.news)
  }

  @Test func `a filter leaves the line that says so, and no cursor goes there by itself`() {
    var person = Person()
    person.start(one, "Todo")
    restart(&person)
    person.record(action(1, "add", "1"), action(2, "done", "2"), in: Self.three)
    person.press("f")
    person.type("done")
    person.press("Enter")
    #expect(person.lines[3].contains("⟲ Todo restarted"))
    #expect(person.lines[4].contains(" done") && person.lines[4].hasPrefix("▸"))
    person.press("Up")
    #expect(person.lines[3].hasPrefix("▸"))
    person.press("Down", "Ctrl-u", "f", "Ctrl-u")
    person.type("nothing")
    person.press("Enter")
    #expect(person.lines[3].contains("⟲ Todo restarted") && person.text.contains("0 of "))
    person.press("Esc")
    #expect(person.text.contains(" add") && person.text.contains(" done"))
  }

  private func restart(_ person: inout Person) {
    end(one, in: &person)
    person.start(Self.three, "Todo", id: 13)
  }

  @Test func `the next run of an app takes its tab, and a row and a notice say so`() {
    var person = atTodo
    restart(&person)
    #expect(person.lines[0].hasPrefix(" [Todo#13 ●] Basket#12 ●  ○ 1 gone "))
    #expect(person.text.contains("✓ Todo restarted: this is Todo#13"))
    #expect(person.lines[3].contains("⟲ Todo restarted · 4 rows of the last run"))
    #expect(person.lines[4].contains("(initial)"))
    let follow: [DebuggerEffect] = [.follow(Self.three)]
    #expect(person.takeEffects() == follow)
  }

  @Test func `of two runs that ended, the one that is not the last run is told so`() {
    var person = Person()
    person.start(one, "Todo", id: 11)
    person.start(two, "Todo", id: 12)
    // They run at the same time.
    person.start(one, "Todo", id: 11)
    #expect(person.shown == "Todo#11")
    end(one, in: &person)
    end(two, in: &person)
    person.start(Self.three, "Todo", id: 13)
    #expect(
      person.text.contains("✓ Todo restarted: this is Todo#13 · its last run is Todo#12"),
      "\(person.text)")
  }

  @Test func `of two runs that ended, nobody knows whose next run it is`() {
    var person = Person()
    person.start(one, "Todo", id: 11)
    person.start(two, "Todo", id: 12)
    person.start(one, "Todo", id: 11)
    end(two, in: &person)
    end(one, in: &person)
    person.start(Self.three, "Todo", id: 13)
    #expect(person.text.contains("this is Todo#13 · or it may be the next run of Todo#12, which"))
  }

  @Test func `a killed run stays on screen until it is known to be gone`() {
    var person = atTodo
    person.start(Self.three, "Todo", id: 13)
    #expect(person.shown == "Todo#11")
    person.catalog.leave(one, saidGoodbye: false)
    person.send(.news)
    #expect(person.shown == "Todo#13")
  }

  @Test func `Enter on the row leads to the last run, and nothing leads away from there`() {
    var person = atTodo
    restart(&person)
    person.press("g", "k")
    #expect(person.text.contains("The last run was Todo#11. It said goodbye."))
    person.press("Enter")
    #expect(person.shown == "Todo#11" && person.text.contains("[Todo#11 ○ gone]"))
    #expect(person.text.contains("this is the last run of Todo · Ctrl-o leads back"))
    #expect(person.text.contains("◇ ") && !person.text.contains("◆"))
    person.record(action(1, "add", "{}"), in: Self.three)
    person.send(.news)
    #expect(person.shown == "Todo#11")
    // The jumps within this run are taken back first, and none from before.
    for count in 0..<3 {
      for _ in 0..<count { person.press("g", "G") }
      for _ in 0..<2 * count {
        person.press("Ctrl-o")
        #expect(person.shown == "Todo#11")
      }
      person.press("Ctrl-o")
      #expect(person.shown == "Todo#13" && !person.text.contains("this is the last run"))
      person.press("G", "g", "g", "Enter")
      #expect(person.shown == "Todo#11")
    }
    // Whoever leaves by another way comes back by it.
    person.press("}", "{", "Ctrl-o")
    #expect(person.shown == "Todo#11" && person.text.contains("there is no jump to go back to"))
    person.press("}")
    #expect(person.shown == "Todo#13")
    person.press("{")
    #expect(person.shown == "Todo#11")
  }

  @Test func `Ctrl-o leads back through all runs that were opened`() {
    var person = atTodo
    restart(&person)
    end(Self.three, in: &person)
    let four = SessionID(rawValue: 4)
    person.start(four, "Todo", id: 14)
    #expect(person.shown == "Todo#14")
    for shown in ["Todo#13", "Todo#11"] {
      person.press("g", "g", "Enter")
      #expect(person.shown == shown)
    }
    for shown in ["Todo#13", "Todo#14"] {
      for _ in 0..<5 where person.shown != shown { person.press("Ctrl-o") }
      #expect(person.shown == shown)
    }
  }

  @Test func `of two new runs none is shown before the person chooses it`() {
    var person = atTodo
    person.start(Self.three, "Todo", id: 13)
    person.start(SessionID(rawValue: 4), "Todo", id: 14)
    end(one, in: &person)
    #expect(person.shown == "Todo#11")
    #expect(
      person.text.contains("Todo#11 ended, and 2 new runs of Todo are here: } leads to them"))
    person.press("}", "}")
    #expect(person.shown == "Todo#13")
  }

  @Test func `a run that was there before is no next run`() {
    var person = atTodo
    person.start(Self.three, "Todo", id: 13)
    person.start(one, "Todo", id: 11)
    end(one, in: &person)
    #expect(person.shown == "Todo#11")
  }

  @Test func `filter, order, tab, open branches and comparison go on, and marks and base stay`() {
    var person = atTodo
    person.press("m", "b", "C", "Enter", "r", "]", "Tab", "Down", "Down", "Enter", "f")
    person.type("add")
    person.press("Enter")
    restart(&person)
    #expect(person.lines[1].contains("filter: add · 0 of 0 rows"))
    person.record(
      action(1, "log in", "{}"), action(2, "add", #"{"count":1,"user":{"name":"Bob"}}"#),
      action(3, "add", #"{"count":2,"user":{"name":"Bob"}}"#), in: Self.three)
    person.wait(.seconds(1))
    #expect(person.lines[1].contains("filter: add · 2 of 3 rows"))
    #expect(person.lines[3].contains("3  add") && person.lines[4].contains("2  add"))
    #expect(person.text.contains("[State]") && person.text.contains(#"name: "Bob""#))
    person.press("[")
    #expect(person.text.contains("Basket#12 has no state to compare with"))
    #expect(!person.lines[3...10].contains { $0.hasPrefix("  B") || $0.hasPrefix("  m") })
    person.press("{")
    #expect(person.shown == "Todo#11" && person.lines[3].hasPrefix("▸◇B"))
  }

  @Test func `auto-apply does not go on, and the notice says so`() {
    var person = atTodo
    person.press("A")
    restart(&person)
    person.record(action(1, "add", "{}"), in: Self.three)
    person.wait(.seconds(2))
    person.press("Up")
    #expect(person.takeEffects().allSatisfy { if case .move = $0 { false } else { true } })
    var other = atTodo
    other.press("A")
    restart(&other)
    #expect(other.text.contains("Todo restarted: this is Todo#13 · auto-apply is off"))
  }

  // MARK: Keys for the last run

  @Test func `a key that came too late is not for the new run, and is when pressed again`() {
    var person = atTodo
    person.start(Self.three, "Todo", id: 13)
    person.record(action(1, "add", "{}"), in: Self.three)
    end(one, in: &person)
    _ = person.takeEffects()
    person.press("s")
    #expect(person.takeEffects() == [])
    #expect(person.text.contains("not done, because Todo restarted just now"))
    person.wait(.milliseconds(1_100))
    person.press("s")
    #expect(person.takeEffects().count == 1)
  }

  @Test func `keys without a pause may all be meant for the last run`() {
    var person = atTodo
    person.start(Self.three, "Todo", id: 13)
    person.record(action(1, "add", "{}"), in: Self.three)
    end(one, in: &person)
    _ = person.takeEffects()
    for _ in 0..<10 {
      person.wait(.milliseconds(300))
      person.press("j", "x")
    }
    person.send(.paste("{}"))
    #expect(person.takeEffects() == [] && person.question == nil)
    person.wait(.milliseconds(600))
    person.press("x")
    #expect(person.takeEffects().count == 1)
  }

  @Test func `what is typed into a prompt goes to no new run`() {
    var person = atTodo
    person.press("D")
    person.type("[1]")
    restart(&person)
    person.type("x")
    #expect(person.shown == "Todo#11" && person.text.contains("dispatch: [1]x"))
    person.press("Backspace", "Enter")
    #expect(person.takeEffects() == [] && person.shown == "Todo#11")
    #expect(person.text.contains("the app is gone; only its history is here"))
    person.press("Esc")
    #expect(person.takeEffects().allSatisfy { $0 == .follow(Self.three) })
    #expect(person.shown == "Todo#13" && person.text.contains("Todo restarted: this is"))
  }

  @Test func `a question about the last run is no question about the new one`() {
    var person = atTodo
    person.press("K")
    #expect(person.question != nil)
    restart(&person)
    person.press("y")
    #expect(person.takeEffects().allSatisfy { $0 == .follow(Self.three) })
  }

  // MARK: Menus

  @Test func `a gone app precedes no live one in any menu`() {
    var person = atTodo
    end(one, in: &person)
    person.start(Self.three, "Third", id: 13)
    #expect(person.lines[0].hasPrefix("  Basket#12 ●  Third#13 ● [Todo#11 ○ gone] "))
    for keys in [[":"], [":", "a", "p", "p"], ["C"]] as [[CommandKey]] {
      var person = person
      person.press("}")
      for key in keys { person.press(key) }
      let apps = person.lines.compactMap { $0.firstMatch(of: #/app ([A-Z]\w+)#/#)?.1 }
      #expect(apps.first != "Todo" && apps.allSatisfy { $0 != "Todo" } || apps.last == "Todo")
    }
    person.press("C")
    let choices = person.lines.filter { $0.contains("│ app ") }
    #expect(choices.count == 2 && choices.allSatisfy { !$0.contains("gone") })
    person.press("Esc", "}", "C")
    #expect(person.lines.contains { $0.contains("app Todo#11 ○ gone") })
  }

  // MARK: Whatever comes and goes

  /// A person, the runs of two programs, and what the person should see.
  private struct Story {
    var person = Person()
    var shown: SessionID?
    /// Whether the shown run had no next one when it came on screen.
    var isAwaited = false
    var newest: UInt64 = 0
    var isOpen = false

    func label(_ session: SessionID) -> String { "App\(session.rawValue % 2)#\(session.rawValue)" }

    mutating func churn(_ random: inout SeededGenerator) {
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let known = person.catalog.instances
        let session = known.randomElement(using: &random)?.session
        switch (Int.random(in: 0..<6, using: &random), session) {
        case (0...1, let session?): person.catalog.leave(session, saidGoodbye: true)
        case (2, let session?): hear(session)
        default:
          newest += UInt64.random(in: 1...2, using: &random)
          hear(SessionID(rawValue: newest))
        }
      }
    }

    private mutating func hear(_ session: SessionID) {
      person.catalog.hear(
        session,
        Heartbeat(
          instance: InstanceID(high: session.rawValue, low: 1),
          app: "App\(session.rawValue % 2)", host: "desk", processID: UInt32(session.rawValue),
          contentType: "application/json", acceptsResets: true,
          control: .allCommands, datagramSize: 1_344))
      person.catalog.append(action(1, "add", "{}"), to: session)
    }

    /// Applies the rules after an event.
    mutating func settle() {
      let catalog = person.catalog
      if shown == nil { shown = (catalog.live.first ?? catalog.ordered.first)?.session }
      guard let shown, !isOpen else { return }
      let next = catalog.newestRun(after: shown)?.session
      if let next, isAwaited { self.shown = next } else { isAwaited = next == nil }
    }
  }

  @Test(arguments: 0..<60)
  func `the app on screen is that of the rules, and keys reach the one that was seen`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var story = Story()
    for _ in 0..<40 {
      let seen = story.shown
      story.churn(&random)
      let hasNews = Bool.random(using: &random)
      if hasNews {
        story.person.send(.news)
        story.settle()
      }
      let now = story.shown
      switch Int.random(in: 0..<5, using: &random) {
      case 0 where story.isOpen:
        story.person.press("Esc")
        story.isOpen = false
      case 0:
        story.person.press("/")
        story.isOpen = story.shown != nil
      case 1 where !story.isOpen && !story.person.catalog.instances.isEmpty:
        let order = story.person.catalog.ordered.map(\.session)
        if order.contains(where: { $0 != story.shown }) {
          let index = order.firstIndex { $0 == story.shown } ?? -1
          story.shown = order[(index + 1) % order.count]
          story.isAwaited = false
        }
        story.person.press("}")
      case 2 where !story.isOpen:
        story.person.press("D")
        // Not for an app that is gone, or has just restarted.
        story.isOpen = story.person.text.contains(" dispatch: ")
      default: story.person.press(["s", "x", "u", "Delete"].randomElement(using: &random) ?? "s")
      }
      story.settle()
      let targets = story.person.takeEffects().compactMap(\.target)
      #expect(targets.allSatisfy { $0 == seen || $0 == now && seen == nil })
      #expect(story.person.shown == story.shown.map(story.label))
      if Bool.random(using: &random) { story.person.wait(.seconds(2)) }
    }
  }
}

extension Person {
  /// The label in the tab that is chosen.
  var shown: String? { lines[0].firstMatch(of: #/\[(\w+#\d+)/#).map { String($0.1) } }
}

extension DebuggerEffect {
  /// The app that the effect acts on.
  fileprivate var target: SessionID? {
    switch self {
    case .move(let app, _, _), .command(let app, _, _): app
    default: nil
    }
  }
}
