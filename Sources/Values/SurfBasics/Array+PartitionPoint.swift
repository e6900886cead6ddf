extension Array {
  /// The index of the first element for which `isAfter` holds, in an array where it holds for none
  /// before that one and for all behind it.
  @inlinable package func partitionPoint(_ isAfter: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = low + (high - low) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
