import JSONTree
import SurfControl
import SurfDebugger
import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen
import TestSupport
import Testing

/// What skips and moves do to the list, and how they are taken back.
@Suite struct OrderInForceTests {
  /// Row 3 is left out, and row 2 comes behind row 4.
  private static let order: [(UInt64, Bool)] = [
    (1, false), (3, true), (4, false), (2, false), (5, false), (6, false), (7, false), (8, false),
  ]

  private var rewritten: Person {
    var person = Person.atPrimeTime()
    person.record(revision(10, order: Self.order, named: "skip row 3 by eve@hut"))
    _ = person.takeEffects()
    return person
  }

  private func line(of row: Int, _ person: Person) -> String? {
    person.lines.first { $0.dropFirst(16).prefix(6).contains(" \(row) ") }
  }

  private func styles(of row: Int, _ person: Person) -> [CellStyle] {
    guard
      let index = person.lines.firstIndex(where: { $0.dropFirst(16).prefix(6).contains(" \(row) ") }
      )
    else { return [] }
    return (23..<30).compactMap { person.screen[row: index, column: $0]?.style }
  }

  @Test func `a row that is left out has a sign, and its name is struck out`() {
    let person = rewritten
    #expect(line(of: 3, person)?.hasPrefix(" x ") == true)
    #expect(styles(of: 3, person).allSatisfy { $0.traits.contains(.strike) })
    #expect(line(of: 2, person)?.hasPrefix("   ") == true)
    #expect(!styles(of: 2, person).contains { $0.traits.contains(.strike) })
  }

  /// Row 11 was made after the skip.
  @Test(arguments: [(8 as UInt64, true), (1, false), (11, false)])
  func `a jump to a state from before a skip says that it still has the action`(
    row: UInt64, isFormer: Bool
  ) {
    var person = rewritten
    person.record(action(11, "increment", "{}"), action(12, "increment", "{}"))
    _ = person.takeEffects()
    person.type("\(row)")
    person.press("Enter", "s")
    guard case .move(one, let target, let serial)? = person.takeEffects().last else {
      Issue.record("nothing was asked")
      return
    }
    person.send(.answered(serial: serial, .applied(target)))
    #expect(person.text.contains("moved PrimeTime#11105 to row \(row)"))
    #expect(person.text.contains("this state still has 1 action") == isFormer)
  }

  @Test func `a rewrite's row says what it did, and to which action`() {
    var person = Person.atPrimeTime(width: 120)
    let titles = [
      ("skip row 3 by eve@hut", "skipped row 3 isPrime by eve@hut"),
      ("unskip row 3 by eve@hut", "unskipped row 3 isPrime by eve@hut"),
      ("toggle row 99 by eve", "toggled row 99 by eve"),
      ("move row 2 before 3 by eve", "moved row 2 increment before row 3 isPrime"),
      ("move row 2 last by eve", "moved row 2 increment to the end by eve"),
      ("skip row of seats", "skip row of seats"), ("move row 2 before x", "move row 2 before x"),
    ]
    person.press("z")
    for (index, (name, text)) in titles.enumerated() {
      person.record(revision(10 + UInt64(index), order: Self.order, named: name))
      #expect(person.text.contains(text), "\(name)")
    }
  }

