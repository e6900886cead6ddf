public import SurfStore

extension Store {
  /// Makes a store with a middleware, and gives the middleware its context.
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

  /// Installs a middleware, which sees each action from its turn on. A second one replaces the
  /// first.
  public func install(_ middleware: sending some Middleware<Action, Action, State>) {
    install(Hook(middleware))
  }
}

/// Adapts a middleware to the store's hook.
// Unchecked: it owns the only reference to the middleware, and the store calls it in turns, whose
// baton orders those on different threads.
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
