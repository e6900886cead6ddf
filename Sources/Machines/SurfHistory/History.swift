package import SurfControl

/// An app's own history: its actions, which of them are skipped, whether it is locked or paused.
///
/// The `Controller` of an app, or `NumberedHistory` for a relay, reports events in the order that
/// they happen. Ids ascend; 0 is the beginning.
package struct History<Action: Sendable, State: Sendable>: Sendable {
  /// The effect of a command.
  package struct Change: Sendable {
    /// The actions whose states were recomputed; nil if no row has changed.
    package var computed: Set<UInt64>?
    /// Whether the caller must put the app into `log.state`.
    package var movesApp = false
    /// After a pause: how many actions were not recorded.
    package var unrecordedCount: Int?
  }

  package private(set) var log: ActionLog<Action, State>
  package private(set) var isLocked = false
  package private(set) var isPaused = false
  /// Whether the app is in a state that no record contains.
  private var isElsewhere = false
  /// The newest rewrites: the record of each, and the action whose state the app was in then.
  private var rewrites: [(record: UInt64, action: UInt64)] = []
  /// More rewrites than anybody goes back to.
  private static var rewriteCountMax: Int { 1 << 8 }
  /// Actions since the pause began.
  private var unrecordedCount = 0

  package init(_ log: ActionLog<Action, State>) { self.log = log }

  /// Adds an action that the app has just carried out.
  package mutating func record(_ id: UInt64, _ action: Action?, _ state: State) {
    log.append(id, action, state)
    isElsewhere = false
  }

  /// Notes an action that is not recorded. The next one builds on its state.
  ///
  /// - Returns: False if the action before this one was not recorded either.
  package mutating func miss(_ state: State) -> Bool {
    defer { isElsewhere = true }
    log.move(to: nil, state)
    if isPaused { unrecordedCount &+= 1 }
    return !isElsewhere
  }

  /// Notes that the app was put into a state: an action's, the initial one (0), or any other (nil).
  ///
  /// - Parameter isFormer: Whether this is the action's state from before a rewrite.
  package mutating func moved(to id: UInt64?, _ state: State, isFormer: Bool = false) {
    log.move(to: id, state, isFormer: isFormer)
    isElsewhere = false
  }

  /// Notes the id of the record of the rewrite that `perform` has just made.
  package mutating func noteRewrite(_ record: UInt64) {
    guard case .entry(let action) = log.place else { return }
    if rewrites.count == Self.rewriteCountMax { rewrites.removeFirst() }
    rewrites.append((record, action))
  }

  /// The action whose state a record has. For a rewrite, that is the action the app was at.
  package func action(of record: UInt64) -> UInt64 {
    rewrites.last { $0.record == record }?.action ?? record
  }

  /// Notes that the app was put into the state that history begins with.
  package mutating func movedToBeginning() {
    log.moveToBeginning()
    isElsewhere = false
  }

  package mutating func evict(_ count: Int) { log.evict(count) }

  /// Ends the pause and the lock of a viewer that is gone.
  package mutating func release() {
    (isPaused, isLocked, unrecordedCount) = (false, false, 0)
  }
}

extension History {
  /// Carries out a command, or refuses it and changes nothing. But if `enter` throws, part of an
  /// import stays in the history. The caller dispatches actions itself.
  ///
  /// - Parameters:
  ///   - state: The app's, between two actions.
  ///   - enter: Records a step of an import, and returns its id.
  package mutating func perform(
    _ plan: Plan<Action, State>, in state: State,
    entering enter: (Plan<Action, State>.Step) throws(RefusedCommand) -> UInt64
  ) throws(RefusedCommand) -> Change {
    guard case .command(let command) = plan else {
      if case .imported(let other) = plan { try log.replace(by: other, entering: enter) }
      isElsewhere = false
      return Change(computed: [], movesApp: true)
    }
    let visits = log.visited != nil
    switch command {
    case .toggle(let id, let skipped): return rewritten(try log.setSkipped(skipped, id), visits)
    case .move(let id, let before): return rewritten(try log.reorder(id, before: before), visits)
    case .sweep: log.sweep()
    case .commit: log.commit(state)
    case .rollback: log.rollback()
    case .reset: log.reset()
    case .pause(let on): return pause(on)
    case .lock(let on):
      isLocked = on
      return Change()
    // A plan turns `.replace` into `.imported`.
    case .dispatch, .describe, .drive, .replace: return Change()
    }
    isElsewhere = false
    return Change(computed: [], movesApp: command.movesApp)
  }

  private mutating func rewritten(_ computed: Set<UInt64>, _ visits: Bool) -> Change {
    isElsewhere = false
    let isMoved = if case .entry(let id) = log.place { computed.contains(id) } else { false }
    return Change(computed: computed, movesApp: isMoved || visits || !log.isExact)
  }

  private mutating func pause(_ on: Bool) -> Change {
    defer { (isPaused, unrecordedCount) = (on, 0) }
    return Change(unrecordedCount: on ? nil : unrecordedCount)
  }
}

extension HistoryCommand {
  /// Whether a `sweep`, `commit`, `rollback` or `reset` changes the app's state.
  fileprivate var movesApp: Bool {
    switch self {
    case .sweep, .commit: false
    default: true
    }
  }
}
