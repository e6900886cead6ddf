public import SurfStore
internal import Synchronization

// These adapt a local reducer to a larger program. If the getter returns nil for an action, the
// reducer does not run for it.
//
// `embed` makes a global action of one that an effect sends. Without it the effects run, but the
// reducer drops the actions that they send, and says so once on standard error.
extension Reducer {
  /// Adapts this reducer to a part of the state, and to some of the actions.
  ///
  /// - Parameters:
  ///   - get: Returns the local action inside a global one, or nil. A key path works.
  ///   - embed: Makes a global action of a local one that an effect sends. Without it, such actions
  ///     are dropped, with one warning on standard error.
  ///   - state: The local state's place in the global state.
  public func lift<GlobalAction: Sendable, GlobalState>(
    action get: @escaping @Sendable (GlobalAction) -> Action?,
    embed: (@Sendable (Action) -> GlobalAction)? = nil,
    state: any WritableKeyPath<GlobalState, State> & Sendable,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Reducer<GlobalAction, GlobalState> {
    let way = Embedding(embed, file, line)
    return Reducer<GlobalAction, GlobalState> { action, global in
      guard let local = get(action) else { return [] }
      return way.embed(body(local, &global[keyPath: state]))
    }
  }

  /// Adapts this reducer to some of the actions.
  public func lift<GlobalAction: Sendable>(
    action get: @escaping @Sendable (GlobalAction) -> Action?,
    embed: (@Sendable (Action) -> GlobalAction)? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Reducer<GlobalAction, State> {
    lift(action: get, embed: embed, state: \.self, file: file, line: line)
  }

  /// Adapts this reducer to a part of the state. Its effects send the same actions as before.
  public func lift<GlobalState>(
    state: any WritableKeyPath<GlobalState, State> & Sendable
  ) -> Reducer<Action, GlobalState> {
    Reducer<Action, GlobalState> { action, global in body(action, &global[keyPath: state]) }
  }

  /// Adapts this reducer to a part of the state that `stateGetter` computes and `stateSetter`
  /// writes back, and to some of the actions.
  public func lift<GlobalAction: Sendable, GlobalState>(
    actionGetter: @escaping @Sendable (GlobalAction) -> Action?,
    stateGetter: @escaping @Sendable (GlobalState) -> State,
    stateSetter: @escaping @Sendable (inout GlobalState, State) -> Void,
    embed: (@Sendable (Action) -> GlobalAction)? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Reducer<GlobalAction, GlobalState> {
    let way = Embedding(embed, file, line)
    return Reducer<GlobalAction, GlobalState> { action, global in
      guard let local = actionGetter(action) else { return [] }
      var state = stateGetter(global)
      let effects = body(local, &state)
      stateSetter(&global, state)
      return way.embed(effects)
    }
  }

  /// `lift(action:embed:state:)` under its other usual name.
  public func pullback<GlobalAction: Sendable, GlobalState>(
    value: any WritableKeyPath<GlobalState, State> & Sendable,
    action get: @escaping @Sendable (GlobalAction) -> Action?,
    embed: (@Sendable (Action) -> GlobalAction)? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Reducer<GlobalAction, GlobalState> {
    lift(action: get, embed: embed, state: value, file: file, line: line)
  }
}

// These run a reducer on one element of a collection. The action names the element. If it does not
// exist, nothing happens. `embed` is as in `lift`.
extension Reducer {
  /// Runs this reducer on the array element at the index that an action names.
  public func indexed<GlobalAction: Sendable, GlobalState>(
    value: any WritableKeyPath<GlobalState, [State]> & Sendable,
    action get: @escaping @Sendable (GlobalAction) -> (Int, Action)?,
    embed: (@Sendable (Int, Action) -> GlobalAction)? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Reducer<GlobalAction, GlobalState> {
    each(action: get, embed: embed, DroppedActions(file, line)) { index, global, change in
      guard global[keyPath: value].indices.contains(index) else { return }
      change(&global[keyPath: value][index])
    }
  }

  /// Runs this reducer on the first array element with the id that an action names.
  public func identified<GlobalAction: Sendable, GlobalState>(
    value: any WritableKeyPath<GlobalState, [State]> & Sendable,
    action get: @escaping @Sendable (GlobalAction) -> (State.ID, Action)?,
    embed: (@Sendable (State.ID, Action) -> GlobalAction)? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Reducer<GlobalAction, GlobalState>
  where State: Identifiable & Sendable, State.ID: Sendable {
    each(action: get, embed: embed, DroppedActions(file, line)) { id, global, change in
      guard let index = global[keyPath: value].firstIndex(where: { $0.id == id }) else { return }
      change(&global[keyPath: value][index])
    }
  }

  /// Runs this reducer on the dictionary value for the key that an action names.
  public func identified<ID: Hashable & Sendable, GlobalAction: Sendable, GlobalState>(
    value: any WritableKeyPath<GlobalState, [ID: State]> & Sendable,
    action get: @escaping @Sendable (GlobalAction) -> (ID, Action)?,
    embed: (@Sendable (ID, Action) -> GlobalAction)? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Reducer<GlobalAction, GlobalState> {
    each(action: get, embed: embed, DroppedActions(file, line)) { id, global, change in
      guard let index = global[keyPath: value].index(forKey: id) else { return }
      change(&global[keyPath: value].values[index])
    }
  }

  /// - Parameter visit: calls the closure with the named element, if it exists.
  private func each<Name: Sendable, GlobalAction: Sendable, GlobalState>(
    action get: @escaping @Sendable (GlobalAction) -> (Name, Action)?,
    embed: (@Sendable (Name, Action) -> GlobalAction)?, _ dropped: DroppedActions,
    visit: @escaping @Sendable (Name, inout GlobalState, (inout State) -> Void) -> Void
  ) -> Reducer<GlobalAction, GlobalState> {
    Reducer<GlobalAction, GlobalState> { action, global in
      guard let (name, local) = get(action) else { return [] }
      var effects: [Effect<Action>] = []
      visit(name, &global) { effects = body(local, &$0) }
      let way = Embedding(embed.map { embed in { @Sendable in embed(name, $0) } }, dropped)
      return way.embed(effects)
    }
  }
}

/// Turns the actions of a local reducer's effects into global ones, for a lifted reducer. Without
/// `transform` it drops them.
struct Embedding<Local: Sendable, Global: Sendable>: Sendable {
  private let transform: (@Sendable (Local) -> Global)?
  private let dropped: DroppedActions

  init(_ transform: (@Sendable (Local) -> Global)?, _ dropped: DroppedActions) {
    self.transform = transform
    self.dropped = dropped
  }

  init(_ transform: (@Sendable (Local) -> Global)?, _ file: StaticString, _ line: UInt) {
    self.init(transform, DroppedActions(file, line))
  }

  func embed(_ effects: [Effect<Local>]) -> [Effect<Global>] {
    guard !effects.isEmpty else { return [] }
    guard let transform else { return effects.map { $0.muted { dropped.note($0) } } }
    return effects.map { $0.map(transform) }
  }
}

/// Warns once that effects of a reducer send actions, although the reducer was lifted without
/// `embed`.
package final class DroppedActions: Sendable {
  private let source: ActionSource
  private let printer: @Sendable (String) -> Void
  private let wasSaid = Atomic(false)

  package init(
    _ file: StaticString, _ line: UInt,
    printer: @escaping @Sendable (String) -> Void = Printer.standardError
  ) {
    source = ActionSource(file: file, line: line)
    self.printer = printer
  }

  package func note(_ action: some Sendable) {
    guard !wasSaid.exchange(true, ordering: .relaxed) else { return }
    printer(
      """
      \(source): an effect of this reducer sent an action, which was dropped: \(action)
        A reducer whose effects send actions must be lifted with `embed`.
      """)
  }
}