  @Test func `the order in force is a list of its own`() {
    var person = rewritten
    person.type("2")
    person.press("Enter", "O")
    #expect(person.text.contains("order in force · 8 actions · 1 left out"))
    #expect(person.shownRow == "2")
    let rows = person.lines[3..<11].compactMap { $0.dropFirst(16).split(separator: " ").first }
    #expect(rows == ["1", "3", "4", "2", "5", "6", "7", "8"])
    person.press("Up")
    #expect(person.shownRow == "4")
    person.record(action(11, "increment", #"{"count":9}"#))
    #expect(person.text.contains("9 actions") && person.shownRow == "4")
    person.press("G")
    #expect(person.shownRow == "11")
    person.press("f")
    person.type("isPrime")
    person.press("Enter")
    person.wait(.seconds(1))
    #expect(person.text.contains("order in force · filter: isPrime · 2 of 9 actions"))
    person.press("g")
    #expect(person.shownRow == "3")
    person.press("Esc", "e")
    #expect(person.text.contains("the order in force is off: row 9 is not in it"))
    #expect(person.text.contains("no filter · 11 rows") && person.shownRow == "9")
  }

  @Test func `undo takes a skip back, and a skip of what was left out leaves it in`() {
    var person = rewritten
    person.type("5")
    person.press("Enter", "x")
    #expect(person.takeEffects() == [.command(one, .toggle(5, skipped: true), serial: 1)])
    person.send(.answered(serial: 1, .applied(.record(11))))
    #expect(person.text.contains("✓ skipped row 5 increment · u undoes"))
    person.type("3")
    person.press("Enter", "x")
    #expect(person.takeEffects() == [.command(one, .toggle(3, skipped: false), serial: 2)])
    person.send(.answered(serial: 2, .applied(.record(12))))
    person.press("u")
    #expect(person.takeEffects() == [.command(one, .toggle(3, skipped: true), serial: 3)])
    person.send(.answered(serial: 3, .failed("busy")))
    person.press("u")
    #expect(person.takeEffects() == [.command(one, .toggle(3, skipped: true), serial: 4)])
    person.send(.answered(serial: 4, .applied(.record(13))))
    #expect(person.text.contains("✓ skipped row 3 isPrime") && !person.text.contains("u undoes"))
    person.press("u")
    #expect(person.takeEffects() == [.command(one, .toggle(5, skipped: false), serial: 5)])
  }

  @Test func `an undo that somebody else has done is refused once, and does not block the others`()
  {
    var person = rewritten
    for (text, toggle) in [("5", 1), ("3", 2)] {
      person.type(text)
      person.press("Enter", "x")
      _ = person.takeEffects()
      person.send(.answered(serial: toggle, .applied(.record(11))))
    }
    person.press("u")
    #expect(person.takeEffects() == [.command(one, .toggle(3, skipped: true), serial: 3)])
    person.send(.answered(serial: 3, .refused("that row is already skipped")))
    #expect(person.text.contains("that row is already skipped"))
    person.press("u")
    #expect(person.takeEffects() == [.command(one, .toggle(5, skipped: false), serial: 4)])
  }

  @Test func `an undo that is refused for another reason can be tried again`() {
    var person = rewritten
    person.type("3")
    person.press("Enter", "x")
    #expect(person.takeEffects() == [.command(one, .toggle(3, skipped: false), serial: 1)])
    person.record(revision(11, order: Self.order.map { ($0.0, false) }))
    person.send(.answered(serial: 1, .applied(.record(11))))
    for serial in 2...4 {
      person.press("u")
      #expect(person.takeEffects() == [.command(one, .toggle(3, skipped: true), serial: serial)])
      person.send(.answered(serial: serial, .refused("ada@host drives")))
    }
  }

  @Test func `where a rewrite cannot be read, the app decides what a toggle is`() {
    var person = Person.atPrimeTime()
    var unread = revision(10, order: Self.order)
    unread.payload = json("[]")
    person.record(unread)
    person.type("5")
    person.press("Enter", "x")
    #expect(person.takeEffects() == [.command(one, .toggle(5, skipped: nil), serial: 1)])
    person.send(.answered(serial: 1, .applied(.record(11))))
    person.press("u")
    #expect(person.takeEffects() == [.command(one, .toggle(5, skipped: nil), serial: 2)])
  }

  @Test func `undo moves an action back to where it was`() {
    var person = rewritten
    person.type("4")
    person.press("Enter", "K", "y")
    #expect(person.takeEffects() == [.command(one, .move(4, before: 3), serial: 1)])
    person.send(.answered(serial: 1, .applied(.record(11))))
    #expect(person.text.contains("✓ moved row 4 increment before row 3 isPrime · u undoes"))
    person.press("u")
    #expect(person.takeEffects() == [.command(one, .move(4, before: 2), serial: 2)])
    person.type("8")
    person.press("Enter", "K", "y")
    person.send(.answered(serial: 3, .applied(.record(12))))
    _ = person.takeEffects()
    person.press("u")
    #expect(person.takeEffects() == [.command(one, .move(8, before: nil), serial: 4)])
  }

  // MARK: Moves of the app

  @Test func `a way there and back is one, and so is one that leads nowhere`() {
    var person = Person.atPrimeTime(width: 120)
    for (count, row) in [(1, 3), (2, 8)] as [(UInt64, UInt64)] {
      person.catalog.note(moved(by: "bob@lap", count, to: row, count: WireCount(count)), by: one)
    }
    person.send(.news)
    #expect(person.text.contains("⤺ bob@lap moved the app there and back to row 8 (2 moves)"))
    person = Person.atPrimeTime(width: 120)
    for count in 1...2 as ClosedRange<UInt64> {
      person.catalog.note(moved(by: "bob@lap", count, to: 8, count: WireCount(count)), by: one)
      person.send(.news)
      let count = count == 1 ? "" : " (2 moves)"
      #expect(person.text.contains("⤺ bob@lap moved the app to row 8, where it was\(count)"))
    }
  }

  @Test func `moves with no row between them are one line, which shows what they changed`() {
    var person = Person.atPrimeTime(width: 120)
    for (count, row) in [(1, 3), (2, 5), (3, 2)] as [(UInt64, UInt64)] {
      person.catalog.note(
        moved(by: count < 3 ? "bob@lap" : "eve@hut", count, to: row, count: WireCount(count)),
        by: one)
    }
    person.send(.news)
    person.press("Down")
    let lines = person.lines.filter { $0.hasPrefix("▸ ⤺") || $0.hasPrefix("  ⤺") }
    #expect(lines.count == 1)
    #expect(
      lines.first?.contains("⤺ bob@lap and eve@hut moved the app from row 8 to row 2 (3 mov")
        == true)
    #expect(person.text.contains("⤺ bob@lap moved the app from row 8 to row 3"))
    #expect(person.text.contains("⤺ eve@hut moved the app from row 5 to row 2"))
    #expect(person.text.contains("from row 8 · 1 change") && person.text.contains("~ count: 8 → 2"))
    person.press("]")
    #expect(person.text.contains("jump to row 2") && person.text.contains("count: 2"))
  }

  @Test func `a move that the app refused stands alone`() {
    var person = Person.atPrimeTime()
    person.catalog.note(moved(by: "bob@lap", 1, to: 3, count: 1), by: one)
    var refused = moved(by: "eve@hut", 2, to: 3, count: 1)
    refused.outcome = .busy
    person.catalog.note(refused, by: one)
    person.send(.news)
    #expect(person.lines.filter { $0.prefix(50).contains("⤺") }.count == 2)
  }

  // MARK: Against the definition

  /// A history with rewrites of a part, or of all.
  private func history(_ random: inout SeededGenerator) -> Timeline {
    var timeline = Timeline()
    for number in 1...UInt64.random(in: 3...40, using: &random) {
      guard number > 2, Int.random(in: 0..<4, using: &random) == 0 else {
        timeline.append(.action(SequenceNumber(number)))
        continue
      }
      let oldest = UInt64.random(in: 0..<number, using: &random)
      let items = HistoryOrder(timeline).steps.filter { $0.row.rawValue >= oldest }
        .shuffled(using: &random)
      let order = items.map { ($0.row.rawValue, Bool.random(using: &random)) }
      timeline.append(revision(number, order: order, oldest: oldest))
    }
    return timeline
  }

  @Test(arguments: 0..<200)
  func `however rows come, the same actions are left out, in the same order`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let whole = history(&random)
    var timeline = Timeline()
    var (leftOut, arrangement) = (LeftOutRows(timeline), Arrangement(timeline))
    var records = whole.rows.map(\.record)
    if Bool.random(using: &random) { records.shuffle(using: &random) }
    for record in records {
      timeline.append(record)
      leftOut.add(record.sequence...record.sequence, in: timeline)
      arrangement.add(record.sequence...record.sequence, in: timeline)
    }
    let order = HistoryOrder(whole)
    #expect(arrangement.order == order && arrangement.rows == order.steps.map(\.row))
    for step in order.steps {
      #expect(leftOut.contains(step.row, in: whole) == step.isLeftOut, "row \(step.row)")
      #expect(LeftOutRows(whole).contains(step.row, in: whole) == step.isLeftOut)
    }
    let list = RowList(whole, arrangement: arrangement)
    var places = list.first.map { [$0] } ?? []
    while let next = places.last.flatMap({ list.place(after: $0) }), places.count < 99 {
      #expect(list.place(before: next) == places.last)
      places.append(next)
    }
    #expect(places.map(\.number) == order.steps.map(\.row) && list.last == places.last)
  }

