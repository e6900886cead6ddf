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

extension Set<SequenceNumber> {
  /// The runs of `range` that are not in the set, in rising order.
  func gaps(in range: Range<SequenceNumber>) -> [ClosedRange<SequenceNumber>] {
    var gaps: [ClosedRange<SequenceNumber>] = []
    var start = range.lowerBound
    for known in sorted() where known >= start && known < range.upperBound {
      if start < known { gaps.append(start...known.previous) }
      start = known.next
    }
    if start < range.upperBound { gaps.append(start...range.upperBound.previous) }
    return gaps
  }
}
