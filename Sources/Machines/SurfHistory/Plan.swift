package import JSONTree
package import SurfControl

/// A command by the ids of actions, with every part read that the app could refuse.
package enum Plan<Action: Sendable, State: Sendable>: Sendable {
  /// Every command but an import.
  case command(HistoryCommand<UInt64>)
  case replacement(Replacement)

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

  /// One step of a history from elsewhere that becomes a row, in the app's own types.
  package struct Step: Sendable {
    package let name: String
    package let payload: JSON?
    let action: Action?
    /// Nil if the states take too much memory.
    package let state: State?
    let isSkipped: Bool
  }

  /// Bounds on what is kept of a history from elsewhere. A state after each of its actions may take
  /// more memory than the machine has.
  package struct Room: Sendable {
    /// The newest steps that become rows.
    package var rowCountMax = Int.max
    /// Octets of states; the newest is kept in any case.
    package var stateSizeMax = Int.max
    /// The octets that a state takes; asked of some states only.
    package var size: @Sendable (State) -> Int = { _ in 0 }
    /// Called now and then with the number of steps that are done. Each step counts twice.
    package var note: @Sendable (_ done: Int, _ of: Int) throws(RefusedCommand) -> Void = {
      _, _ throws(RefusedCommand) in
    }

    /// Room for all of it.
    package init() {}
  }

  /// A history from elsewhere.
  package struct Replacement: Sendable {
    let committed: State
    package let isInitial: Bool
    package let stepCount: Int
    /// Before the first of `steps` that has a state.
    let earlier: State
    /// The newest, which become rows.
    let steps: [Step]
    /// The step, from 0, whose state the app must be in, and that state; nil for `committed`.
    let current: (index: Int, state: State)?

    /// Steps that become no rows, because they are too many; the oldest.
    package var rowlessCount: Int { stepCount - steps.count }
    var keepsAll: Bool { rowlessCount == 0 && steps.first?.state != nil }
  }

  /// The meaning of `command` for `log`.
  package init(
    _ command: HistoryCommand<UInt64>, in log: ActionLog<Action, State>, reading reader: Reader,
    keeping room: Room = Room()
  ) throws(RefusedCommand) {
    guard case .replace(let history) = command else {
      self = .command(command)
      return
    }
    self = .replacement(try Replacement(history, in: log, reading: reader, keeping: room))
  }
}

extension Plan.Replacement {
  /// Goes through the steps twice. First it checks them all, and learns how large states become;
  /// then it knows which to keep. Nothing else is kept of the others.
  package init(
    _ source: some StepSource, in log: ActionLog<Action, State>, reading reader: Plan.Reader,
    keeping room: Plan.Room = Plan.Room()
  ) throws(RefusedCommand) {
    stepCount = source.stepCount
    isInitial = source.committed == nil
    committed = try source.committed.map(reader.state) ?? log.initial
    let reading = Plan.Reading(source, log, reader, room)
    let (actions, sizeMax) = try reading.check(from: committed)
    let rowCount = min(stepCount, room.rowCountMax)
    let stateCount = min(rowCount, max(1, room.stateSizeMax / max(1, sizeMax)))
    let last = stepCount - 1
    let wanted = source.current.flatMap { last < 0 ? nil : min(max(0, $0), last) }
    let kept = try reading.keep(
      rows: rowCount, states: stateCount, current: wanted, of: actions, from: committed)
    (earlier, steps, current) = (kept.earlier, kept.steps, kept.current)
  }
}

extension Plan {
  /// A history from elsewhere that is gone through.
  fileprivate struct Reading<Source: StepSource> {
    private let source: Source
    private let log: ActionLog<Action, State>
    private let reader: Reader
    private let room: Room

    /// What the second time needs of the first.
    struct ReadAction: Sendable {
      let action: Action?
      let isSkipped: Bool
      let bringsState: Bool
    }

    /// Steps between two words on how far it is.
    private static var noteSpacing: Int { 256 }
    /// States whose size is asked for.
    private static var sampleCount: Int { 64 }

    init(_ source: Source, _ log: ActionLog<Action, State>, _ reader: Reader, _ room: Room) {
      (self.source, self.log, self.reader, self.room) = (source, log, reader, room)
    }

    /// Reads every action and state, and computes the states that are missing.
    func check(
      from committed: State
    ) throws(RefusedCommand) -> (actions: [ReadAction], sizeMax: Int) {
      var state = committed
      var sizeMax = room.size(state)
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
          sizeMax = max(sizeMax, room.size(state))
        }
      }
      return (actions, sizeMax)
    }

    typealias Kept = (earlier: State, steps: [Step], current: (index: Int, state: State)?)

    /// Goes through it again, and keeps the newest states.
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
            name: step.name, payload: step.action, action: read.action,
            state: index >= firstState ? state : nil, isSkipped: read.isSkipped))
      }
      return kept
    }

    private func note(_ index: Int) throws(RefusedCommand) {
      if index % Self.noteSpacing == 0 { try room.note(index, 2 * source.stepCount) }
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
          // It keeps its state; it only cannot be run again.
        }
      }
      guard step.state != nil || log.isExact else {
        throw RefusedCommand("it has no state, and this app runs no action again")
      }
      return ReadAction(
        action: action, isSkipped: step.isSkipped, bringsState: step.state != nil)
    }
  }
}

extension ActionLog {
  /// Takes in a history from elsewhere as if it had happened now.
  mutating func replace(
    by other: Plan<Action, State>.Replacement,
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
