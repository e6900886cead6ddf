public import SurfStore

// A local reducer at work inside a larger program. In all of these, an action for which the getter
// returns nil is not ours: it leaves the state untouched, and has no effects.
//
// `embed` is the way back for actions that effects send. Without it the effects run, but what they
// send is not an action of the larger program: it is dropped, and standard error told so, once.
extension Reducer {
  /// This reducer on a part of the state, and on some of the actions.
  ///
  /// - Parameters:
  ///   - get: The local action inside a global one; a key path will do.
  ///   - embed: The global action for a local one that an effect sends. Without it such actions are
  ///     dropped, and standard error is told so, once.
  ///   - state: Where the local state lives in the global one.
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

  /// This reducer on some of the actions.
  public func lift<GlobalAction: Sendable>(
    action get: @escaping @Sendable (GlobalAction) -> Action?,
    embed: (@Sendable (Action) -> GlobalAction)? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Reducer<GlobalAction, State> {
    lift(action: get, embed: embed, state: \.self, file: file, line: line)
  }

  /// This reducer on a part of the state. Its effects send what they always sent.
  public func lift<GlobalState>(
    state: any WritableKeyPath<GlobalState, State> & Sendable
  ) -> Reducer<Action, GlobalState> {
    Reducer<Action, GlobalState> { action, global in body(action, &global[keyPath: state]) }
  }

  /// This reducer on a part of the state that `stateGetter` computes and `stateSetter` puts back,
  /// and on some of the actions.
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

  /// `lift(action:embed:state:)`, as users of pull-backs know it.
  public func pullback<GlobalAction: Sendable, GlobalState>(
    value: any WritableKeyPath<GlobalState, State> & Sendable,
    action get: @escaping @Sendable (GlobalAction) -> Action?,
    embed: (@Sendable (Action) -> GlobalAction)? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Reducer<GlobalAction, GlobalState> {
    lift(action: get, embed: embed, state: value, file: file, line: line)
  }
}

// One reducer for each element of a collection. An action names its element; if there is none by
// that name, nothing happens. `embed` is the way back, as in `lift`.
extension Reducer {
  /// This reducer on the element of an array at the index that an action names.
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

  /// This reducer on the first element of an array that has the id that an action names.
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

  /// This reducer on the value of a dictionary for the key that an action names.
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

  /// `visit` hands the named element to a closure, if there is one.
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
