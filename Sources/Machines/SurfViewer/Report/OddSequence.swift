import SurfWire

/// A sequence of actions that the app's author may not have intended. `HistoryReport` finds them.
package enum OddSequence: Hashable, Sendable {
  /// The same action with the same payload, at least twice in a row.
  case repetition(ActionIdentity)
  /// Two alternating actions, each at least twice, between two states.
  case oscillation(ActionIdentity, ActionIdentity)

  package var actions: [ActionIdentity] {
    switch self {
    case .repetition(let action): [action]
    case .oscillation(let first, let second): [first, second]
    }
  }
}

/// How often a sequence occurred, and where it was the longest.
package struct SequenceTally: Equatable, Sendable {
  package let sequence: OddSequence
  package internal(set) var runCount = 1
  package internal(set) var longest: ActionRun
  /// Actions in all its runs that are known to have left the state unchanged.
  package internal(set) var unchangedCount: Int
}

/// One occurrence of a sequence. Rows that are not actions may come between its rows.
package struct ActionRun: Equatable, Sendable {
  package private(set) var rows: ClosedRange<SequenceNumber>
  package private(set) var count: Int
  private(set) var unchangedCount: Int

  init(_ first: ReportedAction, count: Int = 1, through last: ReportedAction? = nil) {
    rows = first.row...(last ?? first).row
    self.count = count
    unchangedCount = first.isChanged == false ? 1 : 0
  }

  mutating func add(_ action: ReportedAction) {
    rows = rows.lowerBound...max(rows.lowerBound, action.row)
    count += 1
    if action.isChanged == false { unchangedCount += 1 }
  }
}

/// Identifies an action: two actions with the same name and payload are the same.
package struct ActionIdentity: Hashable, Sendable {
  package let name: String
  package let payload: Content?

  init(_ record: Record) { (name, payload) = (record.name, record.payload) }

  /// `add` for `add("Milk")`. A name without values stays as it is.
  static func nameWithoutValues(_ name: String) -> String {
    let stem = name.prefix { $0 != "(" }
    return stem.isEmpty ? name : String(stem)
  }
}
