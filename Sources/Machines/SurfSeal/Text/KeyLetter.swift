/// The letters of a key's text, five bits each: base32 (RFC 4648 §6) in lower case.
enum KeyLetter {
  static let bitCount = 5

  // No table lookup and no branch, because either would depend on the key.

  static func octet(of value: UInt8) -> UInt8 {
    // The digits follow the 26 letters: '2' is 73 less than the octet after 'z'.
    UInt8(ascii: "a") &+ value &- (mask(value, isIn: 26...31) & 73)
  }

  /// Nil if the octet cannot occur in a key.
  static func value(of octet: UInt8) -> UInt8? {
    let isLetter = mask(octet, isIn: UInt8(ascii: "a")...UInt8(ascii: "z"))
    let isDigit = mask(octet, isIn: UInt8(ascii: "2")...UInt8(ascii: "7"))
    guard isLetter | isDigit != 0 else { return nil }
    return isLetter & (octet &- UInt8(ascii: "a")) | isDigit & (octet &- UInt8(ascii: "2") &+ 26)
  }

  /// All bits set if the value is in the range, otherwise none.
  private static func mask(_ value: UInt8, isIn range: ClosedRange<UInt8>) -> UInt8 {
    let below = UInt16(value) &- UInt16(range.lowerBound)
    let above = UInt16(range.upperBound) &- UInt16(value)
    return UInt8(truncatingIfNeeded: (below | above) >> 15) &- 1
  }

  /// The values of the letters that encode `octets`; zeros pad the last.
  static func values(of octets: [UInt8]) -> [UInt8] {
    var values: [UInt8] = []
    var bits: UInt16 = 0
    var count: UInt16 = 0
    for octet in octets {
      bits = bits << 8 | UInt16(octet)
      count += 8
      while count >= 5 {
        count -= 5
        values.append(UInt8(truncatingIfNeeded: bits >> count & 31))
      }
    }
    if count > 0 { values.append(UInt8(truncatingIfNeeded: bits << (5 - count) & 31)) }
    return values
  }

  /// The whole octets that letters with these values encode.
  static func octets(of values: some Sequence<UInt8>) -> [UInt8] {
    var octets: [UInt8] = []
    var bits: UInt16 = 0
    var count: UInt16 = 0
    for value in values {
      bits = bits << 5 | UInt16(value)
      count += 5
      if count >= 8 {
        count -= 8
        octets.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    return octets
  }
}

/// The four checksum letters of a key (Protocol.md §18.6). They are the remainder when its kind and
/// letters, as a polynomial over bits, are divided by x²⁰ + x⁶ + x⁴ + x + 1.
///
/// That polynomial is primitive, and the smallest that lets no two wrong letters of 57 cancel out.
/// So it detects any one or two wrong letters, and any two swapped ones. It misses other errors
/// with probability 1 in 2^20.
struct KeyChecksum {
  static let letterCount = 4

  private static let degree: UInt32 = 20
  private static let divisor: UInt32 = 0x10_0053
  private var remainder: UInt32 = 0

  mutating func add(_ letters: some Sequence<UInt8>) {
    for letter in letters {
      for place in stride(from: KeyLetter.bitCount - 1, through: 0, by: -1) {
        remainder = remainder << 1 | UInt32(letter >> UInt8(place) & 1)
        // Without a branch, which would depend on the key.
        remainder ^= (0 &- (remainder >> Self.degree)) & Self.divisor
      }
    }
  }

  /// Whether a key and its checksum, added together, leave no remainder.
  var isWhole: Bool { remainder == 0 }

  /// The letters that leave no remainder when added next.
  var letters: [UInt8] {
    var sum = self
    sum.add([UInt8](repeating: 0, count: Self.letterCount))
    return (0..<Self.letterCount).reversed().map { place in
      UInt8(truncatingIfNeeded: sum.remainder >> UInt32(place * KeyLetter.bitCount) & 31)
    }
  }
}
