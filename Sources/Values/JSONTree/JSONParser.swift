extension JSON {
  /// The maximum nesting of arrays and objects. It is deep enough for any state, and shallow enough
  /// for parsing, printing and comparing to recurse on a thread's stack.
  package static let depthMax = 512

  /// Parses one value, strictly by RFC 8259. Only white space may surround it.
  ///
  /// Never traps. Takes time linear in the number of bytes.
  package init(parsing bytes: some Collection<UInt8>) throws(JSONError) {
    try self.init(parsing: Array(bytes))
  }

  /// The same, without a copy.
  package init(parsing bytes: [UInt8]) throws(JSONError) {
    var parser = JSONParser(bytes)
    self = try parser.document()
  }

  /// Parses JSON from JavaScript programs: skips a byte order mark at the beginning (RFC 8259
  /// §8.1), and replaces lone surrogates, which JavaScript strings may contain, with U+FFFD.
  package init(parsingForeign bytes: [UInt8]) throws(JSONError) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var parser = JSONParser(bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes)
    parser.replacesLoneSurrogates = true
    self = try parser.document()
  }

  package init(parsing text: String) throws(JSONError) {
    try self.init(parsing: Array(text.utf8))
  }
}

/// Parses by recursive descent over bytes, for `JSON` and `JSONText`.
struct JSONParser {
  let bytes: [UInt8]
  var offset = 0
  private var depth = 0
  var replacesLoneSurrogates = false
  /// Only the `check` functions, which build no value, look at it.
  var refusesRepeatedKeys = false

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// RFC 8259 §2: `JSON-text = ws value ws`.
  mutating func document() throws(JSONError) -> JSON {
    let value = try value()
    skipSpace()
    guard offset == bytes.count else { throw error(.trailingBytes) }
    return value
  }

  /// The number, if it is the whole text.
  mutating func soleNumber() -> JSONNumber? {
    do throws(JSONError) {
      let number = try number()
      return offset == bytes.count ? number : nil
    } catch {
      return nil
    }
  }

  /// The byte to read next; `nil` at the end.
  var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  /// Consumes `byte` if it comes next.
  mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    offset += 1
    return true
  }

  func error(_ reason: JSONFault, at offset: Int? = nil) -> JSONError {
    JSONError(reason, at: offset ?? self.offset, in: bytes)
  }

  /// The error for the next byte, or for the end of the text.
  func unexpected() -> JSONError {
    error(next.map { .unexpectedByte($0) } ?? .unexpectedEnd)
  }

  mutating func skipSpace() {
    while let byte = next,
      byte == ASCII.space || byte == ASCII.lineFeed || byte == ASCII.carriageReturn
        || byte == ASCII.tab
    {
      offset += 1
    }
  }
}

