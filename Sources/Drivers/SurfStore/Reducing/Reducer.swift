/// How one action changes the state, and which effects follow.
///
/// Reducers form a monoid: `<>` joins them and `identity` does nothing. They must be pure, because
/// they run on whichever thread drains the store.
public struct Reducer<Action: Sendable, State>: Sendable {
  @usableFromInline let body: @Sendable (Action, inout State) -> [Effect<Action>]

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

  /// The reducer that changes nothing; `identity <> reducer` is `reducer`.
  public static var identity: Reducer { .reduce { _, _ in } }

  /// Applies `action` to `state`, and returns the effects still to be run.
  public func reduce(_ action: Action, into state: inout State) -> [Effect<Action>] {
    body(action, &state)
  }

  /// Runs `left`, then `right` on the state that `left` made; effects in the same order.
  public static func <> (left: Reducer, right: Reducer) -> Reducer {
    Reducer { action, state in
      let first = left.body(action, &state)
      let second = right.body(action, &state)
      return first.isEmpty ? second : first + second
    }
  }
}

/// Joins two reducers, two middlewares or two after-reducers. Reducers and middlewares run from
/// left to right, after-reducers from right to left.
infix operator <> : AdditionPrecedence

/// Joins the right one to the left one, in place.
infix operator <>= : AssignmentPrecedence

extension Reducer where State: Sendable {
  /// This reducer, which also prints each action, the state after it, and `---`.
  ///
  /// It prints in an effect: once for each step, and not when a debugger runs the action again.
  ///
  /// - Parameter printer: Takes the lines of one action, without the last line's end.
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

/// What `dump` prints, without the last line's end.
@Sendable func dumped<Value>(_ value: Value) -> String {
  var text = ""
  dump(value, to: &text)
  if text.last == "\n" { text.removeLast() }
  return text
}
