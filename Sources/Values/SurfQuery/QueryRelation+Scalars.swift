import JSONTree

// What `RememberedTest` can tell from a replaced scalar, without reading the states.
extension QueryRelation {
  /// Whether the relation is certainly false for a scalar that replaced another. `false` means only
  /// that it may hold.
  func isFalse(of new: JSON, replacing old: JSON) -> Bool {
    switch self {
    case .compares(.different, _), .compares(_, .place): return false
    case .compares(let comparison, let other):
      return !comparison.holds(new.compared(with: other))
    case .isAmong(let choices): return !choices.contains { $0.holds(new) }
    case .isOfType(let type): return new.type != type
    case .changed(.place, _), .changed(_, .place): return false
    case .changed(let from, let to):
      return old == new || from.map { !$0.isEqual(old) } ?? false
        || to.map { !$0.isEqual(new) } ?? false
    case .grew: return BigDecimal.growth(from: old, to: new).map { !($0 > .zero) } ?? true
    case .shrank: return BigDecimal.growth(from: old, to: new).map { !($0 < .zero) } ?? true
    case .has, .starts, .ends, .matches, .exists, .missing: return false
    }
  }
}

extension QueryRelation.Comparison {
  func holds(_ order: QueryOrder?) -> Bool {
    switch self {
    case .equal: order == .equal
    case .different: order != .equal
    case .over: order == .larger
    case .under: order == .smaller
    case .atLeast: order == .larger || order == .equal
    case .atMost: order == .smaller || order == .equal
    }
  }
}

extension BigDecimal {
  /// Nil unless both values have a measure.
  static func growth(from old: JSON?, to new: JSON?) -> BigDecimal? {
    guard let old = old?.measure, let new = new?.measure else { return nil }
    return new.adding(-old)
  }
}
