public import SurfStore

/// Middlewares in a row: each sees every action, from left to right.
public struct ComposedMiddleware<
  InputActionType: Sendable, OutputActionType: Sendable, StateType: Sendable
>: Middleware {
  private var parts: [any Middleware<InputActionType, OutputActionType, StateType>] = []

  /// No middleware yet.
  public init() {}

  /// How many there are: identities are left out, also lifted ones, and the parts of others are
  /// counted one by one.
  public var count: Int { parts.count }

  /// Adds a middleware on the right.
  public mutating func append(
    _ middleware: some Middleware<InputActionType, OutputActionType, StateType>
  ) {
    if let idle = middleware as? any PossiblyIdle, idle.isIdle { return }
    if let composed = middleware as? ComposedMiddleware {
      parts += composed.parts
    } else {
      parts.append(middleware)
    }
  }

  /// Gives each the same context, from left to right.
  public func receiveContext(
    getState: @escaping GetState<StateType>, output: AnyActionHandler<OutputActionType>
  ) {
    for part in parts { part.receiveContext(getState: getState, output: output) }
  }

  /// Shows each the action, from left to right; their after-reducers run from right to left.
  public func handle(
    action: InputActionType, from dispatcher: ActionSource, afterReducer: inout AfterReducer
  ) {
    for part in parts {
      var own = AfterReducer.doNothing
      part.handle(action: action, from: dispatcher, afterReducer: &own)
      afterReducer <>= own
    }
  }
}

/// Shows each action to `left`, then to `right`.
public func <> <Input: Sendable, Output: Sendable, State: Sendable>(
  left: some Middleware<Input, Output, State>, right: some Middleware<Input, Output, State>
) -> ComposedMiddleware<Input, Output, State> {
  var composed = ComposedMiddleware<Input, Output, State>()
  composed.append(left)
  composed.append(right)
  return composed
}

/// A middleware that may turn out to do nothing.
protocol PossiblyIdle {
  var isIdle: Bool { get }
}

extension IdentityMiddleware: PossiblyIdle {
  var isIdle: Bool { true }
}

extension LiftedMiddleware: PossiblyIdle {
  var isIdle: Bool { (part as? any PossiblyIdle)?.isIdle ?? false }
}

extension ComposedMiddleware: PossiblyIdle {
  var isIdle: Bool { parts.isEmpty }
}
