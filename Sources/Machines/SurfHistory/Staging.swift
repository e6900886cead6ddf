package import JSONTree
package import SurfControl

/// The log after a command, copied in the store's turn. The recorder's thread later turns it into
/// the rows and JSON of a revision record.
package struct Staging<State: Sendable>: Sendable {
  private let horizon: UInt64
  /// Nil unless history begins here: otherwise viewers have earlier rows.
  private let committed: State?
  private let items: [(id: UInt64, isSkipped: Bool, state: State?)]
  private let current: UInt64?

  /// - Parameter changed: The ids of the actions whose states were recomputed.
  package init<Action>(_ log: ActionLog<Action, State>, changed: Set<UInt64>) {
    horizon = log.horizon
    committed = log.horizon == 0 ? log.committed : nil
    items = log.entries.map { entry in
      (entry.id, entry.isSkipped, changed.contains(entry.id) ? entry.state : nil)
    }
    current = if case .entry(let id) = log.place { id } else { nil }
  }

  /// The staging of a revision record, with the ids as rows and the states as JSON.
  package func revision(
    row: (UInt64) -> UInt64, json: (State) throws -> JSON
  ) rethrows -> Revision.Staging {
    Revision.Staging(
      oldest: horizon == 0 ? 0 : row(horizon), committed: try committed.map(json),
      items: try items.map { item in
        Revision.Item(
          row: row(item.id), isSkipped: item.isSkipped, state: try item.state.map(json))
      },
      current: current.map(row))
  }
}
