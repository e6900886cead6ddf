import JSONTree

/// A value that a row added, removed or replaced, for path traces.
package struct QueryChange: Hashable, Sendable {
  /// The exact place, without wildcards.
  package let place: QueryPlace
  /// Nil if the row added the value.
  package let old: JSON?
  /// Nil if the row removed the value.
  package let new: JSON?
}

/// A value and its exact place.
package struct QueryFinding: Hashable, Sendable {
  package let place: QueryPlace
  package let value: JSON
}

extension QuerySubject {
  /// The values at a place that differ from those in the state before.
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
  /// Parses a path alone, as `diff` prints it or as a query contains it.
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
