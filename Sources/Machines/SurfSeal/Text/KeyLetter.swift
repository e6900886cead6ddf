/// The letters that keys are written in, five bits each: those of RFC 4648 §6, but small.
enum KeyLetter {
  static let bitCount = 5

  // Neither looks into a table, at a place that would depend on the key, nor takes a branch.

  static func octet(of value: UInt8) -> UInt8 {
    // Digits follow upon the 26 letters: '2' is 73 before what would come behind 'z'.
    UInt8(ascii: "a") &+ value &- (mask(value, isIn: 26...31) & 73)
  }

  /// Nil for what is no letter of a key.
  static func value(of octet: UInt8) -> UInt8? {
    let isLetter = mask(octet, isIn: UInt8(ascii: "a")...UInt8(ascii: "z"))
    let isDigit = mask(octet, isIn: UInt8(ascii: "2")...UInt8(ascii: "7"))
    guard isLetter | isDigit != 0 else { return nil }
    return isLetter & (octet &- UInt8(ascii: "a")) | isDigit & (octet &- UInt8(ascii: "2") &+ 26)
  }

  /// All bits or none.
  private static func mask(_ value: UInt8, isIn range: ClosedRange<UInt8>) -> UInt8 {
    let below = UInt16(value) &- UInt16(range.lowerBound)
    let above = UInt16(range.upperBound) &- UInt16(value)
    return UInt8(truncatingIfNeeded: (below | above) >> 15) &- 1
  }

  /// The values of the letters of `octets`; zeros fill up the last.
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

  /// The whole octets that letters of these values write.
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

/// The four letters behind a key: the remainder that its kind and its letters leave, as a
/// polynomial over bits, when divided by x²⁰ + x⁶ + x⁴ + x + 1.
///
/// That polynomial is primitive, and the smallest for which no two wrong letters of 57 cancel out.
/// So one letter or two that are wrong, and two that are swapped, are always told; anything else is
/// but for a chance of 1 in 2^20.
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

  /// Of a key and its checksum together, nothing is left.
  var isWhole: Bool { remainder == 0 }

  /// The letters that leave nothing when they are added.
  var letters: [UInt8] {
    var sum = self
    sum.add([UInt8](repeating: 0, count: Self.letterCount))
    return (0..<Self.letterCount).reversed().map { place in
      UInt8(truncatingIfNeeded: sum.remainder >> UInt32(place * KeyLetter.bitCount) & 31)
    }
  }
}
