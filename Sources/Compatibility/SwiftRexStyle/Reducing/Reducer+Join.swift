public import SurfStore

/// Joins two reducers, two middlewares or two after-reducers. Reducers and middlewares run from
/// left to right, after-reducers from right to left.
infix operator <> : AdditionPrecedence

/// Joins in place.
infix operator <>= : AssignmentPrecedence

// Reducers form a monoid: `<>` joins them, and `identity` does nothing.
extension Reducer {
  /// Changes nothing: `identity <> reducer` is `reducer`.
  public static var identity: Reducer { .reduce { _, _ in } }

  /// Runs `left`, then `right` on the resulting state. Their effects run in the same order.
  public static func <> (left: Reducer, right: Reducer) -> Reducer {
    Reducer { action, state in
      let first = left.body(action, &state)
      let second = right.body(action, &state)
      return first.isEmpty ? second : first + second
    }
  }
}

/// Runs the reducers one after another. Their effects run in the same order.
public func combine<Action: Sendable, State>(
  _ reducers: Reducer<Action, State>...
) -> Reducer<Action, State> {
  Reducer { action, state in
    var effects: [Effect<Action>] = []
    for reducer in reducers { effects += reducer.body(action, &state) }
    return effects
  }
}

extension Reducer where State: Sendable {
  /// Makes a reducer that also prints each action, the state after it, and `---`.
  ///
  /// It prints in an effect: once for each step, and not when a debugger runs the action again.
  ///
  /// - Parameter printer: Prints the lines of one action. The last one has no line feed.
  public func logging(
    _ printer: @escaping @Sendable (String) -> Void = Printer.standardError
  ) -> Reducer {
    Reducer { action, state in
      let effects = body(action, &state)
      let report = Effect<Action>.fireAndForget { [state] in
        printer("Action: \(action)\nState:\n\(dumped(state))\n---")
      }
      return [report] + effects
    }
  }
}
