import JSONTree
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
