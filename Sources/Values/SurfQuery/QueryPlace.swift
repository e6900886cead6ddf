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
  case null
  case bool(Bool)
  /// Equals the same number in any spelling, and a string in exactly this spelling.
  case number(JSONNumber)
  case string(String)
  /// The values at another place. One that fits is enough.
  case place(QueryPlace)
}
