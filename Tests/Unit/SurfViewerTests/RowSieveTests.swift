import SurfTimeline
import SurfViewer
import SurfWire
import TestSupport
import Testing

@Suite struct RowSieveTests {
  private func searched(_ sieve: RowSieve, in timeline: Timeline) -> RowSieve {
    var sieve = sieve
    for _ in 0..<1_000 where !sieve.isDone { sieve.advance(in: timeline) }
    return sieve
  }

  @Test func `names and payloads are searched, whatever the case`() {
    var timeline = Timeline()
    timeline.append(action(1, "Increment"))
    timeline.append(
      Record(
        sequence: 2, kind: .action, name: "add",
        payload: Content(type: "application/json", bytes: Array(#"{"by":"DECREMENT"}"#.utf8))))
    timeline.append(action(3, "other"))
    let hits: [SequenceNumber] = [1, 2]
    let sieve = searched(RowSieve("CREment", in: timeline), in: timeline)
    #expect(sieve.isDone && sieve.hits == hits)
    let all: [SequenceNumber] = [1, 2, 3]
    #expect(searched(RowSieve("", in: timeline), in: timeline).hits == all)
  }

  @Test(arguments: 0..<60)
  func `slices and new rows come to what a search of all rows finds`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var timeline = Timeline()
    var sieve = RowSieve("a", in: timeline)
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      let first = UInt64.random(in: 1...20_000, using: &random)
      let count = UInt64.random(in: 1...4_000, using: &random)
      for number in first..<first + count {
        let name = number.isMultiple(of: 7) ? "A" : "b"
        timeline.append(action(SequenceNumber(number), name))
      }
      sieve.add(SequenceNumber(first)...SequenceNumber(first + count - 1))
      if Bool.random(using: &random) { sieve.advance(in: timeline) }
    }
    let expected = timeline.rows.filter { $0.record.name == "A" }.map(\.number)
    #expect(searched(sieve, in: timeline).hits == expected)
  }

  @Test func `rows that made room are found no more`() {
    var bounds = Timeline.Bounds()
    bounds.rowCountMax = 10
    var timeline = Timeline(bounds: bounds)
    var sieve = RowSieve("a", in: timeline)
    for number in 1...100 as ClosedRange<UInt64> {
      timeline.append(action(SequenceNumber(number), "a"))
      sieve.add(SequenceNumber(number)...SequenceNumber(number))
      sieve.advance(in: timeline)
    }
    #expect(sieve.hits == timeline.rows.map(\.number))
  }

  @Test func `a slice is small, and the newest rows come first`() {
    var timeline = Timeline()
    for number in 1...5_000 { timeline.append(action(SequenceNumber(UInt64(number)), "a")) }
    var sieve = RowSieve("a", in: timeline)
    sieve.advance(in: timeline)
    let newest: SequenceNumber = 5_000
    #expect(sieve.hits.last == newest && sieve.hits.count == 1_000 && !sieve.isDone)
  }
}
