internal import SurfThreads

extension Store {
  /// Runs an effect that no reducer asked for, at once; its actions have no cause.
  ///
  /// Keep the token: a `run` effect is cancelled when the token is cancelled or dropped, or by its
  /// id, or with the store.
  public func run(_ effect: Effect<Action>) -> Subscription {
    let running = run(effect, of: handledRestore)
    return Subscription { [weak running] in running?.cancel() }
  }

  @usableFromInline @discardableResult
  func run(_ effect: Effect<Action>, of cause: ActionCause?) -> RunningEffect? {
    if let id = effect.id, effect.cancelsInFlight { cancelEffects { $0 == id } }
    switch effect.work {
    case .fireAndForget(let body):
      body()
    case .sync(let body, let source):
      enqueue(.action(body(), source, cause: cause))
    case .run(let body):
      return start(body, id: effect.id, of: cause)
    case .cancel(let id):
      cancelEffects { $0 == id }
    }
    return nil
  }

  private func start(
    _ body: @escaping @Sendable (Send<Action>) async -> Void, id: EffectID?, of cause: ActionCause?
  ) -> RunningEffect {
    let running = RunningEffect(id: id)
    core.withLock { $0.add(running) }
    let send = Send<Action> { [weak self] action, source in
      guard running.isActive else { return }
      self?.enqueue(.action(action, source, cause: cause))
    }
    // Unstructured because `dispatch` is synchronous: there is no parent task here.
    running.begin(
      Task { [weak self] in
        await body(send)
        _ = self?.core.withLock { $0.remove(running) }
      })
    return running
  }

  /// Ids are compared without the lock: that is user code.
  func cancelEffects(where isMeant: (EffectID?) -> Bool) {
    for running in core.withLock({ Array($0.effects.values) }) where isMeant(running.id) {
      _ = core.withLock { $0.remove(running) }
      running.cancel()
    }
  }
}
