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
