import SurfDebugger
import SurfTimeline
import SurfViewer
import SurfWire
import TestSupport
import Testing

/// The rows that wrote a place, and the ways from hit to hit.
@Suite struct SearchingTests {
  @Test func `a key shows after one slice of the search, however often the cursor moves`() {
    var person = Person()
    person.start(one)
    for number in 1...2_500 as ClosedRange<UInt64> {
      person.catalog.append(action(number, "step", #"{"n":\#(number)}"#), to: one)
    }
    person.send(.rows(one, 1...2_500))
    person.press("Home")
    person.type("/")
    person.type("s")
    // The newest thousand rows, and the nearest of their hits.
    #expect(person.text.contains("1 of 1000…") && person.shownRow == "1501")
    person.wait(.seconds(1))
    #expect(person.text.contains("1 of 2500") && person.shownRow == "1")
  }

  // MARK: Writers

  @Test func `a star goes to the last writer of the place under the cursor`() {
    var person = Person.atPrimeTime()
    person.record(
      action(10, "rename", #"{"count":8,"user":{"name":"Bob","age":36},"theme":"dark"}"#),
      action(11, "increment", #"{"count":9,"user":{"name":"Bob","age":36},"theme":"dark"}"#))
    person.press("*")
    person.wait(.seconds(1))
    // The row itself is one.
    #expect(person.text.contains("find: count changed   8 of 8   n N"))
    #expect(person.shownRow == "11" && person.lines[0].hasSuffix("FOLLOW on"))
    person.press("]", "Tab", "Down", "Down", "Enter", "Down", "*")
    person.wait(.seconds(1))
    #expect(person.text.contains("find: user.name changed   1 of 1   n N"))
    #expect(person.shownRow == "10" && person.lines[0].contains("FOLLOW off"))
    person.press("Ctrl-o")
    #expect(person.shownRow == "11")
    person.type("7")
    person.press("Enter", "*")
    person.wait(.seconds(1))
    #expect(person.shownRow == "7")
    #expect(person.text.contains("nothing found up to row 7 for user.name changed"))
    person.press("]", "*")
    #expect(person.text.contains("the cursor is not on a value in Diff or State"))
  }

  /// A history with jumps: each row grew from any row before it, or from the one before.
  @Test(arguments: 0..<30)
  func `a star finds the writer in the past of the row, whatever other futures wrote`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var person = Person()
    person.start(one)
    var values: [Int: Int] = [:]
    var origins: [Int: Int] = [:]
    let count = Int.random(in: 2...40, using: &random)
    for row in 1...count {
      let jumps = row > 2 && Int.random(in: 0..<4, using: &random) == 0
      let origin = jumps ? Int.random(in: 1..<row, using: &random) : row - 1
      let isWrite = row == 1 || Int.random(in: 0..<4, using: &random) == 0
      values[row] = isWrite ? row : values[origin] ?? 0
      origins[row] = origin
      person.record(
        action(
          UInt64(row), "step", #"{"a":\#(values[row] ?? 0),"n":\#(row)}"#,
          from: jumps ? UInt64(origin) : nil))
    }
    // The value that the first row replaced is unknown.
    func writer(of row: Int) -> Int? {
      guard let origin = origins[row], origin > 0 else { return nil }
      return values[row] == values[origin] ? writer(of: origin) : row
    }
    person.press("]", "Tab", "Down")
    for _ in 0..<8 {
      let row = Int.random(in: 1...count, using: &random)
      person.type("\(row)")
      person.press("Enter", "*")
      // Nobody answers for the initial state.
      person.wait(.seconds(3))
      let found = writer(of: row)
      #expect(person.stepRow == "\(found ?? row)", "\(seed): row \(row)")
      #expect(person.text.contains("nothing found up to row \(row) ") == (found == nil))
      guard let found, found != row else { continue }
      person.press("Ctrl-o")
      #expect(person.stepRow == "\(row)")
    }
  }

  @Test func `a place with any name is found, as the root is`() {
    var person = Person()
    person.start(one)
    person.record(
      action(1, "a", #"{"not":{"a b":[1,{"\"x…":2}]}}"#),
      action(2, "b", #"{"not":{"a b":[1,{"\"x…":3}]}}"#))
    person.press("*")
    person.wait(.seconds(1))
    #expect(person.text.contains(#"find: state.not["a b"][1]["#))
    #expect(person.text.contains("changed   1 of 1   n N"))
    person.press("]", "*")
    person.wait(.seconds(1))
    #expect(person.text.contains("find: state changed   1 of 1   n N"))
  }

  @Test(arguments: [
    ("user.nam is 1", "the newest state has no 'user.nam'. Did you mean 'name'?"),
    ("usr changed", "the newest state has no 'usr'. Did you mean 'user'?"),
    ("count over user.age", "did you mean 'state.user.age'?"),
    ("user.name contains Zoe", "did you mean 'has'?"), ("count over 1000", ""),
    ("needle", "'..KEY has needle' looks in states"), ("name is add", "did you mean 'name:add'?"),
  ])
  func `a search without a hit says what may have been meant`(query: String, hint: String) {
    for key in ["/", "f"] as [CommandKey] {
      var person = Person.atPrimeTime(width: 160)
      person.press(key)
      person.type(query)
      person.wait(.seconds(1))
      let said = key == "/" ? "0 found" : "0 pass"
      #expect(person.text.contains(hint.isEmpty ? said : "\(said) · \(hint)"))
      #expect(hint.isEmpty != person.text.contains("\(said) · "))
      if key == "f" { continue }
      // It is there after Enter as well, whatever was said before.
      person.press("Esc", "F2", "/")
      person.type(query)
      person.press("Enter")
      person.wait(.seconds(1))
      #expect(person.text.contains(hint.isEmpty ? said : "\(said) · \(hint)"))
    }
  }

  @Test func `n and N without a hit leave the cursor where it is, also in the next run`() {
    var person = Person()
    person.start(one, "Todo")
    person.catalog.leave(one, saidGoodbye: true)
    person.start(two, "Todo", id: 13)
    person.record(action(1, "add", "1"), action(2, "done", "2"), in: two)
    person.press("/")
    person.type("nothing")
    person.press("Enter")
    for key in ["n", "N"] as [CommandKey] {
      person.press(key)
      person.wait(.seconds(1))
      #expect(person.rowText == "2" && person.text.contains("nothing found for nothing"))
    }
    // One hit is found from either side.
    person.press("/", "Ctrl-u")
    person.type("add")
    person.press("Enter")
    for key in ["n", "N", "n"] as [CommandKey] {
      person.press("G", key)
      person.wait(.seconds(1))
      #expect(person.rowText == "1")
    }
  }

  @Test func `queries that were asked come back by keys, the writers' too`() {
    var person = Person.atPrimeTime()
    person.press("/")
    person.type("isprime")
    person.press("Enter", "Up", "Up", "*", "*", "f", "Up")
    person.wait(.seconds(1))
    #expect(person.text.contains("filter: count changed"))
    person.press("Up", "Up")
    person.wait(.seconds(1))
    #expect(person.text.contains("filter: isprime · 2 of 9 rows"))
    // The star was pressed twice, but the history of prompts has its query once.
    person.press("Down", "Down")
    #expect(person.text.contains("no filter"))
  }

  // MARK: Searches that are not done

  /// A search takes a slice of about 60 of these rows.
  private func longHistory(_ rows: ClosedRange<UInt64>, hits: Set<UInt64>) -> [Record] {
    let payload = "\"" + String(repeating: "x", count: 8_000) + "\""
    return rows.map { action($0, hits.contains($0) ? "hit" : "step", payload: payload) }
  }

  @Test func `a hit that is certainly the next one is gone to before the search is done`() {
    var person = Person()
    person.start(one)
    for record in longHistory(1...600, hits: [20, 599]) { person.catalog.append(record, to: one) }
    person.send(.rows(one, 1...600))
    person.press("/")
    person.type("name:hit")
    person.press("Enter", "G", "N")
    #expect(person.shownRow == "599" && person.text.contains("1 of 1…"))
    person.press("N")
    #expect(person.shownRow == "599")
    person.wait(.milliseconds(1))
    #expect(person.shownRow == "20" && person.text.contains("1 of 2 "))
  }

  @Test(arguments: 0..<25)
  func `n and N lead to the same row before a search is done as after it`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var person = Person()
    person.start(one)
    var count = UInt64.random(in: 400...700, using: &random)
    var hits: Set<UInt64> = []
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      hits.insert(.random(in: 1...count, using: &random))
    }
    for record in longHistory(1...count, hits: hits) { person.catalog.append(record, to: one) }
    person.send(.rows(one, 1...SequenceNumber(count)))
    func target(_ isNext: Bool, from row: UInt64) -> UInt64? {
      isNext
        ? hits.filter { $0 > row }.min() ?? hits.min()
        : hits.filter { $0 < row }.max() ?? hits.max()
    }
    for _ in 0..<8 {
      person.press("Esc")
      person.type("\(UInt64.random(in: 1..<count, using: &random))")
      person.press("Enter", "/")
      person.type("name:hit")
      person.press("Enter")
      for _ in 0..<Int.random(in: 0...12, using: &random) { person.send(.time) }
      guard let start = person.shownRow.flatMap(UInt64.init) else { continue }
      let isNext = Bool.random(using: &random)
      person.press(isNext ? "n" : "N")
      var wanted = target(isNext, from: start)
      let waits = person.shownRow == "\(start)" && wanted != start && !hits.isEmpty
      if waits, Bool.random(using: &random) {
        // It waits for a search that has more to do.
        count += 1
        if Bool.random(using: &random) { hits.insert(count) }
        person.record(longHistory(count...count, hits: hits)[0])
        wanted = target(isNext, from: start)
      }
      let isWaiting = person.shownRow == "\(start)" && wanted != start && !hits.isEmpty
      #expect(isWaiting || person.shownRow == "\(wanted ?? start)", "\(seed): from \(start)")
      if isWaiting, Int.random(in: 0..<4, using: &random) == 0 {
        // Another key ends it.
        person.press("Down")
        wanted = start + 1
      }
      person.wait(.milliseconds(1))
      #expect(person.shownRow == "\(wanted ?? start)", "\(seed): from \(start)")
      #expect(person.text.contains("nothing found for") == hits.isEmpty, "\(seed)")
    }
  }
}

extension Person {
  /// The number of the row with the cursor, whatever lines of branches stand before it.
  fileprivate var stepRow: String? {
    lines.first { $0.hasPrefix("▸") }.flatMap { $0.firstMatch(of: #/ (\d+) +step/#) }
      .map { String($0.1) }
  }
}
