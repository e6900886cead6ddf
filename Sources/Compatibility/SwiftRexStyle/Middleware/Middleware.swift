public import SurfStore

/// Reads the current state of a middleware's store, on any thread.
public typealias GetState<StateType> = @Sendable () -> StateType

/// Sees each action of a store before the reducer, and may dispatch others: the place for side
/// effects.
///
/// A middleware need not be `Sendable`. The store owns it, and calls it only in turns, on whichever
/// thread drains the store. Closures that other threads call must capture `output`, which is
/// `Sendable`, and not the middleware itself.
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
/// An action that a middleware dispatches waits for a turn of its own, and never runs inside
/// another action. If it is dispatched on the draining thread during `handle` or in an
/// after-reducer, the handled action's step is its cause. Otherwise it has no cause, nor if a
/// validator rejects the handled action, which then makes no step.
///
/// A middleware that answers every action with another one keeps its store busy without end. Other
/// threads get their turns in between, and none waits forever: see `Store`. If it answers with two,
/// the queue grows until memory runs out.
public protocol Middleware<InputActionType, OutputActionType, StateType> {
  /// The actions that it sees.
  associatedtype InputActionType: Sendable
  /// The actions that it dispatches, or `Never`.
  associatedtype OutputActionType: Sendable
  /// The state that it reads, or `Void`.
  associatedtype StateType: Sendable

  /// Called once, before any action. A middleware keeps what it needs of the context.
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

/// Work of a middleware after the reducer has run, in the same turn and on the same thread.
///
/// After-reducers form a monoid, and unwind like a stack: of two joined by `<>`, the right one runs
/// first, so the middleware that saw the action first runs last.
public struct AfterReducer {
  // Empty for most actions, and then no memory is allocated.
  @usableFromInline var bodies: [() -> Void]

  /// Calls `body` after the state has changed and its subscribers have been called. A validator may
  /// reject the action: then the store calls `body` with the old state, and no subscriber.
  public static func `do`(_ body: @escaping () -> Void) -> AfterReducer {
    AfterReducer(bodies: [body])
  }

  /// No work.
  public static var doNothing: AfterReducer { AfterReducer(bodies: []) }

  /// The neutral element, the same as `doNothing`.
  public static var identity: AfterReducer { doNothing }

  /// Runs `right`, then `left`.
  public static func <> (left: AfterReducer, right: AfterReducer) -> AfterReducer {
    AfterReducer(bodies: left.bodies + right.bodies)
  }

  @inlinable var isNothing: Bool { bodies.isEmpty }

  /// Adds `right`, which runs before the others.
  static func <>= (left: inout AfterReducer, right: AfterReducer) {
    if !right.bodies.isEmpty { left.bodies += right.bodies }
  }

  func run() {
    for body in bodies.reversed() { body() }
  }
}

/// Receives actions, for a store or a projection of one. Any thread may dispatch to it.
public struct AnyActionHandler<ActionType: Sendable>: Sendable {
  private let receive: @Sendable (ActionType, ActionSource) -> Void

  /// Makes a handler that calls `receive` with each action, on the dispatching thread.
  public init(_ receive: @escaping @Sendable (ActionType, ActionSource) -> Void) {
    self.receive = receive
  }

  /// Dispatches `action` with this source.
  public func dispatch(_ action: ActionType, from source: ActionSource) {
    receive(action, source)
  }

  /// Dispatches `action` with the line of this call as its source.
  public func dispatch(
    _ action: ActionType, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt = #line, info: String? = nil
  ) {
    receive(action, ActionSource(file: file, function: function, line: line, info: info))
  }

  /// Makes a handler that transforms actions and passes them on. It drops an action if
  /// `transform` returns nil.
  public func mapAction<Other: Sendable>(
    _ transform: @escaping @Sendable (Other) -> ActionType?
  ) -> AnyActionHandler<Other> {
    AnyActionHandler<Other> { [receive] other, source in
      if let action = transform(other) { receive(action, source) }
    }
  }
}
