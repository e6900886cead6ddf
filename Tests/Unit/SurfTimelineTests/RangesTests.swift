import SurfTimeline
import SurfWire
import TestSupport
import Testing

@Suite struct RangesTests {
  /// The same operations on a plain set are the model.
  @Test(arguments: 0..<50) func agreesWithAPlainSet(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var ranges = SequenceRanges()
    var model: Set<SequenceNumber> = []
    for _ in 0..<60 {
      let low = SequenceNumber(Int.random(in: 1...60, using: &random))
      let range = low...(low + Int.random(in: 0...8, using: &random))
      if Bool.random(using: &random) {
        ranges.insert(range)
        model.formUnion(range)
      } else {
        ranges.remove(low)
        model.remove(low)
      }
      #expect(ranges.count == WireCount(model.count))
      #expect(
        (1...70 as ClosedRange<SequenceNumber>).allSatisfy {
          ranges.contains($0) == model.contains($0)
        })
      let inside = ranges.intersection(range).flatMap { Array($0) }
      let outside = ranges.complement(in: range).flatMap { Array($0) }
      #expect(inside == range.filter(model.contains))
      #expect(outside == range.filter { !model.contains($0) })
    }
  }

  @Test func forgetsTheOldestRunsBeyondItsBound() {
    var ranges = SequenceRanges(runCountMax: 2)
    for sequence in [1, 3, 5] as [SequenceNumber] { ranges.insert(sequence...sequence) }
    #expect(ranges.runs == [3...3, 5...5])
  }
}
