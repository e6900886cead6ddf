public import SurfStore

// One lift for each choice of what to translate. In all of them `inputAction` returns nil for an
// action that the middleware must not see, and key paths will do for functions.
extension Middleware {
  /// This middleware in a program with other actions and another state.
  public func lift<Input: Sendable, Output: Sendable, State: Sendable>(
    inputAction: @escaping @Sendable (Input) -> InputActionType?,
    outputAction: @escaping @Sendable (OutputActionType) -> Output,
    state: @escaping @Sendable (State) -> StateType
  ) -> LiftedMiddleware<Input, Output, State, Self> {
    LiftedMiddleware(part: self, input: inputAction, output: outputAction, state: state)
  }

  /// This middleware in a program with other actions.
  public func lift<Input: Sendable, Output: Sendable>(
    inputAction: @escaping @Sendable (Input) -> InputActionType?,
    outputAction: @escaping @Sendable (OutputActionType) -> Output
  ) -> LiftedMiddleware<Input, Output, StateType, Self> {
    lift(inputAction: inputAction, outputAction: outputAction, state: identity)
  }

  /// This middleware in a program that dispatches other actions, and has another state.
  public func lift<Input: Sendable, State: Sendable>(
    inputAction: @escaping @Sendable (Input) -> InputActionType?,
    state: @escaping @Sendable (State) -> StateType
  ) -> LiftedMiddleware<Input, OutputActionType, State, Self> {
    lift(inputAction: inputAction, outputAction: identity, state: state)
  }

  /// This middleware, which sees every action, in a program that takes other actions from it and
  /// has another state.
  public func lift<Output: Sendable, State: Sendable>(
    outputAction: @escaping @Sendable (OutputActionType) -> Output,
    state: @escaping @Sendable (State) -> StateType
  ) -> LiftedMiddleware<InputActionType, Output, State, Self> {
    lift(inputAction: { $0 }, outputAction: outputAction, state: state)
  }

  /// This middleware in a program that dispatches other actions.
  public func lift<Input: Sendable>(
    inputAction: @escaping @Sendable (Input) -> InputActionType?
  ) -> LiftedMiddleware<Input, OutputActionType, StateType, Self> {
    lift(inputAction: inputAction, outputAction: identity, state: identity)
  }

  /// This middleware in a program that takes other actions from it.
  public func lift<Output: Sendable>(
    outputAction: @escaping @Sendable (OutputActionType) -> Output
  ) -> LiftedMiddleware<InputActionType, Output, StateType, Self> {
    lift(inputAction: { $0 }, outputAction: outputAction, state: identity)
  }

  /// This middleware in a program with another state.
  public func lift<State: Sendable>(
    state: @escaping @Sendable (State) -> StateType
  ) -> LiftedMiddleware<InputActionType, OutputActionType, State, Self> {
    lift(inputAction: { $0 }, outputAction: identity, state: state)
  }
}

/// A middleware at work in a larger program: actions and state are translated for it.
public struct LiftedMiddleware<
  InputActionType: Sendable, OutputActionType: Sendable, StateType: Sendable, Part: Middleware
>: Middleware {
  let part: Part
  let input: @Sendable (InputActionType) -> Part.InputActionType?
  let output: @Sendable (Part.OutputActionType) -> OutputActionType
  let state: @Sendable (StateType) -> Part.StateType

  /// Gives the part a narrower context.
  public func receiveContext(
    getState: @escaping GetState<StateType>, output: AnyActionHandler<OutputActionType>
  ) {
    part.receiveContext(
      getState: { [state] in state(getState()) }, output: output.mapAction(self.output))
  }

  /// Shows the part its own actions only.
  public func handle(
    action: InputActionType, from dispatcher: ActionSource, afterReducer: inout AfterReducer
  ) {
    guard let local = input(action) else { return }
    part.handle(action: local, from: dispatcher, afterReducer: &afterReducer)
  }
}

/// For `lift(state: ignore)`: a middleware that needs no state.
@Sendable public func ignore<Value>(_: Value) {}

/// The value itself.
@Sendable public func identity<Value>(_ value: Value) -> Value { value }

/// For `lift(outputAction: absurd)`: a middleware that dispatches nothing.
@Sendable public func absurd<Value>(_ never: Never) -> Value {}
