public import SurfStore

// One lift for each choice of what to translate. In all of them, `inputAction` returns nil to hide
// an action from the middleware, and key paths work as functions.
extension Middleware {
  /// Adapts this middleware to a program with other actions and another state.
  public func lift<Input: Sendable, Output: Sendable, State: Sendable>(
    inputAction: @escaping @Sendable (Input) -> InputActionType?,
    outputAction: @escaping @Sendable (OutputActionType) -> Output,
    state: @escaping @Sendable (State) -> StateType
  ) -> LiftedMiddleware<Input, Output, State, Self> {
    LiftedMiddleware(part: self, input: inputAction, output: outputAction, state: state)
  }

  /// Adapts this middleware to a program with other actions.
  public func lift<Input: Sendable, Output: Sendable>(
    inputAction: @escaping @Sendable (Input) -> InputActionType?,
    outputAction: @escaping @Sendable (OutputActionType) -> Output
  ) -> LiftedMiddleware<Input, Output, StateType, Self> {
    lift(inputAction: inputAction, outputAction: outputAction, state: identity)
  }

  /// Adapts the actions that this middleware sees, and its state.
  public func lift<Input: Sendable, State: Sendable>(
    inputAction: @escaping @Sendable (Input) -> InputActionType?,
    state: @escaping @Sendable (State) -> StateType
  ) -> LiftedMiddleware<Input, OutputActionType, State, Self> {
    lift(inputAction: inputAction, outputAction: identity, state: state)
  }

  /// Adapts the actions that this middleware dispatches, and its state. It sees every action.
  public func lift<Output: Sendable, State: Sendable>(
    outputAction: @escaping @Sendable (OutputActionType) -> Output,
    state: @escaping @Sendable (State) -> StateType
  ) -> LiftedMiddleware<InputActionType, Output, State, Self> {
    lift(inputAction: { $0 }, outputAction: outputAction, state: state)
  }

  /// Adapts only the actions that this middleware sees.
  public func lift<Input: Sendable>(
    inputAction: @escaping @Sendable (Input) -> InputActionType?
  ) -> LiftedMiddleware<Input, OutputActionType, StateType, Self> {
    lift(inputAction: inputAction, outputAction: identity, state: identity)
  }

  /// Adapts only the actions that this middleware dispatches.
  public func lift<Output: Sendable>(
    outputAction: @escaping @Sendable (OutputActionType) -> Output
  ) -> LiftedMiddleware<InputActionType, Output, StateType, Self> {
    lift(inputAction: { $0 }, outputAction: outputAction, state: identity)
  }

  /// Adapts only the state.
  public func lift<State: Sendable>(
    state: @escaping @Sendable (State) -> StateType
  ) -> LiftedMiddleware<InputActionType, OutputActionType, State, Self> {
    lift(inputAction: { $0 }, outputAction: identity, state: state)
  }
}

/// A middleware adapted to a larger program by `lift`, which translates its actions and state.
public struct LiftedMiddleware<
  InputActionType: Sendable, OutputActionType: Sendable, StateType: Sendable, Part: Middleware
>: Middleware {
  let part: Part
  let input: @Sendable (InputActionType) -> Part.InputActionType?
  let output: @Sendable (Part.OutputActionType) -> OutputActionType
  let state: @Sendable (StateType) -> Part.StateType

  /// Gives the part a translated context.
  public func receiveContext(
    getState: @escaping GetState<StateType>, output: AnyActionHandler<OutputActionType>
  ) {
    part.receiveContext(
      getState: { [state] in state(getState()) }, output: output.mapAction(self.output))
  }

  /// Translates the action for the part, or drops it.
  public func handle(
    action: InputActionType, from dispatcher: ActionSource, afterReducer: inout AfterReducer
  ) {
    guard let local = input(action) else { return }
    part.handle(action: local, from: dispatcher, afterReducer: &afterReducer)
  }
}

/// For `lift(state: ignore)`: a middleware that needs no state.
@Sendable public func ignore<Value>(_: Value) {}

/// Returns its argument.
@Sendable public func identity<Value>(_ value: Value) -> Value { value }

/// For `lift(outputAction: absurd)`: a middleware that dispatches nothing.
@Sendable public func absurd<Value>(_ never: Never) -> Value {}
