/// The bytes and byte classes that HTTP's grammar names (RFC 9110 §5.6.2).
enum Octet {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0a
  static let carriageReturn: UInt8 = 0x0d
  static let space: UInt8 = 0x20
  static let quote: UInt8 = 0x22
  static let hash: UInt8 = 0x23
  static let percent: UInt8 = 0x25
  static let ampersand: UInt8 = 0x26
  static let plus: UInt8 = 0x2b
  static let comma: UInt8 = 0x2c
  static let period: UInt8 = 0x2e
  static let slash: UInt8 = 0x2f
  static let colon: UInt8 = 0x3a
  static let semicolon: UInt8 = 0x3b
  static let equals: UInt8 = 0x3d
  static let question: UInt8 = 0x3f
  static let backslash: UInt8 = 0x5c
  static let delete: UInt8 = 0x7f

  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  static func isVisible(_ byte: UInt8) -> Bool { (0x21...0x7e).contains(byte) }

  /// A control character; a line may hold none but a tab.
  static func isForbiddenControl(_ byte: UInt8) -> Bool {
    byte < space && byte != tab || byte == delete
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

  static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5a).contains(byte) ? byte + 0x20 : byte
  }

  static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}

extension Collection where Element == UInt8 {
  var isToken: Bool { !isEmpty && allSatisfy(Octet.isToken) }

  /// Compares as ASCII without regard to case.
  func equalsIgnoringCase(_ other: some Collection<UInt8>) -> Bool {
    count == other.count
      && zip(self, other).allSatisfy { Octet.lowercased($0) == Octet.lowercased($1) }
  }
}

extension BidirectionalCollection where Element == UInt8 {
  /// Without the blanks at both ends (RFC 9110 §5.6.3).
  var trimmed: SubSequence {
    guard let first = firstIndex(where: { !Octet.isBlank($0) }),
      let last = lastIndex(where: { !Octet.isBlank($0) })
    else { return self[endIndex...] }
    return self[first...last]
  }
}
