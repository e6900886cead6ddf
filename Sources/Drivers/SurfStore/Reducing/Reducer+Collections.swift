/// One reducer after another on each action; their effects in the same order.
public func combine<Action: Sendable, State>(
  _ reducers: Reducer<Action, State>...
) -> Reducer<Action, State> {
  Reducer { action, state in
    var effects: [Effect<Action>] = []
    for reducer in reducers { effects += reducer.body(action, &state) }
    return effects
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
