/// A store's latest actions and the states that they led to, for `History` to rewrite. If it skips
/// an action, the actions that built on it run again.
///
/// Each action keeps its *base*, the state that it was applied to. So a history with jumps runs
/// again as it happened, and an action on another branch keeps its state.
///
/// Without a reducer no action runs again, and skipping one is *approximate*: the app moves to the
/// nearest state that counts, and later actions keep their states.
package struct ActionLog<Action: Sendable, State: Sendable>: Sendable {
  /// The state that an action was applied to.
  package enum Base: Sendable {
    /// The state before the first action here.
    case committed
    /// The state after the action with this id.
    case entry(UInt64)
    /// A state that no action in the log led to.
    indirect case outside(State)
  }

  /// An action that happened or was imported.
  package struct Entry: Sendable {
    package let id: UInt64
    /// Nil if it cannot be run again.
    let action: Action?
    var base: Base
    /// The state that the action was applied to when it happened; nil if that is the recorded state
    /// of its base.
    var origin: State?
    /// The state that the action led to when it happened.
    let recorded: State
    /// The state that the action leads to now.
    package internal(set) var state: State
    package internal(set) var isSkipped = false
    /// Whether a rewrite computed `state`.
    var isRevised = false
  }

  /// In the order that they are applied, which `reorder` changes.
  package internal(set) var entries: [Entry] = []
  /// The state before the first action here.
  package private(set) var committed: State
  /// The target of a rollback: the state at the start, or of the last commit or import.
  private(set) var checkpoint: State
  private(set) var isCommitted = false
  /// Actions with lower ids have been dropped; 0 if none has been since history began.
  package private(set) var horizon: UInt64 = 0
  /// The state that the app is in.
  package internal(set) var place = Base.committed
  /// The action that a viewer is looking at, if the app is in its state from before a rewrite.
  private(set) var visited: UInt64?
  /// The state at the start of the app.
  package let initial: State
  /// Whether `committed` is `initial`, so that row 0 is where history begins.
  private var isWhole = true
  let reduce: (@Sendable (Action, inout State) -> Void)?
  private let countMax: Int

  /// More than any program keeps. Twice as many still fit in an `Int`.
  private static var countLimit: Int { 1 << 30 }

  /// A log that keeps at least `countMax` actions, and drops older ones in batches of `countMax`.
  ///
  /// - Parameter run: The reducer without its effects, if there is one.
  package init(
    initial: State, countMax: Int, run: (@Sendable (Action, inout State) -> Void)?
  ) {
    self.initial = initial
    committed = initial
    checkpoint = initial
    self.countMax = min(max(1, countMax), Self.countLimit)
    reduce = run
  }

  package var ids: [UInt64] { entries.map(\.id) }

  /// Whether the log can run its actions again.
  package var isExact: Bool { reduce != nil }

  /// Whether history begins with the state at the start of the app, and the app is in it.
  package var isAtStart: Bool {
    if case .committed = place { isWhole } else { false }
  }

  /// Whether any action is skipped.
  package var leavesOut: Bool { entries.contains(where: \.isSkipped) }

  /// Adds an action that the app has just carried out. It builds on the current `place`.
  ///
  /// In a state from before a rewrite, it builds on the action that led there. Otherwise no skip
  /// would reach the actions before it.
  package mutating func append(_ id: UInt64, _ action: Action?, _ state: State) {
    if entries.count >= 2 * countMax { evict(entries.count - countMax) }
    var entry = Entry(
      id: id, action: action, base: place, origin: revisedState(of: place), recorded: state,
      state: state)
    if isExact, let visited, entries.contains(where: { $0.id == visited }) {
      (entry.base, entry.origin) = (.entry(visited), self.state)
    }
    entries.append(entry)
    place = .entry(id)
    visited = nil
  }

  /// Notes that the app was put into a state: an action's, the initial one (0), or any other (nil).
  ///
  /// - Parameter isFormer: Whether this is the action's state from before a rewrite.
  package mutating func move(to id: UInt64?, _ state: State, isFormer: Bool = false) {
    visited = isFormer ? id : nil
    switch id {
    case 0?: place = isWhole ? .committed : .outside(state)
    case let id? where !isFormer && entries.contains { $0.id == id }: place = .entry(id)
    default: place = .outside(state)
    }
  }

  /// Called before a rewrite: a viewer looking at an action's former state then gets its new one.
  mutating func returnToVisited() {
    if let visited, entries.contains(where: { $0.id == visited }) { place = .entry(visited) }
    visited = nil
  }

  /// The state that an action leads to now; nil if no rewrite has computed it.
  package func revisedState(of id: UInt64) -> State? {
    entries.last { $0.id == id }.flatMap { $0.isRevised ? $0.state : nil }
  }

  private func revisedState(of base: Base) -> State? {
    if case .entry(let id) = base { revisedState(of: id) } else { nil }
  }

  mutating func moveToBeginning() {
    place = .committed
    visited = nil
  }

  /// The state that the app is in.
  package var state: State { state(of: place) }

  func state(of base: Base) -> State {
    switch base {
    case .committed: committed
    case .outside(let state): state
    case .entry(let id): entries.last { $0.id == id }?.state ?? committed
    }
  }

  /// Runs the actions in `changed` again, and every action that builds on one of them.
  ///
  /// - Returns: The ids of all these actions.
  mutating func recompute(_ changed: Set<UInt64>) -> Set<UInt64> {
    var states: [UInt64: State] = [:]
    states.reserveCapacity(entries.count)
    var computed = changed
    for index in entries.indices {
      let entry = entries[index]
      var base = committed
      switch entry.base {
      case .committed: break
      case .outside(let state): base = state
      case .entry(let id):
        if let state = states[id] { base = state }
        if computed.contains(id) { computed.insert(entry.id) }
      }
      if computed.contains(entry.id) {
        entries[index].state = outcome(of: entry, on: base)
        entries[index].isRevised = true
      }
      states[entry.id] = entries[index].state
    }
    return computed
  }

  /// Stores the states that actions were applied to when they happened, before their bases change.
  mutating func keepOrigins() {
    guard isExact else { return }
    let recorded = Dictionary(entries.map { ($0.id, $0.recorded) }) { _, last in last }
    for index in entries.indices where entries[index].origin == nil {
      switch entries[index].base {
      case .committed: entries[index].origin = committed
      case .outside(let state): entries[index].origin = state
      case .entry(let id): entries[index].origin = recorded[id]
      }
    }
  }

  private func outcome(of entry: Entry, on base: State) -> State {
    guard entry.action != nil || entry.isSkipped else { return entry.recorded }
    var state = base
    run(entry.action, isSkipped: entry.isSkipped, on: &state)
    return state
  }

  func run(_ action: Action?, isSkipped: Bool, on state: inout State) {
    guard let action, !isSkipped else { return }
    reduce?(action, &state)
  }

  /// Drops the oldest actions. Actions that build on a dropped one keep its state as their base.
  package mutating func evict(_ count: Int) {
    let count = min(count, entries.count)
    guard count > 0 else { return }
    if entries.prefix(count).contains(where: \.isRevised) { keepOrigins() }
    let last = entries[count - 1].id
    var states: [UInt64: State] = [:]
    for entry in entries.prefix(count) { states[entry.id] = entry.state }
    let beginning = committed
    func rebased(_ base: Base) -> Base {
      switch base {
      // History begins with this action's state from now on.
      case .entry(last): .committed
      case .entry(let id): states[id].map(Base.outside) ?? base
      // The old beginning is no longer the beginning.
      case .committed: .outside(beginning)
      case .outside: base
      }
    }
    committed = entries[count - 1].state
    isWhole = false
    horizon = last &+ 1
    entries.removeFirst(count)
    for index in entries.indices { entries[index].base = rebased(entries[index].base) }
    place = rebased(place)
  }

  /// Drops all actions, and restarts from `state`.
  ///
  /// - Parameter isInitial: Whether `state` is the one at the start of the app.
  mutating func restart(from state: State, isInitial: Bool = false) {
    entries = []
    committed = state
    checkpoint = state
    moveToBeginning()
    isWhole = isInitial
    isCommitted = !isInitial
    horizon = 0
  }

  /// Makes `id` the first action of an import, applied to `state`. Earlier steps have no state.
  mutating func begin(at state: State, with id: UInt64) {
    committed = state
    isWhole = false
    horizon = id
  }
}
