import JSONTree

/// Where values stand: `todos[3].title`, `before.user`, `payload..email`.
package struct QueryPlace: Hashable, Sendable {
  package enum Root: String, CaseIterable, Sendable {
    /// The state after the row.
    case state
    /// The state before it.
    case before
    /// What came with the record.
    case payload
  }

  /// One way down, or several at once.
  package enum Step: Hashable, Sendable {
    /// To the member of this name; in an array, to the element that the name counts.
    case key(String)
    /// To an element, from 0; from the end, below that.
    case index(Int)
    /// To each member or element.
    case each
    /// To the members of this name at any depth.
    case deep(String)
    /// To the elements whose member of this name is equal to a value.
    case element(String, QueryValue)
    /// The rest of the way is walked from each member or element, and what is found becomes one
    /// number.
    case sum(Aggregate)
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

/// What values are compared with.
package indirect enum QueryValue: Hashable, Sendable {
  case null
  case bool(Bool)
  /// Equal to this number however it is written, and to a string that is written like it.
  case number(JSONNumber)
  case string(String)
  /// The values there; one that fits is enough.
  case place(QueryPlace)
}
