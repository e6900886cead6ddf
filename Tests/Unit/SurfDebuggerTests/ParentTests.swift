import JSONTree
import SurfQuery
import SurfTimeline
import SurfViewer
import SurfWire
import TestSupport
import Testing

/// Every way to see what a row changed compares it with the state that it grew from.
@Suite struct ParentTests {
  @Test(arguments: 0..<1_000)
  func `all who compare a row take the state that it grew from`(seed: UInt64) throws {
    let story = Story(seed: seed)
    var person = Person(width: 160, height: 60)
    person.start(one)
    for record in story.records { person.record(record) }
    for move in story.moves { person.catalog.note(move, by: one) }
    let instance = try #require(person.catalog[one])
    let (timeline, rows) = (instance.timeline, story.rows.indices.filter { story.rows[$0].isHere })

    let found = rows.map { timeline.row(SequenceNumber(UInt64($0))).flatMap(timeline.parent(of:)) }
    #expect(found == rows.map { story.known(parentOf: $0).map(story.position) })

    let states = rows.filter { story.rows[$0].state != nil }
    let pairs = states.map { Pair($0, story.before($0), story.rows[$0].state) }
    let changed = pairs.filter { $0.old != nil && $0.old != $0.new }

    let writes = try writes(in: timeline)
    #expect(writes == pairs.filter { $0.old == nil || $0.old != $0.new })
    #expect(try hits("count changed", instance) == changed.map(\.row))
    #expect(
      try hits("kind:action not changed", instance)
        == pairs.filter {
          story.rows[$0.row].kind == .action && $0.old == $0.new
        }.map(\.row))
    let risen = pairs.filter { ($0.old ?? 9) < 3 && ($0.new ?? 0) >= 3 }
    #expect(try hits("becomes count over 2", instance) == risen.map(\.row))
    // A log line has the app's state at that moment, both before and after it.
    let befores = rows.filter { story.before($0) == 2 }
    #expect(try hits("before.count is 2", instance) == befores)

    for pair in pairs {
      let row = try #require(timeline.row(SequenceNumber(UInt64(pair.row))))
      let size = try #require(row.stateSize)
      let wanted = pair.old.map { changeText(size - Story.size($0)) } ?? "?"
      #expect(timeline.changeText(of: row, with: size) == wanted)
    }
    var report = HistoryReport()
    while !report.isDone { report.step(in: timeline) }
    let idle = pairs.filter { story.rows[$0.row].kind == .action && $0.old == $0.new }
    #expect(report.tallies.reduce(0) { $0 + $1.unchangedCount } == idle.count)
    for pair in pairs.shuffled(seed).prefix(3) { try look(at: pair, of: story, &person) }
  }

  /// What the debugger says of a row.
  private func look(at pair: Pair, of story: Story, _ person: inout Person) throws {
    person.type("\(pair.row)")
    person.press("Enter")
    let line = person.lines.first { $0.contains("│ from ") || $0.contains("│ rows before it") }
    let text = try #require(line?.split(separator: "│ ").last)
    let change = "~ count: \(pair.old ?? -1) → \(pair.new ?? -1)"
    switch (story.known(parentOf: pair.row), pair.old) {
    case (let parent?, let old?):
      let count = old == pair.new ? "no change" : "1 change"
      #expect(text.hasPrefix("from row \(parent)") && text.contains("· \(count)"))
      #expect(person.text.contains(change) == (old != pair.new) || old == pair.new)
    case (Story.elsewhere?, _): #expect(text.hasPrefix("from a state that is in no row"))
    case (let parent?, nil): #expect(text.hasPrefix("from row \(parent)") && text.contains("whose"))
    case (nil, _): #expect(text.hasPrefix("rows before it are missing"))
    }
  }

  private func hits(_ text: String, _ instance: Instance) throws -> [Int] {
    var find = Find(try Query(text), order: .newestFirst, budget: RowBudget(rowCountMax: 7))
    var rows: [Int] = []
    while !find.isDone { rows += find.step(in: instance).map { Int($0.row.rawValue) } }
    return rows.reversed()
  }

  private func writes(in timeline: Timeline) throws -> [Pair] {
    var trace = PathTrace(try QueryPlace(path: "count"))
    var writes: [Pair] = []
    while !trace.isDone {
      writes += trace.step(in: timeline).map {
        Pair(Int($0.record.sequence.rawValue), $0.change.old?.integer, $0.change.new?.integer)
      }
    }
    return writes
  }

  private struct Pair: Equatable {
    let row: Int
    let old: Int?
    let new: Int?

    init(_ row: Int, _ old: Int?, _ new: Int?) { (self.row, self.old, self.new) = (row, old, new) }
  }
}

