import SurfBasics

/// Why a text is not a query, and where.
package struct QueryError: Error, Hashable, Sendable {
  package let fault: QueryFault
  /// The Unicode scalar, from 1, at which the text is wrong.
  package let column: Int

  package init(_ fault: QueryFault, column: Int) {
    self.fault = fault
    self.column = column
  }
}

package enum QueryFault: Hashable, Sendable {
  /// Nothing was asked.
  case empty
  /// More than `Query.sizeMax` octets.
  case tooLong
  /// More than `Query.depthMax` levels.
  case tooDeep
  /// Something else stands there; nil for the end.
  case unexpected(String?, expected: String)
  /// A word that is not in the language, where only its own can stand.
  case unknown(QueryVocabulary, String)
  /// A quotation mark or bracket that is never closed.
  case unclosed(Character)
  /// A string with an escape that JSON does not have.
  case invalidString
  /// The state before has no state before it.
  case comparesStates(String)
  case pattern(PatternFault)
}

/// Words that the language has in one place.
package enum QueryVocabulary: Hashable, Sendable {
  case field, kind, level, type, aggregate

  package var words: [String] {
    switch self {
    case .field: QueryField.allCases.map(\.rawValue)
    case .kind: QueryUnit.kinds
    case .level: QueryUnit.levels
    case .type: QueryRelation.ValueType.allCases.map(\.rawValue)
    case .aggregate: QueryPlace.Aggregate.allCases.map(\.rawValue)
    }
  }

  fileprivate var noun: String {
    switch self {
    case .field: "field"
    case .kind: "kind"
    case .level: "level"
    case .type: "type"
    case .aggregate: "aggregate"
    }
  }

  fileprivate func written(_ word: String) -> String {
    switch self {
    case .field: word + ":"
    case .aggregate: "@" + word
    case .kind, .level, .type: word
    }
  }
}

extension QueryFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .empty: "nothing is asked"
    case .tooLong: "more than \(Query.sizeMax) bytes"
    case .tooDeep: "more than \(Query.depthMax) levels"
    case .unexpected(let found?, let expected): "expected \(expected), not '\(found)'"
    case .unexpected(nil, let expected): "expected \(expected)"
    case .unknown(let vocabulary, let word):
      "unknown \(vocabulary.noun) '\(vocabulary.written(word))'"
    case .unclosed(let character): "'\(character)' is never closed"
    case .invalidString: "a string with an escape that JSON does not have"
    case .comparesStates(let word): "'\(word)' compares two states, and 'before' has only one"
    case .pattern(let fault): "\(fault)"
    }
  }

  /// What the person may have meant: the nearest word, or how to say it; nil if nothing is near.
  package var suggestion: String? {
    guard case .unknown(let vocabulary, let word) = self else { return nil }
    if let meant = nearest(to: word, in: vocabulary.words).first {
      return "Did you mean '\(vocabulary.written(meant))'?"
    }
    let all = vocabulary.words.map(vocabulary.written).joined(separator: ", ")
    guard vocabulary == .field else { return "There are: \(all)." }
    return "There are: \(all). A text with a colon stands in quotation marks."
  }
}

extension QueryError: CustomStringConvertible {
  package var description: String { "column \(column): \(fault)" }
}
