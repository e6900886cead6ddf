/// Counts by reason. What never happened is not in it.
extension [String: Int] {
  /// Adds what is above zero.
  package mutating func count(_ reason: String, _ count: Int = 1) {
    if count > 0 { self[reason, default: 0] += count }
  }

  package mutating func add(_ other: [String: Int]) {
    for (reason, number) in other { count(reason, number) }
  }
}
