/// Work that a reducer returns for the store to do after the step. It may dispatch more actions.
///
/// A store runs the effects of a step in order, after every observer and subscriber has seen that
/// step. `fireAndForget` and `sync` run on the draining thread and delay the next action, so keep
/// them brief. `run` starts a task.
///
/// An effect does not keep its store alive. A released store cancels its effects' tasks, and drops
/// the actions that they still send.
public struct Effect<Action: Sendable>: Sendable {
  enum Work: Sendable {
    /// Dispatches nothing.
    case fireAndForget(@Sendable () -> Void)
    /// Dispatches one action, behind those already in the queue.
    case sync(@Sendable () -> Action, ActionSource)
    /// Dispatches any number of actions from a task.
    case run(@Sendable (Send<Action>) async -> Void)
    /// Cancels the running effects with this id.
    case cancel(EffectID)
  }

  let work: Work
  private(set) var id: EffectID?
  private(set) var cancelsInFlight = false

  private init(work: Work) { self.work = work }

  /// `work` with the id and options of `other`.
  private init<Other: Sendable>(_ work: Work, like other: Effect<Other>) {
    self.work = work
    id = other.id
    cancelsInFlight = other.cancelsInFlight
  }

  /// Work that dispatches nothing, such as writing a line to a log.
  public static func fireAndForget(_ body: @escaping @Sendable () -> Void) -> Effect {
    Effect(work: .fireAndForget(body))
  }

  /// Work that returns one action. `file` and `line` become that action's source.
  public static func sync(
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line,
    _ body: @escaping @Sendable () -> Action
  ) -> Effect {
    Effect(work: .sync(body, ActionSource(file: file, function: function, line: line)))
  }

  /// Asynchronous work in a task of its own, which sends actions at any time.
  ///
  /// The store cancels the task when it is released; give the effect an id to cancel it earlier. A
  /// `body` that loops must check `Task.isCancelled`.
  public static func run(_ body: @escaping @Sendable (Send<Action>) async -> Void) -> Effect {
    Effect(work: .run(body))
  }

  /// This effect with an id, so that `cancel(id:)` can cancel it while it runs.
  ///
  /// Once cancelled, it can send no more actions. Actions that it sent before are still applied.
  ///
  /// - Parameter cancelInFlight: Whether starting it cancels running effects with the same id.
  public func cancellable(
    id: some Hashable & Sendable, cancelInFlight: Bool = false
  ) -> Effect {
    var effect = self
    effect.id = EffectID(id)
    effect.cancelsInFlight = cancelInFlight
    return effect
  }

  /// Cancels the store's running effects with this id.
  public static func cancel(id: some Hashable & Sendable) -> Effect {
    Effect(work: .cancel(EffectID(id)))
  }

  /// The same work, with `transform` applied to each action.
  public func map<Other: Sendable>(
    _ transform: @escaping @Sendable (Action) -> Other
  ) -> Effect<Other> {
    let mapped: Effect<Other>.Work =
      switch work {
      case .fireAndForget(let body): .fireAndForget(body)
      case .sync(let body, let source): .sync({ transform(body()) }, source)
      case .run(let body): .run { send in await body(send.pullback(transform)) }
      case .cancel(let id): .cancel(id)
      }
    return Effect<Other>(mapped, like: self)
  }

  /// The same work, with its actions passed to `drop` instead of a store.
  package func muted<Other: Sendable>(
    _ drop: @escaping @Sendable (Action) -> Void
  ) -> Effect<Other> {
    let muted: Effect<Other>.Work =
      switch work {
      case .fireAndForget(let body): .fireAndForget(body)
      case .sync(let body, _): .fireAndForget { drop(body()) }
      case .run(let body): .run { _ in await body(Send { action, _ in drop(action) }) }
      case .cancel(let id): .cancel(id)
      }
    return Effect<Other>(muted, like: self)
  }
}

/// Sends the actions of a running effect, from any thread, to the store that started it.
public struct Send<Action: Sendable>: Sendable {
  let enqueue: @Sendable (Action, ActionSource) -> Void

  /// Enqueues `action`. Its `Step.cause` is the step that returned this effect.
  public func callAsFunction(
    _ action: Action, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt = #line
  ) {
    enqueue(action, ActionSource(file: file, function: function, line: line))
  }

  func pullback<Local: Sendable>(
    _ transform: @escaping @Sendable (Local) -> Action
  ) -> Send<Local> {
    Send<Local> { action, source in enqueue(transform(action), source) }
  }
}
