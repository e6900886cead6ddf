import SurfWire

// Arithmetic on runs of sequences.

extension [Range<SequenceNumber>] {
  /// How many numbers lie in at least one of them.
  var unionCount: WireCount {
    var count: WireCount = 0
    var end: SequenceNumber = 0
    for range in sorted(by: { $0.lowerBound < $1.lowerBound }) where range.upperBound > end {
      count.add(Swift.max(range.lowerBound, end).distance(to: range.upperBound))
      end = range.upperBound
    }
    return count
  }
}
