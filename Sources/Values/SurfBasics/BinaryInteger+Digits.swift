extension BinaryInteger {
  /// Its digits, behind zeros where they are fewer than `count`; not of a number below zero.
  package func digits(_ count: Int, radix: Int = 10) -> String {
    let digits = String(self, radix: radix)
    return String(repeating: "0", count: Swift.max(0, count - digits.count)) + digits
  }
}
