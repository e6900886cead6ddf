/// A string of JSON between its quotes, as `TextBuffer` writes it.
struct EscapedText {
  let octets: [UInt8]

  init(_ text: UnsafeBufferPointer<UInt8>) {
    var octets: [UInt8] = []
    var rest = text[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let letter = rest.popFirst() else {
        octets.append(byte)
        continue
      }
      octets.append(letter == UInt8(ascii: "u") ? Self.scalar(&rest) : Self.plain(letter))
    }
    self.octets = octets
  }

  private static func plain(_ letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "n"): 0x0a
    case UInt8(ascii: "f"): 0x0c
    case UInt8(ascii: "r"): 0x0d
    default: letter
    }
  }

  /// The value of four digits; only ASCII is written so.
  private static func scalar(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> UInt8 {
    let digits = rest.prefix(4)
    rest = rest.dropFirst(4)
    return UInt8(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
  }
}
