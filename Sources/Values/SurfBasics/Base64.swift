/// Encodes and decodes base64 (RFC 4648 §4).
package enum Base64 {
  /// The input that `decode` accepts.
  package enum Form: Sendable {
    /// Only what `append` writes.
    case canonical
    /// With or without padding, and with any bits after the last byte.
    case loose
  }

  private static let pad = UInt8(ascii: "=")
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Appends `bytes` as padded base64.
  package static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
    text.reserveCapacity(text.count + bytes.count / 3 * 4 + 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
      for index in 0..<4 {
        text.append(index <= group.count ? digit(bits >> UInt32(18 - 6 * index)) : pad)
      }
    }
  }

  /// `bytes` as padded base64.
  package static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    append(bytes, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Nil if `text` is not base64 of this form.
  package static func decode(_ text: ArraySlice<UInt8>, _ form: Form) -> [UInt8]? {
    guard let bytes = decodeLoosely(text) else { return nil }
    switch form {
    case .canonical:
      var canonical: [UInt8] = []
      append(bytes, to: &canonical)
      return canonical[...] == text ? bytes : nil
    case .loose: return bytes
    }
  }

  private static func decodeLoosely(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var digits = text
    for _ in 0..<2 where digits.last == pad && text.count.isMultiple(of: 4) { digits.removeLast() }
    guard digits.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3 + 2)
    var bits: UInt32 = 0
    var bitCount = 0
    for digit in digits {
      guard let value = value(of: digit) else { return nil }
      bits = bits << 6 | UInt32(value)
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
      }
    }
    return bytes
  }

  private static func digit(_ bits: UInt32) -> UInt8 { alphabet[Int(bits & 0x3f)] }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
