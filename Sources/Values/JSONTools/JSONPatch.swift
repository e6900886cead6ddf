import JSONTree

/// A list of edits, by RFC 6902.
package struct JSONPatch: Hashable, Sendable {
  /// One edit, by RFC 6902 §4.
  package enum Operation: Hashable, Sendable {
    /// Inserts into an array, or sets a member.
    case add(JSONPointer, JSON)
    /// Removes a value that must exist.
    case remove(JSONPointer)
    /// Replaces a value that must exist.
    case replace(JSONPointer, JSON)
    /// Removes at one place and adds at another, which must not be inside the first.
    case move(from: JSONPointer, to: JSONPointer)
    /// Adds a value from elsewhere.
    case copy(from: JSONPointer, to: JSONPointer)
    /// Demands that the value there is this, number for number as written.
    case test(JSONPointer, JSON)
  }

  /// Values that one patch may put into another, those inside of them included.
  package static let valueCountMax = 1 << 20

  /// The edits, in the order of application.
  package var operations: [Operation]

  /// A patch of these edits.
  package init(_ operations: [Operation]) {
    self.operations = operations
  }

  /// The patch that makes `changes`, as `JSON.diff` orders them.
  package init(_ changes: [Change]) {
    operations = changes.map {
      switch $0 {
      case .added(let path, let value): .add(path.pointer, value)
      case .removed(let path, _): .remove(path.pointer)
      case .changed(let path, _, let new): .replace(path.pointer, new)
      }
    }
  }
}

/// Why a JSON value is not a patch, or a patch cannot be applied.
package enum JSONPatchError: Error, Equatable, Sendable {
  /// Not an array of operations; with the number, from 0, of the first that is wrong.
  case malformed(operation: Int)
  /// There is no such place.
  case missing(JSONPointer)
  /// A move of a value into itself.
  case moveIntoItself(JSONPointer)
  /// Another value stands at the tested place.
  case testFailed(JSONPointer)
  /// There is no room for the value there: too many levels, or too many values in all.
  case tooLarge(JSONPointer)
}

extension JSONPatch {
  /// Reads a patch document (RFC 6902 §3); members it does not know are ignored.
  package init(_ json: JSON) throws(JSONPatchError) {
    guard let elements = json.array else { throw .malformed(operation: 0) }
    operations = []
    for (index, element) in elements.enumerated() {
      guard let operation = Operation(element) else { throw .malformed(operation: index) }
      operations.append(operation)
    }
  }

  /// The patch as a document.
  package var json: JSON { .array(operations.map(\.json)) }
}

extension JSONPatch.Operation {
  fileprivate init?(_ json: JSON) {
    guard let name = json["op"]?.string, let path = Self.pointer(json["path"])
    else { return nil }
    let from = Self.pointer(json["from"])
    switch (name, json["value"], from) {
    case ("add", let value?, _): self = .add(path, value)
    case ("remove", _, _): self = .remove(path)
    case ("replace", let value?, _): self = .replace(path, value)
    case ("move", _, let from?): self = .move(from: from, to: path)
    case ("copy", _, let from?): self = .copy(from: from, to: path)
    case ("test", let value?, _): self = .test(path, value)
    default: return nil
    }
  }

  private static func pointer(_ json: JSON?) -> JSONPointer? {
    json?.string.flatMap { JSONPointer(parsing: $0) }
  }

  fileprivate var json: JSON {
    switch self {
    case .add(let path, let value): Self.json("add", path, ("value", value))
    case .remove(let path): Self.json("remove", path)
    case .replace(let path, let value): Self.json("replace", path, ("value", value))
    case .move(let from, let to): Self.json("move", to, ("from", .string(from.description)))
    case .copy(let from, let to): Self.json("copy", to, ("from", .string(from.description)))
    case .test(let path, let value): Self.json("test", path, ("value", value))
    }
  }

  private static func json(
    _ name: String, _ path: JSONPointer, _ third: (key: String, value: JSON)...
  ) -> JSON {
    let members = [("op", .string(name)), ("path", .string(path.description))] + third
    return .object(JSONObject(members.map { JSONObject.Member(key: $0.0, value: $0.1) }))
  }
}
