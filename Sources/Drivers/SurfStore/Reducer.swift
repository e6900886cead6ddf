/// How one action changes the state, and which effects follow.
///
/// It must be pure: it runs on whichever thread drains the store, and replay runs it again.
public struct Reducer<Action: Sendable, State>: Sendable {
  @usableFromInline package let body: @Sendable (Action, inout State) -> [Effect<Action>]

  /// A reducer that changes the state and returns the effects to run once the step is delivered.
  @inlinable
  public init(_ body: @escaping @Sendable (Action, inout State) -> [Effect<Action>]) {
    self.body = body
  }

  /// A reducer that returns the state after the action, and has no effects.
  @inlinable
  public init(_ body: @escaping @Sendable (Action, State) -> State) {
    self.body = { action, state in
      state = body(action, state)
      return []
    }
  }

  /// A reducer that changes the state in place, and has no effects.
  @inlinable
  public static func reduce(_ body: @escaping @Sendable (Action, inout State) -> Void) -> Reducer {
    Reducer { action, state in
      body(action, &state)
      return []
    }
  }

  /// Applies `action` to `state`, and returns the effects still to be run.
  public func reduce(_ action: Action, into state: inout State) -> [Effect<Action>] {
    body(action, &state)
  }
}
