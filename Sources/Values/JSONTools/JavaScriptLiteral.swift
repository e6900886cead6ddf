import JSONTree

/// Parses actions and states that people type as JavaScript: `{type: 'counter/inc', by: 100,}`.
///
/// Accepts literals (ECMA-262 §12.9, §13.2) and runs no code. `undefined` becomes `null`.
package enum JavaScriptLiteral {
  /// The maximum nesting of arrays, objects and parentheses. It is below `JSON.depthMax`, so that a
  /// typed value can be put into another.
  package static let depthMax = 200

  /// Parses one literal, with or without parentheses and a final semicolon.
  ///
  /// Never traps. Takes time linear in the length of `text`.
  package static func parse(_ text: String) throws(JavaScriptLiteralError) -> JSON {
    var parser = LiteralParser(Array(text.unicodeScalars))
    return try parser.document()
  }
}

/// Parses by recursive descent over scalars. Extensions parse white space, strings, numbers and
/// names.
struct LiteralParser {
  typealias Reason = LiteralFault

  let scalars: [Unicode.Scalar]
  var offset = 0
  private var depth = 0

  init(_ scalars: [Unicode.Scalar]) {
    self.scalars = scalars
  }

  mutating func document() throws(JavaScriptLiteralError) -> JSON {
    let value = try value()
    try skipSpace()
    _ = take(";")
    try skipSpace()
    guard offset == scalars.count else { throw error(.trailingText) }
    return value
  }

  /// The scalar to read next; `nil` at the end.
  var next: Unicode.Scalar? { peek(0) }

  /// The scalar `distance` places ahead; `nil` past the end.
  func peek(_ distance: Int) -> Unicode.Scalar? {
    offset + distance < scalars.count ? scalars[offset + distance] : nil
  }

  /// Consumes `scalar` if it comes next.
  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    offset += 1
    return true
  }

  func error(_ reason: Reason, at offset: Int? = nil) -> JavaScriptLiteralError {
    JavaScriptLiteralError(reason, at: offset ?? self.offset, in: scalars)
  }

  /// The error for the next scalar, or for the end of the text.
  func unexpected() -> JavaScriptLiteralError {
    error(next.map { .unexpected($0) } ?? .unexpectedEnd)
  }

  /// Reads one value and the space around it. Throws if an operator follows.
  mutating func value() throws(JavaScriptLiteralError) -> JSON {
    try skipSpace()
    let value = try primary()
    try skipSpace()
    if let next, "+-*/%&|^<>=?.!~".unicodeScalars.contains(next) { throw error(.expression(next)) }
    if next == "[" || next == "(" || next == "`" { throw error(.expression(next ?? "(")) }
    return value
  }

  mutating func primary() throws(JavaScriptLiteralError) -> JSON {
    guard let next else { throw unexpected() }
    switch next {
    case "{": return .object(try object())
    case "[": return .array(try array())
    case "(": return try parenthesized()
    case "'", "\"", "`": return .string(try string())
    case "0"..."9", "-", "+": return .number(try number())
    case ".": return try period()
    case "/": throw error(.regularExpression)
    default: return try word()
    }
  }

  private mutating func period() throws(JavaScriptLiteralError) -> JSON {
    if peek(1) == ".", peek(2) == "." { throw error(.spread) }
    return .number(try number())
  }

  private mutating func parenthesized() throws(JavaScriptLiteralError) -> JSON {
    try open()
    try skipSpace()
    // `()` can only be the parameter list of a function.
    if next == ")" { throw error(.function, at: offset - 1) }
    let value = try value()
    guard take(")") else { throw unexpected() }
    depth -= 1
    return value
  }

  private mutating func array() throws(JavaScriptLiteralError) -> [JSON] {
    try open()
    var elements: [JSON] = []
    while try !closes(with: "]") {
      elements.append(try value())
      try separate(before: "]")
    }
    return elements
  }

  private mutating func object() throws(JavaScriptLiteralError) -> JSONObject {
    try open()
    var members: [JSONObject.Member] = []
    while try !closes(with: "}") {
      let key = try key()
      members.append(JSONObject.Member(key: key, value: try value()))
      try separate(before: "}")
    }
    return JSONObject(members)
  }

  /// Consumes an opening bracket of any kind.
  mutating func open() throws(JavaScriptLiteralError) {
    guard depth < JavaScriptLiteral.depthMax else { throw error(.tooDeep) }
    depth += 1
    offset += 1
  }

  mutating func closes(with close: Unicode.Scalar) throws(JavaScriptLiteralError) -> Bool {
    try skipSpace()
    guard take(close) else { return false }
    depth -= 1
    return true
  }

  /// Consumes the comma after an element, unless the closing bracket follows.
  mutating func separate(before close: Unicode.Scalar) throws(JavaScriptLiteralError) {
    guard take(",") || next == close else { throw unexpected() }
  }
}
