public import SurfStore

/// Reads the state of the store that the middleware works for; from any thread, at any time.
public typealias GetState<StateType> = @Sendable () -> StateType

/// Sees each action before the reducer does, and may dispatch others: the place for side effects.
///
/// A middleware need not be `Sendable`. The store takes it over, and calls it in turns only, on
/// whichever thread drains the store. Closures that other threads call must capture `output`, which
/// is `Sendable`, and not the middleware itself.
///
///     final class TimerMiddleware: Middleware {
///       private var output: AnyActionHandler<TimerAction>?
///       private var timer: AnyCancellable?
///
///       func receiveContext(
///         getState: @escaping GetState<Void>, output: AnyActionHandler<TimerAction>
///       ) {
///         self.output = output
///       }
///
///       func handle(
///         action: TimerAction, from dispatcher: ActionSource, afterReducer: inout AfterReducer
///       ) {
///         switch action {
///         case .start: timer = ticks.sink { [output] _ in output?.dispatch(.tick) }
///         case .stop: timer = nil
///         case .tick: break
///         }
///       }
///     }
///
/// What a middleware dispatches waits for a turn of its own, and never runs inside another action.
/// Dispatched on the draining thread during `handle` or in an after-reducer, it has the handled
/// action's step as its cause; dispatched later it has none.
///
/// A middleware that answers every action with another one never lets its store rest. Turns of
/// other threads are taken in between, and nobody waits for it for ever: see `Store`. One that
/// answers with two lets the queue grow until the memory is used up.
public protocol Middleware<InputActionType, OutputActionType, StateType> {
  /// The actions that it sees.
  associatedtype InputActionType: Sendable
  /// The actions that it dispatches; `Never` if none.
  associatedtype OutputActionType: Sendable
  /// What it sees of the state; `Void` if nothing.
  associatedtype StateType: Sendable

  /// Gives it the way to the store, once, before any action.
  func receiveContext(
    getState: @escaping GetState<StateType>, output: AnyActionHandler<OutputActionType>)

  /// Called with each action that the store admits, before the reducer. `afterReducer` is still
  /// `doNothing`.
  func handle(
    action: InputActionType, from dispatcher: ActionSource, afterReducer: inout AfterReducer)
}

/// A middleware that ignores everything.
public struct IdentityMiddleware<
  InputActionType: Sendable, OutputActionType: Sendable, StateType: Sendable
>: Middleware {
  /// Does nothing.
  public init() {}

  /// Does nothing.
  public func receiveContext(
    getState: @escaping GetState<StateType>, output: AnyActionHandler<OutputActionType>
  ) {}

  /// Does nothing.
  public func handle(
    action: InputActionType, from dispatcher: ActionSource, afterReducer: inout AfterReducer
  ) {}
}

/// What a middleware wants done once the reducer has run, in the same turn and on the same thread.
///
/// After-reducers form a monoid. They unwind like a stack: of two joined by `<>`, the right one
/// runs first, so that the middleware which saw the action first has the last word.
public struct AfterReducer {
  // Empty for most actions, and then no memory is allocated.
  @usableFromInline var bodies: [() -> Void]

  /// Calls `body` when the new state is in place and its subscribers have been told.
  public static func `do`(_ body: @escaping () -> Void) -> AfterReducer {
    AfterReducer(bodies: [body])
  }

  /// Nothing is left to be done.
  public static var doNothing: AfterReducer { AfterReducer(bodies: []) }

  /// Neutral: the same as `doNothing`.
  public static var identity: AfterReducer { doNothing }

  /// Runs `right`, then `left`.
  public static func <> (left: AfterReducer, right: AfterReducer) -> AfterReducer {
    AfterReducer(bodies: left.bodies + right.bodies)
  }

  @inlinable var isNothing: Bool { bodies.isEmpty }

  /// Adds `right` to those that run first.
  static func <>= (left: inout AfterReducer, right: AfterReducer) {
    if !right.bodies.isEmpty { left.bodies += right.bodies }
  }

  /// Calls the bodies, the last one first.
  func run() {
    for body in bodies.reversed() { body() }
  }
}

/// A place where actions go, such as a store. Any thread may dispatch to it.
public struct AnyActionHandler<ActionType: Sendable>: Sendable {
  private let receive: @Sendable (ActionType, ActionSource) -> Void

  /// A handler that calls `receive` with each action, on the thread that dispatches it.
  public init(_ receive: @escaping @Sendable (ActionType, ActionSource) -> Void) {
    self.receive = receive
  }

  /// Dispatches `action` as if `source` had.
  public func dispatch(_ action: ActionType, from source: ActionSource) {
    receive(action, source)
  }

  /// Dispatches `action` from the line of this call.
  public func dispatch(
    _ action: ActionType, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt = #line, info: String? = nil
  ) {
    receive(action, ActionSource(file: file, function: function, line: line, info: info))
  }

  /// A handler of other actions: each is transformed and passed on, unless `transform` returns nil.
  public func mapAction<Other: Sendable>(
    _ transform: @escaping @Sendable (Other) -> ActionType?
  ) -> AnyActionHandler<Other> {
    AnyActionHandler<Other> { [receive] other, source in
      if let action = transform(other) { receive(action, source) }
    }
  }
}
