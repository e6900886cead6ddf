import JSONTools

/// A line of the difference of two states.
package enum ChangeLine: Equatable, Sendable {
  /// What changed, with the beginning of its values.
  case change(DiffLine.Kind, path: String, values: String)
  /// This many more changes than are shown.
  case further(Int)
  /// The values at the top that did not change.
  case unchanged(Int, isOpen: Bool)
  /// One of these.
  case same(label: String, value: String)

  /// The place of a line while the values change: nil if it has none of its own.
  var path: String? {
    switch self {
    case .change(_, let path, _): path
    case .same(let label, _): label
    case .further, .unchanged: nil
    }
  }
}
