package import JSONTree
package import SurfControl

/// A command by the ids of actions, with every part decoded that the app could refuse.
package struct Plan<Action: Sendable, State: Sendable>: Sendable {
  /// Reads an app's own types.
  package struct Reader: Sendable {
    let action: @Sendable (JSON) throws(RefusedCommand) -> Action
    let state: @Sendable (JSON) throws(RefusedCommand) -> State

    /// The functions that read actions and states.
    package init(
      action: @escaping @Sendable (JSON) throws(RefusedCommand) -> Action,
      state: @escaping @Sendable (JSON) throws(RefusedCommand) -> State
    ) {
      (self.action, self.state) = (action, state)
    }
  }

  /// One step of a history from elsewhere, in the app's own types.
  package struct Step: Sendable {
    package let name: String
    package let payload: JSON?
    let action: Action?
    package let state: State
    let isSkipped: Bool
  }

  /// A history from elsewhere.
  struct Replacement: Sendable {
    let committed: State
    let isInitial: Bool
    var steps: [Step] = []
    var current: Int?
  }

  package let command: HistoryCommand<UInt64>
  let replacement: Replacement?

  /// Whether the history that it brings begins in the initial state; nil if it brings none.
  package var beginsAtStart: Bool? { replacement?.isInitial }

  /// The meaning of `command` for `log`.
  package init(
    _ command: HistoryCommand<UInt64>, in log: ActionLog<Action, State>, reading reader: Reader
  ) throws(RefusedCommand) {
    self.command = command
    guard case .replace(let history) = command else {
      replacement = nil
      return
    }
    replacement = try Replacement(history, in: log, reading: reader)
  }
}

extension Plan.Replacement {
  fileprivate init(
    _ history: ForeignHistory, in log: ActionLog<Action, State>, reading reader: Plan.Reader
  ) throws(RefusedCommand) {
    isInitial = history.committed == nil
    committed = try history.committed.map(reader.state) ?? log.initial
    for (index, step) in history.steps.enumerated() {
      do throws(RefusedCommand) {
        let before = steps.last?.state ?? committed
        steps.append(try Plan.Step(step, after: before, in: log, reading: reader))
      } catch {
        throw RefusedCommand("step \(index + 1), \(step.name): \(error.description)")
      }
    }
    guard let wanted = history.current, !steps.isEmpty else { return }
    current = min(max(0, wanted), steps.count - 1)
  }
}

extension Plan.Step {
  fileprivate init(
    _ step: ForeignHistory.Step, after before: State, in log: ActionLog<Action, State>,
    reading reader: Plan.Reader
  ) throws(RefusedCommand) {
    var action: Action?
    if let json = step.action {
      do throws(RefusedCommand) {
        action = try reader.action(json)
      } catch  where step.state != nil {
        // It keeps its state; it only cannot be run again.
      }
    }
    guard step.state != nil || log.isExact else {
      throw RefusedCommand("it has no state, and this app runs no action again")
    }
    (name, payload, self.action) = (step.name, step.action, action)
    state =
      try step.state.map(reader.state)
      ?? log.outcome(of: action, isSkipped: step.isSkipped, on: before)
    isSkipped = step.isSkipped
  }
}

extension ActionLog {
  /// Takes in a history from elsewhere as if it had happened now.
  mutating func replace(
    by other: Plan<Action, State>.Replacement,
    entering enter: (Plan<Action, State>.Step) throws(RefusedCommand) -> UInt64
  ) throws(RefusedCommand) {
    restart(from: other.committed, isInitial: other.isInitial)
    var ids: [UInt64] = []
    for step in other.steps {
      let id = try enter(step)
      ids.append(id)
      append(id, step.action, step.state)
      markSkipped(id, step.isSkipped)
    }
    if let current = other.current {
      move(to: ids[current], other.steps[current].state)
    } else {
      moveToBeginning()
    }
  }
}
