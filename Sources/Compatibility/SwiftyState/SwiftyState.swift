public import SurfPersistence
public import SurfStore

/// A handle to the one state of the program. All handles share one engine.
///
///     SwiftyState().setStore(MyStore())
///     SwiftyState().action(a: PayAction.give10BuckToDonald)
///
/// Any thread may call any member, even inside an action's reducer or a subscriber. The engine does
/// one thing at a time, in order. If it is idle, a call takes effect before it returns. Otherwise
/// the thread that the engine is busy on does the work later.
public struct SwiftyState: Sendable {
  let engine: SwiftyEngine

  /// Makes a handle, at no cost.
  public init() { self.init(.shared) }

  /// A handle to a separate engine, for tests.
  package init(_ engine: SwiftyEngine) { self.engine = engine }

  /// Makes `store` the state without asking the validators, calls the subscribers, and clears the
  /// states for `undo()`.
  ///
  /// Before the first call there is no state, and actions are only recorded as rejected.
  public func setStore(_ store: some SwiftyStateStoreProtocol) { engine.begin(with: store) }

  /// The state; `nil` if no store is set.
  public func getRawState() -> (any SwiftyStateStoreProtocol)? { engine.state }

  /// The state; `nil` if no store is set, or one of another type.
  public func getState<State: SwiftyStateStoreProtocol>(as type: State.Type) -> State? {
    engine.state as? State
  }

  /// Performs `a`: its reducer makes the next state, the validators check it, and the subscribers
  /// are called.
  ///
  /// A rejected action changes nothing, and no subscriber is called. An action that makes a state
  /// of another type than the store's is rejected as well.
  ///
  /// - Parameter force: Whether to call subscribers even if the state is equal.
  public func action(
    a: some SwiftyAction, force: Bool = false, file: StaticString = #fileID,
    function: StaticString = #function, line: UInt = #line
  ) {
    engine.run(
      a, isForced: force, from: ActionSource(file: file, function: function, line: line))
  }

  /// Calls `f` with the new and the previous state after every change, on the thread that the
  /// engine is busy on.
  ///
  /// The engine keeps `f` until `unsubscribe()`, whether or not you keep the subscription.
  @discardableResult
  public func subscribe(f: @escaping SwiftySubscription.Body) -> SwiftySubscription {
    SwiftySubscription(id: engine.subscribe(f), engine: engine)
  }

  /// Stops the calls of the subscription with this id.
  public func unsubscribe(_ id: String) { engine.unsubscribe(id) }

  /// Asks `validiator` about every state from now on.
  ///
  /// - Parameter name: The validator's name in objections, by default its type. A second validator
  ///   with the same name replaces the first.
  public func setStateValidiator<Validiator: SwiftyStateValidiator>(
    _ validiator: Validiator, name: String = String(describing: Validiator.self)
  ) {
    setStateValidiator(Validator(name) { validiator.validiator($0) })
  }

  /// The same for a validator that gives reasons.
  public func setStateValidiator(_ validator: Validator<any SwiftyStateStoreProtocol>) {
    engine.set(validator)
  }
}

/// Identifies a subscription to the state. Dropping it does not end the subscription.
public struct SwiftySubscription: Sendable, Identifiable {
  /// Takes the new and the previous state, which is `nil` if `hotStart()` calls it.
  public typealias Body =
    @Sendable (any SwiftyStateStoreProtocol, (any SwiftyStateStoreProtocol)?) -> Void

  /// `f1` for the first subscription, then `f2` …
  public let id: String
  let engine: SwiftyEngine

  /// Stops the calls, as `SurfStore.Subscription.cancel()` does. A second call has no effect.
  public func unsubscribe() { engine.unsubscribe(id) }

  /// Calls the closure with the current state and no previous one. Does nothing if no store is set,
  /// or after `unsubscribe()`.
  public func hotStart() { engine.hotStart(id) }
}

// The operations that a `StoreObserver` needs from a store.
extension SwiftyState {
  /// Asks `admits` about each change in its turn, before it takes effect. A change that does not
  /// pass is recorded as refused. The engine keeps the gate, which replaces an earlier one.
  public func setGate(_ admits: @escaping @Sendable (SwiftyChange) -> Bool) {
    engine.setGate(admits)
  }

