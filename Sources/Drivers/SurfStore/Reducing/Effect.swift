/// Something a reducer wants done after its step: it may dispatch further actions.
///
/// A store runs the effects of a step in order, after every observer and subscriber has seen that
/// step. `fireAndForget` and `sync` run on the draining thread and hold up the next action, so keep
/// them brief; `run` starts a task and does not.
///
/// An effect does not keep its store alive: what it sends to a store that is gone is dropped.
public struct Effect<Action: Sendable>: Sendable {
  enum Work: Sendable {
    /// Ends without an action.
    case fireAndForget(@Sendable () -> Void)
    /// Ends with one action, enqueued behind those that already wait.
    case sync(@Sendable () -> Action, ActionSource)
    /// Sends any number of actions, in its own time.
    case run(@Sendable (Send<Action>) async -> Void)
  }

  let work: Work

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
  /// The store does not cancel that task: a `body` that loops must end itself.
  public static func run(_ body: @escaping @Sendable (Send<Action>) async -> Void) -> Effect {
    Effect(work: .run(body))
  }

  /// The same work with each of its actions passed through `transform`.
  public func map<Other: Sendable>(
    _ transform: @escaping @Sendable (Action) -> Other
  ) -> Effect<Other> {
    switch work {
    case .fireAndForget(let body):
      Effect<Other>(work: .fireAndForget(body))
    case .sync(let body, let source):
      Effect<Other>(work: .sync({ transform(body()) }, source))
    case .run(let body):
      Effect<Other>(work: .run { send in await body(send.pullback(transform)) })
    }
  }

  /// The same work in a program that has no form for its actions.
  func muted<Other: Sendable>(_ dropped: DroppedActions) -> Effect<Other> {
    switch work {
    case .fireAndForget(let body): .fireAndForget(body)
    case .sync(let body, _): .fireAndForget { dropped.note(body()) }
    case .run(let body):
      .run { _ in await body(Send { action, _ in dropped.note(action) }) }
    }
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
