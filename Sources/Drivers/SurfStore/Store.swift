public import SurfThreads

/// Holds the state of a program, and lets it change only by actions, one at a time.
///
/// Any thread may call any member, even from inside an observer, a subscriber, a middleware or an
/// effect. Actions, restores and new listeners take turns in one queue, in the order in which they
/// were enqueued.
///
/// In the turn of an action, the middlewares see it first, from left to right. The reducer changes
/// the state, and the validators look at it. The store calls observers and subscribers. The
/// after-reducers run, from right to left, and then the effects.
///
/// An action to whose state a validator objects is rejected: the state stays, no step is counted,
/// observers and subscribers hear nothing, and its effects are dropped. Those who observe
/// rejections are told, and the after-reducers run, so that a middleware can end what it began.
///
/// A caller that finds the store idle works through the queue before its call returns; other
/// callers, and calls from inside a callback, only enqueue. So nothing is recursive, and no user
/// code ever runs under the lock.
///
/// A queue that is refilled for ever holds up its caller for 262,144 turns; then a task takes
/// over, and the call returns.
///
/// The reducer works on a copy, so that other threads can read `state` meanwhile.
public final class Store<Action: Sendable, State: Sendable>: Sendable {
  @usableFromInline let reducer: Reducer<Action, State>
  @usableFromInline let admits: (@Sendable (Action, ActionSource) -> Bool)?
  /// The rules for the state, in the order in which they are asked.
  @usableFromInline package let validators: [Validator<State>]
  @usableFromInline let core: Monitor<StoreCore<Action, State>>
  @usableFromInline
  // Unsafe: the core's contents, which say who may touch them. Here too, as each step on the way to
  // them costs an action time.
  nonisolated(unsafe) let values: UnsafeMutablePointer<StoreContents<Action, State>.Values>
  @usableFromInline let baton = TurnToken()
  let cancelsEffectsOnRestore: Bool
  let handledTurn = HandledTurn()

  /// A store in the state `initial`, idle, with no listeners.
  ///
  /// - Parameters:
  ///   - validators: The rules for each state that an action leads to. Neither `initial` nor a
  ///     state to be restored is asked about.
  ///   - cancelsEffectsOnRestore: Whether a restore cancels the effects that are running, because
  ///     they belong to a past that is no more.
  public convenience init(
    initial: State, reducer: Reducer<Action, State>, validators: [Validator<State>] = [],
    cancelsEffectsOnRestore: Bool = false
  ) {
    self.init(
      initial: initial, reducer: reducer, validators: validators,
      cancelsEffectsOnRestore: cancelsEffectsOnRestore, admitting: nil)
  }

  /// The same, with a gate that each action must pass in its turn. A refused action changes
  /// nothing, and only the gate hears of it. The gate is called on the draining thread.
  package init(
    initial: State, reducer: Reducer<Action, State>, validators: [Validator<State>] = [],
    cancelsEffectsOnRestore: Bool = false,
    admitting admits: (@Sendable (Action, ActionSource) -> Bool)?
  ) {
    self.reducer = reducer
    self.admits = admits
    self.validators = validators
    self.cancelsEffectsOnRestore = cancelsEffectsOnRestore
    let contents = StoreContents<Action, State>(
      state: initial, isUnguarded: admits == nil && validators.isEmpty)
    values = contents.values
    core = Monitor(StoreCore(contents))
  }

  /// The state after the latest step or restore.
  public var state: State { core.withLock { $0.state } }

  /// Enqueues `action`. If the store was idle, the action has been applied when this returns.
  @inlinable
  public func dispatch(
    _ action: Action, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt = #line, info: String? = nil
  ) {
    dispatch(action, cause: nil) {
      ActionSource(file: file, function: function, line: line, info: info)
    }
  }

  /// Enqueues `action` as if `source` had dispatched it.
  @inlinable
  public func dispatch(_ action: Action, from source: ActionSource) {
    dispatch(action, cause: nil) { source }
  }

  /// Replaces the state in its turn: subscribers hear of it, but it does not count as a step.
  ///
  /// If the store was idle, the state has been replaced when this returns. Otherwise `completion`
  /// tells: the store calls it on the draining thread, once the subscribers have been told. Waiting
  /// actions are left alone, and so are running effects unless `cancelsEffectsOnRestore`.
  public func restore(_ state: State, completion: @escaping @Sendable () -> Void = {}) {
    enqueue(.revise({ _ in state }, id: nil, completion: completion))
  }

  /// Calls `body` with the state in its turn, between two actions, and replaces the state if `body`
  /// returns one; then as `restore(_:completion:)`.
  ///
  /// - Parameter id: Of the restore, for the steps of what subscribers dispatch when it is told.
  package func revise(
    _ body: @escaping @Sendable (State) -> State?, id: UInt64? = nil,
    completion: @escaping @Sendable () -> Void = {}
  ) {
    enqueue(.revise(body, id: id, completion: completion))
  }

  /// Calls `body` once for every step that is enqueued after this call, in order, on the draining
  /// thread, before the next action is applied.
  public func observe(_ body: @escaping @Sendable (Step<Action, State>) -> Void) -> Subscription {
    let listener = Listener(body)
    enqueue(.observe(listener))
    return subscription(to: listener)
  }

  /// Calls `body` once for every action that a validator rejects after this call, in order, on the
  /// draining thread, before the next action is applied.
  public func observeRejections(
    _ body: @escaping @Sendable (Rejection<Action>) -> Void
  ) -> Subscription {
    let listener = Listener(body)
    enqueue(.observeRejections(listener))
    return subscription(to: listener)
  }

  /// Calls `body` with the current state, then after each step and each restore, in order, on the
  /// draining thread. If the store was idle, the first call has been made when this returns.
  public func subscribe(_ body: @escaping @Sendable (State) -> Void) -> Subscription {
    subscribe(with: Listener { body($0.state) })
  }

  /// The same for a part of the state: calls `body` with the current one, then whenever a step or a
  /// restore has made it different. A key path will do for `slice`.
  ///
  /// A step that leaves the part equal costs two calls of `slice` and a comparison.
  @inlinable
  public func subscribe<Slice: Equatable & Sendable>(
    to slice: @escaping @Sendable (State) -> Slice, _ body: @escaping @Sendable (Slice) -> Void
  ) -> Subscription {
    subscribe(
      with: Listener { transition in
        let new = slice(transition.state)
        if let previous = transition.previous, slice(previous) == new { return }
        body(new)
      })
  }

  @usableFromInline
  func subscribe(with listener: Listener<Transition<State>>) -> Subscription {
    enqueue(.subscribe(listener))
    return subscription(to: listener)
  }

  /// The steps that are enqueued after this call. A reader that is 65,536 steps behind misses the
  /// oldest of them, and can tell by their ids. The stream ends with the store.
  public var steps: AsyncStream<Step<Action, State>> {
    .listening(.bufferingNewest(StoreLimits.unreadStepCountMax)) { receive in observe(receive) }
  }

  /// Shows a hook each action from its turn on; a second one takes the place of the first.
  package func install(_ hook: some ActionHook<Action, State>) { enqueue(.install(hook)) }

  /// Weak on both sides: the store owns its listeners, a subscription owns nothing.
  private func subscription<Value>(to listener: Listener<Value>) -> Subscription {
    Subscription { [weak self, weak listener] in
      guard let listener else { return }
      listener.cancel()
      self?.core.withLock { $0.remove(listener) }
    }
  }

  deinit {
    // The hook can read the state, even now; it and the state must not keep each other.
    _ = core.withLock { $0.install(nil) }
    cancelEffects { _ in true }
  }
}
