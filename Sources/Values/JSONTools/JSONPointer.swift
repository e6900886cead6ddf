import JSONTree

/// A path to one value in a JSON tree, in the form of RFC 6901: `/todos/3/title`.
package struct JSONPointer: Hashable, Sendable {
  /// Keys and indexes from the root, unescaped. Empty for the whole value.
  let tokens: [String]

  package init(_ tokens: [String] = []) {
    self.tokens = tokens
  }

  /// Parses an array index, which has no sign and no leading zeros (RFC 6901 §4).
  fileprivate static func index(_ token: String) -> Int? {
    guard token.utf8.allSatisfy({ ASCII.zero...ASCII.nine ~= $0 }),
      token == "0" || !token.hasPrefix("0")
    else { return nil }
    return Int(token)
  }
}

extension JSONPointer: CustomStringConvertible {
  /// The text form, with `~` as `~0` and `/` as `~1`.
  package var description: String {
    tokens.map { "/" + Self.escaped($0) }.joined()
  }

  private static func escaped(_ token: String) -> String {
    var text = ""
    for scalar in token.unicodeScalars {
      switch scalar {
      case "~": text += "~0"
      case "/": text += "~1"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension JSON {
  package subscript(pointer: JSONPointer) -> JSON? {
    var value = self
    for token in pointer.tokens {
      guard let child = value.child(token) else { return nil }
      value = child
    }
    return value
  }

  private func child(_ token: String) -> JSON? {
    switch self {
    case .object(let object):
      return object[token]
    case .array(let elements):
      guard let index = JSONPointer.index(token), index < elements.count else { return nil }
      return elements[index]
    default:
      return nil
    }
  }
}
