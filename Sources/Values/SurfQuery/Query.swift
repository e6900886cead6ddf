/// The syntax tree of a query about one row of a history, its state and the state before. Parsed
/// from what a person typed, and printed back.
package indirect enum Query: Hashable, Sendable {
  case any([Query])
  case all([Query])
  case not(Query)
  /// The query held in the state before.
  case before(Query)
  /// The query holds now, and did not hold in the state before.
  case becomes(Query)
  /// The row's field matches one of the choices.
  case field(QueryField, [QueryChoice])
  case test(QueryTest)
  /// The state differs from the state before.
  case changed
  /// The record's name or payload contains the text; of a revision, its name. A text without
  /// capitals ignores case.
  case text(String)
}

/// A statement about the values at a place in a state or payload.
package struct QueryTest: Hashable, Sendable {
  /// Whether every value must satisfy the relation, and at least one must exist. Otherwise one
  /// value is enough, except that `is not` holds if no value is equal.
  package let isForAll: Bool
  package let place: QueryPlace
  package let relation: QueryRelation

  package init(isForAll: Bool = false, _ place: QueryPlace, _ relation: QueryRelation) {
    self.isForAll = isForAll
    self.place = place
    self.relation = relation
  }
}

/// The condition of a test for each value.
package enum QueryRelation: Hashable, Sendable {
  case compares(Comparison, QueryValue)
  case isAmong([QueryChoice])
  /// A string contains the text, an array the element, or an object the key.
  case has(QueryValue)
  case starts(QueryValue)
  case ends(QueryValue)
  case matches(TextPattern)
  case exists
  case missing
  case isOfType(ValueType)
  /// The value changed, appeared or vanished. `from null` and `to null` also match its absence.
  case changed(from: QueryValue?, to: QueryValue?)
  /// A number, or the size of a string, array or object, is larger than before, by this amount if
  /// one is given.
  case grew(by: QueryChoice?)
  case shrank(by: QueryChoice?)

  package enum Comparison: String, CaseIterable, Sendable {
    case equal = "is"
    case different = "is not"
    case over, under
    case atLeast = "atleast"
    case atMost = "atmost"
  }

  package enum ValueType: String, CaseIterable, Sendable {
    case null, bool, number, string, array, object
  }

  var comparesStates: Bool {
    switch self {
    case .changed, .grew, .shrank: true
    default: false
    }
  }
}
