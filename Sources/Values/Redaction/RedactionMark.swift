import JSONTree
import SurfValues

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension RedactionMark {
  /// The mark for a kind of value, as our encoders write it.
  package static func text(_ kind: MarkedKind) -> String { "{\"\(key)\":\"\(kind.rawValue)\"}" }

  static func octets(_ kind: MarkedKind) -> [UInt8] { Array(text(kind).utf8) }

  private static let all = MarkedKind.allCases.map(octets)

  /// Whether `json` is exactly one mark as we write it. Its beginning is not enough, because an
  /// object may begin like a mark and contain more.
  static func isOne(_ json: ArraySlice<UInt8>) -> Bool { all.contains { $0.elementsEqual(json) } }

  private static let quotedKey = Array("\"\(key)\"".utf8)

  /// Whether `json` may contain a mark. A quick search: it also returns true if `$redacted` is some
  /// other string.
  package static func mayStand(in json: [UInt8]) -> Bool {
    json.withUnsafeBytes { json in
      var index = 1
      while let place = dollar(in: json, from: index) {
        let words = json[(place - 1)...].prefix(quotedKey.count)
        if words.elementsEqual(quotedKey) { return true }
        index = place + 1
      }
      return false
    }
  }

  private static func dollar(in json: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let first = json.baseAddress, start < json.count,
      let place = memchr(first + start, Int32(UInt8(ascii: "$")), json.count - start)
    else { return nil }
    return UnsafeRawPointer(place) - first
  }
}

extension JSON {
  /// The kind of the value that this mark replaces; nil if this is not a mark. An unknown kind
  /// reads as an object, so that the mark stays a mark.
  package var marked: MarkedKind? {
    guard let object, object.members.count == 1, let member = object.members.first,
      member.key == RedactionMark.key, let word = member.value.string
    else { return nil }
    return MarkedKind(rawValue: word) ?? .object
  }

  /// Whether this is a mark or contains one.
  package var hasMark: Bool {
    switch self {
    case .null, .bool, .number, .string: false
    case .array(let elements): elements.contains { $0.hasMark }
    case .object(let object): marked != nil || object.members.contains { $0.value.hasMark }
    }
  }
}

extension MarkedKind {
  /// From the first octet of a value's JSON.
  init(firstOctet: UInt8) {
    self =
      switch firstOctet {
      case ASCII.quote: .string
      case ASCII.openBrace: .object
      case ASCII.openBracket: .array
      case ASCII.t, ASCII.f: .boolean
      case ASCII.n: .null
      default: .number
      }
  }
}
