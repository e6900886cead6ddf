public import SurfStore

extension Store {
  /// A store with a middleware, which has been given its context when this returns.
  public convenience init(
    initial: State, reducer: Reducer<Action, State>,
    middleware: sending some Middleware<Action, Action, State>,
    validators: [Validator<State>] = [], cancelsEffectsOnRestore: Bool = false
  ) {
    self.init(
      initial: initial, reducer: reducer, validators: validators,
      cancelsEffectsOnRestore: cancelsEffectsOnRestore)
    install(middleware)
  }

  /// Shows a middleware each action from its turn on. A second one takes the place of the first.
  public func install(_ middleware: sending some Middleware<Action, Action, State>) {
    install(Hook(middleware))
  }
}

/// A middleware at work in a store.
// Unchecked: it takes over the only reference to the middleware, and the store calls it in turns;
// the store's baton stands between two turns on different threads.
private final class Hook<Action: Sendable, State: Sendable>: ActionHook, @unchecked Sendable {
  private let contents: any Middleware<Action, Action, State>

  init(_ middleware: sending some Middleware<Action, Action, State>) { contents = middleware }

  func begin(
    state: @escaping @Sendable () -> State,
    dispatch: @escaping @Sendable (Action, ActionSource) -> Void
  ) {
    contents.receiveContext(getState: state, output: AnyActionHandler(dispatch))
  }

  func handle(_ action: Action, from source: ActionSource) -> (() -> Void)? {
    var afterReducer = AfterReducer.doNothing
    contents.handle(action: action, from: source, afterReducer: &afterReducer)
    return afterReducer.isNothing ? nil : afterReducer.run
  }
}
