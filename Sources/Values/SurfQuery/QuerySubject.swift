import JSONTools
import JSONTree
import SurfWire

/// A row of a history with all that a query can ask of it.
package struct QuerySubject: Sendable {
  package var record: Record
  /// The state in which the app was after it; nil if it is not here, or not JSON.
  package var state: JSON?
  /// The state that this one grew from; nil if it is not here, or not JSON.
  package var before: JSON?
  /// Whether these two differ, if that is known without comparing them.
  package var isChanged: Bool?
  /// How its states follow those of the row asked about before; nil if that is not known.
  package var step: StateStep?
  /// Octets of its own state.
  package var stateSize: Int?
  /// Octets of the state that it grew from.
  package var sizeBefore: Int?
  /// Nanoseconds since the row before it.
  package var sinceBefore: UInt64?
  /// Who brought it about, if a viewer did.
  package var viewer: String?
  /// Names of its app: any of them will do.
  package var appNames: [String] = []
  /// Of the query's fields `chain` those in whose chain it is.
  package var chains: Set<[QueryChoice]> = []

  package init(_ record: Record, state: JSON? = nil, before: JSON? = nil) {
    self.record = record
    self.state = state
    self.before = before
  }
}

/// How a walk of a history came from one row to the next, if that grew from the state after it.
package struct StateStep: Sendable {
  /// Counts the rows of one walk. A number is left out where the walk begins anew.
  package let number: Int
  /// What tells the state from the state before; nil if that is not known.
  package let changes: [JSONReplacement]?

  package init(_ number: Int, changes: [JSONReplacement]?) {
    self.number = number
    self.changes = changes
  }
}
