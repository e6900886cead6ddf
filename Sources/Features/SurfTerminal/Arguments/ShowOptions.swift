import JSONTools

/// What to show of a row.
package struct ShowOptions: Equatable, Sendable {
  package var row: RowReference
  package var part: Part
  /// A place in it; the root for all of it.
  package var path: JSONPath
  package var form: Form

  package enum Part: String, Equatable, Sendable { case state, payload }

  package enum Form: Equatable, Sendable {
    /// For people.
    case laidOut
    /// The bytes as they came.
    case raw
    /// One object on a line.
    case json
  }

  package init(
    _ row: RowReference = .app, _ part: Part = .state, path: JSONPath = JSONPath(),
    form: Form = .laidOut
  ) {
    self.row = row
    self.part = part
    self.path = path
    self.form = form
  }
}

/// Which two states to compare, and how to print what differs.
package struct DiffOptions: Equatable, Sendable {
  /// Nil for the row that `new` grew from; of two instances, for the newest.
  package var old: RowReference?
  package var new: RowReference
  /// A place in both; the root for all of them.
  package var path: JSONPath
  package var form: Form
  /// The name of the instance that `new` is a row of, if it is another one.
  package var other: String?

  package enum Form: Equatable, Sendable {
    /// For people.
    case lines
    /// One object on a line for each change.
    case json
    /// A document by RFC 6902, which makes the new state of the old one.
    case patch
  }

  package init(
    _ old: RowReference? = nil, _ new: RowReference = .tip(before: 0),
    path: JSONPath = JSONPath(), form: Form = .lines, other: String? = nil
  ) {
    self.old = old
    self.new = new
    self.path = path
    self.form = form
    self.other = other
  }
}
