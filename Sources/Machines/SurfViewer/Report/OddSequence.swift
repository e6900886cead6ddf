import SurfWire

/// Actions that followed each other in a way that an app may not have meant.
package enum OddSequence: Hashable, Sendable {
  /// The same action with the same payload, twice or more often.
  case repetition(ActionIdentity)
  /// Two actions in turn, each at least twice, and the states return with them.
  case oscillation(ActionIdentity, ActionIdentity)

  package var actions: [ActionIdentity] {
    switch self {
    case .repetition(let action): [action]
    case .oscillation(let first, let second): [first, second]
    }
  }
}

/// How often a sequence was there, and where.
package struct SequenceTally: Equatable, Sendable {
  package let sequence: OddSequence
  package internal(set) var runCount = 1
  package internal(set) var longest: ActionRun
  /// Actions of all runs that are known to have left the state as it was.
  package internal(set) var unchangedCount: Int
}

/// A sequence at one place. Rows that are no actions may stand between its rows.
package struct ActionRun: Equatable, Sendable {
  package private(set) var rows: ClosedRange<SequenceNumber>
  package private(set) var count: Int
  private(set) var unchangedCount: Int

  /// Of one action, or of several.
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

/// What an action was: two actions with the same name and payload are the same.
package struct ActionIdentity: Hashable, Sendable {
  package let name: String
  package let payload: Content?

  init(_ record: Record) { (name, payload) = (record.name, record.payload) }

  /// `add` of `add("Milk")`, and a name without values as it is.
  static func nameWithoutValues(_ name: String) -> String {
    let stem = name.prefix { $0 != "(" }
    return stem.isEmpty ? name : String(stem)
  }
}
