import JSONTree

/// Octets that may be a scalar's whole text.
enum ScalarText {
  /// Nil if there is anything else in them, if only a space.
  static func value(of text: ArraySlice<UInt8>) -> JSON? {
    guard let first = text.first, let last = text.last, !JSONSkimmer.isSpace(first),
      !JSONSkimmer.isSpace(last), let json = JSON(ifValid: Array(text)), json.isScalar
    else { return nil }
    return json
  }

  /// Whether they are one.
  static func isValid(_ text: ArraySlice<UInt8>) -> Bool {
    isPlain(text) || value(of: text) != nil
  }

  /// Whether they are one of the kind that most are, which takes no parser: digits, or a string of
  /// ASCII without an escape. False says nothing.
  private static func isPlain(_ text: ArraySlice<UInt8>) -> Bool {
    guard let first = text.first else { return false }
    if first == ASCII.quote {
      return text.count > 1 && text.last == ASCII.quote
        && text.dropFirst().dropLast().allSatisfy {
          (ASCII.space..<0x7F).contains($0) && $0 != ASCII.quote && $0 != ASCII.backslash
        }
    }
    return (first != ASCII.zero || text.count == 1)
      && text.allSatisfy { ASCII.zero...ASCII.nine ~= $0 }
  }
}
