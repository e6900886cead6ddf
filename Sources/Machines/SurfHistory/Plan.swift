package import JSONTree
package import SurfControl

/// A command in the ids of actions, ready for `History.perform`. The states and actions of an
/// import are decoded here, before the store's turn. Every other command passes through unchanged,
/// and `History.perform` may still refuse it.
package indirect enum Plan<Action: Sendable, State: Sendable>: Sendable {
  /// Any command except an import.
  case command(HistoryCommand<UInt64>)
  case imported(ImportedHistory)

  /// Decodes the actions and states of an app.
  package struct Reader: Sendable {
    let action: @Sendable (JSON) throws(RefusedCommand) -> Action
    let state: @Sendable (JSON) throws(RefusedCommand) -> State

    package init(
      action: @escaping @Sendable (JSON) throws(RefusedCommand) -> Action,
      state: @escaping @Sendable (JSON) throws(RefusedCommand) -> State
    ) {
      (self.action, self.state) = (action, state)
    }
  }

  /// A step of an imported history that becomes a row. A class, because Swift would write code to
  /// copy each part for any types of the app's.
  package final class Step: Sendable {
    package let name: String
    package let payload: JSON?
    let action: Action?
    /// Nil for an older step whose state exceeds the limit on memory.
    package let state: State?
    let isSkipped: Bool

    fileprivate init(
      _ step: ForeignHistory.Step, action: Action?, state: State?, isSkipped: Bool
    ) {
      (name, payload) = (step.name, step.action)
      (self.action, self.state, self.isSkipped) = (action, state, isSkipped)
    }
  }

  /// Limits how much of an imported history is kept. A state for each of its actions may take more
  /// memory than the machine has.
  package struct ImportLimits: Sendable {
    /// The most steps that become rows, counted from the newest.
    package var rowCountMax = Int.max
    /// The most octets of states. The newest state is kept in any case.
    package var stateSizeMax = Int.max
    /// Returns the octets that a state takes. Called for a sample of the states only.
    package var size: @Sendable (State) -> Int = { _ in 0 }
    /// Reports progress now and then. Each step counts twice, as it is read twice.
    package var note: @Sendable (_ done: Int, _ of: Int) throws(RefusedCommand) -> Void = {
      _, _ throws(RefusedCommand) in
    }

    package init() {}
  }

  /// A history to import, decoded and cut to its limits. A class for the same reason.
  package final class ImportedHistory: Sendable {
    let committed: State
    package let isInitial: Bool
    package let stepCount: Int
    /// The state before the first of `steps` that has a state.
    let earlier: State
    /// The newest steps, which become rows.
    let steps: [Step]
    /// The step, by its index in the whole history, whose state the app must be in, and that state;
    /// nil for `committed`.
    let current: (index: Int, state: State)?

    /// The oldest steps, which become no rows because there are too many.
    package var rowlessCount: Int { stepCount - steps.count }
    var keepsAll: Bool { rowlessCount == 0 && steps.first?.state != nil }

    /// Reads the steps twice. The first pass checks all of them and samples the size of the states,
    /// which decides how many the second pass keeps.
    package init(
      _ source: some StepSource, in log: ActionLog<Action, State>, reading reader: Plan.Reader,
      keeping limits: Plan.ImportLimits = Plan.ImportLimits()
    ) throws(RefusedCommand) {
      stepCount = source.stepCount
      isInitial = source.committed == nil
      committed = try source.committed.map(reader.state) ?? log.initial
      let importer = Plan.Importer(source, log, reader, limits)
      let (actions, sizeMax) = try importer.check(from: committed)
      let rowCount = min(stepCount, limits.rowCountMax)
      let stateCount = min(rowCount, max(1, limits.stateSizeMax / max(1, sizeMax)))
      let last = stepCount - 1
      let wanted = source.current.flatMap { last < 0 ? nil : min(max(0, $0), last) }
      let kept = try importer.keep(
        rows: rowCount, states: stateCount, current: wanted, of: actions, from: committed)
      (earlier, steps, current) = (kept.earlier, kept.steps, kept.current)
    }
  }

  /// Decodes `command` if it is an import.
  package init(
    _ command: HistoryCommand<UInt64>, in log: ActionLog<Action, State>, reading reader: Reader,
    keeping limits: ImportLimits = ImportLimits()
  ) throws(RefusedCommand) {
    guard case .replace(let history) = command else {
      self = .command(command)
      return
    }
    self = .imported(try ImportedHistory(history, in: log, reading: reader, keeping: limits))
  }
}