  /// Performs the change of a row again, as an action.
  public func perform(_ change: SwiftyChange) { engine.store.dispatch(change.event) }

  /// Calls `change` with the state in a turn, and replaces the state by the result, without asking
  /// the validators. This calls the subscribers, and adds no row.
  public func revise<State: SwiftyStateStoreProtocol>(
    _ change: @escaping @Sendable (State) -> State?
  ) async {
    await engine.revise { state in (state as? State).flatMap(change) }
  }

  /// A validator that asks all of the engine's validators, including those set later.
  public func validator<State: SwiftyStateStoreProtocol>(of type: State.Type) -> Validator<State> {
    let engine = engine
    return Validator("SwiftyState") { (state: State) -> String? in
      engine.objection(to: state)?.description
    }
  }
}

/// Why a call failed. The state is unchanged.
public enum SwiftyStateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// `setStore` has not been called.
  case noStore
  /// The file could not be read or written.
  case file(PersistenceError)
  /// The JSON is malformed, or not a state of the store's type.
  case malformed(reason: String)
  /// The state cannot be encoded as JSON.
  case unencodable(reason: String)
  /// A validator objects to the state.
  case rejected(Objection)

  /// One line for people.
  public var description: String {
    switch self {
    case .noStore: "no store is set"
    case .file(let error): error.description
    case .malformed(let reason): "not a valid state: \(reason)"
    case .unencodable(let reason): "the state cannot be written: \(reason)"
    case .rejected(let objection): "rejected (\(objection))"
    }
  }
}

/// The content of the engine's store: the state, and facts about the last change for subscribers.
struct HeldState: Sendable {
  let state: (any SwiftyStateStoreProtocol)?
  let previous: (any SwiftyStateStoreProtocol)?
  /// Whether the state differs from the previous one.
  let isChange: Bool
  /// Whether to call subscribers.
  let isNews: Bool

  /// Before a store is set.
  static let none = HeldState(state: nil, previous: nil, isChange: false, isNews: false)

  /// - Parameter isForced: whether to call subscribers even if the state is equal.
  func followed(by next: any SwiftyStateStoreProtocol, isForced: Bool = true) -> HeldState {
    let isChange = state.map { !next.isEqual(to: $0) } ?? true
    return HeldState(
      state: next, previous: state, isChange: isChange, isNews: isForced || isChange)
  }
}

extension SwiftyState {
  /// Resumes after `stopEngine()`.
  public func startEngine() { engine.setRunning(true) }

  /// Freezes the state: from now on actions are recorded, but not applied. `load()`, `undo()` and
  /// `redo()` still work.
  public func stopEngine() { engine.setRunning(false) }

  /// Keeps rows from now on. If there are none yet, the first row marks the start.
  ///
  /// - Parameter rowCountMax: The number of rows to keep. Beyond it, the oldest are evicted.
  public func startDebug(rowCountMax: Int = 1_000) { engine.startDebug(rowCountMax: rowCountMax) }

  /// Stops keeping new rows. The old ones stay.
  public func stopDebug() { engine.stopDebug() }

  /// The kept rows, oldest first.
  public func getHistory() -> [SwiftyRow] { engine.rows }

  /// Calls `body` with each row from now on, kept or not, in order, on the thread that the engine
  /// is busy on. A viewer can record the row there.
  public func observe(_ body: @escaping @Sendable (SwiftyRow) -> Void) -> SwiftyObservation {
    SwiftyObservation(number: engine.observe(body), engine: engine)
  }

  /// Goes back to the state before the last change. The last 100 states are kept. This calls the
  /// subscribers, and adds no row.
  public func undo() { engine.travel { $0.undo(from: $1) } }

  /// Reverts the last `undo()`. After another change there is nothing to redo.
  public func redo() { engine.travel { $0.redo(from: $1) } }

  /// Puts the program into `state`, for a viewer's jump. This asks the validators, calls the
  /// subscribers, and adds no row.
  public func restore(_ state: some SwiftyStateStoreProtocol) throws(SwiftyStateError) {
    try engine.restore(state)
  }
}

/// Cancels an observation of rows. The engine keeps the closure until then, even without this.
public struct SwiftyObservation: Sendable {
  let number: Int
  let engine: SwiftyEngine

  /// Stops the calls. A second call has no effect.
  public func cancel() { engine.stopObserving(number) }
}