extension Array {
  fileprivate func shuffled(_ seed: UInt64) -> Self {
    var random = SeededGenerator(seed: seed)
    return shuffled(using: &random)
  }
}

/// A history with jumps, loads, rewrites, marks and lines of a log; and what of it a viewer has.
private struct Story {
  struct Row {
    var kind: Record.Kind
    /// The state after it, if it brought one that was sent.
    var state: Int?
    /// Where the app was: a row, or elsewhere.
    var parent: Int
    var isHere: Bool
  }

  static let elsewhere = -1

  /// Row 0 is the initial state, which the app does not tell.
  var rows = [Row(kind: .mark, state: nil, parent: elsewhere, isHere: false)]
  var records: [Record] = []
  var moves: [Restored] = []
  /// The truth, whether or not it was sent.
  private var (values, place, value) = ([0], 0, 0)
  /// Where the records alone put the app.
  private var recorded = 0

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let isWhole = Bool.random(using: &random)
    while rows.count < 30 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0: go(to: Int.random(in: 0..<rows.count, using: &random))
      case 1:
        (place, value) = (Self.elsewhere, 5)
        tell(.elsewhere)
      case 2: add(.log(.info), isHere: isWhole || Int.random(in: 0..<8, using: &random) > 0)
      default:
        value += [0, 0, 1, 1, -1, 100].randomElement(using: &random) ?? 0
        let kinds: [Record.Kind] = [.action, .action, .action, .revision, .mark]
        let kind = kinds.randomElement(using: &random)
        add(
          kind ?? .action, isSent: isWhole || Int.random(in: 0..<8, using: &random) > 0,
          isHere: isWhole || Int.random(in: 0..<8, using: &random) > 0)
      }
    }
  }

  private mutating func go(to row: Int) {
    guard row == 0 || rows[row].kind.movesApp else { return }
    (place, value) = (row, values[row])
    tell(position(row))
  }

  private mutating func tell(_ position: Position) {
    moves.append(
      Restored(
        request: UInt64(moves.count), viewer: ViewerID(rawValue: 9), viewerName: "eve",
        position: position, newestRecord: SequenceNumber(UInt64(rows.count - 1)),
        moveCount: WireCount(UInt64(moves.count + 1)), outcome: .applied))
  }

  private mutating func add(_ kind: Record.Kind, isSent: Bool = true, isHere: Bool) {
    let grownFrom = kind.movesApp && place != recorded ? GrownFrom(from: position(place)) : nil
    let state = kind.movesApp && isSent ? value : nil
    let number = UInt64(rows.count)
    rows.append(Row(kind: kind, state: state, parent: place, isHere: isHere))
    values.append(value)
    if isHere {
      records.append(
        Record(
          sequence: SequenceNumber(number), kind: kind, uptime: number, name: "set",
          state: state.map { .keyframe(Self.content($0)) } ?? (kind.movesApp ? .givenUp : .none),
          grownFrom: grownFrom))
    }
    if kind.movesApp { (place, recorded) = (rows.count - 1, rows.count - 1) }
  }

  static func content(_ value: Int) -> Content {
    Content(type: "application/json", bytes: Array(#"{"count":\#(value)}"#.utf8))
  }

  static func size(_ value: Int) -> Int { content(value).bytes.count }

  func position(_ place: Int) -> Position {
    place == Self.elsewhere ? .elsewhere : Position(wire: SequenceNumber(UInt64(place)))
  }

  /// The parent as far as a viewer can know it: from the record, or if it has all rows down to the
  /// last that moved the app.
  func known(parentOf row: Int) -> Int? {
    let last = (0..<row).last { $0 == 0 || rows[$0].kind.movesApp } ?? 0
    let isSaid = rows[row].kind.movesApp && rows[row].parent != last
    let isSeen = (last..<row).allSatisfy { $0 == 0 || rows[$0].isHere }
    return isSaid || isSeen ? rows[row].parent : nil
  }

  /// The state before a row, if a viewer has it.
  func before(_ row: Int) -> Int? {
    guard let parent = known(parentOf: row), parent > 0, rows[parent].isHere else { return nil }
    return rows[parent].state
  }
}
