/// A number as a name of three letters, which a reader finds in whatever a viewer writes.
///
/// A terminal is sent only what differs from what stood there, which in a list that moves is one of
/// the rows before. So no letter is the same in numbers that are less than 255 apart.
enum EyeMark {
  /// Canadian syllabics, from U+1400 on: each takes one column, and nothing else here uses them.
  private static let first: UInt32 = 0x1400
  static let digitCount = 3

  static func name(_ number: Int) -> String {
    var name = String.UnicodeScalarView()
    for digit in digits(number) { name.append(Unicode.Scalar(first + digit) ?? "?") }
    return String(name)
  }

  private static func digits(_ number: Int) -> [UInt32] {
    let low = UInt32(number & 0xFF)
    return [low, (UInt32(number >> 8 & 0xFF) + low) & 0xFF, (UInt32(number >> 16) + low) & 0xFF]
  }

  static func number(_ digits: [UInt8]) -> Int {
    let low = digits[0]
    return Int(low) | Int(digits[1] &- low) << 8 | Int(digits[2] &- low) << 16
  }
}

/// Finds marks in octets, however they are cut.
struct EyeMarkFinder {
  private var digits: [UInt8] = []
  /// Of a letter that has begun.
  private var letter: [UInt8] = []

  /// The number of a mark that this octet completes.
  mutating func take(_ octet: UInt8) -> Int? {
    letter.append(octet)
    switch (letter.count, octet) {
    case (1, 0xE1), (2, 0x90...0x93): return nil
    case (3, 0x80...0xBF): digits.append((letter[1] & 3) << 6 | octet & 0x3F)
    default: digits = []
    }
    letter = octet == 0xE1 ? [octet] : []
    guard digits.count == EyeMark.digitCount else { return nil }
    defer { digits = [] }
    return EyeMark.number(digits)
  }
}
