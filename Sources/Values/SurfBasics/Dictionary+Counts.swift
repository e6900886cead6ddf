/// Counts by reason, without reasons that never occurred.
extension [String: Int] {
  /// Adds counts above zero.
  package mutating func count(_ reason: String, _ count: Int = 1) {
    if count > 0 { self[reason, default: 0] += count }
  }

  package mutating func add(_ other: [String: Int]) {
    for (reason, number) in other { count(reason, number) }
  }
}
