import JSONTree

/// Names one place in a JSON value, as RFC 6901 does: `/todos/3/title`.
package struct JSONPointer: Hashable, Sendable {
  /// Keys and indexes from the root, without escapes; none for the whole value.
  package var tokens: [String]

  /// The place reached from the root through `tokens`.
  package init(_ tokens: [String] = []) {
    self.tokens = tokens
  }

  /// Reads the text form; `nil` unless it is empty or begins with `/`, or if a `~` is not followed
  /// by 0 or 1 (RFC 6901 §3).
  package init?(parsing text: String) {
    // By scalars: with a combining mark behind it, "/" is part of another `Character`.
    let parts = text.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.first?.isEmpty ?? true else { return nil }
    tokens = []
    for part in parts.dropFirst() {
      guard let token = Self.unescaped(part) else { return nil }
      tokens.append(token)
    }
  }

  /// Whether the place named by `other` is inside, and not at, the place named by this.
  func isProperPrefix(of other: JSONPointer) -> Bool {
    tokens.count < other.tokens.count && other.tokens.starts(with: tokens)
  }

  /// The index that `token` writes, which has no sign and no leading zeros (RFC 6901 §4).
  static func index(_ token: String) -> Int? {
    guard token.utf8.allSatisfy({ ASCII.zero...ASCII.nine ~= $0 }),
      token == "0" || !token.hasPrefix("0")
    else { return nil }
    return Int(token)
  }

  private static func unescaped(_ part: Substring.UnicodeScalarView) -> String? {
    var token = ""
    var rest = part
    while let scalar = rest.popFirst() {
      guard scalar == "~" else {
        token.unicodeScalars.append(scalar)
        continue
      }
      switch rest.popFirst() {
      case "0": token.unicodeScalars.append("~")
      case "1": token.unicodeScalars.append("/")
      default: return nil
      }
    }
    return token
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
  /// The value at `pointer`; `nil` if there is none.
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
