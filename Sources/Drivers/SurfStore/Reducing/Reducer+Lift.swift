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
