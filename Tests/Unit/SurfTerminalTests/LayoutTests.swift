import SurfObserver
import SurfTerminal
import SurfTimeline
import SurfWire
import TestSupport
import Testing

/// What of a row a terminal shows, by its width and by how many apps there are.
@Suite struct LayoutTests {
  private func watch(_ columns: Int?, name: String? = nil) -> Driven<WatchSession> {
    var layout = Layout()
    layout.columns = columns
    return Driven(
      WatchSession(
        name: name, options: WatchOptions(), layout: layout, showsStatus: false))
  }

  private func record(
    _ sequence: SequenceNumber, _ name: String, cause: SequenceNumber = 0,
    source: String = "PrimeTime/Main.swift:73", grownFrom: GrownFrom? = nil, count: WireCount = 1
  ) -> Record {
    Record(
      sequence: sequence, kind: .action, wallTime: 3_661_002_000_000, parent: cause, name: name,
      source: source, state: .keyframe(json("{\"n\":1}")), grownFrom: grownFrom, count: count)
  }

  private func rows(
    _ columns: Int?, _ records: [Record], others: [ObserverEvent] = []
  ) -> [String] {
    var session = watch(columns)
    let start: [ObserverEvent] = [.appeared(a, heartbeat()), .caughtUp(a)] + others
    _ = session.receive(all: start)
    return session.receive(all: records.map { .record(a, $0) }).text
  }

  private let todo = ObserverEvent.appeared(b, heartbeat("SystemMonitor", pid: 7, id: 0xBEEF))

