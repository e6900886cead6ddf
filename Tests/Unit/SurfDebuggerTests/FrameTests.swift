import Foundation
import SurfDebugger
import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen
import TestSupport
import Testing

/// Whole screens, as files that a person can read. `STATESURF_FRAMES=write` rewrites them.
@Suite struct FrameTests {
  enum Scene: String, CaseIterable {
    case alone, list, state, action, facts, search, query, moved, branches, consent
    case compared, noted, log, values, settings, skipped, order, apps, restarted, opened, wrapped
    case watched, help, helpSearch, palette, paletteSearch, completed, refused

    var person: Person {
      var person = Person.story()
      switch self {
      case .alone: return Person()
      case .branches: return Person.afterJumps()
      case .skipped, .order:
        person = Person.afterSkips()
        if self == .order { person.press("O") }
      case .list: person.press("Up", "Up")
      case .state:
        person.press("Up", "Up", "]", "Tab", "Down", "Down", "Enter")
      case .action: person.press("Up", "Up", "]", "]")
      case .facts:
        person.type("9")
        person.press("Enter", "]", "]", "]")
      case .search:
        person.press("g", "m", "/")
        person.type("isprime")
        person.wait(.seconds(1))
      case .query:
        person.press("f")
        person.type("count over 5")
        person.wait(.seconds(1))
        person.type(" knd:log")
      case .help: person.press("?", "PageDown", "PageDown")
      case .helpSearch:
        person.press("?")
        person.type("row")
      case .palette:
        person.press("Up", ":")
        person.type("jump")
        person.press("Esc", ":")
        person.type("trace")
        person.press("Enter", ":", "Down")
      case .paletteSearch:
        person.press("Up", "Up", ":")
        person.type("mark")
      case .completed:
        person.press("Up", "f")
        person.type("user changed or us")
        person.press("Tab", "Tab", "Ctrl-u", "Tab", "Tab", "Tab")
      case .refused:
        person.press("D")
        person.type("{remove:")
        person.press("Enter")
      case .consent:
        person.press("Up", "K")
      case .apps:
        person.startOthers()
        person.press("a", "Down", "r")
      case .restarted:
        person.catalog.leave(one, saidGoodbye: false)
        person.start(SessionID(rawValue: 4), id: 11109)
        person.record(
          SurfDebuggerTests.action(1, "increment", #"{"count":1}"#), in: SessionID(rawValue: 4))
        person.press("g", "k")
      case .compared:
        person.record(
          SurfDebuggerTests.action(1, "start", #"{"count":4,"load":0.5,"theme":"light"}"#), in: two)
        person.press("Up", "C", "Enter")
      case .log:
        person.record(SurfDebuggerTests.log(16, .error, "disk full: \u{1B}[31m 漢字"))
        person.press("i", "Up")
        person.wait(.seconds(1))
      case .values:
        person.press("v")
        person.catalog.update(one) { $0.values = .sample }
        person.send(.news)
        person.press("Down", "Down", "Enter", "Down")
      case .settings:
        var personal = PersonalSettings()
        personal.theme.colours[.good] = .blue
        personal.lines = [
          .init(name: "interface", value: "eth0", origin: "line 2", isOverridden: false),
          .init(
            name: "port", value: "9000", origin: "STATESURF_PORT counts", isOverridden: true),
          .init(name: "theme.good", value: "blue", origin: "line 3", isOverridden: false),
          .init(name: "key.lock", value: "", origin: "default", isOverridden: false),
        ]
        person.send(.personal(personal))
        person.press(":")
        person.type("settings")
        person.press("Enter", "Down")
      case .opened, .wrapped:
        let note =
          "A text of two lines, of which one\\nis long: \(String(repeating: "surf ", count: 30))"
        person.record(
          SurfDebuggerTests.action(
            16, "add",
            #"{"tasks":[{"id":1,"a":1},{"id":2,"a":2},{"id":3,"a":3}],"note":"","same":{"b":[]}}"#),
          SurfDebuggerTests.action(
            17, "sort",
            #"{"tasks":[{"id":3,"a":3},{"id":1,"a":7},{"id":4,"a":4}],"#
              + #""note":"\#(note)","same":{"b":[]}}"#))
        if self == .wrapped {
          person.press("]", "Tab", "W", "Down", "Down")
        } else {
          person.press("Tab", "Down", "Enter", "End", "Enter", "Up", "Enter")
        }
      case .watched:
        person.press("Up", "]", "Tab", "Down", "w", "Down", "Down", "w", "Tab")
        person.wait(.seconds(6))
      case .noted:
        person.press("r", "Down", "M")
        person.type("before the fault, 漢字")
        person.press("Enter", "T")
      case .moved:
        person.type("7")
        person.press("Enter", "b")
        person.type("12")
        person.press("Enter", "s")
        person.send(.answered(serial: 1, .applied(.record(12))))
      }
      return person
    }
  }

  @Test(
    arguments: Scene.allCases, [(120, 40), (100, 30), (80, 24), (60, 20), (40, 10)])
  func `a scene looks as its file says`(scene: Scene, size: (Int, Int)) throws {
    var person = scene.person
    person.send(.size(ScreenSize(width: size.0, height: size.1)))
    let name = "\(scene.rawValue)-\(size.0)x\(size.1).txt"
    try check(person.lines, name)
    if size == (100, 30) { try check(person.screen.styleLines, "\(scene.rawValue)-styles.txt") }
  }

  @Test(arguments: Scene.allCases)
  func `a terminal of ASCII gets all of a scene`(scene: Scene) throws {
    var person = Person.Terminal.$current.withValue(.ascii) { scene.person }
    person.send(.size(ScreenSize(width: 80, height: 24)))
    #expect(person.lines.allSatisfy { $0.utf8.allSatisfy { (0x20..<0x7F).contains($0) } })
    try check(person.lines, "\(scene.rawValue)-ascii.txt")
  }

  /// The output to a terminal, with a line for each move of its cursor.
  @Test(arguments: Scene.allCases, Person.Terminal.allCases)
  func `a scene is sent as its file says`(scene: Scene, terminal: Person.Terminal) throws {
    var person = Person.Terminal.$current.withValue(terminal) { scene.person }
    person.send(.size(ScreenSize(width: 80, height: 24)))
    var writer = ScreenWriter(hasColours: terminal != .colourless)
    let text = String(decoding: writer.bytes(toShow: person.screen), as: UTF8.self)
    let lines = text.replacing(#/\u{1B}\[(\d+(;\d+)?)?H/#) { "\n\($0.output.0)" }
      .replacing("\u{1B}", with: "␛").split(separator: "\n").map(String.init)
    let colours = #/␛\[([0-9]+;)*(3[0-7]|9[0-7])(;[0-9]+)*m/#
    #expect(lines.contains { $0.contains(colours) } == (terminal != .colourless))
    try check(lines, "\(scene.rawValue)-sent-\(terminal.rawValue).txt")
  }

  @Test func `the page of the debugger shows such a screen`() throws {
    var person = Scene.moved.person
    person.send(.size(ScreenSize(width: 80, height: 24)))
    let page = try String(
      contentsOf: repositoryRoot.appending(path: "Sources/Debugger.md"), encoding: .utf8)
    let lines = person.lines.map { line in
      line.replacing(#/ +$/#, with: "")
    }
    #expect(page.contains("```text\n\(lines.joined(separator: "\n"))\n```"))
  }

  /// `STATESURF_FRAMES=write` writes this table, too.
  @Test func `the page of the debugger has the keys of all commands`() throws {
    let page = repositoryRoot.appending(path: "Sources/Debugger.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let marks = ("<!-- keys -->\n", "\n<!-- end of keys -->")
    let start = try #require(text.range(of: marks.0)).upperBound
    let end = try #require(text.range(of: marks.1)).lowerBound
    let table = Self.keyTable.joined(separator: "\n")
    if Self.isWriting {
      try (text[..<start] + table + text[end...]).write(to: page, atomically: true, encoding: .utf8)
    } else {
      #expect(text[start..<end] == table)
    }
  }

  private static let keyTable: [String] = {
    let groups = CommandGroup.allCases.flatMap { group in
      ["| **\(group.rawValue)** | | |"]
        + group.commands.map { command in
          let keys = command.spec.keys.map { "`\($0.written)`" }.joined(separator: " ")
          let cells = [keys, command.spec.title, "`\(command.rawValue)`"].map {
            $0.replacing("|", with: "\\|")
          }
          return "| \(cells.joined(separator: " | ")) |"
        }
    }
    return ["| Keys | Command | Name |", "|---|---|---|"] + groups
  }()

  private static let isWriting =
    ProcessInfo.processInfo.environment["STATESURF_FRAMES"] == "write"

  private func check(_ lines: [String], _ name: String) throws {
    let file = repositoryRoot.appending(path: "Tests/Unit/SurfDebuggerTests/Frames/\(name)")
    if Self.isWriting {
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
    }
    let text = try String(contentsOf: file, encoding: .utf8)
    let wanted = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let differences = zip(lines, wanted).filter { $0 != $1 }.map { "  was \($1)\n  now \($0)" }
    #expect(
      lines.count == wanted.count && differences.isEmpty,
      "\(name):\n\(differences.joined(separator: "\n"))")
  }
}

extension KnownValues {
  fileprivate static var sample: KnownValues {
    var board = KnownValues()
    board.begin()
    for (index, value) in [("clock", "12"), ("kitchen/oven", "180"), ("kitchen/fridge", "[4,5]")]
      .enumerated()
    {
      board.add(
        answer: Record(
          sequence: SequenceNumber(UInt64(index + 1)), kind: .update, name: value.0,
          payload: json(value.1)))
    }
    board.complete(horizon: 9, leftOut: 2)
    return board
  }
}

extension Person {
  /// An app that was put back twice, and went on from there.
  static func afterJumps() -> Person {
    var person = Person()
    person.start(one, "Todo", id: 9004)
    let names = ["add Milk", "add Bread", "done 1", "add Tea", "done 2", "add Salt", "done 1"]
    let origins: [UInt64: UInt64] = [4: 1, 6: 3]
    for (index, name) in names.enumerated() {
      let number = UInt64(index) + 1
      let state = #"{"count":\#(number)}"#
      person.record(action(number, name, state, from: origins[number]))
      guard number == 3 else { continue }
      person.catalog.note(
        Restored(
          request: 1, viewer: ViewerID(rawValue: 5), viewerName: "bob@lap", position: .record(1),
          newestRecord: 3, moveCount: 1, outcome: .applied), by: one)
    }
    person.type("4")
    person.press("Enter")
    return person
  }

  /// A basket whose coupon was skipped, and whose app was moved about since.
  static func afterSkips() -> Person {
    var person = Person()
    person.start(one, "Basket", id: 4711)
    let names = ["add apple", "coupon", "add pear", "remove apple", "checkout"]
    for (index, name) in names.enumerated() {
      let number = UInt64(index) + 1
      person.record(action(number, name, #"{"items":\#(number),"total":\#(12 * number)}"#))
    }
    let order: [(UInt64, Bool)] = [(1, false), (2, true), (4, false), (3, false), (5, false)]
    var rewrite = revision(6, order: order, named: "skip row 2 by ada@desk")
    rewrite.state = .keyframe(json(#"{"items":4,"total":48}"#))
    person.record(rewrite)
    for (count, row) in [(1, 3), (2, 1), (3, 4)] as [(UInt64, UInt64)] {
      var move = moved(by: "ada@desk", count, to: row, count: WireCount(count))
      move.newestRecord = 6
      person.catalog.note(move, by: one)
    }
    person.send(.news)
    person.press("Up", "Down")
    return person
  }

  /// Apps of other machines and realms, and one that is busy.
  mutating func startOthers() {
    wait(.seconds(5))
    let pi = SessionID(rawValue: 5)
    start(pi, "Kitchen", id: 77, control: [.locked, .driven], host: "pi")
    start(SessionID(rawValue: 6), "漢字 with a very long name", id: 4_000_000, host: "far.example")
    catalog.hear(
      pi,
      Heartbeat(
        instance: InstanceID(high: 5, low: 1), app: "Kitchen", host: "pi", processID: 77,
        contentType: "application/json", acceptsResets: true, control: [.locked, .driven],
        datagramSize: 1_344, progress: StreamProgress(newestRecord: 12_345),
        realm: try? Realm("home")), as: .unproven)
    record(
      SurfDebuggerTests.log(16, .error, "disk full"), SurfDebuggerTests.action(17, "retry", "{}"),
      SurfDebuggerTests.action(18, "give up", "{}"))
    wait(.seconds(1))
  }

  /// The afternoon of an app: losses, another's move, a refused action.
  static func story() -> Person {
    var person = Person()
    person.start(one)
    person.start(two, "SystemMonitor", id: 11108)
    let three = SessionID(rawValue: 3)
    person.start(three, "Todos", id: 9004)
    person.catalog.leave(three, saidGoodbye: true)
    var count = 0
    func state(_ answer: String) -> String {
      #"{"count":\#(count),"favourites":[2,3,5],"answer":"\#(answer)","user":{"name":"Ada"},"#
        + #""theme":"dark"}"#
    }
    for number in 1...9 as ClosedRange<UInt64> {
      count += number.isMultiple(of: 3) ? 0 : 1
      let name = number.isMultiple(of: 3) ? "isPrime" : "increment"
      person.record(
        action(
          number, name, state("\(count) is \(name)"), payload: #"{"by":1}"#,
          parent: number == 9 ? 8 : 0, source: "PrimeTime/Main.swift:7\(number)"))
    }
    person.record(
      action(12, "increment", state("7 is prime")), action(13, "nthPrimeFound(漢字 👩‍👩‍👧)", state("17")))
    person.catalog.lose(10...11, of: one)
    person.catalog.note(
      Restored(
        request: 1, viewer: ViewerID(rawValue: 5), viewerName: "bob@lap", position: .record(12),
        newestRecord: 13, moveCount: 1, outcome: .applied), by: one)
    person.record(action(14, "isPrime", state("10 is not prime")))
    person.record(log(15, .warning, "refused: increment"))
    return person
  }
}
