extension Query {
  /// The maximum size of a query in octets. A person types some dozens.
  package static let sizeMax = 65_536
  /// The maximum nesting of parentheses and of words like `not`.
  package static let depthMax = 64

  /// Parses what a person typed. Takes time linear in the size of the text.
  package init(_ text: String) throws(QueryError) {
    guard text.utf8.count <= Self.sizeMax else { throw QueryError(.tooLong, column: 1) }
    var parser = QueryParser(try QueryLexer.tokens(of: text))
    self = try parser.query()
  }

  /// Parses the words of a command line. A single word is the whole query. Among several, a word
  /// that is empty or contains white space is quoted, unless the white space is in a path's own
  /// quotes.
  package init(words: [String]) throws(QueryError) {
    try self.init(Self.text(of: words))
  }

  /// The text that `init(words:)` parses.
  package static func text(of words: [String]) -> String {
    guard words.count > 1 else { return words.first ?? "" }
    return words.map(quotedIfNeeded).joined(separator: " ")
  }

  private static func quotedIfNeeded(_ word: String) -> String {
    guard word.isEmpty || word.contains(where: \.isWhitespace) else { return word }
    do throws(QueryError) {
      // One token and the end: the white space is within the word's own quotation marks.
      let tokens = try QueryLexer.tokens(of: word)
      return tokens.count == 2 ? word : quoted(word)
    } catch {
      return quoted(word)
    }
  }
}

/// Parses a query by recursive descent over tokens, with one function for each grammar rule.
struct QueryParser {
  private let tokens: [QueryToken]
  private var place = 0
  private var depth = 0
  /// `before` or `becomes`, while its operand is parsed.
  private var oneState: String?

  init(_ tokens: [QueryToken]) { self.tokens = tokens }

  mutating func query() throws(QueryError) -> Query {
    guard next.kind != .end else { throw error(.empty) }
    let query = try any()
    guard next.kind == .end else { throw unexpected("'and', 'or' or the end") }
    return query
  }

  /// The token to read next. The last token is the end.
  var next: QueryToken { tokens[min(place, tokens.count - 1)] }

  func token(after count: Int) -> QueryToken { tokens[min(place + count, tokens.count - 1)] }

  mutating func advance() { place += 1 }

  mutating func take(word: String) -> Bool {
    guard next.kind == .word(word) else { return false }
    advance()
    return true
  }

  mutating func take(mark: String) -> Bool {
    guard next.kind == .mark(mark) else { return false }
    advance()
    return true
  }

  func text(ofQuoted literal: String) throws(QueryError) -> String {
    guard let text = QueryLexer.unescaped(literal) else { throw error(.invalidString) }
    return text
  }

  func error(_ fault: QueryFault, after offset: Int = 0) -> QueryError {
    QueryError(fault, column: next.column + offset)
  }

  func unexpected(_ expected: String) -> QueryError {
    error(.unexpected(next.text, expected: expected))
  }

  /// Throws if a word compares two states inside of `before` or `becomes`.
  func checkComparing(_ word: String) throws(QueryError) {
    if oneState != nil { throw error(.comparesStates(word)) }
  }
}

