import JSONTree

/// A token of a query.
struct QueryToken {
  enum Kind: Equatable {
    /// As typed, with its brackets and their content.
    case word(String)
    /// The text between quotation marks, still escaped.
    case string(String)
    /// `(`, `)`, `,`, `=`, `!=`, `<` …
    case mark(String)
    case end
  }

  let kind: Kind
  /// Of the first scalar, from 1.
  let column: Int
  /// Whether no white space separates it from the previous token.
  let isJoined: Bool

  /// As typed. Nil for the end.
  var text: String? {
    switch kind {
    case .word(let text), .mark(let text): text
    case .string(let literal): "\"\(literal)\""
    case .end: nil
    }
  }
}

/// Splits a query into tokens.
struct QueryLexer {
  // Scalars, because a quotation mark and a combining mark form one `Character`.
  private let scalars: [Unicode.Scalar]
  private var place = 0

  private init(_ text: String) { scalars = Array(text.unicodeScalars) }

  static func tokens(of text: String) throws(QueryError) -> [QueryToken] {
    var lexer = QueryLexer(text)
    var tokens: [QueryToken] = []
    repeat { tokens.append(try lexer.next()) } while tokens.last?.kind != .end
    return tokens
  }

  private mutating func next() throws(QueryError) -> QueryToken {
    let start = place
    while place < scalars.count, scalars[place].properties.isWhitespace { place += 1 }
    let isJoined = place == start && start > 0
    let column = place + 1
    func token(_ kind: QueryToken.Kind) -> QueryToken {
      QueryToken(kind: kind, column: column, isJoined: isJoined)
    }
    guard place < scalars.count else { return token(.end) }
    if scalars[place] == "\"" { return token(.string(try string())) }
    if let mark = mark() { return token(.mark(mark)) }
    return token(.word(try word()))
  }

  private mutating func mark() -> String? {
    let ahead = scalars[place..<min(place + 2, scalars.count)]
    guard let mark = Self.marks.first(where: { ahead.starts(with: $0.unicodeScalars) }) else {
      return nil
    }
    place += mark.count
    return mark
  }

  /// Longer marks first.
  private static let marks = ["==", "!=", "<=", ">=", "=", "<", ">", "(", ")", ","]

  private var isAtMark: Bool {
    switch scalars[place] {
    case "(", ")", ",", "=", "<", ">", "\"": true
    case "!": place + 1 < scalars.count && scalars[place + 1] == "="
    default: scalars[place].properties.isWhitespace
    }
  }

  private mutating func word() throws(QueryError) -> String {
    let start = place
    while place < scalars.count, !isAtMark {
      if scalars[place] == "[" { try skipBracket() } else { place += 1 }
    }
    return text(start..<place)
  }

  /// Skips past the closing bracket. Brackets in strings do not count.
  private mutating func skipBracket() throws(QueryError) {
    let start = place
    while place < scalars.count {
      switch scalars[place] {
      case "]":
        place += 1
        return
      case "\"": _ = try string()
      default: place += 1
      }
    }
    throw QueryError(.unclosed("["), column: start + 1)
  }

  /// Reads a string, up to the first quotation mark without a backslash before it.
  private mutating func string() throws(QueryError) -> String {
    let start = place
    var isEscaped = false
    place += 1
    while place < scalars.count, isEscaped || scalars[place] != "\"" {
      isEscaped = !isEscaped && scalars[place] == "\\"
      place += 1
    }
    guard place < scalars.count else {
      throw QueryError(.unclosed("\""), column: start + 1)
    }
    place += 1
    return text(start + 1..<place - 1)
  }

  private func text(_ range: Range<Int>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[range])
    return String(text)
  }

  /// Unescapes the text between quotation marks (RFC 8259 §7, as `diff` prints it). Nil if an
  /// escape is not JSON's.
  static func unescaped(_ literal: String) -> String? {
    JSON(ifValid: Array("\"\(literal)\"".utf8))?.string
  }
}
