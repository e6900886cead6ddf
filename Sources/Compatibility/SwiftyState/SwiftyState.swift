public import SurfPersistence
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

/// Why nothing was done. The state is as it was.
public enum SwiftyStateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// `setStore` was not called yet.
  case noStore
  /// The file was not read or written.
  case file(PersistenceError)
  /// The JSON was cut, or describes no state of the store's type.
  case malformed(reason: String)
  /// The state cannot be written as JSON.
  case unencodable(reason: String)
  /// The state may not be.
  case rejected(Objection)

  /// What happened, in one line.
  public var description: String {
    switch self {
    case .noStore: "no store is set"
    case .file(let error): error.description
    case .malformed(let reason): "not such a state: \(reason)"
    case .unencodable(let reason): "the state cannot be written: \(reason)"
    case .rejected(let objection): "rejected (\(objection))"
    }
  }
}

/// What the store holds: the state, and what subscribers must know of the last change.
struct HeldState: Sendable {
  let state: (any SwiftyStateStoreProtocol)?
  let previous: (any SwiftyStateStoreProtocol)?
  /// Whether the state is not equal to the one before.
  let isChange: Bool
  /// Whether subscribers are to be told.
  let isNews: Bool

  /// Before a store is set.
  static let none = HeldState(state: nil, previous: nil, isChange: false, isNews: false)

  /// With the next state; `isForced` makes it news even if it is equal.
  func followed(by next: any SwiftyStateStoreProtocol, isForced: Bool = true) -> HeldState {
    let isChange = state.map { !next.isEqual(to: $0) } ?? true
    return HeldState(
      state: next, previous: state, isChange: isChange, isNews: isForced || isChange)
  }
}
