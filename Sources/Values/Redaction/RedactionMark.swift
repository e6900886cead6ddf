import JSONTree

/// What stands in the place of a value that does not leave the process (Protocol.md §8.6):
/// `{"$redacted":"string"}`.
package enum RedactionMark {
  package static let key = "$redacted"

  /// As our encoders write it.
  static let head = Array("{\"\(key)\":".utf8)

  /// The mark of a value of this kind.
  static func octets(_ kind: MarkedKind) -> [UInt8] { head + Array("\"\(kind.rawValue)\"}".utf8) }

  /// The same as text.
  package static func text(_ kind: MarkedKind) -> String {
    String(decoding: octets(kind), as: UTF8.self)
  }

  private static let quotedKey = Array("\"\(key)\"".utf8)

  /// Whether there may be a mark in JSON: a quick look, which takes a text of these words for one.
  package static func mayStand(in json: [UInt8]) -> Bool {
    var index = 0
    while index + quotedKey.count <= json.count {
      if json[index + 1] == quotedKey[1], json[index..<index + quotedKey.count] == quotedKey[...] {
        return true
      }
      index += 1
    }
    return false
  }
}

extension JSON {
  /// The kind of the value that this mark stands for; nil if it is no mark. Of a kind that nobody
  /// knows it is an object: a mark stays a mark.
  package var marked: MarkedKind? {
    guard let object, object.members.count == 1, let member = object.members.first,
      member.key == RedactionMark.key, let word = member.value.string
    else { return nil }
    return MarkedKind(rawValue: word) ?? .object
  }

  /// Whether this is a mark, or has one in it.
  package var hasMark: Bool {
    switch self {
    case .null, .bool, .number, .string: false
    case .array(let elements): elements.contains { $0.hasMark }
    case .object(let object): marked != nil || object.members.contains { $0.value.hasMark }
    }
  }
}
