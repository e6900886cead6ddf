import JSONTree

/// A value as people type it in JavaScript: `{type: 'counter/inc', by: 100,}`.
///
/// Reads literals (ECMA-262 §12.9, §13.2) and runs no code. `undefined` is `null`.
package enum JavaScriptLiteral {
  /// The most levels of nested arrays, objects and parentheses: fewer than `JSON.depthMax`, so that
  /// a typed value can be put into another.
  package static let depthMax = 200

  /// Reads the one literal that is `text`, in parentheses or not, and perhaps a semicolon.
  ///
  /// Never traps, and takes time linear in the length of `text`.
  package static func parse(_ text: String) throws(JavaScriptLiteralError) -> JSON {
    var parser = LiteralParser(Array(text.unicodeScalars))
    return try parser.document()
  }
}

/// Recursive descent over scalars; white space, strings, numbers and names are in extensions.
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

  /// The scalar to be read next; `nil` at the end.
  var next: Unicode.Scalar? { peek(0) }

  /// The scalar `distance` places ahead; `nil` behind the end.
  func peek(_ distance: Int) -> Unicode.Scalar? {
    offset + distance < scalars.count ? scalars[offset + distance] : nil
  }

  /// Steps over `scalar` if it comes next.
  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    offset += 1
    return true
  }

  func error(_ reason: Reason, at offset: Int? = nil) -> JavaScriptLiteralError {
    JavaScriptLiteralError(reason, at: offset ?? self.offset, in: scalars)
  }

  /// The next scalar, or the end, cannot stand here.
  func unexpected() -> JavaScriptLiteralError {
    error(next.map { .unexpected($0) } ?? .unexpectedEnd)
  }

  /// One value, with the space in front of it; refuses an operator behind it.
  mutating func value() throws(JavaScriptLiteralError) -> JSON {
    try skipSpace()
    let value = try primary()
    try skipSpace()
    if let next, "+-*/%&|^<>=?.!~".unicodeScalars.contains(next) { throw error(.expression(next)) }
    if next == "[" || next == "(" || next == "`" { throw error(.expression(next ?? "(")) }
    return value
  }

  private mutating func primary() throws(JavaScriptLiteralError) -> JSON {
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
    // `()` can only begin the parameters of a function.
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

  /// Steps into an array, an object or parentheses.
  private mutating func open() throws(JavaScriptLiteralError) {
    guard depth < JavaScriptLiteral.depthMax else { throw error(.tooDeep) }
    depth += 1
    offset += 1
  }

  private mutating func closes(with close: Unicode.Scalar) throws(JavaScriptLiteralError) -> Bool {
    try skipSpace()
    guard take(close) else { return false }
    depth -= 1
    return true
  }

  /// After an element there must be a comma, or the end still to be read.
  private mutating func separate(before close: Unicode.Scalar) throws(JavaScriptLiteralError) {
    guard take(",") || next == close else { throw unexpected() }
  }
}
