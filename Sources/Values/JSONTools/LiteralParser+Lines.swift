import JSONTree

extension JavaScriptLiteral {
  /// Parses a name with values as Swift describes them: `move(from: 1, to: 2)`. The key of a value
  /// without a label is its position: `_0`.
  package static func call(
    _ text: String
  ) throws(JavaScriptLiteralError) -> (name: String, arguments: JSONObject) {
    let name = text.prefix { $0 != "(" }
    var parser = LiteralParser(Array(text.unicodeScalars))
    parser.offset = name.unicodeScalars.count
    return (String(name), try parser.arguments())
  }

  /// Parses words with blanks between them, as in a shell.
  package static func words(_ line: String) throws(JavaScriptLiteralError) -> [LineWord] {
    var parser = LiteralParser(Array(line.unicodeScalars))
    return try parser.words()
  }
}

/// A word of a line.
package enum LineWord: Equatable, Sendable {
  case bare(String)
  /// A text in quotation marks, a list or an object, perhaps after `label=`.
  case literal(JSON, label: String?)
}

extension LiteralParser {
  fileprivate mutating func arguments() throws(JavaScriptLiteralError) -> JSONObject {
    guard next == "(" else { throw unexpected() }
    try open()
    var members: [JSONObject.Member] = []
    while try !closes(with: ")") {
      let label = label(before: ":") ?? "_\(members.count)"
      try skipSpace()
      members.append(JSONObject.Member(key: label, value: takeNil() ? .null : try value()))
      try separate(before: ")")
    }
    try skipSpace()
    guard next == nil else { throw error(.trailingText) }
    return JSONObject(members)
  }

  /// Swift's `null`.
  private mutating func takeNil() -> Bool {
    guard next == "n", peek(1) == "i", peek(2) == "l", peek(3) == "," || peek(3) == ")" else {
      return false
    }
    offset += 3
    return true
  }

  fileprivate mutating func words() throws(JavaScriptLiteralError) -> [LineWord] {
    var words: [LineWord] = []
    while let next {
      if next.properties.isWhitespace { offset += 1 } else { words.append(try lineWord()) }
    }
    return words
  }

  private mutating func lineWord() throws(JavaScriptLiteralError) -> LineWord {
    let start = offset
    let label = label(before: "=")
    if let next, "\"'[{".unicodeScalars.contains(next) {
      let value = try primary()
      guard self.next?.properties.isWhitespace ?? true else { throw error(.trailingText) }
      return .literal(value, label: label)
    }
    while let next, !next.properties.isWhitespace { offset += 1 }
    return .bare(String(String.UnicodeScalarView(scalars[start..<offset])))
  }

  /// Reads a name and the sign after it; nil if they do not come next.
  private mutating func label(before sign: Unicode.Scalar) -> String? {
    let start = offset
    let name = name()
    if !name.isEmpty, take(sign) { return name }
    offset = start
    return nil
  }
}
