/// A question about one row of a history, its state and the state before: the tree that a person's
/// text is parsed to, and printed from.
package indirect enum Query: Hashable, Sendable {
  /// At least one of them holds.
  case any([Query])
  /// All of them hold.
  case all([Query])
  case not(Query)
  /// It held in the state before.
  case before(Query)
  /// It holds, and did not hold in the state before.
  case becomes(Query)
  /// A fact about the row: one of the choices is true of it.
  case field(QueryField, [QueryChoice])
  /// A statement about places in a state or payload.
  case test(QueryTest)
  /// The state differs from the state before.
  case changed
  /// The words stand in the name or the payload. Without capitals they are found in any case.
  case text(String)
}

/// A statement about the values at a place.
package struct QueryTest: Hashable, Sendable {
  /// Whether every value must do, and there must be one. Otherwise one is enough; and for a
  /// relation that denies, there must be none of which the opposite is true.
  package let isForAll: Bool
  package let place: QueryPlace
  package let relation: QueryRelation

  package init(isForAll: Bool = false, _ place: QueryPlace, _ relation: QueryRelation) {
    self.isForAll = isForAll
    self.place = place
    self.relation = relation
  }
}

/// What is said of values.
package enum QueryRelation: Hashable, Sendable {
  case compares(Comparison, QueryValue)
  case isAmong([QueryChoice])
  /// The value's text holds the other, or it has this element or key.
  case has(QueryValue)
  case starts(QueryValue)
  case ends(QueryValue)
  case matches(TextPattern)
  case exists
  case missing
  case isOfType(ValueType)
  /// It differs from what was there before; an absent value counts as one.
  case changed(from: QueryValue?, to: QueryValue?)
  /// A number, or the length of a text or list, is larger than before: by one of these amounts.
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

  /// Whether it is about the state before as well.
  var comparesStates: Bool {
    switch self {
    case .changed, .grew, .shrank: true
    default: false
    }
  }
}
