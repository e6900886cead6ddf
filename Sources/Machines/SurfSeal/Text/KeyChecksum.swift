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
