import JSONTree

/// Numbers (ECMA-262 §12.9.3) with an optional sign.
extension LiteralParser {
  /// Reads a number and spells it as JSON does, with the digits as typed.
  mutating func number() throws(JavaScriptLiteralError) -> JSONNumber {
    let start = offset
    let isNegative = next == "-"
    if next == "-" || next == "+" {
      offset += 1
      try skipSpace()
    }
    try refuseWord(at: start)
    let text: String
    if next == "0", let radix = peek(1).flatMap(Self.radix) {
      offset += 2
      text = try whole(radix: radix, from: start)
    } else {
      text = try decimal(from: start)
    }
    if next == "n" { throw error(.bigInteger, at: start) }
    if let next, next.properties.isIDContinue || next == "$" {
      throw error(.invalidNumber, at: start)
    }
    guard let number = JSONNumber(literal: (isNegative ? "-" : "") + text) else {
      throw error(.invalidNumber, at: start)
    }
    guard number.double.isFinite else { throw error(.notFinite(number.literal), at: start) }
    return number
  }

  /// Throws unless a digit or dot comes next. After a sign, `Infinity` and `NaN` get their own
  /// error.
  private mutating func refuseWord(at start: Int) throws(JavaScriptLiteralError) {
    guard let next else { throw unexpected() }
    if next == "." || "0"..."9" ~= next { return }
    guard offset > start, next == "I" || next == "N" else { throw unexpected() }
    _ = try word()
  }

  private static func radix(_ scalar: Unicode.Scalar) -> UInt32? {
    switch scalar {
    case "x", "X": 16
    case "o", "O": 8
    case "b", "B": 2
    default: nil
    }
  }

  /// Reads the digits after `0x` and converts them to decimal: exactly up to 64 bits, and rounded
  /// beyond.
  private mutating func whole(
    radix: UInt32, from start: Int
  ) throws(JavaScriptLiteralError) -> String {
    let digits = try self.digits(radix: radix, from: start)
    if let exact = UInt64(digits, radix: Int(radix)) { return String(exact) }
    let rounded = digits.unicodeScalars.reduce(0.0) {
      $0 * Double(radix) + Double(Self.digit($1) ?? 0)
    }
    guard let number = JSONNumber(rounded) else {
      throw error(.notFinite("a number of \(digits.utf8.count) digits"), at: start)
    }
    return number.literal
  }

  private mutating func decimal(from start: Int) throws(JavaScriptLiteralError) -> String {
    let isFraction = next == "."
    var text = isFraction ? "0" : try digits(radix: 10, from: start)
    if text.utf8.count > 1, text.utf8.first == 0x30 { throw error(.leadingZero, at: start) }
    if take(".") {
      let hasFraction = next.map { "0"..."9" ~= $0 } ?? false
      if hasFraction {
        text += "." + (try digits(radix: 10, from: start))
      } else if isFraction {
        throw error(.invalidNumber, at: start)
      }
    }
    guard take("e") || take("E") else { return text }
    let sign = take("-") ? "-" : ""
    if sign.isEmpty { _ = take("+") }
    return text + "e" + sign + (try digits(radix: 10, from: start))
  }

  /// Reads one digit or more, with single underscores between them.
  private mutating func digits(
    radix: UInt32, from start: Int
  ) throws(JavaScriptLiteralError) -> String {
    var text = ""
    var endsInDigit = false
    while let next {
      if let digit = Self.digit(next), digit < radix {
        text.unicodeScalars.append(next)
        endsInDigit = true
      } else if next == "_", endsInDigit {
        endsInDigit = false
      } else {
        break
      }
      offset += 1
    }
    guard endsInDigit else {
      throw next == nil && text.isEmpty ? unexpected() : error(.invalidNumber, at: start)
    }
    return text
  }
}
