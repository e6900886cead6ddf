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
