/// Parses a path of a query: as `diff` prints it, and with the steps that only queries have.
struct QueryPathParser {
  private var rest: Substring.UnicodeScalarView
  private let word: String
  private let column: Int

  private init(_ word: String, at column: Int) {
    self.word = word
    self.column = column
    rest = word[...].unicodeScalars
  }

  static func place(_ word: String, at column: Int) throws(QueryError) -> QueryPlace {
    var parser = QueryPathParser(word, at: column)
    return try parser.place()
  }

  /// Whether the word begins with its root, like `before.user`. Only then is a value a path.
  static func isRooted(_ word: String) -> Bool { roots.contains { isRooted(word, in: $0.name) } }

  private static let roots =
    QueryPlace.Root.allCases.map { (name: $0.rawValue, root: $0) } + [("$", .state)]

  private static func isRooted(_ word: String, in name: String) -> Bool {
    let (word, name) = (word.unicodeScalars, name.unicodeScalars)
    guard word.starts(with: name) else { return false }
    let next = word.dropFirst(name.count).first
    return next == "." || next == "["
  }

  private mutating func place() throws(QueryError) -> QueryPlace {
    let root = takeRoot()
    // The first name needs no dot.
    if root == nil, rest.first != "[", !rest.starts(with: "..".unicodeScalars) {
      return QueryPlace(.state, [try name()] + (try steps()))
    }
    return QueryPlace(root ?? .state, try steps())
  }

  private mutating func takeRoot() -> QueryPlace.Root? {
    for (name, root) in Self.roots where word == name || Self.isRooted(word, in: name) {
      rest = rest.dropFirst(name.count)
      return root
    }
    return nil
  }

  private mutating func steps() throws(QueryError) -> [QueryPlace.Step] {
    var steps: [QueryPlace.Step] = []
    while let first = rest.first {
      if first == "[" {
        steps.append(try bracket())
      } else if rest.starts(with: "..".unicodeScalars) {
        rest = rest.dropFirst(2)
        steps.append(.deep(try deepName()))
      } else if first == "." {
        rest = rest.dropFirst()
        steps.append(try name())
      } else {
        throw unexpected("'.' or '['")
      }
    }
    return steps
  }

  private mutating func name() throws(QueryError) -> QueryPlace.Step {
    let start = rest
    let name = try takeName()
    if name == "*" || name == "%" { return .each }
    guard name.unicodeScalars.first == "@" else { return .key(name) }
    let word = String(name.unicodeScalars.dropFirst())
    guard let aggregate = QueryPlace.Aggregate(rawValue: word) else {
      rest = start
      throw error(.unknown(.aggregate, word))
    }
    return .aggregate(aggregate)
  }

  /// Parses the name after `..`, in brackets if it is not a plain word.
  private mutating func deepName() throws(QueryError) -> String {
    guard rest.first == "[" else {
      let start = rest
      let name = try takeName()
      // A key with this spelling is written `..["*"]`.
      guard name != "*", name != "%", name.unicodeScalars.first != "@" else {
        rest = start
        throw unexpected("a name, such as ..title")
      }
      return name
    }
    guard case .key(let key) = try bracket() else { throw unexpected("a name") }
    return key
  }

  private mutating func takeName() throws(QueryError) -> String {
    let name = rest.prefix { $0 != "." && $0 != "[" && $0 != "]" }
    guard !name.isEmpty else { throw unexpected("a name") }
    rest = rest.dropFirst(name.count)
    return String(Substring(name))
  }

  /// `[3]`, `["a b"]`, `[id:7]` or `["a b":7]`.
  private mutating func bracket() throws(QueryError) -> QueryPlace.Step {
    rest = rest.dropFirst()
    if rest.first == "\"" {
      let key = try string()
      if take("]") { return .key(key) }
      return try element(key)
    }
    let content = rest.prefix { $0 != "]" && $0 != ":" }
    if let index = Int(Substring(content)), rest.dropFirst(content.count).first == "]" {
      rest = rest.dropFirst(content.count + 1)
      return .index(index)
    }
    guard !content.isEmpty, rest.dropFirst(content.count).first == ":" else {
      throw unexpected("an index, a quoted name, or a name with ':' and a value")
    }
    rest = rest.dropFirst(content.count)
    return try element(String(Substring(content)))
  }

  private mutating func element(_ key: String) throws(QueryError) -> QueryPlace.Step {
    guard take(":") else { throw unexpected("']' or ':'") }
    let value: QueryValue
    if rest.first == "\"" {
      value = .scalar(.string(try string()))
    } else {
      let bare = rest.prefix { $0 != "]" }
      guard !bare.isEmpty else { throw unexpected("a value") }
      rest = rest.dropFirst(bare.count)
      value = QueryValue(bare: String(Substring(bare)))
    }
    guard take("]") else { throw unexpected("']'") }
    return .element(key, value)
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == scalar else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Parses a string, whose end the lexer has already found.
  private mutating func string() throws(QueryError) -> String {
    rest = rest.dropFirst()
    let start = rest
    var isEscaped = false
    while let scalar = rest.first, isEscaped || scalar != "\"" {
      isEscaped = !isEscaped && scalar == "\\"
      rest = rest.dropFirst()
    }
    let literal = String(Substring(start[..<rest.startIndex]))
    guard take("\""), let text = QueryLexer.unescaped(literal) else {
      throw error(.invalidString)
    }
    return text
  }

  private func unexpected(_ expected: String) -> QueryError {
    error(.unexpected(rest.first.map { String(Character($0)) }, expected: expected))
  }

  private func error(_ fault: QueryFault) -> QueryError {
    QueryError(fault, column: column + word.unicodeScalars.count - rest.count)
  }
}
