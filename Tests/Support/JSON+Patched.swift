import JSONTree

extension JSON {
  /// This value after the edits of a patch document (RFC 6902) that adds, removes, replaces and
  /// moves; nil if an edit leads nowhere.
  package func patched(by patch: JSON) -> JSON? {
    guard let edits = patch.array else { return nil }
    var value: JSON? = self
    for edit in edits {
      guard let name = edit["op"]?.string, let tokens = Self.tokens(edit["path"]) else {
        return nil
      }
      if name == "move" {
        guard let from = Self.tokens(edit["from"]), let moved = value?.part(at: from[...]) else {
          return nil
        }
        value = value?.edited("remove", at: from[...], nil)?.edited("add", at: tokens[...], moved)
      } else {
        value = value?.edited(name, at: tokens[...], edit["value"])
      }
    }
    return value
  }

  /// Of a pointer (RFC 6901), by scalars: with a mark behind it, "/" is part of a `Character`.
  private static func tokens(_ pointer: JSON?) -> [String]? {
    guard let pointer = pointer?.string else { return nil }
    let parts = pointer.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.first?.isEmpty == true else { return nil }
    return parts.dropFirst().map {
      let token = $0.replacing("~1".unicodeScalars, with: "/".unicodeScalars)
      return String(
        String.UnicodeScalarView(token.replacing("~0".unicodeScalars, with: "~".unicodeScalars)))
    }
  }

  private func part(at tokens: ArraySlice<String>) -> JSON? {
    guard let token = tokens.first else { return self }
    let part: JSON? =
      switch self {
      case .array(let elements):
        Int(token).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
      case .object(let object): object[token]
      case .null, .bool, .number, .string: nil
      }
    return part?.part(at: tokens.dropFirst())
  }

  private func edited(_ name: String, at tokens: ArraySlice<String>, _ value: JSON?) -> JSON? {
    guard let token = tokens.first else { return name == "remove" ? nil : value }
    let rest = tokens.dropFirst()
    switch self {
    case .array(var elements):
      guard let index = Int(token), index <= elements.count else { return nil }
      if name == "add", rest.isEmpty, let value {
        elements.insert(value, at: index)
        return .array(elements)
      }
      guard index < elements.count else { return nil }
      if name == "remove", rest.isEmpty {
        elements.remove(at: index)
        return .array(elements)
      }
      guard let new = elements[index].edited(name, at: rest, value) else { return nil }
      elements[index] = new
      return .array(elements)
    case .object(var object):
      if name == "add", rest.isEmpty {
        object[token] = value
        return .object(object)
      }
      guard let old = object[token] else { return nil }
      let new = old.edited(name, at: rest, value)
      guard new != nil || (name == "remove" && rest.isEmpty) else { return nil }
      object[token] = new
      return .object(object)
    case .null, .bool, .number, .string: return nil
    }
  }
}