  @Test func oneAppAt80Columns() {
    let shown = rows(
      80, [record(1, "increment"), record(12, "nthPrimeFound(n: 3, prime: 5)", cause: 11)])
    #expect(
      shown == [
        "01:01:01.002    1  action  increment                              7 B ?",
        "01:01:01.002   12  action  nthPrimeFound(n: 3, prime: 5) ←11      7 B ?",
      ])
  }

  @Test func `a row says for how many equal actions it stands`() {
    let records = [
      record(4, "tick", count: 12), record(5, "tick", cause: 4, count: .max),
      record(6, "tick", grownFrom: GrownFrom(from: .initial), count: 2),
    ]
    #expect(
      rows(80, records) == [
        "01:01:01.002    4  action  tick ×12                               7 B ?",
        "01:01:01.002    5  action  tick ×18446744073709551615 ←4          7 B",
        "01:01:01.002    6  action  tick ×2 from row 0                     7 B ?",
      ])
  }

  @Test func `a row says what it grew from, if that is not the row before it`() {
    let records = [
      record(4, "add", grownFrom: GrownFrom(from: .record(2))),
      record(5, "add", cause: 4, grownFrom: GrownFrom(from: .initial)),
      record(6, "add", grownFrom: GrownFrom(from: .elsewhere)),
      record(7, "add", grownFrom: GrownFrom(from: .record(2), move: 1)),
      record(
        8, "aNameThatLeavesNoRoomForMore", cause: 7, grownFrom: GrownFrom(from: .record(7), move: 1)
      ),
    ]
    #expect(
      rows(80, records) == [
        "01:01:01.002    4  action  add from row 2                         7 B ?",
        "01:01:01.002    5  action  add ←4 from row 0                      7 B ?",
        "01:01:01.002    6  action  add from no row                        7 B ?",
        "01:01:01.002    7  action  add after a restore                    7 B ?",
        "01:01:01.002    8  action  aNameThatLeavesNoRoomForMore ←7 ⤺      7 B",
      ])
    #expect(
      rows(nil, records).last?.contains("aNameThatLeavesNoRoomForMore ←7 after a restore ") == true)
  }

  @Test(arguments: [80, 100, 140]) func anActionIsReadBeforeAllElse(width: Int) {
    let name = "nthPrimeFound(n: 3, prime: 5)"
    let two = rows(width, [record(1, name)], others: [todo])
    #expect(two.allSatisfy { $0.contains(name) && $0.contains(" 7 B") })
    #expect(two.allSatisfy { $0.contains(" PrimeTime     ") && !$0.contains("#123") })
    let one = rows(width, [record(1, name)])
    #expect(one.allSatisfy { $0.contains(name) && !$0.contains("PrimeTime ") })
    #expect(two[0].hasSuffix("Main.swift:73") == (width > 80))
    #expect(two[0].hasSuffix("PrimeTime/Main.swift:73") == (width == 140))
  }

  @Test func aSourceLosesItsFoldersFirst() {
    let shown = [
      "A/Main.swift:7", "LongModule/Main.swift:73", "M/AVeryLongFileName.swift:1234",
      "A/Main.swift:7 (Bridged from b at B/Other.swift:9)",
    ].map { rows(100, [record(1, "x", source: $0)], others: [todo])[0].suffix(16) }
    let places = ["  A/Main.swift:7", " …/Main.swift:73", "…Name.swift:1234", "  A/Main.swift:7"]
    #expect(shown.map(String.init) == places)
  }

  @Test func whereNothingFollowsTheNameHasAllThereIs() {
    let text = String(repeating: "word ", count: 40)
    let log = Record(sequence: 1, kind: .log(.info), wallTime: 0, name: text)
    #expect(columns(rows(80, [log])[0]) == 80)
    let sourced = Record(sequence: 1, kind: .log(.info), name: text, source: "A/Main.swift:7")
    let row = rows(120, [sourced])[0]
    #expect(columns(row) <= 120 && row.hasSuffix("A/Main.swift:7"))
    #expect(row.firstIndex(of: "…").map { row.distance(from: row.startIndex, to: $0) } ?? 0 > 60)
  }

  @Test func noRowIsWiderThanTheTerminal() {
    let names = ["i", "界界界 👩‍👩‍👧‍👦 🇩🇪 e\u{301} ✅ की", String(repeating: "界", count: 99)]
    for width in 1...200 {
      for others in [[], [todo]] {
        let records = names.enumerated().map {
          record(
            SequenceNumber($0.offset * 999_999 + 1), $0.element, cause: 1_234_567,
            grownFrom: GrownFrom(from: .record(765_432), move: WireCount($0.offset)))
        }
        let shown = rows(width, records, others: others)
        #expect(shown.allSatisfy { columns($0) <= width }, "\(width)")
      }
    }
  }

  @Test(arguments: [
    ("abc", 3), ("e\u{301}", 1), ("界", 2), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("✅", 2), ("की", 2),
    ("\u{200B}", 0), ("한", 2), ("", 0),
  ])
  func textIsMeasuredAsATerminalShowsIt(_ text: String, _ width: Int) {
    #expect(columns(text) == width)
  }

  @Test func theNameComesWithTheSecondAppAndStays() {
    var session = watch(100)
    _ = session.receive(all: [.appeared(a, heartbeat()), .caughtUp(a)])
    let alone = session.receive(.record(a, record(1, "x")), at: .zero).text
    #expect(alone[0].hasPrefix("01:01:01.002      1  action"))
    _ = session.receive(all: [todo, .caughtUp(b)])
    let beside = session.receive(.record(a, record(2, "x")), at: .zero).text
    #expect(beside[0].hasPrefix("01:01:01.002 PrimeTime          2  action"))
    _ = session.receive(.gone(b, saidGoodbye: true), at: .zero)
    let again = session.receive(.record(a, record(3, "x")), at: .zero).text
    #expect(again[0].hasPrefix("01:01:01.002 PrimeTime          3  action"))
  }

  @Test(arguments: [nil, "PrimeTime"]) func namesakesAreToldApart(name: String?) {
    var session = watch(80, name: name)
    _ = session.receive(all: [
      .appeared(a, heartbeat()), .caughtUp(a),
      .appeared(b, heartbeat(pid: 4_567_890, id: 0xBEEF)), .caughtUp(b),
    ])
    let first = session.receive(.record(a, record(1, "x")), at: .zero).text
    let second = session.receive(.record(b, record(1, "x")), at: .zero).text
    #expect(first[0].hasPrefix("01:01:01.002 PrimeTime#123    1  action"))
    #expect(second[0].hasPrefix("01:01:01.002 Prim…#4567890    1  action"))
  }

  private func told(
    _ words: [String], columns: Int? = nil
  ) throws -> [String] {
    let command = try ArgumentParser.parse(["watch"] + words).command
    var layout = Layout()
    layout.columns = columns
    var session = Driven(
      WatchSession(
        name: "PrimeTime", options: try #require(command as? WatchOptions), layout: layout,
        showsStatus: false))
    let lines = session.receive(all: [
      .appeared(a, heartbeat()), .caughtUp(a),
      .record(a, action(1, #"{"n":1,"s":{"t":"a b"}}"#)),
      .record(a, action(2, #"{"n":[1,2,3,4,5,6,7]}"#)),
    ])
    return lines.text
  }

  @Test func `on a terminal a trace shows of long values what differs`() throws {
    let long = String(repeating: "x", count: 40)
    let rows = [#"{"a":"\#(long)","n":1}"#, #"{"a":"\#(long)","n":2,"z":[]}"#]
    let history: [ObserverEvent] =
      [.appeared(a, heartbeat(newest: 2))]
      + rows.enumerated().map { .record(a, action(SequenceNumber(UInt64($0) + 1), $1)) }
      + [.caughtUp(a)]
    func last(_ columns: Int?) throws -> String? {
      var layout = Layout()
      layout.columns = columns
      var session = try SurfTerminalTests.history(["trace", "$"], layout: layout)
      return session.run(history).text.last
    }
    #expect(try last(80)?.hasPrefix("     2  ~ n: 1 → 2, + z: []  increment") == true)
    #expect(try last(nil)?.contains("\(rows[0]) → \(rows[1])") == true)
  }

  @Test func `places of the state get columns`() throws {
    let text = try told(["--columns", "n,s.t"])
    #expect(text[1].hasSuffix("  n           s.t"))
    #expect(text[2].contains(#" 1           "a b"       "#))
    #expect(text[3].contains(" [1,2,3,4,5… –           "))
    let place = text[1].firstRange(of: "s.t")?.lowerBound
    #expect(text[2].firstRange(of: "\"a b")?.lowerBound == place)
    let narrow = try told(["--columns", "n,s.t"], columns: 60)
    #expect(narrow.allSatisfy { columns($0) <= 60 } && narrow[2].contains("\"a b\""))
    let few = try told(["--columns", "n", "--where", #"s.t is "a b""#])
    #expect(few.count == 3)
  }

  @Test func `places of the state are members for programs`() throws {
    let json = try told(["--columns", "n,s.t", "--json"])
    #expect(json[1].contains(#""columns":{"n":1,"s.t":"a b"}"#))
    #expect(json[2].contains(#""columns":{"n":[1,2,3,4,5,6,7]}"#))
  }
}
