/// Makes a stranger's text harmless for a terminal: replaces what would control it, change the
/// writing direction or be invisible with visible escapes. Idempotent.
package func escaped(_ text: String) -> String {
  if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
  var result = ""
  for piece in VisiblePieces(of: text) {
    switch piece {
    case .cluster(let cluster): result.append(cluster)
    case .escape(let escape): result += escape
    }
  }
  return result
}

/// A word as a shell takes it. In some shells `#` begins a comment, or is part of a pattern.
package func shellWord(_ word: String) -> String {
  let isPlain = word.utf8.allSatisfy { byte in
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "_-./:@".utf8.contains(byte)
    }
  }
  return isPlain && !word.isEmpty
    ? word : "'\(escaped(word).replacing("'", with: #"'\''"#))'"
}

/// Splits a text lazily into clusters and escapes, for `escaped` and `Screen.put`.
struct VisiblePieces: Sequence, IteratorProtocol {
  enum Piece: Equatable {
    case cluster(Character)
    /// ASCII in place of a scalar that must not be sent.
    case escape(String)
  }

  /// Unicode's longest emoji has 10 scalars. A longer cluster could hide text.
  static let scalarCountMax = 16

  private var characters: String.Iterator
  /// The rest of a cluster that must not be sent or is too long.
  private var hidden: Substring.UnicodeScalarView.Iterator?

  init(of text: String) { characters = text.makeIterator() }

  mutating func next() -> Piece? {
    if let scalar = hidden?.next() { return .escape(Self.escape(scalar)) }
    hidden = nil
    guard let character = characters.next() else { return nil }
    let scalars = String(character).unicodeScalars[...]
    let end = Self.visibleEnd(of: scalars)
    if end == scalars.endIndex { return .cluster(character) }
    hidden = scalars[end...].makeIterator()
    guard end > scalars.startIndex else { return next() }
    return .cluster(Character(String(scalars[..<end])))
  }

  /// The end of the part of a cluster that may be sent. Joiners and marks are allowed after its
  /// first scalar.
  private static func visibleEnd(
    of scalars: Substring.UnicodeScalarView
  ) -> Substring.UnicodeScalarView.Index {
    guard let base = scalars.first, !base.isInvisibleAlone else { return scalars.startIndex }
    let mayHaveTags = base == "\u{1F3F4}"
    var count = 0
    return scalars.firstIndex { scalar in
      count += 1
      return count > scalarCountMax || scalar.isHarmful || scalar.isTag && !mayHaveTags
    } ?? scalars.endIndex
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default:
      scalar.isPrintableASCII ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
    }
  }
}

/// Parses the text between `ESC ]`, or another introducer, and its terminator (ECMA-48 §5.6).
struct ControlText: Equatable, Sendable {
  enum Step: Equatable {
    case partial(ControlText)
    /// Nil for an answer that nobody asked for.
    case whole(TerminalReply?)
    /// An escape octet of another sequence cut it short.
    case broken
  }

  /// Longer than any answer we ask for. Further octets are skipped.
  static let sizeMax = 256

  /// The octet after the escape: `]` for an operating system command such as OSC 11.
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
    case 0x18, 0x1A: return .whole(nil)
    default: if bytes.count < Self.sizeMax { longer.bytes.append(byte) }
    }
    return .partial(longer)
  }

  /// Parses `11;rgb:` and three numbers.
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

  /// A hexadecimal number as a share of the largest with as many digits.
  private static func share(_ digits: Substring) -> Double? {
    guard 1...4 ~= digits.utf8.count, let number = UInt32(digits, radix: 16) else { return nil }
    return Double(number) / Double((1 << (4 * digits.utf8.count)) - 1)
  }
}