// query = and { "or" and }
extension QueryParser {
  private mutating func any() throws(QueryError) -> Query {
    var parts = [try all()]
    while take(word: "or") { parts.append(try all()) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  /// "and" may be left out between terms.
  private mutating func all() throws(QueryError) -> Query {
    var parts = [try unary()]
    while true {
      let isSaid = take(word: "and")
      guard isSaid || beginsQuery(next) else { break }
      parts.append(try unary())
    }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private func beginsQuery(_ token: QueryToken) -> Bool {
    switch token.kind {
    case .word("or"), .end, .mark: token.kind == .mark("(")
    case .word, .string: true
    }
  }

  private mutating func unary() throws(QueryError) -> Query {
    guard depth < Query.depthMax else { throw error(.tooDeep) }
    depth += 1
    defer { depth -= 1 }
    guard case .word(let word) = next.kind else { return try primary() }
    switch word {
    case "not":
      advance()
      return .not(try unary())
    case "before" where !isRelation(token(after: 1)) || isAlone(token(after: 1)):
      return .before(try aboutOneState())
    case "becomes": return .becomes(try aboutOneState())
    case _ where word.hasPrefix("-") && Self.fieldName(word.dropFirst()) != nil:
      return .not(try field(word.dropFirst(), at: 1))
    default: return try primary()
    }
  }

  /// `before changed` is an error, and not a test of the place `before`.
  private func isAlone(_ token: QueryToken) -> Bool { token.kind == .word("changed") }

  private mutating func aboutOneState() throws(QueryError) -> Query {
    if case .word(let word) = next.kind {
      try checkComparing(word)
      oneState = word
    }
    defer { oneState = nil }
    advance()
    return try unary()
  }

  private mutating func primary() throws(QueryError) -> Query {
    switch next.kind {
    case .mark("("):
      advance()
      let query = try any()
      guard take(mark: ")") else { throw unexpected("')'") }
      return query
    case .string(let literal):
      guard !isRelation(token(after: 1), marksAlone: true) else {
        throw unexpected("a path, with unusual names in brackets: [\"a b\"]")
      }
      let text = try text(ofQuoted: literal)
      advance()
      return .text(text)
    case .word(let word): return try statement(word)
    case .mark, .end: throw unexpected("a test")
    }
  }

  /// A word before a relation is a path. Other words are fields or texts. A word that begins with a
  /// known field and a colon is never a path, so `kind:action changed` is two terms. A key of that
  /// form goes in brackets, as `diff` prints it.
  private mutating func statement(_ word: String) throws(QueryError) -> Query {
    if word == "all", !isRelation(token(after: 1)), isRelation(token(after: 2)) {
      advance()
      return .test(try test(isForAll: true))
    }
    if Query.connectives.contains(word) { throw unexpected("a test") }
    if let name = Self.fieldName(word[...]), QueryField(rawValue: String(name)) != nil {
      return try field(word[...], name, at: 0)
    }
    if isRelation(token(after: 1)) { return .test(try test(isForAll: false)) }
    if word == "changed" {
      try checkComparing(word)
      advance()
      return .changed
    }
    if let name = Self.fieldName(word[...]) { return try field(word[...], name, at: 0) }
    if Query.relationWords.contains(word) { throw unexpected("a path before '\(word)'") }
    advance()
    return .text(word)
  }
}

// field = name ":" item { "," item }
extension QueryParser {
  /// The letters before a colon.
  private static func fieldName(_ word: Substring) -> Substring? {
    let name = word.prefix { $0.isASCII && $0.isLetter }
    return !name.isEmpty && word.dropFirst(name.count).first == ":" ? name : nil
  }

  private mutating func field(_ word: Substring, at offset: Int) throws(QueryError) -> Query {
    try field(word, Self.fieldName(word) ?? "", at: offset)
  }

  private mutating func field(
    _ word: Substring, _ name: Substring, at offset: Int
  ) throws(QueryError) -> Query {
    guard let field = QueryField(rawValue: String(name)) else {
      throw error(.unknown(.field, String(name)), after: offset)
    }
    let first = word.dropFirst(name.count + 1)
    var choices: [QueryChoice] = []
    if first.isEmpty {
      guard token(after: 1).isJoined else {
        throw error(
          .unexpected(nil, expected: "\(field.unit.expected) after '\(name):'"),
          after: offset + name.count + 1)
      }
      advance()
      choices.append(try choice(in: field.unit))
    } else {
      choices.append(try choice(String(first), in: field.unit, at: offset + name.count + 1))
    }
    return .field(field, choices + (try moreChoices(in: field.unit)))
  }

  mutating func moreChoices(in unit: QueryUnit) throws(QueryError) -> [QueryChoice] {
    var choices: [QueryChoice] = []
    while take(mark: ",") { choices.append(try choice(in: unit)) }
    return choices
  }

  mutating func choice(in unit: QueryUnit) throws(QueryError) -> QueryChoice {
    switch next.kind {
    case .word(let text): return try choice(text, in: unit, at: 0)
    case .string(let literal):
      let text = try text(ofQuoted: literal)
      guard let choice = QueryChoice(text, isQuoted: true, in: unit) else {
        throw unexpected(unit.expected)
      }
      advance()
      return choice
    case .mark, .end: throw unexpected(unit.expected)
    }
  }

  private mutating func choice(
    _ text: String, in unit: QueryUnit, at offset: Int
  ) throws(QueryError) -> QueryChoice {
    if let meant = QueryChoice.exchanged(text, in: unit) {
      throw error(.emptyRange(text, meant: meant), after: offset)
    }
    guard let choice = QueryChoice(text, in: unit) else {
      throw error(Self.fault(text, unit), after: offset)
    }
    advance()
    return choice
  }

  private static func fault(_ text: String, _ unit: QueryUnit) -> QueryFault {
    switch unit {
    case .kind: .unknown(.kind, text)
    case .level where !text.contains(".."): .unknown(.level, text)
    default: .unexpected(text, expected: unit.expected)
    }
  }
}