  @Test(arguments: 0..<200)
  func `whatever rows are missing, nothing is claimed that they contradict`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let whole = history(&random)
    var timeline = Timeline()
    for row in whole.rows where row.number == whole.newestNumber || Bool.random(using: &random) {
      timeline.append(row.record)
    }
    let (all, some) = (HistoryOrder(whole), HistoryOrder(timeline))
    for row in some.steps.map(\.row) {
      if some.isCertain(around: row, isLater: false) {
        #expect(some.earlier(row) == all.earlier(row), "row \(row)")
      }
      if some.isCertain(around: row, isLater: true) {
        #expect(some.later(row) == all.later(row), "row \(row)")
      }
    }
    let leftOut = LeftOutRows(timeline)
    for step in all.steps {
      guard let isLeftOut = leftOut.contains(step.row, in: timeline) else { continue }
      #expect(isLeftOut == step.isLeftOut, "row \(step.row)")
    }
  }

  @Test func `what the timeline has evicted does not stay in the order`() {
    var bounds = Timeline.Bounds()
    bounds.rowCountMax = 100
    var timeline = Timeline(bounds: bounds)
    var arrangement = Arrangement(timeline)
    for number in 1...3_000 as ClosedRange<UInt64> {
      timeline.append(.action(SequenceNumber(number)))
      arrangement.add(SequenceNumber(number)...SequenceNumber(number), in: timeline)
      #expect(arrangement.rows.suffix(99) == timeline.rows.suffix(99).map(\.number)[...])
    }
    #expect(arrangement.rows.count <= 1_200 && arrangement.order.steps.count <= 1_200)
  }

  @Test func `a forged order that names a row twice is walked through once`() {
    var timeline = Timeline()
    for number in 1...3 { timeline.append(.action(SequenceNumber(UInt64(number)))) }
    timeline.append(
      revision(4, order: [(1, false), (2, false), (1, true), (9, false), (3, false)]))
    let list = RowList(timeline, arrangement: Arrangement(timeline))
    let window = list.window(around: ListPlace(1), line: 0, height: 9)
    #expect(window.places.map(\.number) == [1, 2, 3])
  }
}
