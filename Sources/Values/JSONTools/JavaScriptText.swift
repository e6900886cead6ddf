import JSONTree

extension JSON {
  /// The UTF-8 that `JSON.stringify(JSON.parse(text))` gives for this value (ECMA-262 §25.5).
  ///
  /// A repeated key keeps its first position and its last value. Keys that are array indexes come
  /// first, ascending.
  package var javaScriptBytes: [UInt8] {
    var printer = JavaScriptPrinter()
    printer.add(self)
    return printer.bytes
  }
}

private struct JavaScriptPrinter {
  var bytes: [UInt8] = []

  mutating func add(_ value: JSON) {
    switch value {
    case .null: write("null")
    case .bool(let bool): write(bool ? "true" : "false")
    case .number(let number): write(number.javaScriptText)
    case .string(let string): quote(string)
    case .array(let elements):
      list(elements, ASCII.openBracket, ASCII.closeBracket) { $0.add($1) }
    case .object(let object):
      list(JavaScriptMembers(object).members, ASCII.openBrace, ASCII.closeBrace) {
        $0.quote($1.key)
        $0.bytes.append(ASCII.colon)
        $0.add($1.value)
      }
    }
  }

  private mutating func list<Element>(
    _ elements: [Element], _ open: UInt8, _ close: UInt8,
    _ add: (inout JavaScriptPrinter, Element) -> Void
  ) {
    bytes.append(open)
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(ASCII.comma) }
      add(&self, element)
    }
    bytes.append(close)
  }

  private mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// QuoteJSONString (ECMA-262 §25.5.2.3). Copies each run without escapes as a whole, because a
  /// text may have megabytes, and most of it needs no escape.
  private mutating func quote(_ text: String) {
    var text = text
    bytes.append(ASCII.quote)
    text.withUTF8 { octets in
      var start = 0
      for (index, byte) in octets.enumerated() where Self.needsEscape(byte) {
        bytes.append(contentsOf: octets[start..<index])
        escape(byte)
        start = index + 1
      }
      bytes.append(contentsOf: octets[start...])
    }
    bytes.append(ASCII.quote)
  }

  /// Uses literals because looking up the names in `ASCII` for every octet takes time.
  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x22 || byte == 0x5c
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case ASCII.quote, ASCII.backslash: bytes += [ASCII.backslash, byte]
    case ASCII.backspace: write("\\b")
    case ASCII.tab: write("\\t")
    case ASCII.lineFeed: write("\\n")
    case ASCII.formFeed: write("\\f")
    case ASCII.carriageReturn: write("\\r")
    default: write("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16))
    }
  }
}

/// An object's members in JavaScript's order (ECMA-262 §10.1.11.1).
private struct JavaScriptMembers {
  private(set) var members: [JSONObject.Member] = []

  init(_ object: JSONObject) {
    // By bytes: in JavaScript, canonically equivalent keys differ.
    var places: [[UInt8]: Int] = [:]
    var indexed: [(index: UInt32, member: Int)] = []
    for member in object.members {
      let key = Array(member.key.utf8)
      if let place = places[key] {
        members[place].value = member.value
        continue
      }
      places[key] = members.count
      if let index = Self.index(key, member.key) { indexed.append((index, members.count)) }
      members.append(member)
    }
    guard !indexed.isEmpty else { return }
    let first = indexed.sorted { $0.index < $1.index }.map { members[$0.member] }
    let isIndexed = Set(indexed.map(\.member))
    members = first + members.indices.filter { !isIndexed.contains($0) }.map { members[$0] }
  }

  /// Parses an array index: a whole number without a sign or leading zeros, below 2^32 - 1.
  private static func index(_ key: [UInt8], _ text: String) -> UInt32? {
    guard key.allSatisfy({ ASCII.zero...ASCII.nine ~= $0 }),
      key.count == 1 || key.first != ASCII.zero,
      let index = UInt32(text), index < .max
    else { return nil }
    return index
  }
}
