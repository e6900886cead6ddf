import JSONTree

/// One difference between two JSON values, as `diff` finds it.
package enum Change: Hashable, Sendable {
  /// A value that only the new one has.
  case added(JSONPath, JSON)
  /// A value that only the old one has.
  case removed(JSONPath, JSON)
  /// A scalar with another value, or a value of another type.
  case changed(JSONPath, old: JSON, new: JSON)

  /// The place: in the new value for `added`, in the old one for `removed`, in both for `changed`.
  package var path: JSONPath {
    switch self {
    case .added(let path, _), .removed(let path, _), .changed(let path, _, _): path
    }
  }
}

extension JSON {
  /// The changes that turn `old` into `new`, in an order in which they can be applied.
  ///
  /// Skips the common beginning and end of two arrays, and compares the rest index by index. So one
  /// element inserted or removed anywhere is one change. It does not look for moves: the work is
  /// bounded by the size of both values times the depth of nested arrays.
  ///
  /// - Parameter path: a prefix for the paths of all changes.
  package static func diff(
    _ old: JSON, _ new: JSON, at path: JSONPath = JSONPath()
  ) -> [Change] {
    var differ = Differ(path: path)
    differ.compare(old, new)
    return differ.changes
  }
}

private struct Differ {
  var changes: [Change] = []
  private var path: JSONPath

  init(path: JSONPath) { self.path = path }

  mutating func compare(_ old: JSON, _ new: JSON) {
    switch (old, new) {
    case (.object(let old), .object(let new)): compare(old, new)
    case (.array(let old), .array(let new)): compare(old, new)
    default: if old != new { changes.append(.changed(path, old: old, new: new)) }
    }
  }

  private mutating func compare(_ old: JSONObject, _ new: JSONObject) {
    let oldIndexes = old.indexes
    let newIndexes = new.indexes
    // Skips duplicate keys that do not count: `indexes` has the index of the last one.
    for (index, member) in old.members.enumerated() where oldIndexes[member.key] == index {
      at(.key(member.key)) { differ in
        if let newIndex = newIndexes[member.key] {
          differ.compare(member.value, new.members[newIndex].value)
        } else {
          differ.changes.append(.removed(differ.path, member.value))
        }
      }
    }
    for (index, member) in new.members.enumerated()
    where newIndexes[member.key] == index && oldIndexes[member.key] == nil {
      at(.key(member.key)) { $0.changes.append(.added($0.path, member.value)) }
    }
  }

  private mutating func compare(_ old: [JSON], _ new: [JSON]) {
    let shorter = min(old.count, new.count)
    var prefix = 0
    while prefix < shorter, old[prefix] == new[prefix] { prefix += 1 }
    var suffix = 0
    while suffix < shorter - prefix,
      old[old.count - 1 - suffix] == new[new.count - 1 - suffix]
    {
      suffix += 1
    }
    let common = shorter - suffix
    for index in prefix..<common {
      at(.index(index)) { $0.compare(old[index], new[index]) }
    }
    // From the back, so that the remaining indexes stay valid.
    for index in (common..<old.count - suffix).reversed() {
      at(.index(index)) { $0.changes.append(.removed($0.path, old[index])) }
    }
    for index in common..<new.count - suffix {
      at(.index(index)) { $0.changes.append(.added($0.path, new[index])) }
    }
  }

  private mutating func at(_ element: JSONPath.Element, _ body: (inout Differ) -> Void) {
    path.elements.append(element)
    body(&self)
    path.elements.removeLast()
  }
}

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

extension JSON {
  /// The changes of `JSON.diff`, in its order, as a JSON Patch (RFC 6902).
  package static func patch(_ changes: [Change]) -> JSON {
    .array(
      changes.map {
        switch $0 {
        case .added(let path, let value): edit("add", path, value)
        case .removed(let path, _): edit("remove", path)
        case .changed(let path, _, let new): edit("replace", path, new)
        }
      })
  }

  private static func edit(_ name: String, _ path: JSONPath, _ value: JSON? = nil) -> JSON {
    var object: JSONObject = ["op": .string(name), "path": .string(path.pointer.description)]
    object["value"] = value
    return .object(object)
  }
}
