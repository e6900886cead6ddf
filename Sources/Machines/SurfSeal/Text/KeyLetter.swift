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
