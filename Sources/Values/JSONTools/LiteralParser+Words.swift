import JSONTree

/// White space, comments, names and keys.
extension LiteralParser {
  /// Skips white space and comments (ECMA-262 §12.2 to §12.4).
  mutating func skipSpace() throws(JavaScriptLiteralError) {
    while let next {
      if next.properties.isWhitespace || next == "\u{feff}" {
        offset += 1
      } else if next == "/", peek(1) == "/" {
        while let next = self.next, !Self.endsLine(next) { offset += 1 }
      } else if next == "/", peek(1) == "*" {
        try skipBlockComment()
      } else {
        return
      }
    }
  }

  private mutating func skipBlockComment() throws(JavaScriptLiteralError) {
    let start = offset
    offset += 2
    while next != "*" || peek(1) != "/" {
      guard next != nil else { throw error(.unclosedComment, at: start) }
      offset += 1
    }
    offset += 2
  }

  /// ECMA-262 §12.3.
  static func endsLine(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\n" || scalar == "\r" || scalar == "\u{2028}" || scalar == "\u{2029}"
  }

  /// Reads a name (ECMA-262 §12.7) without escapes; empty if there is none.
  mutating func name() -> String {
    var name = ""
    while let next {
      let properties = next.properties
      let begins = properties.isIDStart || next == "$" || next == "_"
      let continues = properties.isIDContinue || next == "\u{200c}" || next == "\u{200d}"
      guard begins || (continues && !name.isEmpty) else { break }
      name.unicodeScalars.append(next)
      offset += 1
    }
    return name
  }

  /// A value spelled as a word, such as `true`.
  mutating func word() throws(JavaScriptLiteralError) -> JSON {
    let start = offset
    let name = name()
    switch name {
    case "": throw unexpected()
    case "null", "undefined": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "NaN", "Infinity": throw error(.notFinite(name), at: start)
    case "function", "class", "async": throw error(.function, at: start)
    default: throw try code(named: name, at: start)
    }
  }

  /// The error for code that begins with `name`.
  private mutating func code(
    named name: String, at start: Int
  ) throws(JavaScriptLiteralError) -> JavaScriptLiteralError {
    try skipSpace()
    if name == "new" { return error(.call(self.name()), at: start) }
    if next == "=", peek(1) == ">" { return error(.function, at: start) }
    var called = name
    while take(".") { called += "." + self.name() }
    return error(next == "(" || next == "`" ? .call(called) : .variable(called), at: start)
  }

  /// A key and its colon (ECMA-262 §13.2.5).
  mutating func key() throws(JavaScriptLiteralError) -> String {
    let start = offset
    let key: String
    switch next {
    case nil: throw unexpected()
    case "'", "\"": key = try string()
    case "[": key = try computedKey()
    case let next? where next == "." || "0"..."9" ~= next: key = try numericKey()
    default: return try namedKey()
    }
    try skipSpace()
    if next == "(" { throw error(.function, at: start) }
    guard take(":") else { throw unexpected() }
    return key
  }

  private mutating func namedKey() throws(JavaScriptLiteralError) -> String {
    let start = offset
    if next == "*" { throw error(.function) }
    let key = name()
    guard !key.isEmpty else { throw unexpected() }
    try skipSpace()
    if take(":") { return key }
    let isShorthand = next == "," || next == "}"
    if isShorthand { throw error(.shorthand(key), at: start) }
    // `a()`, `get a()`, `async a()`, `async *a()`
    let isModifier = ["get", "set", "async"].contains(key)
    if next == "(" || isModifier { throw error(.function, at: start) }
    throw unexpected()
  }

  /// `['a']`
  private mutating func computedKey() throws(JavaScriptLiteralError) -> String {
    let start = offset
    offset += 1
    try skipSpace()
    let key: String
    switch next {
    case "'", "\"", "`": key = try string()
    case nil: throw unexpected()
    case let next? where "0"..."9" ~= next: key = try numericKey()
    default: throw error(.computedKey, at: start)
    }
    try skipSpace()
    guard next != nil else { throw unexpected() }
    guard take("]") else { throw error(.computedKey, at: start) }
    return key
  }

  /// Reads a key that is a whole number of at most 15 digits, which JavaScript spells the same way.
  private mutating func numericKey() throws(JavaScriptLiteralError) -> String {
    let start = offset
    if next == ".", peek(1) == "." { throw error(.spread) }
    let literal = try number().literal
    guard literal.utf8.count <= 15, literal.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
      throw error(.numericKey, at: start)
    }
    return literal
  }
}
