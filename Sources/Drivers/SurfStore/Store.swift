internal import SurfThreads

/// Holds the state of a program, and lets it change only by actions, one at a time.
///
/// Any thread may call any member, even from inside an observer, a subscriber or an effect.
/// Actions, restores and new listeners take turns in one queue, in the order in which they were
/// enqueued.
///
/// A caller that finds the store idle works through the queue before its call returns; other
/// callers, and calls from inside a callback, only enqueue. So nothing is recursive, and no user
/// code ever runs under the lock.
///
/// The reducer works on a copy, so that other threads can read `state` meanwhile.
public final class Store<Action: Sendable, State: Sendable>: Sendable {
  private let reducer: Reducer<Action, State>
  private let admits: @Sendable (Action, ActionSource) -> Bool
  private let core: Monitor<StoreCore<Action, State>>

  /// A store in the state `initial`, idle, with no listeners.
  public convenience init(initial: State, reducer: Reducer<Action, State>) {
    self.init(initial: initial, reducer: reducer) { _, _ in true }
  }

  /// The same, with a gate that each action must pass in its turn. A refused action changes
  /// nothing, and only the gate hears of it. The gate is called on the draining thread.
  package init(
    initial: State, reducer: Reducer<Action, State>,
    admitting admits: @escaping @Sendable (Action, ActionSource) -> Bool
  ) {
    self.reducer = reducer
    self.admits = admits
    core = Monitor(StoreCore(state: initial))
  }

  /// The state after the latest step or restore.
  public var state: State { core.withLock { $0.state } }

  /// Enqueues `action`. If the store was idle, the action has been applied when this returns.
  public func dispatch(_ action: Action, file: StaticString = #fileID, line: UInt = #line) {
    let source = ActionSource(file: file.description, line: line)
    enqueue(.action(action, source, cause: nil))
  }

  /// Replaces the state in its turn: subscribers hear of it, but it does not count as a step.
  ///
  /// If the store was idle, the state has been replaced when this returns. Otherwise `completion`
  /// tells: the store calls it on the draining thread, once the subscribers have been told. Waiting
  /// actions and running effects are left alone.
  public func restore(_ state: State, completion: @escaping @Sendable () -> Void = {}) {
    enqueue(.revise({ _ in state }, completion: completion))
  }

  /// Calls `body` with the state in its turn, between two actions, and replaces the state if `body`
  /// returns one; then as `restore(_:completion:)`.
  package func revise(
    _ body: @escaping @Sendable (State) -> State?, completion: @escaping @Sendable () -> Void = {}
  ) {
    enqueue(.revise(body, completion: completion))
  }

  /// Calls `body` once for every step that is enqueued after this call, in order, on the draining
  /// thread, before the next action is applied.
  public func observe(_ body: @escaping @Sendable (Step<Action, State>) -> Void) -> Subscription {
    let listener = Listener(body)
    enqueue(.observe(listener))
    return subscription(to: listener)
  }

  /// Calls `body` with the current state, then after each step and each restore, in order, on the
  /// draining thread. If the store was idle, the first call has been made when this returns.
  public func subscribe(_ body: @escaping @Sendable (State) -> Void) -> Subscription {
    let listener = Listener(body)
    enqueue(.subscribe(listener))
    return subscription(to: listener)
  }
}

extension Store {
  private func enqueue(_ turn: StoreCore<Action, State>.Turn) {
    if core.withLock({ $0.enqueue(turn) }) { drain() }
  }

  /// Works through the queue until it is empty; only one thread at a time gets here.
  private func drain() {
    while let turns = core.withLock({ $0.takeTurns() }) {
      for turn in turns { perform(turn) }
    }
  }

  private func perform(_ turn: StoreCore<Action, State>.Turn) {
    switch turn {
    case .action(let action, let source, let cause):
      apply(action, from: source, cause: cause)
    case .revise(let body, let completion):
      replaceState(body)
      completion()
    case .observe(let listener):
      core.withLock { $0.add(listener) }
    case .subscribe(let listener):
      core.withLock { $0.add(listener) }
      listener(state)
    }
  }

  private func replaceState(_ body: (State) -> State?) {
    guard let state = body(state) else { return }
    let change = core.withLock { $0.replace(state) }
    for subscriber in change.subscribers { subscriber(state) }
  }

  private func apply(_ action: Action, from source: ActionSource, cause: UInt64?) {
    guard admits(action, source) else { return }
    var state = self.state
    let effects = reducer.reduce(action, into: &state)
    let change = core.withLock { [state] in $0.commit(state) }
    let step = Step(
      id: change.stepCount, action: action, state: state, source: source, cause: cause)
    for observer in change.observers { observer(step) }
    for subscriber in change.subscribers { subscriber(state) }
    for effect in effects { run(effect, of: step.id) }
  }

  private func run(_ effect: Effect<Action>, of step: UInt64) {
    switch effect.work {
    case .fireAndForget(let body):
      body()
    case .sync(let body, let source):
      enqueue(.action(body(), source, cause: step))
    case .run(let body):
      let send = Send<Action> { [weak self] action, source in
        self?.enqueue(.action(action, source, cause: step))
      }
      // Unstructured because `dispatch` is synchronous: there is no parent task here.
      Task { await body(send) }
    }
  }

  /// Weak on both sides: the store owns its listeners, a subscription owns nothing.
  private func subscription<Value>(to listener: Listener<Value>) -> Subscription {
    Subscription { [weak self, weak listener] in
      guard let listener else { return }
      listener.cancel()
      self?.core.withLock { $0.remove(listener) }
    }
  }
}
