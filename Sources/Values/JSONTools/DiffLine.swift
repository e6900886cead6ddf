import JSONTree

/// One line of a diff as a terminal prints it, without colour.
package struct DiffLine: Hashable, Sendable {
  /// The kind of change, with the mark that begins the line.
  package enum Kind: Character, Sendable {
    case added = "+"
    case removed = "-"
    /// Another value.
    case changed = "~"
    case moved = ">"
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
  package var line: DiffLine {
    let path = path.description
    return switch self {
    case .added(_, let value): DiffLine(.added, path: path, values: value.text())
    case .removed(_, let value): DiffLine(.removed, path: path, values: value.text())
    case .changed(_, let old, let new):
      DiffLine(.changed, path: path, values: "\(old.text()) → \(new.text())")
    case .moved(let move): DiffLine(.moved, path: path, values: move.text)
    }
  }
}

extension Change.Move {
  /// `from [3], id 7`.
  package var text: String {
    let from = JSONPath(Array(from.elements.suffix(1)))
    return "from \(from), \(key.rawValue) \(key.value(of: value)?.text() ?? "")"
  }
}

extension JSON {
  /// The changes of a `Difference`, in its order, as a JSON Patch (RFC 6902).
  package static func patch(_ changes: [Change]) -> JSON {
    .array(
      changes.map {
        switch $0 {
        case .added(let path, let value): edit("add", path, ["value": value])
        case .removed(let path, _): edit("remove", path, [:])
        case .changed(let path, _, let new): edit("replace", path, ["value": new])
        case .moved(let move):
          edit("move", move.at(move.toIndex), ["from": place(move.at(move.fromIndex))])
        }
      })
  }

  private static func edit(_ name: String, _ path: JSONPath, _ more: JSONObject) -> JSON {
    let edit: JSONObject = ["op": .string(name), "path": place(path)]
    return .object(edit.adding(more))
  }

  private static func place(_ path: JSONPath) -> JSON { .string(path.pointer.description) }
}

extension Change.Move {
  fileprivate func at(_ index: Int) -> JSONPath {
    JSONPath(to.elements.dropLast() + [.index(index)])
  }
}
