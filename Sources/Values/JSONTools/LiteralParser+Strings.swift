/// Strings and templates in the actions that people type: in the debugger, for `dispatch`, in
/// panels (ECMA-262 §12.9.4, §12.9.6).
extension LiteralParser {
  /// Reads a string with the next scalar as its quote. Backticks allow line breaks, but no `${`.
  mutating func string() throws(JavaScriptLiteralError) -> String {
    guard let quote = next else { throw unexpected() }
    offset += 1
    var text = String.UnicodeScalarView()
    while !take(quote) {
      guard let scalar = next else { throw unexpected() }
      if scalar == "\\" {
        if let escaped = try escape() { text.append(escaped) }
      } else {
        try check(scalar, in: quote)
        offset += 1
        // ECMA-262 §12.9.6: in a template every line break is a line feed.
        if scalar == "\r" { _ = take("\n") }
        text.append(scalar == "\r" ? "\n" : scalar)
      }
    }
    return String(text)
  }

  private func check(
    _ scalar: Unicode.Scalar, in quote: Unicode.Scalar
  ) throws(JavaScriptLiteralError) {
    if quote == "`" {
      if scalar == "$", peek(1) == "{" { throw error(.interpolation) }
    } else if scalar == "\n" || scalar == "\r" {
      throw error(.lineBreakInString)
    }
  }

  /// Reads an escape; `nil` for a line continuation.
  private mutating func escape() throws(JavaScriptLiteralError) -> Unicode.Scalar? {
    let start = offset
    offset += 1
    guard let scalar = next else { throw unexpected() }
    offset += 1
    switch scalar {
    case "b": return "\u{08}"
    case "f": return "\u{0c}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "v": return "\u{0b}"
    case "x": return Unicode.Scalar(UInt8(truncatingIfNeeded: try hex(digits: 2, from: start)))
    case "u": return try unicodeEscape(from: start)
    case "0"..."9": return try null(scalar, from: start)
    case "\r": _ = take("\n")
    case "\n", "\u{2028}", "\u{2029}": break
    default: return scalar
    }
    return nil
  }

  /// Accepts `\0` only: other digits are octal escapes, which depend on the program's mode.
  private func null(
    _ digit: Unicode.Scalar, from start: Int
  ) throws(JavaScriptLiteralError) -> Unicode.Scalar {
    let goesOn = next.map { "0"..."9" ~= $0 } ?? false
    guard digit == "0", !goesOn else { throw error(.invalidEscape, at: start) }
    return "\0"
  }

  /// `\u{X…}`, `\uXXXX`, or two of the latter for a scalar beyond the basic plane.
  private mutating func unicodeEscape(
    from start: Int
  ) throws(JavaScriptLiteralError) -> Unicode.Scalar {
    if take("{") { return try bracedEscape(from: start) }
    let unit = UInt16(truncatingIfNeeded: try hex(digits: 4, from: start))
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard UTF16.isLeadSurrogate(unit), take("\\"), take("u") else {
      throw error(.loneSurrogate, at: start)
    }
    let trail = UInt16(truncatingIfNeeded: try hex(digits: 4, from: start))
    guard UTF16.isTrailSurrogate(trail) else { throw error(.loneSurrogate, at: start) }
    return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
  }

  private mutating func bracedEscape(
    from start: Int
  ) throws(JavaScriptLiteralError) -> Unicode.Scalar {
    var value: UInt32 = 0
    repeat {
      value = value << 4 | (try hex(digits: 1, from: start))
      guard value <= 0x10_ffff else { throw error(.invalidEscape, at: start) }
    } while !take("}")
    guard let scalar = Unicode.Scalar(value) else { throw error(.loneSurrogate, at: start) }
    return scalar
  }

  /// The value of exactly `digits` hexadecimal digits, at most 4.
  private mutating func hex(
    digits: Int, from start: Int
  ) throws(JavaScriptLiteralError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let scalar = next else { throw unexpected() }
      guard let digit = Self.digit(scalar) else { throw error(.invalidEscape, at: start) }
      value = value << 4 | digit
      offset += 1
    }
    return value
  }

  /// The value of an ASCII hexadecimal digit.
  static func digit(_ scalar: Unicode.Scalar) -> UInt32? {
    switch scalar {
    case "0"..."9": scalar.value - 0x30
    case "a"..."f": scalar.value - 0x61 + 10
    case "A"..."F": scalar.value - 0x41 + 10
    default: nil
    }
  }
}
