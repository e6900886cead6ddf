public import SurfStore

/// Derives actions from actions: whenever one comes, it dispatches those that follow from it.
///
/// A derived action's source is the line that made the bridge, and says what it was bridged from.
/// Its step has that action's step as its cause.
public final class BridgeMiddleware<InputActionType: Sendable, OutputActionType: Sendable>:
  Middleware
{
  private let derive: (InputActionType) -> [OutputActionType]
  private let file: StaticString
  private let function: StaticString
  private let line: UInt
  private var output: AnyActionHandler<OutputActionType>?

  /// A bridge that dispatches what `derive` returns, in that order.
  public init(
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line,
    _ derive: @escaping (InputActionType) -> [OutputActionType]
  ) {
    self.derive = derive
    self.file = file
    self.function = function
    self.line = line
  }

  /// Keeps the way to the store.
  public func receiveContext(
    getState: @escaping GetState<Void>, output: AnyActionHandler<OutputActionType>
  ) {
    self.output = output
  }

  /// Dispatches the actions that follow from this one.
  public func handle(
    action: InputActionType, from dispatcher: ActionSource, afterReducer: inout AfterReducer
  ) {
    for derived in derive(action) {
      // The place alone: with its own info, that of a long chain would grow for ever.
      output?.dispatch(
        derived, file: file, function: function, line: line,
        info: "Bridged from \(action) at \(dispatcher.place)")
    }
  }
}
