public import SurfStore

/// Derives actions from actions: for each action, it dispatches those that follow from it.
///
/// A derived action's source is the line that made the bridge, and names the original action. The
/// original action's step is the cause of the derived action's.
public final class BridgeMiddleware<InputActionType: Sendable, OutputActionType: Sendable>:
  Middleware
{
  private let derive: (InputActionType) -> [OutputActionType]
  private let file: StaticString
  private let function: StaticString
  private let line: UInt
  private var output: AnyActionHandler<OutputActionType>?

  /// Makes a bridge that dispatches what `derive` returns, in that order.
  public init(
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line,
    _ derive: @escaping (InputActionType) -> [OutputActionType]
  ) {
    self.derive = derive
    self.file = file
    self.function = function
    self.line = line
  }

  /// Keeps `output`.
  public func receiveContext(
    getState: @escaping GetState<Void>, output: AnyActionHandler<OutputActionType>
  ) {
    self.output = output
  }

  /// Dispatches the derived actions.
  public func handle(
    action: InputActionType, from dispatcher: ActionSource, afterReducer: inout AfterReducer
  ) {
    for derived in derive(action) {
      // Leaves out the source's own info, or that of a long chain would keep growing.
      output?.dispatch(
        derived, file: file, function: function, line: line,
        info: "Bridged from \(action) at \(dispatcher.place)")
    }
  }
}
