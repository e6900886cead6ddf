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
