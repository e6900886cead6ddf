/// Something a reducer wants done after its step: it may dispatch further actions.
///
/// A store runs the effects of a step in order, after every observer and subscriber has seen that
/// step. `fireAndForget` and `sync` run on the draining thread and hold up the next action, so keep
/// them brief; `run` starts a task and does not.
///
/// An effect does not keep its store alive: a store that goes cancels the tasks of its effects, and
/// what they still send is dropped.
public struct Effect<Action: Sendable>: Sendable {
  enum Work: Sendable {
    /// Ends without an action.
    case fireAndForget(@Sendable () -> Void)
    /// Ends with one action, enqueued behind those that already wait.
    case sync(@Sendable () -> Action, ActionSource)
    /// Sends any number of actions, in its own time.
    case run(@Sendable (Send<Action>) async -> Void)
    /// Cancels the running effects of this id.
    case cancel(EffectID)
  }

  let work: Work
  private(set) var id: EffectID?
  private(set) var cancelsInFlight = false

  private init(work: Work) { self.work = work }

  /// Other work under the same id.
  private init<Other: Sendable>(_ work: Work, like other: Effect<Other>) {
    self.work = work
    id = other.id
    cancelsInFlight = other.cancelsInFlight
  }

  /// Work that sends no action, such as writing a line to a log.
  public static func fireAndForget(_ body: @escaping @Sendable () -> Void) -> Effect {
    Effect(work: .fireAndForget(body))
  }

  /// Work that makes one action; `file` and `line` become that action's source.
  public static func sync(
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line,
    _ body: @escaping @Sendable () -> Action
  ) -> Effect {
    Effect(work: .sync(body, ActionSource(file: file, function: function, line: line)))
  }

  /// Work that waits, and sends actions as it goes, in a task of its own.
  ///
  /// The store cancels that task when the store goes; give it an id to cancel it before. A `body`
  /// that loops must look for that: `Task.isCancelled`.
  public static func run(_ body: @escaping @Sendable (Send<Action>) async -> Void) -> Effect {
    Effect(work: .run(body))
  }

  /// This work under a name: `cancel(id:)` cancels it while it runs.
  ///
  /// From then on nothing that it sends counts; what it sent before is still applied.
  ///
  /// - Parameter cancelInFlight: Whether those that run under this id are cancelled first.
  public func cancellable(
    id: some Hashable & Sendable, cancelInFlight: Bool = false
  ) -> Effect {
    var effect = self
    effect.id = EffectID(id)
    effect.cancelsInFlight = cancelInFlight
    return effect
  }

  /// Cancels the effects of this store that run under `id`, if any.
  public static func cancel(id: some Hashable & Sendable) -> Effect {
    Effect(work: .cancel(EffectID(id)))
  }

  /// The same work with each of its actions passed through `transform`.
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

  /// The same work in a program that has no form for its actions: `drop` takes them.
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

/// Dispatches the actions of a running effect, from any thread, to the store that started it.
public struct Send<Action: Sendable>: Sendable {
  let enqueue: @Sendable (Action, ActionSource) -> Void

  /// Enqueues `action`; its step names as cause the step that had this effect.
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
