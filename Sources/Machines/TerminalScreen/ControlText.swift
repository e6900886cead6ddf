/// What stands between `ESC ]`, or another that begins a text, and the terminator (ECMA-48 §5.6).
struct ControlText: Equatable, Sendable {
  enum Step: Equatable {
    case partial(ControlText)
    /// Nil for what nobody asked for.
    case whole(TerminalReply?)
    /// It ended by an escape that is of another sequence.
    case broken
  }

  /// No answer that we ask for is as long; the rest is passed over.
  static let sizeMax = 256

  /// The octet after the escape: `]` for a command of the operating system, as OSC 11.
  let introducer: UInt8
  private var bytes: [UInt8] = []
  private var hasEscape = false

  init(introducer: UInt8) { self.introducer = introducer }

  var isEmpty: Bool { bytes.isEmpty && !hasEscape }

  func adding(_ byte: UInt8) -> Step {
    if hasEscape { return byte == 0x5C ? .whole(reply) : .broken }
    var longer = self
    switch byte {
    case 0x1B: longer.hasEscape = true
    case 0x07: return .whole(reply)
    // CAN and SUB.
    case 0x18, 0x1A: return .whole(nil)
    default: if bytes.count < Self.sizeMax { longer.bytes.append(byte) }
    }
    return .partial(longer)
  }

  /// `11;rgb:` and three numbers.
  private var reply: TerminalReply? {
    guard introducer == 0x5D, bytes.count < Self.sizeMax else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let colon = text.firstIndex(of: ":"),
      ["11;rgb", "11;rgba"].contains(text[..<colon])
    else { return nil }
    let parts = text[text.index(after: colon)...].split(separator: "/").map(Self.share)
    guard parts.count >= 3, let red = parts[0], let green = parts[1], let blue = parts[2] else {
      return nil
    }
    // ITU-R BT.709.
    return .background(luminance: 0.2126 * red + 0.7152 * green + 0.0722 * blue)
  }

  /// Of as many hexadecimal digits as there are.
  private static func share(_ digits: Substring) -> Double? {
    guard 1...4 ~= digits.utf8.count, let number = UInt32(digits, radix: 16) else { return nil }
    return Double(number) / Double((1 << (4 * digits.utf8.count)) - 1)
  }
}
