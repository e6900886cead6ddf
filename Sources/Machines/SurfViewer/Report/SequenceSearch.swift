import JSONTree
import SurfWire

/// An action as a search for sequences sees it.
struct ReportedAction {
  let row: SequenceNumber
  let identity: ActionIdentity
  /// Whether it changed the state; nil if that is not known.
  let isChanged: Bool?
  let state: JSON?
}

/// Looks for odd sequences among actions, one after the other.
struct SequenceSearch {
  private(set) var tallies: [OddSequence: SequenceTally] = [:]
  private var past: (older: ReportedAction?, newer: ReportedAction?)
  private var repetition: ActionRun?
  private var oscillation: (sequence: OddSequence, run: ActionRun)?

  /// Each of two actions twice: fewer are a way there and back.
  private static let oscillationCountMin = 4

  mutating func add(_ action: ReportedAction) {
    repeats(action)
    oscillates(action)
    past = (past.newer, action)
  }

  /// What comes now does not follow from what came.
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

  /// Whether an action does again what the one before the last did, and undoes the last.
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
