import JSONTools
import JSONTree

// Prints a query so that parsing the text gives the same tree.
extension Query: CustomStringConvertible {
  static let connectives: Set = ["and", "or", "not"]
  static let relationWords: Set = [
    "is", "over", "under", "atleast", "atmost", "in", "has", "starts", "ends", "matches", "exists",
    "missing", "type", "changed", "grew", "shrank",
  ]
  private static let otherWords: Set = [
    "all", "before", "becomes", "state", "payload", "from", "to", "by", "true", "false", "null",
  ]

  /// The words of the language.
  package static let words = connectives.union(relationWords).union(otherWords)

  package var description: String {
    switch self {
    case .any(let parts): parts.map { $0.operand(within: .any) }.joined(separator: " or ")
    case .all(let parts): parts.map { $0.operand(within: .all) }.joined(separator: " and ")
    case .not(let query): "not " + query.operand(within: .one)
    case .before(let query): "before " + query.operand(within: .one)
    case .becomes(let query): "becomes " + query.operand(within: .one)
    case .field(let field, let choices): "\(field.rawValue):\(Self.list(choices))"
    case .test(let test): test.description
    case .changed: "changed"
    case .text(let text): Self.word(text)
    }
  }

  private enum Surroundings { case any, all, one }

  private func operand(within surroundings: Surroundings) -> String {
    let isBare =
      switch (self, surroundings) {
      case (.any, _), (.all, .all), (.all, .one): false
      default: true
      }
    return isBare ? description : "(\(description))"
  }

  static func list(_ choices: [QueryChoice]) -> String {
    choices.map(\.description).joined(separator: ",")
  }

  /// Quotes the text unless it is plain.
  static func word(_ text: String) -> String { isPlain(text) ? text : quoted(text) }

  static func quoted(_ text: String) -> String { JSON.string(text).text() }

  /// ASCII letters, digits and `_`, beginning with a letter, and not a word of the language.
  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.utf8.first, Character(Unicode.Scalar(first)).isLetter else {
      return false
    }
    return text.unicodeScalars.allSatisfy {
      "a"..."z" ~= $0 || "A"..."Z" ~= $0 || "0"..."9" ~= $0 || $0 == "_"
    }
      && !words.contains(text)
  }
}

extension QueryChoice: CustomStringConvertible {
  package var description: String { isQuoted ? Query.quoted(text) : text }
}

extension QueryTest: CustomStringConvertible {
  package var description: String { (isForAll ? "all " : "") + "\(place) \(relation)" }
}

extension QueryRelation: CustomStringConvertible {
  package var description: String {
    switch self {
    case .compares(let comparison, let value): "\(comparison.rawValue) \(value)"
    case .isAmong(let choices): "in \(Query.list(choices))"
    case .has(let value): "has \(value)"
    case .starts(let value): "starts \(value)"
    case .ends(let value): "ends \(value)"
    case .matches(let pattern): "matches \"\(pattern.text)\""
    case .exists: "exists"
    case .missing: "missing"
    case .isOfType(let type): "type \(type.rawValue)"
    case .changed(let old, let new):
      "changed" + (old.map { " from \($0)" } ?? "") + (new.map { " to \($0)" } ?? "")
    case .grew(let amount): "grew" + (amount.map { " by \($0)" } ?? "")
    case .shrank(let amount): "shrank" + (amount.map { " by \($0)" } ?? "")
    }
  }
}

extension QueryValue: CustomStringConvertible {
  package var description: String {
    switch self {
    case .scalar(.string(let text)): Query.word(text)
    case .scalar(let scalar): scalar.text()
    case .place(let place): place.rooted
    }
  }
}

extension QueryPlace: CustomStringConvertible {
  package var description: String {
    switch steps.first {
    // A first `-` would be an option's, and some words are the language's.
    case .key(let key)?
    where root == .state && JSONPath.isWord(key) && !key.hasPrefix("-")
      && !Query.words.contains(key):
      key + steps.dropFirst().map(\.description).joined()
    case .index?, .deep?, .element?:
      root == .state ? steps.map(\.description).joined() : rooted
    default: rooted
    }
  }

  fileprivate var rooted: String { "\(root.rawValue)\(steps.map(\.description).joined())" }
}

extension QueryPlace.Step: CustomStringConvertible {
  package var description: String {
    switch self {
    case .key(let key): JSONPath.isWord(key) ? ".\(key)" : "[\(Query.quoted(key))]"
    case .index(let index): "[\(index)]"
    case .each: ".*"
    case .deep(let key): ".." + (JSONPath.isWord(key) ? key : "[\(Query.quoted(key))]")
    case .element(let key, let value):
      "[\(JSONPath.isWord(key) ? key : Query.quoted(key)):\(value)]"
    case .aggregate(let aggregate): ".@\(aggregate.rawValue)"
    }
  }
}
