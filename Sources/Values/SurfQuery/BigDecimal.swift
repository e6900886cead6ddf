import JSONTree

/// A decimal number of any length. Queries compare and add numbers with it, without rounding.
package struct BigDecimal: Hashable, Sendable {
  /// Without leading or trailing zeros. Empty for zero.
  private var digits: [UInt8]
  /// The value is 0.DIGITS × 10^exponent.
  private var exponent: Int
  private var isNegative: Bool

  /// Larger exponents in a literal are clamped to this.
  private static let exponentMax = 1 << 40
  /// `adding` gives up if aligning the operands takes more digits than this.
  private static let digitCountMax = 10_000

  package static let zero = BigDecimal(digits: [], exponent: 0, isNegative: false)

  private init(digits: [UInt8], exponent: Int, isNegative: Bool) {
    let head = digits.prefix { $0 == 0 }.count
    let tail = digits.reversed().prefix { $0 == 0 }.count
    guard head < digits.count else {
      (self.digits, self.exponent, self.isNegative) = ([], 0, false)
      return
    }
    self.digits = Array(digits[head..<digits.count - tail])
    self.exponent = exponent - head
    self.isNegative = isNegative
  }

  package init(_ number: JSONNumber) {
    let parts = number.literal.split(maxSplits: 1) { $0 == "e" || $0 == "E" }
    let power = parts.count > 1 ? Self.power(parts[1]) : 0
    let isNegative = parts[0].hasPrefix("-")
    let halves = parts[0].drop { $0 == "-" }.utf8.split(separator: ASCII.period)
    let digits = halves.joined().map { $0 - ASCII.zero }
    self.init(digits: digits, exponent: halves[0].count + power, isNegative: isNegative)
  }

  package init(_ value: some BinaryInteger) { self.init(JSONNumber(value)) }

  /// Accepts JSON numbers without an exponent.
  package init?(plain text: some StringProtocol) {
    guard text.utf8.allSatisfy({ $0 == ASCII.period || $0 == ASCII.minus || Self.isDigit($0) }),
      let number = JSONNumber(literal: String(text))
    else { return nil }
    self.init(number)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { ASCII.zero...ASCII.nine ~= byte }

  private static func power(_ text: Substring) -> Int {
    let digits = text.drop { $0 == "+" || $0 == "-" }
    let size = min(Int(digits) ?? exponentMax, exponentMax)
    return text.hasPrefix("-") ? -size : size
  }

  /// Multiplies by a power of ten.
  package func shifted(by power: Int) -> BigDecimal {
    BigDecimal(digits: digits, exponent: exponent + power, isNegative: isNegative)
  }

  package static prefix func - (number: BigDecimal) -> BigDecimal {
    BigDecimal(
      digits: number.digits, exponent: number.exponent, isNegative: !number.isNegative)
  }
}

extension BigDecimal: Comparable {
  package static func < (first: BigDecimal, second: BigDecimal) -> Bool {
    if first.isNegative != second.isNegative { return first.isNegative }
    return first.isNegative ? second.isNearerZero(than: first) : first.isNearerZero(than: second)
  }

  private func isNearerZero(than other: BigDecimal) -> Bool {
    if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
    if exponent != other.exponent { return exponent < other.exponent }
    return digits.lexicographicallyPrecedes(other.digits)
  }
}

extension BigDecimal {
  /// Nil if the sum could have more than `digitCountMax` digits.
  package func adding(_ other: BigDecimal) -> BigDecimal? {
    if digits.isEmpty { return other }
    if other.digits.isEmpty { return self }
    let high = max(exponent, other.exponent) + 1
    let low = min(exponent - digits.count, other.exponent - other.digits.count)
    guard high - low <= Self.digitCountMax else { return nil }
    let (first, second) = (aligned(from: high, to: low), other.aligned(from: high, to: low))
    if isNegative == other.isNegative {
      return BigDecimal(digits: Self.sum(first, second), exponent: high, isNegative: isNegative)
    }
    let isSmaller = isNearerZero(than: other)
    return BigDecimal(
      digits: isSmaller ? Self.difference(second, first) : Self.difference(first, second),
      exponent: high, isNegative: isSmaller ? other.isNegative : isNegative)
  }

  private func aligned(from high: Int, to low: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: high - exponent) + digits
      + [UInt8](repeating: 0, count: exponent - digits.count - low)
  }

  /// The numbers have a leading zero for the carry.
  private static func sum(_ first: [UInt8], _ second: [UInt8]) -> [UInt8] {
    var (result, carry) = (first, UInt8(0))
    for index in result.indices.reversed() {
      let digit = first[index] + second[index] + carry
      (result[index], carry) = (digit % 10, digit / 10)
    }
    return result
  }

  /// `first` must not be smaller than `second`.
  private static func difference(_ first: [UInt8], _ second: [UInt8]) -> [UInt8] {
    var (result, borrow) = (first, UInt8(0))
    for index in result.indices.reversed() {
      let digit = 10 + first[index] - second[index] - borrow
      (result[index], borrow) = (digit % 10, digit < 10 ? 1 : 0)
    }
    return result
  }
}

extension BigDecimal: CustomStringConvertible {
  /// A JSON number, with an exponent instead of a long run of zeros.
  package var description: String {
    let sign = isNegative ? "-" : ""
    let text = String(decoding: digits.map { $0 + ASCII.zero }, as: UTF8.self)
    switch exponent {
    case _ where digits.isEmpty: return "0"
    case digits.count...max(digits.count, 30):
      return sign + text + String(repeating: "0", count: exponent - digits.count)
    case 1..<max(digits.count, 1):
      return "\(sign)\(text.prefix(exponent)).\(text.dropFirst(exponent))"
    case -10...0: return "\(sign)0.\(String(repeating: "0", count: -exponent))\(text)"
    default: return "\(sign)0.\(text)e\(exponent)"
    }
  }
}
