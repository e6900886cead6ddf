import JSONTree

/// A part of a query that may not mean what the person meant.
package enum QueryDoubt: Hashable, Sendable {
  /// A text right after a `changed` that has no place: a person who types `changed income` may mean
  /// the place of that name.
  case place(String)
  /// An everyday name of a relation, right after a text that may be a path; or a field without its
  /// colon, before a number.
  case relation(String, meant: String)
  /// A text that a value is compared with, and that is a path into the state, too.
  case value(String)
  /// A place that the state does not have and that is the name of a field, with the value that it
  /// is to be, if one.
  case field(QueryField, String?)
  /// A text that is looked for among the keys of the whole state.
  case key(String)
  /// A text, which is not looked for in states.
  case text(String)

  package var isRelation: Bool { if case .relation = self { true } else { false } }

  /// What the person may have meant.
  package var meant: String {
    switch self {
    case .place(let text): "\(text) changed"
    case .relation(_, let meant): meant
    case .value(let text): "state.\(text)"
    case .field(let field, let value): "\(field.rawValue):\(value ?? "…")"
    case .key(let text), .text(let text): "..KEY has \(Query.word(text))"
    }
  }

  /// The relations by the names that they have elsewhere, in lower case.
  package static let relations: [String: String] = [
    "contains": "has", "contain": "has", "includes": "has", "include": "has", "like": "has",
    "equals": "is", "equal": "is", "eq": "is", "are": "is", "was": "is",
    "isnt": "is not", "ne": "is not", "neq": "is not",
    "gt": "over", "above": "over", "greater": "over", "more": "over",
    "lt": "under", "below": "under", "less": "under",
    "gte": "atleast", "ge": "atleast", "lte": "atmost", "le": "atmost",
    "startswith": "starts", "beginswith": "starts", "begins": "starts", "hasprefix": "starts",
    "endswith": "ends", "hassuffix": "ends",
    "match": "matches", "regex": "matches", "~": "matches",
    "exist": "exists", "absent": "missing", "between": "in",
    "change": "changed", "changes": "changed", "grows": "grew", "shrinks": "shrank",
  ]
}

extension QueryDoubt: CustomStringConvertible {
  package var description: String {
    switch self {
    case .place(let text):
      "'\(text)' is searched for as text in rows that changed the state."
        + " Did you mean '\(meant)'?"
    case .relation(let word, _): "'\(word)' is searched for as text. Did you mean '\(meant)'?"
    case .value(let text): "'\(text)' is compared as a text. Did you mean '\(meant)'?"
    case .field(let field, _): "'\(field.rawValue)' is a place here. Did you mean '\(meant)'?"
    case .key(let text):
      "'\(text)' is looked for among the keys of the whole state. '\(meant)' looks at each KEY."
    case .text(let text):
      "'\(text)' is looked for in names and payloads. '\(meant)' looks in states, at each KEY."
    }
  }
}

extension Query {
  /// The words that may have been meant otherwise, in their order.
  package var doubts: [QueryDoubt] {
    var doubts: [QueryDoubt] = []
    visit {
      if case .test(let test) = $0, test.place == QueryPlace(),
        case .has(.scalar(.string(let text))) = test.relation
      {
        doubts.append(.key(text))
      }
      guard case .all(let parts) = $0 else { return }
      for (index, next) in parts.enumerated().dropFirst() {
        guard case .text(let text) = next else { continue }
        let part = parts[index - 1]
        if part == .changed || part == .not(.changed) {
          doubts.append(.place(text))
        } else if part.endsInText, let meant = QueryDoubt.relations[text.lowercased()] {
          doubts.append(.relation(text, meant: meant))
        } else if QueryChoice(text, in: .count) != nil, case .text(let word) = part {
          // Rows say `from row 14`.
          let isFrom = word == "row" && index > 1 && parts[index - 2] == .text("from")
          guard let field = isFrom ? .from : QueryField(rawValue: word), field.unit == .count
          else { continue }
          doubts.append(.relation(word, meant: "\(field.rawValue):\(text)"))
        }
      }
    }
    return doubts.isEmpty ? texts.prefix(1).map { .text($0) } : doubts
  }

  private var texts: [String] {
    switch self {
    case .text(let text): [text]
    case .any(let parts), .all(let parts): parts.flatMap(\.texts)
    case .not, .before, .becomes, .field, .test, .changed: []
    }
  }

  /// Also the texts that would be paths into this state, if `state.` were before them.
  package func doubts(in state: JSON) -> [QueryDoubt] {
    var doubts = doubts
    visit {
      if case .test(let test) = $0, let field = test.fieldMeant, state[field.rawValue] == nil {
        doubts.append(.field(field, test.valueMeant))
      }
      guard case .test(let test) = $0,
        case .compares(_, .scalar(.string(let text))) = test.relation,
        let place = QueryPlace(ifPath: text), place.root == .state, !place.steps.isEmpty,
        !QueryWalk(place.steps, from: state, identifies: false).found.isEmpty
      else { return }
      doubts.append(.value(text))
    }
    return doubts
  }

  private var endsInText: Bool {
    switch self {
    case .text: true
    case .not(let part), .before(let part), .becomes(let part): part.endsInText
    case .any, .all, .field, .test, .changed: false
    }
  }
}

extension QueryTest {
  /// The field of the place's name.
  fileprivate var fieldMeant: QueryField? {
    guard place.root == .state, case .key(let key)? = place.steps.first, place.steps.count == 1
    else { return nil }
    return QueryField(rawValue: key)
  }

  fileprivate var valueMeant: String? {
    if case .compares(.equal, let value) = relation { value.description } else { nil }
  }
}

extension QueryPlace {
  fileprivate init?(ifPath text: String) {
    do throws(QueryError) { try self.init(path: text) } catch { return nil }
  }
}
