extension JSON {
  package enum Style: Sendable {
    /// On one line, without white space.
    case compact
    /// One element per line, indented by two spaces for each level. A short list of scalars is one
    /// line.
    case pretty
  }

  /// This value as JSON, with members in their own order, or by key if `sortedKeys`.
  ///
  /// It escapes all control characters, C1 and DEL included, so the text cannot control a terminal.
  package func text(_ style: Style = .compact, sortedKeys: Bool = false) -> String {
    String(decoding: bytes(style, sortedKeys: sortedKeys), as: UTF8.self)
  }

  /// The UTF-8 of `text`.
  package func bytes(_ style: Style = .compact, sortedKeys: Bool = false) -> [UInt8] {
    var printer = JSONPrinter(style: style, sortedKeys: sortedKeys)
    printer.print(self)
    return printer.bytes
  }
}

private struct JSONPrinter {
  let style: JSON.Style
  let sortedKeys: Bool
  var bytes: [UInt8] = []
  private var level = 0

  init(style: JSON.Style, sortedKeys: Bool) {
    self.style = style
    self.sortedKeys = sortedKeys
  }

  mutating func print(_ value: JSON) {
    switch value {
    case .null: write("null")
    case .bool(let bool): write(bool ? "true" : "false")
    case .number(let number): write(number.literal)
    case .string(let string): quote(string)
    case .array(let elements):
      if style == .pretty, printsInOneLine(elements) { return }
      list(elements, ASCII.openBracket, ASCII.closeBracket) { $0.print($1) }
    case .object(let object):
      list(ordered(object.members), ASCII.openBrace, ASCII.closeBrace) { printer, member in
        printer.quote(member.key)
        printer.write(printer.style == .pretty ? ": " : ":")
        printer.print(member.value)
      }
    }
  }

  /// Sorts members if asked to. The sort is stable, so the last of duplicate keys stays the last.
  private func ordered(_ members: [JSONObject.Member]) -> [JSONObject.Member] {
    guard sortedKeys else { return members }
    return members.sorted { $0.key < $1.key }
  }

  private static let characterCountMax = 72

  /// Numbers and short texts read better next to each other.
  ///
  /// - Returns: false, with nothing printed, if they do not fit.
  private mutating func printsInOneLine(_ elements: [JSON]) -> Bool {
    let room = Self.characterCountMax - 2 * level
    guard 3 * elements.count <= room, elements.allSatisfy({ Self.mayFit($0, room) }) else {
      return false
    }
    let start = bytes.count
    bytes.append(ASCII.openBracket)
    for (index, element) in elements.enumerated() {
      if index > 0 { write(", ") }
      print(element)
    }
    bytes.append(ASCII.closeBracket)
    guard String(decoding: bytes[start...], as: UTF8.self).count <= room else {
      bytes.removeSubrange(start...)
      return false
    }
    return true
  }

  /// Whether a scalar is not surely too long. Known before it is printed, as it may be megabytes.
  private static func mayFit(_ element: JSON, _ room: Int) -> Bool {
    switch element {
    case .null, .bool: true
    case .number(let number): number.literal.utf8.count <= room
    // Nearly all characters have at most four octets.
    case .string(let text): text.utf8.count <= 4 * room
    case .array, .object: false
    }
  }

  private mutating func list<Element>(
    _ elements: [Element], _ open: UInt8, _ close: UInt8,
    _ print: (inout JSONPrinter, Element) -> Void
  ) {
    bytes.append(open)
    level += 1
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(ASCII.comma) }
      newLine()
      print(&self, element)
    }
    level -= 1
    if !elements.isEmpty { newLine() }
    bytes.append(close)
  }

  private mutating func newLine() {
    guard style == .pretty else { return }
    bytes.append(ASCII.lineFeed)
    bytes.append(contentsOf: repeatElement(ASCII.space, count: 2 * level))
  }

  private mutating func write(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func quote(_ text: String) {
    var text = text
    bytes.append(ASCII.quote)
    text.withUTF8 { quote($0) }
    bytes.append(ASCII.quote)
  }

  /// Copies each run without escapes as a whole: a state is long, and most of it needs no escape.
  private mutating func quote(_ text: UnsafeBufferPointer<UInt8>) {
    var start = 0
    var index = 0
    while index < text.count {
      defer { index += 1 }
      guard JSONPrinter.needsCare(text[index]) else { continue }
      var scalar = Unicode.Scalar(text[index])
      if text[index] == 0xc2 {
        guard text[index + 1] < 0xa0 else { continue }
        scalar = Unicode.Scalar(text[index + 1])
      }
      bytes.append(contentsOf: text[start..<index])
      escape(scalar)
      if scalar.value >= 0x80 { index += 1 }
      start = index + 1
    }
    bytes.append(contentsOf: text[start...])
  }

  /// Whether `byte` may be part of a scalar to escape. 0xc2 begins U+0080 to U+00BF.
  private static func needsCare(_ byte: UInt8) -> Bool {
    byte < ASCII.space || byte == ASCII.quote || byte == ASCII.backslash || byte == ASCII.delete
      || byte == 0xc2
  }

  private mutating func escape(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": write("\\\"")
    case "\\": write("\\\\")
    case "\n": write("\\n")
    case "\r": write("\\r")
    case "\t": write("\\t")
    case "\u{08}": write("\\b")
    case "\u{0c}": write("\\f")
    case "\u{00}"..."\u{1f}", "\u{7f}"..."\u{9f}":
      let digits = String(scalar.value, radix: 16)
      write("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
    default:
      bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }
}
