/// What a store guards with its lock: the state, the waiting turns and the listeners.
///
/// It calls no closure, and hands back every value it replaces: the last release of a user's
/// value can run the user's `deinit`, which must not happen under the lock.
struct StoreCore<Action: Sendable, State: Sendable>: Sendable {
  /// One entry of the queue: everything that must happen in order is a turn.
  enum Turn: Sendable {
    /// Apply an action.
    case action(Action, ActionSource, cause: UInt64?)
    /// Look at the state, and replace it if another comes back.
    case revise(@Sendable (State) -> State?, completion: @Sendable () -> Void)
    /// Begin to deliver steps.
    case observe(Listener<Step<Action, State>>)
    /// Deliver the current state, and begin to deliver those after it.
    case subscribe(Listener<Transition<State>>)
    /// Give a middleware its context, and show it the actions after this.
    case install(StoreMiddleware<Action, State>)
  }

  /// What a change of state leaves to be done without the lock.
  struct Change: Sendable {
    let previous: State
    let observers: [Listener<Step<Action, State>>]
    let subscribers: [Listener<Transition<State>>]

    func tellSubscribers(_ state: State) {
      guard !subscribers.isEmpty else { return }
      let transition = Transition(previous: previous, state: state)
      for subscriber in subscribers { subscriber(transition) }
    }
  }

  /// The tasks of effects that have not ended.
  private(set) var effects: [ObjectIdentifier: RunningEffect] = [:]

  /// Whether some thread is working through the turns.
  private enum Mode { case idle, draining }

  private(set) var state: State
  private(set) var middleware: StoreMiddleware<Action, State>?
  private var stepCount: UInt64 = 0
  private var observers: [Listener<Step<Action, State>>] = []
  private var subscribers: [Listener<Transition<State>>] = []
  private var waiting: [Turn] = []
  private var mode = Mode.idle

  init(state: State) {
    self.state = state
  }

  /// The number that the next step will have.
  var nextStep: UInt64 { stepCount + 1 }

  /// True if the store was idle: the caller must take this turn now, and then drain the store.
  /// Otherwise the turn waits.
  mutating func begin(_ turn: Turn) -> Bool {
    guard mode == .idle else {
      waiting.append(turn)
      return false
    }
    mode = .draining
    return true
  }

  /// All turns that wait, oldest first; `nil` if there are none, and then the store is idle.
  mutating func takeTurns() -> [Turn]? {
    guard !waiting.isEmpty else {
      mode = .idle
      return nil
    }
    defer { waiting = [] }
    return waiting
  }

  /// Sets the state a step made, and counts the step.
  mutating func commit(_ newState: State) -> Change {
    stepCount += 1
    return replace(newState)
  }

  /// Sets the state without a step.
  mutating func replace(_ newState: State) -> Change {
    defer { state = newState }
    return Change(previous: state, observers: observers, subscribers: subscribers)
  }

  /// Sets the middleware, and hands back the one before.
  mutating func install(
    _ newMiddleware: StoreMiddleware<Action, State>?
  ) -> StoreMiddleware<Action, State>? {
    defer { middleware = newMiddleware }
    return middleware
  }

  /// Adds an observer, unless it was cancelled while it waited for its turn.
  mutating func add(_ observer: Listener<Step<Action, State>>) {
    if observer.isActive { observers.append(observer) }
  }

  /// Adds a subscriber, unless it was cancelled while it waited for its turn.
  mutating func add(_ subscriber: Listener<Transition<State>>) {
    if subscriber.isActive { subscribers.append(subscriber) }
  }

  /// Keeps an effect, to cancel it.
  mutating func add(_ effect: RunningEffect) {
    effects[ObjectIdentifier(effect)] = effect
  }

  /// Forgets an effect, and hands it back.
  mutating func remove(_ effect: RunningEffect) -> RunningEffect? {
    effects.removeValue(forKey: ObjectIdentifier(effect))
  }

  /// Forgets a listener of either kind; the caller still holds it.
  mutating func remove(_ listener: AnyObject) {
    observers.removeAll { $0 === listener }
    subscribers.removeAll { $0 === listener }
  }
}

/// A state, and the one that a subscriber was told of before it; `nil` if this is its first.
struct Transition<State: Sendable>: Sendable {
  let previous: State?
  let state: State
}
