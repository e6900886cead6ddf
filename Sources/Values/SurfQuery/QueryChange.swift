import JSONTree

/// A value that a row has put in the place of another.
package struct QueryChange: Hashable, Sendable {
  /// Where exactly.
  package let place: QueryPlace
  /// Nil if there was none.
  package let old: JSON?
  /// Nil if there is none any more.
  package let new: JSON?
}

/// A value, and where exactly it stands.
package struct QueryFinding: Hashable, Sendable {
  package let place: QueryPlace
  package let value: JSON
}

extension QuerySubject {
  /// What stands at a place of the state, and is not what stood there before.
  package func changes(at place: QueryPlace) -> [QueryChange] {
    var look = QueryLook(self, state: state)
    return look.changes(at: place)
  }

  package func values(at place: QueryPlace) -> [QueryFinding] {
    var look = QueryLook(self, state: state)
    return look.found(at: place)
  }
}

extension QueryWalk.Part {
  var step: QueryPlace.Step {
    switch self {
    case .key(let key): .key(key)
    case .index(let index): .index(index)
    case .pick(let step, _): step
    }
  }
}

extension QueryPlace {
  /// Reads a path alone, as `diff` prints it or as a query has it.
  package init(path: String) throws(QueryError) {
    let tokens = try QueryLexer.tokens(of: path)
    switch tokens[0].kind {
    case .word(let word) where tokens.count == 2:
      self = try QueryPathParser.place(word, at: tokens[0].column)
    case .word:
      throw QueryError(
        .unexpected(tokens[1].text, expected: "the end of the path"), column: tokens[1].column)
    case .string, .mark, .end:
      throw QueryError(.unexpected(tokens[0].text, expected: "a path"), column: tokens[0].column)
    }
  }
}
