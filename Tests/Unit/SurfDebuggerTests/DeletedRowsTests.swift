import SurfDebugger
import SurfViewer
import SurfWire
import TerminalScreen
import TestSupport
import Testing

/// Rows that a person deleted from the view: every way passes over them.
@Suite struct DeletedRowsTests {
  /// The rows that a person can reach, by definitions that look at all rows each time.
  struct Model {
    struct Line {
      var isState = true
      var origin: UInt64 = 0
      var cause: UInt64 = 0
      var isProblem = false
      var isFound = false
      var passes = false
    }

    /// The initial state first.
    var lines = [Line()]
    var deleted: Set<UInt64> = []
    /// The deletions to undo, and whether the app was moved out of these rows; 0 if
    /// the row is shown again.
    var undo: [(row: UInt64, movesApp: Bool)] = []
    var marks: Set<UInt64> = []
    var isFiltered = false
    var cursor: UInt64 = 0
    /// Where the person put the cursor, for when the filter is off.
    var home: UInt64 = 0

    var all: [UInt64] { (0..<UInt64(lines.count)).filter { !deleted.contains($0) } }
    var list: [UInt64] { isFiltered ? all.filter { $0 > 0 && lines[Int($0)].passes } : all }

    func line(_ row: UInt64) -> Line { lines[Int(row)] }
    /// Without a filter, the row before one that is deleted.
    mutating func settle() {
      if isFiltered {
        cursor = list.min { abs(Int($0) - Int(home)) < abs(Int($1) - Int(home)) } ?? cursor
      } else {
        home = list.last { $0 <= home } ?? list.first ?? 0
        cursor = home
      }
    }
    private func seen(_ row: UInt64, _ way: (UInt64) -> UInt64) -> UInt64 {
      deleted.contains(row) ? seen(way(row), way) : row
    }
    func origin(_ row: UInt64) -> UInt64 { seen(line(row).origin) { line($0).origin } }
    func cause(_ row: UInt64) -> UInt64 { seen(line(row).cause) { line($0).cause } }
    func futures(_ row: UInt64) -> [UInt64] {
      all.filter { $0 > 0 && line(row).isState && line($0).isState && origin($0) == row }
    }

    func target(_ key: CommandKey) -> UInt64? {
      switch key {
      case "j": list.first { $0 > cursor }
      case "k": list.last { $0 < cursor }
      case ",": cursor > 0 && cause(cursor) > 0 ? cause(cursor) : nil
      case ".": cursor > 0 ? all.first { $0 > 0 && cause($0) == cursor } : nil
      case "(": cursor > 0 && line(cursor).isState ? origin(cursor) : nil
      case ")": futures(cursor).first
      case "|": ownFuture(cursor) ?? otherFuture(cursor)
      case "e": all.first { $0 > cursor && line($0).isProblem }
      case "E": all.last { $0 < cursor && line($0).isProblem }
      case "n": circle(all.filter { line($0).isFound }, isNext: true)
      case "N": circle(all.filter { line($0).isFound }, isNext: false)
      case "'": circle(all.filter(marks.contains), isNext: true)
      default: circle(all.filter(marks.contains), isNext: false)
      }
    }

    /// The future after that of the app, unless the row before is a fork, too: its futures come
    /// first.
    private func ownFuture(_ row: UInt64) -> UInt64? {
      let isFuture = row > 0 && futures(origin(row)).count > 1
      let futures = futures(row)
      guard !isFuture, futures.count > 1 else { return nil }
      let index = futures.firstIndex(where: leadsToApp) ?? 0
      return futures[(index + 1) % futures.count]
    }

    /// The app is at its newest state.
    private func leadsToApp(_ row: UInt64) -> Bool {
      var behind = UInt64(lines.lastIndex(where: \.isState) ?? 0)
      while behind > row { behind = line(behind).origin }
      return behind == row
    }

    private func otherFuture(_ row: UInt64) -> UInt64? {
      guard row > 0, line(row).isState else { return nil }
      let futures = futures(origin(row))
      return futures.count > 1
        ? futures.first { $0 > row } ?? futures[0] : otherFuture(origin(row))
    }

    private func circle(_ rows: [UInt64], isNext: Bool) -> UInt64? {
      isNext ? rows.first { $0 > cursor } ?? rows.first : rows.last { $0 < cursor } ?? rows.last
    }

    mutating func press(_ key: CommandKey) {
      guard let target = target(key) else { return }
      if !list.contains(target) { isFiltered = false }
      (cursor, home) = (target, target)
    }
  }

  private static let keys: [CommandKey] = [
    "j", "k", ",", ".", "(", ")", "|", "e", "E", "n", "N", "'", "\"",
  ]