extension Plan {
  /// Makes the two passes over an imported history. A class for the same reason.
  fileprivate final class Importer<Source: StepSource> {
    private let source: Source
    private let log: ActionLog<Action, State>
    private let reader: Reader
    private let limits: ImportLimits

    /// Passed from the first pass to the second.
    struct ReadAction: Sendable {
      let action: Action?
      let isSkipped: Bool
      let bringsState: Bool
    }

    /// Steps between two progress reports.
    private static var noteSpacing: Int { 256 }
    /// How many states are measured.
    private static var sampleCount: Int { 64 }

    init(
      _ source: Source, _ log: ActionLog<Action, State>, _ reader: Reader, _ limits: ImportLimits
    ) {
      (self.source, self.log, self.reader, self.limits) = (source, log, reader, limits)
    }

    /// The first pass: decodes every action and state, and computes the states that are missing.
    func check(
      from committed: State
    ) throws(RefusedCommand) -> (actions: [ReadAction], sizeMax: Int) {
      var state = committed
      var sizeMax = limits.size(state)
      var actions: [ReadAction] = []
      let count = source.stepCount
      let sampleSpacing = max(1, count / Self.sampleCount)
      for index in 0..<count {
        try note(index)
        let step = try step(index)
        do throws(RefusedCommand) {
          let read = try self.read(step)
          if let told = step.state {
            state = try reader.state(told)
          } else {
            log.run(read.action, isSkipped: read.isSkipped, on: &state)
          }
          actions.append(read)
        } catch {
          throw RefusedCommand("step \(index + 1), \(step.name): \(error.description)")
        }
        if index % sampleSpacing == 0 || index == count - 1 {
          sizeMax = max(sizeMax, limits.size(state))
        }
      }
      return (actions, sizeMax)
    }

    typealias Kept = (earlier: State, steps: [Step], current: (index: Int, state: State)?)

    /// The second pass: keeps the newest rows and states.
    func keep(
      rows rowCount: Int, states stateCount: Int, current wanted: Int?, of actions: [ReadAction],
      from committed: State
    ) throws(RefusedCommand) -> Kept {
      var state = committed
      var kept: Kept = (committed, [], nil)
      let firstRow = actions.count - rowCount
      let firstState = actions.count - stateCount
      for (index, read) in actions.enumerated() {
        try note(actions.count + index)
        if index == firstState { kept.earlier = state }
        let step = index >= firstRow || read.bringsState ? try step(index) : nil
        if let told = step?.state {
          state = try reader.state(told)
        } else {
          log.run(read.action, isSkipped: read.isSkipped, on: &state)
        }
        if index == wanted { kept.current = (index, state) }
        guard let step, index >= firstRow else { continue }
        kept.steps.append(
          Step(
            step, action: read.action, state: index >= firstState ? state : nil,
            isSkipped: read.isSkipped))
      }
      return kept
    }

    private func note(_ index: Int) throws(RefusedCommand) {
      if index % Self.noteSpacing == 0 { try limits.note(index, 2 * source.stepCount) }
    }

    private func step(_ index: Int) throws(RefusedCommand) -> ForeignHistory.Step {
      do throws(ControlError) {
        return try source.step(index)
      } catch {
        throw RefusedCommand(error.description)
      }
    }

    private func read(_ step: ForeignHistory.Step) throws(RefusedCommand) -> ReadAction {
      var action: Action?
      if let json = step.action {
        do throws(RefusedCommand) {
          action = try reader.action(json)
        } catch  where step.state != nil {
          // The step has a state, so it only cannot be run again.
        }
      }
      guard step.state != nil || log.isExact else {
        throw RefusedCommand("it has no state, and this app cannot run actions again")
      }
      return ReadAction(
        action: action, isSkipped: step.isSkipped, bringsState: step.state != nil)
    }
  }
}

extension ActionLog {
  /// Replaces all actions with an imported history, as if it had happened now.
  mutating func replace(
    by other: Plan<Action, State>.ImportedHistory,
    entering enter: (Plan<Action, State>.Step) throws(RefusedCommand) -> UInt64
  ) throws(RefusedCommand) {
    restart(from: other.committed, isInitial: other.isInitial)
    var currentID: UInt64?
    for (index, step) in other.steps.enumerated() {
      let id = try enter(step)
      if index + other.rowlessCount == other.current?.index { currentID = id }
      guard let state = step.state else { continue }
      if entries.isEmpty, !other.keepsAll { begin(at: other.earlier, with: id) }
      append(id, step.action, state)
      markSkipped(id, step.isSkipped)
    }
    if let current = other.current {
      move(to: currentID, current.state)
    } else if other.keepsAll || other.stepCount == 0 {
      moveToBeginning()
    } else {
      move(to: nil, other.committed)
    }
  }
}
