extension TextBuffer {
  @inline(__always) mutating func append(decimal value: some FixedWidthInteger) {
    if value < 0 { append(UInt8(ascii: "-")) }
    append(digitsOf: UInt64(truncatingIfNeeded: value.magnitude))
  }

  mutating func append(digitsOf magnitude: UInt64) {
    var (rest, length) = (magnitude, 1)
    while rest >= 10 { (rest, length) = (rest / 10, length &+ 1) }
    rest = magnitude
    let target = extend(by: length)
    repeat {
      length &-= 1
      target[length] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while rest > 0
  }

  /// Appends the shortest text that reads back as `value`, without the `.0` of a whole number.
  @inline(__always) mutating func append(shortest value: Double) {
    if !append(short: value) { append(description: value.description) }
  }

  @inline(__always) mutating func append(shortest value: Float) {
    // Below this, the shortest text of a whole number has all of its digits.
    if value.magnitude < 0x1p24, value == value.rounded(.towardZero), value != 0 {
      append(decimal: Int64(value))
    } else {
      append(description: value.description)
    }
  }

  /// A faster way for numbers with few digits, which most are; false for others.
  ///
  /// No two texts of at most 15 digits read as the same number, so there is no shorter one.
  @inline(__always) private mutating func append(short value: Double) -> Bool {
    if value.magnitude < 0x1p53, value == value.rounded(.towardZero) {
      guard value != 0 || value.sign == .plus else { return false }
      append(decimal: Int64(value))
      return true
    }
    // Smaller numbers have an exponent in their `description`.
    guard value.magnitude < 1e9, value.magnitude >= 1e-3 else { return false }
    let millionths = (value.magnitude * 1e6).rounded()
    guard millionths / 1e6 == value.magnitude else { return false }
    if value < 0 { append(UInt8(ascii: "-")) }
    let (whole, part) = UInt64(millionths).quotientAndRemainder(dividingBy: 1_000_000)
    append(digitsOf: whole)
    append(fraction: part)
    return true
  }

  /// A point and millionths, without trailing zeros.
  private mutating func append(fraction millionths: UInt64) {
    append(UInt8(ascii: "."))
    var (rest, length) = (millionths, 6)
    while rest % 10 == 0, length > 1 { (rest, length) = (rest / 10, length &- 1) }
    let target = extend(by: length)
    while length > 0 {
      length &-= 1
      target[length] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }

  private mutating func append(description: String) {
    var text = description
    text.withUTF8 { utf8 in
      guard let from = utf8.baseAddress else { return }
      let isWhole =
        utf8.count > 2 && utf8[utf8.count - 2] == UInt8(ascii: ".")
        && utf8[utf8.count - 1] == UInt8(ascii: "0")
      append(from, utf8.count - (isWhole ? 2 : 0))
    }
  }
}