extension JSONParser {
  mutating func value() throws(JSONError) -> JSON {
    skipSpace()
    switch next {
    case ASCII.openBrace: return .object(try object())
    case ASCII.openBracket: return .array(try array())
    case ASCII.quote: return .string(try string())
    case ASCII.t: return try word("true", .bool(true))
    case ASCII.f: return try word("false", .bool(false))
    case ASCII.n: return try word("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func word(_ word: String, _ value: JSON) throws(JSONError) -> JSON {
    for byte in word.utf8 {
      guard take(byte) else { throw unexpected() }
    }
    return value
  }

  private mutating func array() throws(JSONError) -> [JSON] {
    var elements: [JSON] = []
    guard try open(until: ASCII.closeBracket) else { return elements }
    repeat {
      elements.append(try value())
    } while try goesOn(until: ASCII.closeBracket)
    return elements
  }

  private mutating func object() throws(JSONError) -> JSONObject {
    var members: [JSONObject.Member] = []
    guard try open(until: ASCII.closeBrace) else { return JSONObject() }
    repeat {
      members.append(JSONObject.Member(key: try key(), value: try value()))
    } while try goesOn(until: ASCII.closeBrace)
    return JSONObject(members)
  }

  /// Reads a member's key and its colon.
  mutating func key() throws(JSONError) -> String {
    skipSpace()
    guard next == ASCII.quote else { throw unexpected() }
    let key = try string()
    skipSpace()
    guard take(ASCII.colon) else { throw unexpected() }
    return key
  }

  /// Consumes the opening bracket, and the closing one as well if the container is empty; false
  /// then.
  mutating func open(until close: UInt8) throws(JSONError) -> Bool {
    guard depth < JSON.depthMax else { throw error(.tooDeep) }
    offset += 1
    skipSpace()
    if take(close) { return false }
    depth += 1
    return true
  }

  /// Consumes a comma or `close` after an element; true for the comma.
  mutating func goesOn(until close: UInt8) throws(JSONError) -> Bool {
    skipSpace()
    if take(ASCII.comma) { return true }
    guard take(close) else { throw unexpected() }
    depth -= 1
    return false
  }

  /// RFC 8259 §6: `number = [ minus ] int [ frac ] [ exp ]`.
  private mutating func number() throws(JSONError) -> JSONNumber {
    let start = offset
    _ = take(ASCII.minus)
    if !take(ASCII.zero) { try digits() }
    if take(ASCII.period) { try digits() }
    if take(ASCII.e) || take(ASCII.upperE) {
      if !take(ASCII.minus) { _ = take(ASCII.plus) }
      try digits()
    }
    return JSONNumber(checked: String(decoding: bytes[start..<offset], as: UTF8.self))
  }

  /// Skips one digit or more.
  private mutating func digits() throws(JSONError) {
    let start = offset
    while let byte = next, ASCII.zero...ASCII.nine ~= byte { offset += 1 }
    guard offset > start else { throw unexpected() }
  }
}

// Checks a text without building its value.
extension JSON {
  /// Throws unless `init(parsing:)` accepts `bytes`, and no object has duplicate keys. For those,
  /// RFC 8259 §4 lets readers differ on the value that counts.
  package static func check(_ bytes: [UInt8]) throws(JSONError) {
    var parser = JSONParser(bytes)
    parser.refusesRepeatedKeys = true
    try parser.checkDocument()
  }
}

extension JSONParser {
  mutating func checkDocument() throws(JSONError) {
    try checkValue()
    skipSpace()
    guard offset == bytes.count else { throw error(.trailingBytes) }
  }

  mutating func checkValue() throws(JSONError) {
    skipSpace()
    switch next {
    case ASCII.openBrace: try checkObject()
    case ASCII.openBracket:
      guard try open(until: ASCII.closeBracket) else { return }
      repeat { try checkValue() } while try goesOn(until: ASCII.closeBracket)
    default: _ = try value()
    }
  }

  private mutating func checkObject() throws(JSONError) {
    guard try open(until: ASCII.closeBrace) else { return }
    // By octets, because `String` equates texts that differ in normalization.
    var keys: Set<[UInt8]> = []
    repeat {
      skipSpace()
      let start = offset
      let key = try key()
      if refusesRepeatedKeys, !keys.insert(Array(key.utf8)).inserted {
        throw error(.repeatedKey, at: start)
      }
      try checkValue()
    } while try goesOn(until: ASCII.closeBrace)
  }
}

extension JSON {
  /// `nil` if `bytes` are not JSON, for callers that do not need the reason.
  package init?(ifValid bytes: some Collection<UInt8>) {
    self.init(ifValid: Array(bytes))
  }

  /// The same, without a copy.
  package init?(ifValid bytes: [UInt8]) {
    do throws(JSONError) {
      try self.init(parsing: bytes)
    } catch {
      return nil
    }
  }
}

/// The bytes of JSON's grammar, by name.
package enum ASCII {
  package static let backspace: UInt8 = 0x08
  package static let tab: UInt8 = 0x09
  package static let lineFeed: UInt8 = 0x0a
  package static let formFeed: UInt8 = 0x0c
  package static let carriageReturn: UInt8 = 0x0d
  package static let space: UInt8 = 0x20
  package static let quote: UInt8 = 0x22
  package static let plus: UInt8 = 0x2b
  package static let comma: UInt8 = 0x2c
  package static let minus: UInt8 = 0x2d
  package static let period: UInt8 = 0x2e
  package static let slash: UInt8 = 0x2f
  package static let zero: UInt8 = 0x30
  package static let nine: UInt8 = 0x39
  package static let colon: UInt8 = 0x3a
  static let upperE: UInt8 = 0x45
  package static let openBracket: UInt8 = 0x5b
  package static let backslash: UInt8 = 0x5c
  package static let closeBracket: UInt8 = 0x5d
  package static let b: UInt8 = 0x62
  package static let e: UInt8 = 0x65
  package static let f: UInt8 = 0x66
  package static let n: UInt8 = 0x6e
  package static let r: UInt8 = 0x72
  package static let t: UInt8 = 0x74
  package static let u: UInt8 = 0x75
  package static let openBrace: UInt8 = 0x7b
  package static let closeBrace: UInt8 = 0x7d
  package static let delete: UInt8 = 0x7f
}
