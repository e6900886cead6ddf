/// One line of a difference as a terminal shows it; colour is the terminal's business.
package struct DiffLine: Hashable, Sendable {
  /// The meaning of the line; its mark in front.
  package enum Kind: Character, Sendable {
    /// An added value.
    case added = "+"
    /// A removed value.
    case removed = "-"
    /// A scalar that became another.
    case changed = "~"
  }

  /// The meaning of the line.
  package let kind: Kind
  /// The place, as `JSONPath` prints it.
  package let path: String
  /// The value, or `old → new`, as compact JSON.
  package let values: String

  /// A line with these parts.
  package init(_ kind: Kind, path: String, values: String) {
    self.kind = kind
    self.path = path
    self.values = values
  }
}

extension DiffLine: CustomStringConvertible {
  /// `+ todos[3].title: "Buy milk"`.
  package var description: String { "\(kind.rawValue) \(path): \(values)" }
}

extension Change {
  /// One line; or two, for a change from or to an array or an object.
  package var lines: [DiffLine] {
    let path = path.description
    switch self {
    case .added(_, let value):
      return [DiffLine(.added, path: path, values: value.text())]
    case .removed(_, let value):
      return [DiffLine(.removed, path: path, values: value.text())]
    case .changed(_, let old, let new) where old.isScalar && new.isScalar:
      return [DiffLine(.changed, path: path, values: "\(old.text()) → \(new.text())")]
    case .changed(_, let old, let new):
      return [
        DiffLine(.removed, path: path, values: old.text()),
        DiffLine(.added, path: path, values: new.text()),
      ]
    }
  }
}

extension DiffLine {
  /// All lines of a difference, in its order.
  package static func lines(_ changes: [Change]) -> [DiffLine] {
    changes.flatMap(\.lines)
  }
}
