package import SurfControl

/// An app's own history: its actions, which of them count, and whether it takes in more.
///
/// The driver reports events in the order in which they happen. Ids ascend; 0 is the beginning.
package struct History<Action: Sendable, State: Sendable>: Sendable {
  /// The effect of a command.
  package struct Change: Sendable {
    /// The actions whose state was computed anew; nil if the rows are unchanged.
    package var computed: Set<UInt64>?
    /// Whether the app must be put into the state of the log.
    package var movesApp = false
    /// Actions of a pause that has ended: they were not recorded.
    package var unrecordedCount: Int?
  }

  package private(set) var log: ActionLog<Action, State>
  package private(set) var isLocked = false
  package private(set) var isPaused = false
  /// Whether the app is known to be in a state that no record carries.
  private var isElsewhere = false
  /// The newest rewrites: the record of each, and the action whose state the app was in then.
  private var rewrites: [(record: UInt64, action: UInt64)] = []
  /// More rewrites than people go back to.
  private static var rewriteCountMax: Int { 1 << 8 }
  /// Actions not recorded since the pause began.
  private var unrecordedCount = 0

  /// A history that begins now.
  package init(_ log: ActionLog<Action, State>) { self.log = log }

  /// An action happened where the app was.
  package mutating func record(_ id: UInt64, _ action: Action?, _ state: State) {
    log.append(id, action, state)
    isElsewhere = false
  }

  /// Something happened that no viewer will hear of: the next action builds on its state.
  ///
  /// - Returns: whether that is news.
  package mutating func miss(_ state: State) -> Bool {
    defer { isElsewhere = true }
    log.move(to: nil, state)
    if isPaused { unrecordedCount &+= 1 }
    return !isElsewhere
  }

  /// The app was put into a state: that of an action, of its start (0), or any other.
  ///
  /// - Parameter isFormer: whether the action led to this state once, and leads to another one now.
  package mutating func moved(to id: UInt64?, _ state: State, isFormer: Bool = false) {
    log.move(to: id, state, isFormer: isFormer)
    isElsewhere = false
  }

  /// A rewrite that has just happened has this record.
  package mutating func noteRewrite(_ record: UInt64) {
    guard case .entry(let action) = log.place else { return }
    if rewrites.count == Self.rewriteCountMax { rewrites.removeFirst() }
    rewrites.append((record, action))
  }

  /// The action that a record stands for. For a rewrite, the app was in the state of that action.
  package func action(of record: UInt64) -> UInt64 {
    rewrites.last { $0.record == record }?.action ?? record
  }

  /// The app was put into the state that history begins with.
  package mutating func movedToBeginning() {
    log.moveToBeginning()
    isElsewhere = false
  }

  /// Forgets the oldest actions.
  package mutating func evict(_ count: Int) { log.evict(count) }

  /// The viewer that had paused or locked it is gone.
  package mutating func release() {
    (isPaused, isLocked, unrecordedCount) = (false, false, 0)
  }
}

extension History {
  /// Carries out all of a command or nothing; the app itself dispatches an action.
  ///
  /// - Parameters:
  ///   - state: The app's, between two actions.
  ///   - enter: Gives each step of another history its id.
  package mutating func perform(
    _ plan: Plan<Action, State>, in state: State,
    entering enter: (Plan<Action, State>.Step) throws(RefusedCommand) -> UInt64
  ) throws(RefusedCommand) -> Change {
    guard case .command(let command) = plan else {
      if case .replacement(let other) = plan { try log.replace(by: other, entering: enter) }
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
    // A plan makes a replacement of an import.
    case .dispatch, .describe, .drive, .replace: return Change()
    }
    isElsewhere = false
    return Change(computed: [], movesApp: command.returns)
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
  /// Whether the command puts the app into another state.
  fileprivate var returns: Bool {
    switch self {
    case .sweep, .commit: false
    default: true
    }
  }
}
