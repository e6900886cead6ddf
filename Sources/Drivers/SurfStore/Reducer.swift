/// Appends the effects of the right reducer to those of the left, which runs first.
infix operator <> : AdditionPrecedence

/// How one action changes the state, and which effects follow.
///
/// Reducers form a monoid: `<>` joins them and `identity` does nothing. They must be pure, because
/// they run on whichever thread drains the store.
public struct Reducer<Action: Sendable, State>: Sendable {
  private let body: @Sendable (Action, inout State) -> [Effect<Action>]

  /// A reducer that changes the state and returns the effects to run once the step is delivered.
  public init(_ body: @escaping @Sendable (Action, inout State) -> [Effect<Action>]) {
    self.body = body
  }

  /// A reducer without effects.
  public static func reduce(_ body: @escaping @Sendable (Action, inout State) -> Void) -> Reducer {
    Reducer { action, state in
      body(action, &state)
      return []
    }
  }

  /// The reducer that changes nothing; `identity <> reducer` is `reducer`.
  public static var identity: Reducer { Reducer { _, _ in [] } }

  /// Applies `action` to `state`, and returns the effects still to be run.
  public func reduce(_ action: Action, into state: inout State) -> [Effect<Action>] {
    body(action, &state)
  }

  /// Runs `left`, then `right` on the state that `left` made; effects in the same order.
  public static func <> (left: Reducer, right: Reducer) -> Reducer {
    Reducer { action, state in
      let effects = left.body(action, &state)
      return effects + right.body(action, &state)
    }
  }

  /// This reducer at work inside a larger one.
  ///
  /// - Parameters:
  ///   - get: The local action inside a global one, or `nil` for an action that is not ours: such
  ///     an action leaves the state untouched and has no effects.
  ///   - embed: The global action for a local one that an effect dispatches.
  ///   - state: Where the local state lives in the global one.
  public func lift<GlobalAction: Sendable, GlobalState>(
    action get: @escaping @Sendable (GlobalAction) -> Action?,
    embed: @escaping @Sendable (Action) -> GlobalAction,
    state: any WritableKeyPath<GlobalState, State> & Sendable
  ) -> Reducer<GlobalAction, GlobalState> {
    Reducer<GlobalAction, GlobalState> { action, global in
      guard let local = get(action) else { return [] }
      return body(local, &global[keyPath: state]).map { $0.map(embed) }
    }
  }
}
