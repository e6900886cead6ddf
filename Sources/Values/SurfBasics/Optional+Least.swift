extension Optional where Wrapped: Comparable {
  /// The smallest of those that there are.
  @inlinable package static func least(_ values: Self...) -> Self {
    var least: Self = nil
    for case let value? in values where least.map({ value < $0 }) ?? true { least = value }
    return least
  }
}
