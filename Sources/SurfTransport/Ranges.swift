// Arithmetic on runs of sequences.

extension [Range<UInt64>] {
  /// How many numbers lie in at least one of them.
  var unionCount: UInt64 {
    var count: UInt64 = 0
    var end: UInt64 = 0
    for range in sorted(by: { $0.lowerBound < $1.lowerBound }) where range.upperBound > end {
      count += range.upperBound - Swift.max(range.lowerBound, end)
      end = range.upperBound
    }
    return count
  }
}

extension Set<UInt64> {
  /// The runs of `range` that are not in the set, in rising order.
  func gaps(in range: Range<UInt64>) -> [ClosedRange<UInt64>] {
    var gaps: [ClosedRange<UInt64>] = []
    var start = range.lowerBound
    for known in sorted() where known >= start && known < range.upperBound {
      if start < known { gaps.append(start...known - 1) }
      start = known + 1
    }
    if start < range.upperBound { gaps.append(start...range.upperBound - 1) }
    return gaps
  }
}
