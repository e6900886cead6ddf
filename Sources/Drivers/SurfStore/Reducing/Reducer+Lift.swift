// A local reducer at work inside a larger program. In all of these, an action for which `action`
// returns nil is not ours: it leaves the state untouched, and has no effects.
extension Reducer {
  /// This reducer on a part of the state, and on some of the actions.
  ///
  /// - Parameters:
  ///   - get: The local action inside a global one; a key path will do.
  ///   - embed: The global action for a local one that an effect dispatches.
  ///   - state: Where the local state lives in the global one.
  public func lift<GlobalAction: Sendable, GlobalState>(
    action get: @escaping @Sendable (GlobalAction) -> Action?,
    embed: @escaping @Sendable (Action) -> GlobalAction,
    state: any WritableKeyPath<GlobalState, State> & Sendable
  ) -> Reducer<GlobalAction, GlobalState> {
    Reducer<GlobalAction, GlobalState> { action, global in
      guard let local = get(action) else { return [] }
      return body(local, &global[keyPath: state]).map { $0.map(embed) }
    }
  }

  /// The same without a way back for actions.
  ///
  /// Effects run, but the actions that they send are not actions of the larger program: they are
  /// dropped. Use `embed` for a reducer whose effects send actions.
  public func lift<GlobalAction: Sendable, GlobalState>(
    action get: @escaping @Sendable (GlobalAction) -> Action?,
    state: any WritableKeyPath<GlobalState, State> & Sendable
  ) -> Reducer<GlobalAction, GlobalState> {
    Reducer<GlobalAction, GlobalState> { action, global in
      guard let local = get(action) else { return [] }
      return body(local, &global[keyPath: state]).map { $0.muted() }
    }
  }

  /// This reducer on some of the actions; what its effects send is dropped.
  public func lift<GlobalAction: Sendable>(
    action get: @escaping @Sendable (GlobalAction) -> Action?
  ) -> Reducer<GlobalAction, State> {
    lift(action: get, state: \.self)
  }

  /// This reducer on a part of the state. Its effects send what they always sent.
  public func lift<GlobalState>(
    state: any WritableKeyPath<GlobalState, State> & Sendable
  ) -> Reducer<Action, GlobalState> {
    Reducer<Action, GlobalState> { action, global in body(action, &global[keyPath: state]) }
  }

  /// This reducer on a part of the state that `stateGetter` computes and `stateSetter` puts back,
  /// and on some of the actions; what its effects send is dropped.
  public func lift<GlobalAction: Sendable, GlobalState>(
    actionGetter: @escaping @Sendable (GlobalAction) -> Action?,
    stateGetter: @escaping @Sendable (GlobalState) -> State,
    stateSetter: @escaping @Sendable (inout GlobalState, State) -> Void
  ) -> Reducer<GlobalAction, GlobalState> {
    Reducer<GlobalAction, GlobalState> { action, global in
      guard let local = actionGetter(action) else { return [] }
      var state = stateGetter(global)
      let effects = body(local, &state)
      stateSetter(&global, state)
      return effects.map { $0.muted() }
    }
  }
}

extension Effect {
  /// The same work in a program that has no form for its actions.
  func muted<Other: Sendable>() -> Effect<Other> {
    switch work {
    case .fireAndForget(let body): .fireAndForget(body)
    case .sync(let body, _): .fireAndForget { _ = body() }
    case .run(let body): .run { _ in await body(Send { _, _ in }) }
    }
  }
}
