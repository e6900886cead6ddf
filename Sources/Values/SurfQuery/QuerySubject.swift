import JSONTools
import JSONTree
import SurfWire

/// A row of a history with everything that a query can ask about it. `RowWalk` fills it in.
package struct QuerySubject: Sendable {
  package var record: Record
  /// The app's state after the row. Nil if it is missing or not JSON.
  package var state: JSON?
  /// The state that `state` grew from. Nil if it is missing or not JSON.
  package var before: JSON?
  /// Whether these two differ, if that is known without comparing them.
  package var isChanged: Bool?
  /// How the row follows the one asked about before. Nil if unknown.
  package var step: StateStep?
  /// Octets of the row's own state.
  package var stateSize: Int?
  /// Octets of the state that it grew from.
  package var sizeBefore: Int?
  /// Nanoseconds since the previous row.
  package var sinceBefore: UInt64?
  /// The viewer that caused the row, if one did.
  package var viewer: String?
  /// The app's names. `app:` matches any of them.
  package var appNames: [String] = []
  /// The `chain` fields of the query whose chain contains the row.
  package var chains: Set<[QueryChoice]> = []

  package init(_ record: Record, state: JSON? = nil, before: JSON? = nil) {
    self.record = record
    self.state = state
    self.before = before
  }
}

/// A step of a walk through a history, from one row to the next.
package struct StateStep: Sendable {
  /// Counts the rows of one walk. The walk skips a number where it begins anew.
  package let number: Int
  /// How the state differs from the state before. Nil if unknown.
  package let changes: [JSONReplacement]?

  package init(_ number: Int, changes: [JSONReplacement]?) {
    self.number = number
    self.changes = changes
  }
}
