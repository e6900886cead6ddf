import JSONTree
import Redaction
import SurfWire

/// An action as `SequenceSearch` sees it.
struct ReportedAction {
  let row: SequenceNumber
  let identity: ActionIdentity
  /// Nil if unknown.
  let isChanged: Bool?
  let state: JSON?
}

/// Finds odd sequences in a history's actions, for `HistoryReport`.
struct SequenceSearch {
  private(set) var tallies: [OddSequence: SequenceTally] = [:]
  private var past: (older: ReportedAction?, newer: ReportedAction?)
  private var repetition: ActionRun?
  private var oscillation: (sequence: OddSequence, run: ActionRun)?

  /// Each of two actions twice. Fewer are only there and back.
  private static let oscillationCountMin = 4

  mutating func add(_ action: ReportedAction) {
    repeats(action)
    oscillates(action)
    past = (past.newer, action)
  }

  /// Ends the current sequences: the next action does not follow from the last.
  mutating func interrupt() {
    endRepetition()
    endOscillation()
    past = (nil, nil)
  }

  private mutating func repeats(_ action: ReportedAction) {
    if past.newer?.identity != action.identity { endRepetition() }
    if repetition?.add(action) == nil { repetition = ActionRun(action) }
  }

  private mutating func oscillates(_ action: ReportedAction) {
    guard let older = past.older, let newer = past.newer, returns(action, older, newer) else {
      return endOscillation()
    }
    if oscillation?.run.add(action) == nil {
      oscillation = (
        .oscillation(older.identity, newer.identity),
        ActionRun(older, count: 3, through: action)
      )
    }
  }

  /// Whether `action` repeats `older` and undoes `newer`.
  private func returns(
    _ action: ReportedAction, _ older: ReportedAction, _ newer: ReportedAction
  ) -> Bool {
    action.isChanged == true && newer.isChanged == true && action.identity == older.identity
      && action.identity != newer.identity && action.state != nil && action.state == older.state
      // Marks are equal whatever they replace.
      && action.state?.hasMark == false
  }

  private mutating func endRepetition() {
    if let run = repetition, run.count > 1, let action = past.newer {
      note(run, of: .repetition(action.identity))
    }
    repetition = nil
  }

  private mutating func endOscillation() {
    if let (sequence, run) = oscillation, run.count >= Self.oscillationCountMin {
      note(run, of: sequence)
    }
    oscillation = nil
  }

  private mutating func note(_ run: ActionRun, of sequence: OddSequence) {
    guard var tally = tallies[sequence] else {
      tallies[sequence] = SequenceTally(
        sequence: sequence, longest: run, unchangedCount: run.unchangedCount)
      return
    }
    tally.runCount += 1
    tally.unchangedCount += run.unchangedCount
    if run.count > tally.longest.count { tally.longest = run }
    tallies[sequence] = tally
  }
}

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
  package static func nameWithoutValues(_ name: String) -> String {
    let stem = name.prefix { $0 != "(" }
    return stem.isEmpty ? name : String(stem)
  }
}
