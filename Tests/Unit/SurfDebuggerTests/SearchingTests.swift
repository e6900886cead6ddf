import SurfDebugger
import SurfTimeline
import SurfViewer
import SurfWire
import TestSupport
import Testing

/// The ways from hit to hit.
@Suite struct SearchingTests {
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
