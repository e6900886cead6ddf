internal import SurfPersistence
public import SurfStore

/// The way to the one state of the program. Every `SwiftyState()` leads to the same engine.
///
///     SwiftyState().setStore(MyStore())
///     SwiftyState().action(a: PayAction.give10BuckToDonald)
///
/// Any thread may call any member, even from inside an action's reducer or a subscriber. The engine
/// does one thing at a time, in order. If it was idle, a call has had its effect when it returns;
/// otherwise the thread that the engine is busy on does the work.
public struct SwiftyState: Sendable {
  let engine: SwiftyEngine

  /// A handle; it costs nothing.
  public init() { self.init(.shared) }

  /// A handle to an engine of its own, for tests.
  package init(_ engine: SwiftyEngine) { self.engine = engine }

  /// Makes `store` the state, without asking the validators, and tells the subscribers. There is
  /// nothing to undo after that.
  ///
  /// Before the first call there is no state: actions are recorded as rejected, and nothing else
  /// happens.
  public func setStore(_ store: some SwiftyStateStoreProtocol) { engine.begin(with: store) }

  /// The state; `nil` if no store is set.
  public func getRawState() -> (any SwiftyStateStoreProtocol)? { engine.state }

  /// The state; `nil` if no store is set, or one of another type.
  public func getState<State: SwiftyStateStoreProtocol>(as type: State.Type) -> State? {
    engine.state as? State
  }

  /// Lets `a` happen: its reducer makes the next state, the validators look at it, and the
  /// subscribers are told.
  ///
  /// An action that is rejected changes nothing, and no subscriber hears of it. An action that
  /// makes a state of another type than the store's is rejected as well.
  ///
  /// - Parameter force: Whether subscribers are told even if the state is equal.
  public func action(
    a: some SwiftyAction, force: Bool = false, file: StaticString = #fileID,
    function: StaticString = #function, line: UInt = #line
  ) {
    engine.run(
      a, isForced: force, from: ActionSource(file: file, function: function, line: line))
  }

  /// Calls `f` with the new state and the one before after every change, on the thread that the
  /// engine is busy on.
  ///
  /// The engine keeps `f` until `unsubscribe()`, whether or not the subscription is kept.
  @discardableResult
  public func subscribe(f: @escaping SwiftySubscription.Body) -> SwiftySubscription {
    SwiftySubscription(id: engine.subscribe(f), engine: engine)
  }

  /// Stops the calls of the subscription with this id.
  public func unsubscribe(_ id: String) { engine.unsubscribe(id) }

  /// Asks `validiator` about every state from now on.
  ///
  /// - Parameter name: What an objection names, by default the type. A second validator of the same
  ///   name takes the place of the first.
  public func setStateValidiator<Validiator: SwiftyStateValidiator>(
    _ validiator: Validiator, name: String = String(describing: Validiator.self)
  ) {
    setStateValidiator(Validator(name) { validiator.validiator($0) })
  }

  /// The same with a validator that can give a reason.
  public func setStateValidiator(_ validator: Validator<any SwiftyStateStoreProtocol>) {
    engine.set(validator)
  }
}

/// Keeps a closure listening to the state.
public struct SwiftySubscription: Sendable, Identifiable {
  /// Takes the new state and the one before; `nil` for that when `hotStart()` calls it.
  public typealias Body =
    @Sendable (any SwiftyStateStoreProtocol, (any SwiftyStateStoreProtocol)?) -> Void

  /// `f1` for the first subscription, then `f2` …
  public let id: String
  let engine: SwiftyEngine

  /// Stops the calls, as `SurfStore.Subscription.cancel()` does; a second call is harmless.
  public func unsubscribe() { engine.unsubscribe(id) }

  /// Calls the closure now with the state, as if there had been none before. Nothing happens if no
  /// store is set, or after `unsubscribe()`.
  public func hotStart() { engine.hotStart(id) }
}
