internal import SurfThreads

extension Store {
  /// Runs an effect immediately, outside of any step; its actions have no cause.
  ///
  /// Keep the token. A `run` effect is cancelled when the token is cancelled or dropped, by its id,
  /// or when the store is released.
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
    // Unstructured because `dispatch` is synchronous: there is no parent task here. It inherits the
    // cause of the task that dispatched the action.
    running.begin(
      Task { [weak self] in
        await body(send)
        _ = self?.core.withLock { $0.remove(running) }
      })
    return running
  }

  /// Compares ids without the lock, because `==` is user code.
  func cancelEffects(where isMeant: (EffectID?) -> Bool) {
    for running in core.withLock({ Array($0.effects.values) }) where isMeant(running.id) {
      _ = core.withLock { $0.remove(running) }
      running.cancel()
    }
  }
}

/// The id that an effect is cancelled by.
struct EffectID: Equatable, Sendable {
  private let value: any Hashable & Sendable

  init(_ value: some Hashable & Sendable) { self.value = value }

  static func == (left: EffectID, right: EffectID) -> Bool {
    AnyHashable(left.value) == AnyHashable(right.value)
  }
}

/// The task of a `run` effect, from before it starts until it ends or is cancelled.
@usableFromInline
final class RunningEffect: Sendable {
  private enum Phase: Sendable {
    case beginning
    case running(Task<Void, Never>)
    case over
  }

  let id: EffectID?
  private let phase = Monitor(Phase.beginning)

  init(id: EffectID?) { self.id = id }

  /// Whether it may still send actions.
  var isActive: Bool {
    phase.withLock { if case .over = $0 { false } else { true } }
  }

  /// Attaches the task. If the effect has been cancelled already, this cancels the task.
  func begin(_ task: Task<Void, Never>) {
    let isOver = phase.withLock { phase in
      if case .over = phase { return true }
      phase = .running(task)
      return false
    }
    if isOver { task.cancel() }
  }

  /// Cancels the task unless it has ended, without the lock: that can run user code.
  func cancel() {
    let last = phase.withLock { phase in
      defer { phase = .over }
      return phase
    }
    if case .running(let task) = last { task.cancel() }
  }
}
