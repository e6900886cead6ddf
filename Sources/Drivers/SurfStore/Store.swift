public import SurfThreads

/// Holds the state of a program. Only actions and restores change it, one at a time.
///
/// Any thread may call any member, even from inside an observer, a subscriber, a middleware or an
/// effect. Actions, restores and new listeners take turns in one queue, in the order they were
/// enqueued.
///
/// In an action's turn, the middlewares see it first, from left to right. The reducer changes the
/// state, and the validators check it. The store calls observers and subscribers. Then it runs the
/// after-reducers, from right to left, and then the effects.
///
/// If a validator objects to the new state, the action is rejected. The state stays as it was, no
/// step is counted, observers and subscribers are not called, and the effects are dropped. The
/// store calls the observers of rejections, and the after-reducers, so that a middleware can finish
/// what it began.
///
/// A caller that finds the store idle drains the queue before its call returns. Other callers, and
/// calls from inside a callback, only enqueue. So nothing is recursive, and no user code ever runs
/// under the lock.
///
/// A queue that never becomes empty keeps its caller for 262,144 turns. Then a task takes over, and
/// the call returns.
///
/// The reducer works on a copy, so that other threads can read `state` meanwhile.
public final class Store<Action: Sendable, State: Sendable>: Sendable {
  @usableFromInline let reducer: Reducer<Action, State>
  @usableFromInline let admits: (@Sendable (Action, ActionSource) -> Bool)?
  /// The rules for the state, in the order they are called.
  @usableFromInline package let validators: [Validator<State>]
  @usableFromInline let core: Monitor<StoreCore<Action, State>>
  @usableFromInline
  // Unsafe: `StoreContents` says who may touch what this points to. It is the pointer in `core`,
  // kept here as well because each indirection costs every action time.
  nonisolated(unsafe) let values: UnsafeMutablePointer<StoreContents<Action, State>.Values>
  @usableFromInline let baton = TurnToken()
  let cancelsEffectsOnRestore: Bool
  let handledTurn = HandledTurn()

  /// A store in the state `initial`, idle, with no listeners.
  ///
  /// - Parameters:
  ///   - validators: The rules for each state that an action leads to. They do not check `initial`
  ///     or a restored state.
  ///   - cancelsEffectsOnRestore: Whether a restore cancels the running effects. They belong to a
  ///     past that the restore has undone.
  public convenience init(
    initial: State, reducer: Reducer<Action, State>, validators: [Validator<State>] = [],
    cancelsEffectsOnRestore: Bool = false
  ) {
    self.init(
      initial: initial, reducer: reducer, validators: validators,
      cancelsEffectsOnRestore: cancelsEffectsOnRestore, admitting: nil)
  }

  /// The same, with a gate that each action must pass in its turn. An action that the gate refuses
  /// changes nothing, and nobody else hears of it. The store calls the gate on the draining thread.
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

  /// Enqueues `action`. If the store was idle, it has applied the action when this returns.
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

  /// Replaces the state in its turn. Subscribers are called, but it does not count as a step.
  ///
  /// If the store was idle, it has replaced the state when this returns. Otherwise wait for
  /// `completion`: the store calls it on the draining thread, after the subscribers. Actions in the
  /// queue stay there, and running effects go on unless `cancelsEffectsOnRestore` is set.
  public func restore(_ state: State, completion: @escaping @Sendable () -> Void = {}) {
    enqueue(.revise({ _ in state }, id: nil, completion: completion))
  }

  /// Calls `body` with the state in its turn, between two actions. If `body` returns a state, this
  /// continues as `restore(_:completion:)`.
  ///
  /// - Parameter id: The restore's id. It becomes the cause of what subscribers dispatch in it.
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
  /// draining thread. If the store was idle, it has made the first call when this returns.
  public func subscribe(_ body: @escaping @Sendable (State) -> Void) -> Subscription {
    subscribe(with: Listener { body($0.state) })
  }

  /// The same for a part of the state: calls `body` with the current part, then after each step or
  /// restore that changes it. `slice` can be a key path.
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
  package func subscribe(with listener: Listener<Transition<State>>) -> Subscription {
    enqueue(.subscribe(listener))
    return subscription(to: listener)
  }

  /// The steps that are enqueued after this call. A reader that falls 65,536 steps behind loses the
  /// oldest, and can see that by their ids. The stream ends with the store.
  public var steps: AsyncStream<Step<Action, State>> {
    .listening(.bufferingNewest(StoreLimits.unreadStepCountMax)) { receive in observe(receive) }
  }

  /// Shows a hook each action from its turn on. The hook replaces the one before.
  package func install(_ hook: some ActionHook<Action, State>) { enqueue(.install(hook)) }

  /// Weak on both sides: the store owns its listeners, and a subscription owns nothing.
  private func subscription<Value>(to listener: Listener<Value>) -> Subscription {
    Subscription { [weak self, weak listener] in
      guard let listener else { return }
      listener.cancel()
      self?.core.withLock { $0.remove(listener) }
    }
  }

  deinit {
    // The hook can still read the state. Break the cycle between them.
    _ = core.withLock { $0.install(nil) }
    cancelEffects { _ in true }
  }
}
