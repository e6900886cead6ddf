import JSONTree

extension JSON {
  /// Makes all edits of `patch`, or none if one of them fails.
  ///
  /// An edit takes time linear in the containers it passes through and in the value it puts there,
  /// not in the whole value. A result deeper than `depthMax` is an error, and so are more than
  /// `JSONPatch.valueCountMax` values: each copy of a value into itself doubles it.
  package mutating func apply(_ patch: JSONPatch) throws(JSONPatchError) {
    var result = self
    var room = Room()
    for operation in patch.operations { try result.apply(operation, &room) }
    self = result
  }

  /// This value after all edits of `patch`.
  package func applying(_ patch: JSONPatch) throws(JSONPatchError) -> JSON {
    var result = self
    try result.apply(patch)
    return result
  }

  private mutating func apply(
    _ operation: JSONPatch.Operation, _ room: inout Room
  ) throws(JSONPatchError) {
    switch operation {
    case .add(let path, let value):
      try edit(.add(value), at: path, &room)
    case .remove(let path):
      try edit(.remove, at: path, &room)
    case .replace(let path, let value):
      try edit(.replace(value), at: path, &room)
    case .copy(let from, let path):
      try edit(.add(existing(at: from)), at: path, &room)
    case .move(let from, let path):
      // RFC 6902 §4.4: the "from" location MUST NOT be a proper prefix of the "path" location.
      guard !from.isProperPrefix(of: path) else { throw .moveIntoItself(from) }
      let value = try existing(at: from)
      guard from != path else { return }
      try edit(.remove, at: from, &room)
      try edit(.add(value), at: path, &room)
    case .test(let path, let value):
      guard try existing(at: path) == value else { throw .testFailed(path) }
    }
  }

  private func existing(at pointer: JSONPointer) throws(JSONPatchError) -> JSON {
    guard let value = self[pointer] else { throw .missing(pointer) }
    return value
  }

  private mutating func edit(
    _ edit: Edit, at pointer: JSONPointer, _ room: inout Room
  ) throws(JSONPatchError) {
    let levels = JSON.depthMax - pointer.tokens.count
    guard room.takes(edit.value ?? .null, levels: levels) else { throw .tooLarge(pointer) }
    if pointer.tokens.isEmpty, let value = edit.value {
      self = value
    } else if !edit.make(in: &self, at: pointer.tokens[...]) {
      throw .missing(pointer)
    }
  }
}

/// How much one patch may still put into a value.
private struct Room {
  private var count = JSONPatch.valueCountMax

  /// False, and the caller must put nothing there, if a value has too many parts or levels.
  mutating func takes(_ value: JSON, levels: Int) -> Bool {
    count -= 1
    guard count >= 0, levels >= (value.isScalar ? 0 : 1) else { return false }
    switch value {
    case .array(let elements):
      return elements.allSatisfy { takes($0, levels: levels - 1) }
    case .object(let object):
      return object.members.allSatisfy { takes($0.value, levels: levels - 1) }
    case .null, .bool, .number, .string: return true
    }
  }
}

/// The edits that make up every operation.
private enum Edit {
  case add(JSON)
  case remove
  case replace(JSON)

  var value: JSON? {
    switch self {
    case .add(let value), .replace(let value): value
    case .remove: nil
    }
  }

  /// Edits inside `root`; false, and nothing changed, if there is no such place.
  func make(in root: inout JSON, at tokens: ArraySlice<String>) -> Bool {
    guard let token = tokens.first else { return false }
    let rest = tokens.dropFirst()
    // The payload is moved out of `root` while it is edited, or editing would copy it.
    switch root {
    case .array(var elements):
      root = .null
      defer { root = .array(elements) }
      return make(in: &elements, token, rest)
    case .object(var object):
      root = .null
      defer { root = .object(object) }
      return make(in: &object, token, rest)
    default:
      return false
    }
  }

  private func make(
    in elements: inout [JSON], _ token: String, _ rest: ArraySlice<String>
  ) -> Bool {
    // RFC 6901 §4: "-" is the place behind the last element.
    guard let index = token == "-" ? elements.count : JSONPointer.index(token) else { return false }
    if case .add(let value) = self, rest.isEmpty, index <= elements.count {
      elements.insert(value, at: index)
      return true
    }
    guard index < elements.count else { return false }
    guard rest.isEmpty else { return make(in: &elements[index], at: rest) }
    if let value { elements[index] = value } else { elements.remove(at: index) }
    return true
  }

  private func make(
    in object: inout JSONObject, _ token: String, _ rest: ArraySlice<String>
  ) -> Bool {
    guard rest.isEmpty else {
      return object.modify(token) { make(in: &$0, at: rest) } ?? false
    }
    if case .add(let value) = self {
      object[token] = value
      return true
    }
    guard object[token] != nil else { return false }
    object[token] = value
    return true
  }
}
