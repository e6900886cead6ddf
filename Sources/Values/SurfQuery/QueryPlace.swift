import JSONTree

/// A path in a query, which may lead to many values: `todos[3].title`, `payload..email`.
package struct QueryPlace: Hashable, Sendable {
  package enum Root: String, CaseIterable, Sendable {
    /// The state after the row.
    case state
    /// The state before the row.
    case before
    /// The record's payload.
    case payload
  }

  /// One step of a path, down to one child or to several.
  package enum Step: Hashable, Sendable {
    /// To the member with this key. In an array, a key of digits is an index.
    case key(String)
    /// To an element, from 0. A negative index counts from the end.
    case index(Int)
    /// To every member or element.
    case each
    /// To the members with this key at any depth.
    case deep(String)
    /// To the elements whose member with this key equals a value.
    case element(String, QueryValue)
    /// Follows the rest of the path from every member or element, and combines the values found
    /// there into one number.
    case aggregate(Aggregate)
  }

  package enum Aggregate: String, CaseIterable, Sendable {
    case count, sum, min, max
  }

  package let root: Root
  package let steps: [Step]

  package init(_ root: Root = .state, _ steps: [Step] = []) {
    self.root = root
    self.steps = steps
  }
}

/// The right-hand side of a comparison in a query.
package indirect enum QueryValue: Hashable, Sendable {
  /// A number equals the same number in any spelling, and a string in exactly this spelling.
  case scalar(JSON)
  /// The values at another place. One that fits is enough.
  case place(QueryPlace)
}

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
