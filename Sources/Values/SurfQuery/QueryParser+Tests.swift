// test = [ "all" ] place relation
extension QueryParser {
  private static let signs: [String: QueryRelation.Comparison] = [
    "=": .equal, "==": .equal, "!=": .different, "<": .under, ">": .over, "<=": .atMost,
    ">=": .atLeast,
  ]

  /// - Parameter marksAlone: whether to accept signs such as `=` only, and no words.
  func isRelation(_ token: QueryToken, marksAlone: Bool = false) -> Bool {
    switch token.kind {
    case .mark(let mark): Self.signs[mark] != nil
    case .word(let word): !marksAlone && Query.relationWords.contains(word)
    case .string, .end: false
    }
  }

  mutating func test(isForAll: Bool) throws(QueryError) -> QueryTest {
    let place = try place()
    let relation = try relation()
    if relation.comparesStates, place.root != .state {
      throw error(.unexpected(nil, expected: "a place in the state before what compares two"))
    }
    return QueryTest(isForAll: isForAll, place, relation)
  }

  private mutating func place() throws(QueryError) -> QueryPlace {
    guard case .word(let word) = next.kind else { throw unexpected("a path") }
    let place = try QueryPathParser.place(word, at: next.column)
    if place.root == .before { try checkComparing("before.") }
    advance()
    return place
  }

  private mutating func relation() throws(QueryError) -> QueryRelation {
    let start = next
    switch start.kind {
    case .mark(let sign):
      advance()
      return .compares(Self.signs[sign] ?? .equal, try value())
    case .word(let word): return try relation(word)
    case .string, .end: throw unexpected("a relation")
    }
  }

  private mutating func relation(_ word: String) throws(QueryError) -> QueryRelation {
    if ["changed", "grew", "shrank"].contains(word) { try checkComparing(word) }
    advance()
    switch word {
    case "is": return .compares(take(word: "not") ? .different : .equal, try value())
    case "over", "under", "atleast", "atmost":
      return .compares(QueryRelation.Comparison(rawValue: word) ?? .equal, try value())
    case "in":
      let first = try choice(in: .value)
      return .isAmong([first] + (try moreChoices(in: .value)))
    case "has": return .has(try value())
    case "starts": return .starts(try value())
    case "ends": return .ends(try value())
    case "matches": return .matches(try pattern())
    case "exists": return .exists
    case "missing": return .missing
    case "type": return .isOfType(try type())
    case "changed":
      let old = take(word: "from") ? try value() : nil
      return .changed(from: old, to: take(word: "to") ? try value() : nil)
    case "grew": return .grew(by: take(word: "by") ? try choice(in: .value) : nil)
    default: return .shrank(by: take(word: "by") ? try choice(in: .value) : nil)
    }
  }

  private mutating func value() throws(QueryError) -> QueryValue {
    switch next.kind {
    case .string(let literal):
      let text = try text(ofQuoted: literal)
      advance()
      return .scalar(.string(text))
    case .word(let word) where !Query.connectives.contains(word):
      if QueryPathParser.isRooted(word) { return .place(try place()) }
      advance()
      return QueryValue(bare: word)
    case .word, .mark, .end: throw unexpected("a value")
    }
  }

  private mutating func pattern() throws(QueryError) -> TextPattern {
    // A backslash in a quoted pattern belongs to the pattern, so nothing is unescaped.
    let text: String
    switch next.kind {
    case .string(let literal): text = literal
    case .word(let word): text = word
    case .mark, .end: throw unexpected("a pattern, in quotation marks")
    }
    do throws(PatternFault) {
      let pattern = try TextPattern(text)
      advance()
      return pattern
    } catch {
      throw self.error(.pattern(error))
    }
  }

  private mutating func type() throws(QueryError) -> QueryRelation.ValueType {
    guard case .word(let word) = next.kind else { throw unexpected("a type") }
    guard let type = QueryRelation.ValueType(rawValue: word) else {
      throw error(.unknown(.type, word))
    }
    advance()
    return type
  }
}
