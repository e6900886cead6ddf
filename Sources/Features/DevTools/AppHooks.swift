/// Where an app keeps what concerns `DevTools`, if it does.
struct AppHooks<Action: Sendable, State: Sendable>: Sendable {
  let extract: (@Sendable (Action) -> DevToolsAction?)?
  let embed: (@Sendable (DevToolsAction) -> Action)?
  let restoreAction: (@Sendable (State) -> Action)?
  let devToolsState: (any WritableKeyPath<State, DevToolsState> & Sendable)?

  /// `state`, with the connection as it is now: a jump does not end it.
  func keepingConnection(of current: State, in state: State) -> State {
    guard let devToolsState else { return state }
    var state = state
    state[keyPath: devToolsState] = current[keyPath: devToolsState]
    return state
  }
}
