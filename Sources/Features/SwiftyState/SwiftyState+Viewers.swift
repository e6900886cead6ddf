public import SurfStore

// What a `StoreTransceiver` needs of a store.
extension SwiftyState {
  /// Asks `admits` about each change where it would happen, while nothing else can. One that does
  /// not pass is recorded as refused. Replaces an earlier gate; the engine keeps it.
  public func setGate(_ admits: @escaping @Sendable (SwiftyChange) -> Bool) {
    engine.setGate(admits)
  }

  /// Lets a change of another row happen once more, as an action does.
  public func perform(_ change: SwiftyChange) { engine.store.dispatch(change.happening) }

  /// Calls `change` with the state while nothing else can change it, and makes what it returns the
  /// state, without asking the validators. Subscribers are told; no row is added.
  public func revise<State: SwiftyStateStoreProtocol>(
    _ change: @escaping @Sendable (State) -> State?
  ) async {
    await engine.revise { state in (state as? State).flatMap(change) }
  }

  /// All validators of the engine, those that are set later as well.
  public func validator<State: SwiftyStateStoreProtocol>(of type: State.Type) -> Validator<State> {
    let engine = engine
    return Validator("SwiftyState") { (state: State) -> String? in
      engine.objection(to: state)?.description
    }
  }
}
