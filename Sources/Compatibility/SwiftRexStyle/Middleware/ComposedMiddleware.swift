public import SurfStore

/// A sequence of middlewares. Each sees every action, from left to right.
public struct ComposedMiddleware<
  InputActionType: Sendable, OutputActionType: Sendable, StateType: Sendable
>: Middleware {
  private var parts: [any Middleware<InputActionType, OutputActionType, StateType>] = []

  /// Makes an empty sequence.
  public init() {}

  /// The number of middlewares, counting the parts of composed ones, and no identities.
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

  /// Gives every middleware the same context.
  public func receiveContext(
    getState: @escaping GetState<StateType>, output: AnyActionHandler<OutputActionType>
  ) {
    for part in parts { part.receiveContext(getState: getState, output: output) }
  }

  /// Calls the middlewares from left to right. Their after-reducers run from right to left.
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

/// Calls `left`, then `right`, with each action.
public func <> <Input: Sendable, Output: Sendable, State: Sendable>(
  left: some Middleware<Input, Output, State>, right: some Middleware<Input, Output, State>
) -> ComposedMiddleware<Input, Output, State> {
  var composed = ComposedMiddleware<Input, Output, State>()
  composed.append(left)
  composed.append(right)
  return composed
}

/// A middleware that may do nothing at all, so that `ComposedMiddleware` can leave it out.
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
