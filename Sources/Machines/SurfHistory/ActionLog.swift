/// The latest actions of a store and the states that they led to, as something that can be
/// rewritten: leave one out, and those that built on it are run again.
///
/// Each action knows the state it was applied to, its *base*, so that a history with jumps in it
/// is run again as it happened, and an action on another branch keeps its state untouched.
///
/// Without a reducer nothing is run again: leaving an action out is *approximate*. The app is put
/// into the nearest state that counts, and later ones stay as they were.
package struct ActionLog<Action: Sendable, State: Sendable>: Sendable {
  /// The state that an action was applied to.
  package enum Base: Sendable {
    /// The state that history begins with.
    case committed
    /// The state after the action with this id.
    case entry(UInt64)
    /// A state that no action here led to.
    case outside(State)
  }

  /// An action that happened, or came from elsewhere.
  package struct Entry: Sendable {
    package let id: UInt64
    /// Nil if it cannot be run again.
    let action: Action?
    var base: Base
    /// The state before it when it happened; nil if its base still has that as its recorded
    /// state.
    var origin: State?
    /// The state that it led to when it happened.
    let recorded: State
    /// The state that it leads to now.
    package internal(set) var state: State
    package internal(set) var isSkipped = false
    /// Whether `state` was computed since.
    var isRevised = false
  }

  /// In the order in which they count.
  package internal(set) var entries: [Entry] = []
  /// The state that the oldest action here was applied to.
  package private(set) var committed: State
  /// The target of a rollback: the state at the start, or that of the last commit.
  private(set) var checkpoint: State
  /// Whether `checkpoint` is the state of a commit.
  private(set) var isCommitted = false
  /// Ids below this one have been dropped; 0 if none was since history began.
  package private(set) var horizon: UInt64 = 0
  /// Where the app is.
  package internal(set) var place = Base.committed
  /// The action whose state the app was put into, if a rewrite has given that action another one.
  private(set) var visited: UInt64?
  /// The state at the start of the app.
  package let initial: State
  /// Whether `committed` is `initial`: then row 0 is where history begins.
  private var isWhole = true
  let reduce: (@Sendable (Action, inout State) -> Void)?
  private let countMax: Int

  /// More than any program keeps; twice as many are still a number.
  private static var countLimit: Int { 1 << 30 }

  /// A log that keeps at least `countMax` actions, and drops older ones a batch at a time.
  ///
  /// - Parameter run: The reducer; its effects are not wanted again. Nil if there is none.
  package init(
    initial: State, countMax: Int, run: (@Sendable (Action, inout State) -> Void)?
  ) {
    self.initial = initial
    committed = initial
    checkpoint = initial
    self.countMax = min(max(1, countMax), Self.countLimit)
    reduce = run
  }

  /// Ids, in the order in which they count.
  package var ids: [UInt64] { entries.map(\.id) }

  /// Whether actions are run again.
  package var isExact: Bool { reduce != nil }

  /// Whether history begins with the state at the start of the app, and the app is in it.
  package var isAtStart: Bool {
    if case .committed = place { isWhole } else { false }
  }

  /// Whether an action is left out.
  package var leavesOut: Bool { entries.contains(where: \.isSkipped) }

  /// Takes in an action that happened where the app is.
  package mutating func append(_ id: UInt64, _ action: Action?, _ state: State) {
    if entries.count >= 2 * countMax { evict(entries.count - countMax) }
    entries.append(
      Entry(
        id: id, action: action, base: place, origin: revisedState(of: place), recorded: state,
        state: state))
    place = .entry(id)
    visited = nil
  }

  /// The app was put into a state: that of an action, of the beginning (0), or any other.
  ///
  /// - Parameter isFormer: whether the action led to this state once, and leads to another one now.
  package mutating func move(to id: UInt64?, _ state: State, isFormer: Bool = false) {
    visited = isFormer ? id : nil
    switch id {
    case 0?: place = isWhole ? .committed : .outside(state)
    case let id? where !isFormer && entries.contains { $0.id == id }: place = .entry(id)
    default: place = .outside(state)
    }
  }

  /// Before a rewrite: a viewer that looks at an action's former state wants the one of now.
  mutating func returnToVisited() {
    if let visited, entries.contains(where: { $0.id == visited }) { place = .entry(visited) }
    visited = nil
  }

  /// The state that an action leads to now, if a rewrite has computed it.
  package func revisedState(of id: UInt64) -> State? {
    entries.last { $0.id == id }.flatMap { $0.isRevised ? $0.state : nil }
  }

  private func revisedState(of base: Base) -> State? {
    if case .entry(let id) = base { revisedState(of: id) } else { nil }
  }

  /// The app was put into the state that history begins with.
  mutating func moveToBeginning() {
    place = .committed
    visited = nil
  }

  /// The state that the app is in, if it is one of this log's.
  package var state: State { state(of: place) }

  func state(of base: Base) -> State {
    switch base {
    case .committed: committed
    case .outside(let state): state
    case .entry(let id): entries.last { $0.id == id }?.state ?? committed
    }
  }

  /// Runs again every action that builds on one that changed, and those in `changed` themselves.
  ///
  /// - Returns: the ids of those whose state was computed.
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

  /// Keeps what actions were applied to when they happened, before their bases become others.
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
    // An action that cannot be run again keeps its recorded state.
    guard entry.action != nil || entry.isSkipped else { return entry.recorded }
    return outcome(of: entry.action, isSkipped: entry.isSkipped, on: base)
  }

  /// The state that an action makes of a base; a skipped or missing action leaves the base as it
  /// is.
  private func outcome(of action: Action?, isSkipped: Bool, on base: State) -> State {
    var state = base
    run(action, isSkipped: isSkipped, on: &state)
    return state
  }

  /// The same in place.
  func run(_ action: Action?, isSkipped: Bool, on state: inout State) {
    guard let action, !isSkipped else { return }
    reduce?(action, &state)
  }

  /// Forgets the oldest; actions that build on them keep the state that they led to.
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
      // History begins there from now on.
      case .entry(last): .committed
      case .entry(let id): states[id].map(Base.outside) ?? base
      // The beginning itself moves on.
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

  /// Begins anew from `state`.
  ///
  /// - Parameter isInitial: whether that is the state at the start of the app.
  mutating func restart(from state: State, isInitial: Bool = false) {
    entries = []
    committed = state
    checkpoint = state
    moveToBeginning()
    isWhole = isInitial
    isCommitted = !isInitial
    horizon = 0
  }

  /// Lets the actions here begin with this one, in this state: those before it are not kept.
  mutating func begin(at state: State, with id: UInt64) {
    committed = state
    isWhole = false
    horizon = id
  }
}
