extension JSONParser {
  /// Reads a string (RFC 8259 §7). Most strings have no escapes, and are copied as one run.
  mutating func string() throws(JSONError) -> String {
    offset += 1
    var text = try run()
    while !take(ASCII.quote) {
      guard take(ASCII.backslash) else { throw unexpected() }
      text.unicodeScalars.append(try escape())
      text += try run()
    }
    return text
  }

  /// Reads the bytes up to the next quote or backslash. Escapes are ASCII and cannot split a
  /// multi-byte character, so each run must be valid UTF-8 on its own.
  private mutating func run() throws(JSONError) -> String {
    let start = offset
    while let byte = next, byte != ASCII.quote, byte != ASCII.backslash {
      guard byte >= ASCII.space else { throw error(.controlCharacter(byte)) }
      offset += 1
    }
    do throws(UTF8.ValidationError) {
      return String(copying: try UTF8Span(validating: bytes.span.extracting(start..<offset)))
    } catch {
      throw self.error(.invalidUTF8, at: start + error.byteOffsets.lowerBound)
    }
  }

  /// Reads the part of an escape after the backslash.
  private mutating func escape() throws(JSONError) -> Unicode.Scalar {
    guard let byte = next else { throw unexpected() }
    offset += 1
    switch byte {
    case ASCII.quote, ASCII.backslash, ASCII.slash: return Unicode.Scalar(byte)
    case ASCII.b: return Unicode.Scalar(ASCII.backspace)
    case ASCII.f: return Unicode.Scalar(ASCII.formFeed)
    case ASCII.n: return Unicode.Scalar(ASCII.lineFeed)
    case ASCII.r: return Unicode.Scalar(ASCII.carriageReturn)
    case ASCII.t: return Unicode.Scalar(ASCII.tab)
    case ASCII.u: return try unicodeEscape()
    default: throw error(.invalidEscape, at: offset - 2)
    }
  }

  /// `uXXXX`, or two of them for a scalar beyond the basic plane.
  private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
    let start = offset - 2
    let unit = try hexUnit()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    let end = offset
    if UTF16.isLeadSurrogate(unit), take(ASCII.backslash), take(ASCII.u) {
      let trail = try hexUnit()
      if UTF16.isTrailSurrogate(trail) {
        return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
      }
    }
    guard replacesLoneSurrogates else { throw error(.loneSurrogate, at: start) }
    // Reads what follows as a character of its own.
    offset = end
    return "\u{FFFD}"
  }

  /// Four hexadecimal digits.
  private mutating func hexUnit() throws(JSONError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = next else { throw unexpected() }
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw error(.invalidEscape)
      }
      unit = unit << 4 | UInt16(digit)
      offset += 1
    }
    return unit
  }
}
