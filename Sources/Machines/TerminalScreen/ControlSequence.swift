/// Parses what follows `ESC [` up to the octet that ends it (ECMA-48 §5.4).
struct ControlSequence: Equatable, Sendable {
  enum Step: Equatable {
    case partial(ControlSequence)
    case whole(final: UInt8)
    case broken
  }

  /// Longer than any sequence we know. Further octets are skipped.
  static let sizeMax = 64

  private var bytes: [UInt8] = []

  var isEmpty: Bool { bytes.isEmpty }

  func adding(_ byte: UInt8) -> Step {
    switch byte {
    // rxvt ends a key with Shift with `$`, which elsewhere is not a final octet.
    case 0x24 where bytes.first.map { 0x30...0x39 ~= $0 } == true: return .whole(final: byte)
    case 0x20...0x3F:
      var longer = self
      if bytes.count < Self.sizeMax { longer.bytes.append(byte) }
      return .partial(longer)
    case 0x40...0x7E: return .whole(final: byte)
    default: return .broken
    }
  }

  func beginsPaste(_ final: UInt8) -> Bool { final == 0x7E && Array("200".utf8) == bytes }

  /// Nil for an answer that nobody asked for, or an unknown sequence.
  func event(_ final: UInt8, isAlt: Bool) -> InputEvent? {
    guard bytes.count < Self.sizeMax else { return nil }
    switch bytes.first {
    case 0x3F: return reply(final).map(InputEvent.reply)
    case 0x3C: return mouse(final).map(InputEvent.mouse)
    case nil where final == 0x49: return .focus(true)
    case nil where final == 0x4F: return .focus(false)
    default:
      if let reply = cursorReply(final) { return .reply(reply) }
      guard var stroke = stroke(final) else { return nil }
      if isAlt { stroke.modifiers.insert(.alt) }
      return .key(stroke)
    }
  }

  /// The numbers after a prefix of `markSize` octets, each with its subparameters; nil if there is
  /// anything else.
  private func numbers(after markSize: Int) -> [[Int]]? {
    var numbers: [[Int]] = []
    for part in bytes.dropFirst(markSize).split(separator: 0x3B, omittingEmptySubsequences: false) {
      var parts: [Int] = []
      for digits in part.split(separator: 0x3A, omittingEmptySubsequences: false) {
        guard digits.count <= 7, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        parts.append(digits.reduce(0) { $0 * 10 + Int($1 - 0x30) })
      }
      numbers.append(parts)
    }
    return numbers
  }

  private func reply(_ final: UInt8) -> TerminalReply? {
    switch final {
    case 0x63: return .attributes
    case 0x75: return numbers(after: 1)?.first?.first.map { .keyboard($0) }
    case 0x79 where bytes.last == 0x24:
      var sequence = self
      sequence.bytes.removeLast()
      guard let numbers = sequence.numbers(after: 1), numbers.count == 2,
        let setting = TerminalReply.ModeSetting(rawValue: numbers[1].first ?? 0)
      else { return nil }
      return .mode(numbers[0].first ?? 0, setting)
    default: return nil
    }
  }

  /// A cursor report. In the first row it would be F3.
  private func cursorReply(_ final: UInt8) -> TerminalReply? {
    guard final == 0x52, let numbers = numbers(after: 0), numbers.count == 2,
      let row = numbers[0].first, let column = numbers[1].first, row > 1
    else { return nil }
    return .cursor(row: row, column: column)
  }

  private func mouse(_ final: UInt8) -> MouseEvent? {
    guard final == 0x4D || final == 0x6D, let numbers = numbers(after: 1), numbers.count == 3 else {
      return nil
    }
    return MouseEvent(
      code: numbers[0].first ?? 0, column: numbers[1].first ?? 0, row: numbers[2].first ?? 0,
      isRelease: final == 0x6D)
  }

  private func stroke(_ final: UInt8) -> KeyStroke? {
    guard let numbers = numbers(after: 0) else { return nil }
    let first = numbers.first?.first ?? 0
    let second = numbers.count > 1 ? numbers[1] : []
    // Kitty reports key releases only where it was asked to.
    guard second.count < 2 || second[1] != 3 else { return nil }
    let modifiers = KeyStroke.Modifiers(code: second.first ?? 1)
    switch final {
    case 0x75: return KeyStroke(code: first, modifiers)
    case 0x7E where first == 27 && numbers.count == 3:
      return KeyStroke(code: numbers[2].first ?? 0, modifiers)
    case 0x7E: return KeyStroke(keypad: first, modifiers)
    // rxvt: Ctrl, Shift, both.
    case 0x5E: return KeyStroke(keypad: first, .control)
    case 0x24: return KeyStroke(keypad: first, .shift)
    case 0x40: return KeyStroke(keypad: first, [.control, .shift])
    default: return KeyStroke(final: final, modifiers)
    }
  }
}
