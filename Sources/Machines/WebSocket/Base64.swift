/// RFC 4648 §4, with padding.
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let pad = UInt8(ascii: "=")

  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let padded = Array(group) + [UInt8](repeating: 0, count: 3 - group.count)
      let word = padded.reduce(0) { $0 << 8 | Int($1) }
      let digits = [18, 12, 6, 0].map { alphabet[word >> $0 & 63] }
      text += digits.prefix(group.count + 1)
      text += [UInt8](repeating: pad, count: 3 - group.count)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Nil unless the text is what `encode` gives for some bytes: the bits past the end are zero.
  package static func decode(_ text: String) -> [UInt8]? {
    guard text.utf8.count.isMultiple(of: 4) else { return nil }
    let digits = text.utf8.prefix { $0 != pad }
    var bytes: [UInt8] = []
    var (word, bits) = (0, 0)
    for digit in digits {
      guard let value = alphabet.firstIndex(of: digit) else { return nil }
      (word, bits) = ((word << 6 | value) & 0xfff, bits + 6)
      guard bits >= 8 else { continue }
      bits -= 8
      bytes.append(UInt8(truncatingIfNeeded: word >> bits))
    }
    return encode(bytes) == text ? bytes : nil
  }
}
