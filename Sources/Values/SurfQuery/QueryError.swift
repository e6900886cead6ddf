import SurfBasics

/// Why a text is not a query, and where it goes wrong.
package struct QueryError: Error, Hashable, Sendable {
  package let fault: QueryFault
  /// In Unicode scalars, from 1.
  package let column: Int

  package init(_ fault: QueryFault, column: Int) {
    self.fault = fault
    self.column = column
  }
}

package enum QueryFault: Hashable, Sendable {
  case empty
  /// More than `Query.sizeMax` octets.
  case tooLong
  /// More than `Query.depthMax` levels.
  case tooDeep
  /// The text found instead; nil for the end of the text.
  case unexpected(String?, expected: String)
  /// A word that is not in the vocabulary for this place.
  case unknown(QueryVocabulary, String)
  /// A range that ends before it begins, and the same with its ends exchanged.
  case emptyRange(String, meant: String)
  case unclosed(Character)
  /// A string with an escape that JSON does not have.
  case invalidString
  /// A word that compares two states, inside `before` or `becomes`, which look at one.
  case comparesStates(String)
  case pattern(PatternFault)
}

/// The places of the language that take a fixed set of words.
package enum QueryVocabulary: String, Sendable {
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
    case .empty: "the query is empty"
    case .tooLong: "more than \(Query.sizeMax) bytes"
    case .tooDeep: "more than \(Query.depthMax) levels"
    case .unexpected(let found?, let expected): "expected \(expected), not '\(found)'"
    case .unexpected(nil, let expected): "expected \(expected)"
    case .unknown(let vocabulary, let word):
      "unknown \(vocabulary.rawValue) '\(vocabulary.written(word))'"
    case .emptyRange(let text, _): "'\(text)' ends before it begins"
    case .unclosed(let character): "'\(character)' is never closed"
    case .invalidString: "a string that is not one of JSON"
    case .comparesStates(let word):
      "'\(word)' compares two states, but 'before' and 'becomes' look at one"
    case .pattern(let fault): "\(fault)"
    }
  }

  /// A hint for an unknown word, the nearest known one or else all of them, and for a range. Nil
  /// for other faults.
  package var suggestion: String? {
    if case .emptyRange(_, let meant) = self { return "Did you mean '\(meant)'?" }
    guard case .unknown(let vocabulary, let word) = self else { return nil }
    if let meant = nearest(to: word, in: vocabulary.words).first {
      return "Did you mean '\(vocabulary.written(meant))'?"
    }
    let all = vocabulary.words.map(vocabulary.written).joined(separator: ", ")
    guard vocabulary == .field else { return "Known: \(all)." }
    return "Known: \(all). Put a text with a colon in quotation marks."
  }
}

extension QueryError: CustomStringConvertible {
  package var description: String { "column \(column): \(fault)" }
}