  private func start(_ random: inout SeededGenerator) -> (Person, Model) {
    var (person, model) = (Person(), Model())
    person.start(one)
    for number in 1...14 as ClosedRange<UInt64> {
      var line = Model.Line()
      line.isState = Int.random(in: 0..<4, using: &random) > 0
      line.isProblem = !line.isState
      line.isFound = Bool.random(using: &random)
      line.passes = Bool.random(using: &random)
      line.cause = Bool.random(using: &random) ? UInt64.random(in: 0..<number, using: &random) : 0
      let states = (0..<number).filter { model.line($0).isState }
      let jump = Int.random(in: 0..<3, using: &random) == 0
      let above = states[states.count - 1]
      line.origin = jump ? states.randomElement(using: &random) ?? 0 : above
      let name = "row\(line.isFound ? " ka" : "")\(line.passes ? " zo" : "")"
      person.record(
        line.isState
          ? action(
            number, name, "\(number)", parent: line.cause, from: jump ? line.origin : nil)
          : warning(number, name, parent: line.cause))
      model.lines.append(line)
    }
    person.press("/")
    person.type("ka")
    person.wait(.seconds(1))
    person.press("Enter", "g")
    return (person, model)
  }

  private func warning(_ number: UInt64, _ name: String, parent: UInt64) -> Record {
    Record(
      sequence: SequenceNumber(number), kind: .log(.warning), parent: SequenceNumber(parent),
      name: name)
  }

  /// Answers that the app was moved; false if it was not to be.
  private func answerMove(_ person: inout Person) -> Bool {
    guard case .move(_, let target, let serial)? = person.takeEffects().last else { return false }
    person.send(.answered(serial: serial, .applied(target)))
    return true
  }

  private func step(
    _ person: inout Person, _ model: inout Model, _ random: inout SeededGenerator
  ) -> String {
    switch Int.random(in: 0..<12, using: &random) {
    case 0...1 where model.cursor > 0 && model.list.count > 2:
      person.press("Delete")
      model.deleted.insert(model.cursor)
      model.undo.append((model.cursor, movesApp: answerMove(&person)))
      return "Delete"
    case 5:
      person.press("u")
      let undo = model.undo.popLast()
      #expect(answerMove(&person) == (undo?.movesApp ?? false))
      model.deleted = model.deleted.filter { $0 != undo?.row }
      return "u"
    case 2 where Int.random(in: 0..<4, using: &random) == 0:
      person.press(":")
      person.type("deleted rows again")
      person.press("Enter")
      model.deleted = []
      model.undo = model.undo.filter(\.movesApp).map { _ in (0, true) }
      return "undelete"
    case 3 where model.cursor > 0:
      person.press("m")
      model.marks.formSymmetricDifference([model.cursor])
      return "m"
    case 4 where model.isFiltered || model.all.contains { $0 > 0 && model.line($0).passes }:
      person.press("f")
      if model.isFiltered { person.press("Ctrl-u") } else { person.type("zo") }
      person.wait(.seconds(1))
      person.press("Enter")
      model.isFiltered.toggle()
      return "filter"
    default:
      let key = Self.keys.randomElement(using: &random) ?? "j"
      person.press(key)
      model.press(key)
      return key.label
    }
  }

  @Test(arguments: 0..<30)
  func `no way leads to a deleted row, and each leads on through it`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (person, model) = start(&random)
    var done: [String] = []
    for _ in 0..<40 {
      done.append(step(&person, &model, &random))
      model.settle()
      let wanted = "\(model.cursor)"
      guard person.rowText != wanted else { continue }
      Issue.record(
        "after \(done.joined(separator: " ")): \(person.rowText ?? "-"), not \(wanted)\n\(person.text)"
      )
      return
    }
  }

  @Test func `what is typed finds no deleted row, and the count leaves them out`() {
    var person = Person.atPrimeTime()
    person.type("3")
    person.press("Enter", "Delete", "g", "/")
    person.type("isprime")
    person.wait(.seconds(1))
    #expect(person.rowText == "6" && person.text.contains("1 of 1"))
    person.press("Enter", "n")
    #expect(person.rowText == "6")
  }

  @Test func `a time, and a click on the strip, lead to the next row in sight`() {
    var person = Person.atPrimeTime()
    person.type("4")
    person.press("Enter", "Delete", "Ctrl-g")
    person.type("06:06:42")
    person.press("Enter")
    #expect(person.rowText == "5")
    person.press("Ctrl-g")
    person.type("-500ms")
    person.press("Enter")
    #expect(person.rowText == "3")
    let line = person.lines.count - 4
    let glyphs = person.lines[line].enumerated().filter {
      $0.offset > 9 && "▇▸◆".contains($0.element)
    }
    person.send(.pointer(.press(ScreenPlace(row: line, column: glyphs[3].offset))))
    #expect(person.rowText == "5")
  }

  @Test func `a row that is not there takes no filter away`() {
    var person = Person.atPrimeTime()
    person.type("4")
    person.press("Enter", "Delete", "f")
    person.type("increment")
    person.wait(.seconds(1))
    person.press("Enter")
    person.type("4")
    person.press("Enter")
    #expect(person.rowText == "5" && person.text.contains("filter: increment"))
    #expect(person.text.contains("there is no row 4 here: this is the nearest"))
  }
}
