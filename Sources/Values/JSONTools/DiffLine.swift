/// One line of a diff as a terminal prints it, without colour.
package struct DiffLine: Hashable, Sendable {
  /// The kind of change, with the mark that begins the line.
  package enum Kind: Character, Sendable {
    case added = "+"
    case removed = "-"
    /// A scalar with another value.
    case changed = "~"
  }

  package let kind: Kind
  /// The place, as `JSONPath` prints it.
  package let path: String
  /// The value, or `old → new`, as compact JSON.
  package let values: String

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
  /// One line, or two for a change from or to an array or an object.
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
  package static func lines(_ changes: [Change]) -> [DiffLine] {
    changes.flatMap(\.lines)
  }
}
