import SurfDebugger
import SurfTimeline
import SurfViewer
import SurfWire
import TestSupport
import Testing

/// The table of all apps.
@Suite struct AppTableTests {
  /// The labels from top to bottom.
  private func labels(_ person: Person) -> [String] {
    person.lines[4..<25].compactMap { line in
      line.firstMatch(of: #/^ (\w+#\d+)/#).map { String($0.1) }
    }
  }

  private func line(_ label: String, _ person: Person) -> String {
    person.lines.dropFirst(4).first { $0.hasPrefix(" \(label) ") } ?? ""
  }

  private var three: Person {
    var person = Person(width: 120)
    person.start(one, "Todo", id: 11)
    person.start(two, "Basket", id: 12, newest: 40)
    person.start(SessionID(rawValue: 3), "Archive", id: 13)
    person.catalog.leave(SessionID(rawValue: 3), saidGoodbye: true)
    person.record(
      action(1, "add", "{}"), log(2, .error, "full"), log(3, .info, "still full"))
    person.wait(.seconds(4))
    person.press("a")
    return person
  }

  @Test func `each app is a line, and what is not known is a dash`() {
    let person = three
    #expect(labels(person) == ["Todo#11", "Basket#12", "Archive#13"])
    let words = line("Todo#11", person).split(separator: " ").joined(separator: " ")
    #expect(words == "Todo#11 ● live 3 0/s 1 add – – – – desk")
    let other = line("Basket#12", person).split(separator: " ").joined(separator: " ")
    #expect(other == "Basket#12 ● live 40 0/s – – – – – – desk")
    let gone = line("Archive#13", person).split(separator: " ").joined(separator: " ")
    #expect(gone == "Archive#13 ○ gone 0 – – – – – – – desk")
  }

  @Test func `who drives and who moved it is said, as are seal and realm`() {
    var person = Person(width: 160)
    person.start(one, "Todo", id: 11, control: [.driven])
    person.catalog.note(
      Restored(
        request: 1, viewer: ViewerID(rawValue: 5), viewerName: "bob@lap", position: .initial,
        newestRecord: 0, moveCount: 1, outcome: .applied), by: one)
    person.catalog.hear(one, person.catalog[one]!.heartbeat, as: .sealed)
    person.send(.news)
    person.press("a")
    let words = line("Todo#11", person).split(separator: " ").joined(separator: " ")
    #expect(words == "Todo#11 ● live 0 – 0 – bob@lap somebody sealed – desk")
  }

  @Test func `the rate is that of the last seconds, and falls by itself`() {
    var person = three
    person.press("Esc")
    for number in 4...12 as ClosedRange<UInt64> {
      person.record(action(number, "add", "{}"))
      person.wait(.milliseconds(100))
    }
    person.press("a")
    #expect(line("Todo#11", person).contains("  3/s"))
    person.wait(.seconds(3))
    #expect(line("Todo#11", person).contains("  0/s") && person.debugger.deadline == nil)
  }

  @Test func `an app that claims all the rows there can be has a large rate`() {
    var person = three
    person.press("Esc")
    person.record(.action(SequenceNumber(.max - 1)))
    person.wait(.seconds(1))
    person.press("a")
    #expect(line("Todo#11", person).contains("100000000000000/s"))
  }

  @Test func `a letter sorts by its column, again turns it round, and s goes on`() {
    var person = three
    person.press("n")
    #expect(labels(person) == ["Basket#12", "Todo#11", "Archive#13"])
    person.press("n")
    #expect(labels(person) == ["Todo#11", "Basket#12", "Archive#13"])
    person.press("r")
    #expect(labels(person) == ["Basket#12", "Todo#11", "Archive#13"])
    #expect(person.lines[1].contains("3 apps by rows") && person.lines[3].contains("ROWS▼"))
    person.press("S")
    #expect(labels(person) == ["Todo#11", "Basket#12", "Archive#13"])
    person.press("s")
    #expect(person.lines[1].contains("3 apps by rate"))
  }

  @Test func `typing behind a slash filters, Enter shows the app, and Esc leaves`() {
    var person = three
    person.press("/")
    person.type("basK")
    #expect(labels(person) == ["Basket#12"] && person.lines[1].contains("basK   1 of 3 apps"))
    person.type("?")
    #expect(person.text.contains("no app passes the filter"))
    person.press("Enter")
    #expect(person.shown == "Todo#11")
    person.press("a", "/")
    person.type("bas")
    person.press("Enter")
    #expect(person.shown == "Basket#12" && !person.text.contains("LAST ACTION"))
    person.press("a", "/", "x", "Esc")
    #expect(labels(person).count == 3)
    person.press("Esc")
    #expect(!person.text.contains("LAST ACTION") && person.shown == "Basket#12")
    #expect(person.takeEffects().allSatisfy { if case .follow = $0 { true } else { false } })
  }

  @Test func `the cursor stays at its app as others come and rows arrive`() {
    var person = three
    person.press("r")
    #expect(person.cursorLabel == "Todo#11")
    person.start(SessionID(rawValue: 4), "Fourth", id: 14, newest: 99)
    #expect(person.cursorLabel == "Todo#11")
    #expect(labels(person).first == "Fourth#14")
    person.press("Enter")
    #expect(person.shown == "Todo#11")
  }

  @Test func `a run that is chosen is not left for the next one`() {
    var person = three
    person.press("Esc")
    person.catalog.leave(one, saidGoodbye: true)
    person.send(.news)
    person.press("a")
    person.start(SessionID(rawValue: 4), "Todo", id: 14)
    person.press("Enter")
    #expect(person.shown == "Todo#11")
  }

  @Test func `without an app the table says so`() {
    var person = Person()
    person.press("a")
    #expect(person.lines[3].contains("no app is here yet"))
    person.press("Enter")
    #expect(person.shown == nil)
  }

  // MARK: Whatever is pressed

  private struct Model {
    var cursor: SessionID?
    var key: CommandKey?
    var isReversed = false

    func order(_ catalog: Catalog) -> [Instance] {
      func sorted(_ instances: [Instance]) -> [Instance] {
        let numbered = Array(instances.enumerated())
        func isBefore(_ left: (Int, Instance), _ right: (Int, Instance)) -> Bool {
          let (one, other) = (left.1, right.1)
          switch key {
          case "n" where one.label.lowercased() != other.label.lowercased():
            return (one.label.lowercased() < other.label.lowercased()) != isReversed
          case "r" where one.timeline.newestNumber != other.timeline.newestNumber:
            return (one.timeline.newestNumber > other.timeline.newestNumber) != isReversed
          case nil where isReversed: return left.0 > right.0
          default: return left.0 < right.0
          }
        }
        return numbered.map { ($0.offset, $0.element) }.sorted(by: isBefore).map(\.1)
      }
      return sorted(catalog.ordered.filter { $0.status == .live })
        + sorted(catalog.ordered.filter { $0.status != .live })
    }

    mutating func move(by count: Int, _ catalog: Catalog) {
      let order = order(catalog).map(\.session)
      let index = order.firstIndex { $0 == cursor } ?? 0
      cursor = order[max(0, min(order.count - 1, index + count))]
    }
  }

  @Test(arguments: 0..<40)
  func `the table is in the order of the rules, and its cursor at its app`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var person = Person(width: 120)
    person.start(one, "App1", id: 1)
    person.press("a")
    var model = Model(cursor: one)
    for _ in 0..<60 {
      let number = UInt64.random(in: 1...9, using: &random)
      let session = SessionID(rawValue: number)
      let keys: [CommandKey] = ["Up", "Down", "n", "r", "S"]
      let key = keys.randomElement(using: &random) ?? "Up"
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        person.start(
          session, "App\(number * 7 % 10)", id: UInt32(number),
          newest: SequenceNumber(UInt64.random(in: 0...50, using: &random)))
      case 1:
        person.catalog.leave(session, saidGoodbye: true)
        person.send(.news)
      default:
        person.press(key)
        switch key {
        case "Up": model.move(by: -1, person.catalog)
        case "Down": model.move(by: 1, person.catalog)
        case "S": model.isReversed.toggle()
        default:
          model.isReversed = model.key == key && !model.isReversed
          model.key = key
        }
      }
      let order = model.order(person.catalog)
      #expect(labels(person) == order.map(\.label))
      #expect(person.cursorLabel == (order.first { $0.session == model.cursor } ?? order[0]).label)
    }
  }
}

extension Person {
  /// The label in the line of the table that has the cursor.
  fileprivate var cursorLabel: String? {
    let row = (4..<lines.count).first {
      screen[row: $0, column: 1]?.style.traits.contains(.reverse) == true
    }
    return row.flatMap { lines[$0].firstMatch(of: #/^ (\w+#\d+)/#).map { String($0.1) } }
  }
}
