public import SurfStore

// For states that are not `Codable`.
extension Transceiver {
  /// Records an action and the state after it, as `Reflected` shows it. With a handler
  /// `onReset(initial: Reflected(…))`, viewers can put the program back into it.
  ///
  /// - Parameter parent: The record that led to this one, such as the request of a response.
  /// - Returns: `nil` if nothing was recorded: off, suspended, or too much is waiting.
  @discardableResult
  public func record<Action: Sendable, State: Sendable>(
    action: @autoclosure () -> Action, reflecting state: @autoclosure () -> State,
    parent: RecordID? = nil, file: StaticString = #fileID, line: UInt = #line
  ) -> RecordID? {
    guard let recorder = openRecorder else { return nil }
    return recorder.record(
      action: action(), state: Reflected(state()), parent: parent,
      at: .call(file: file, line: line))
  }

  /// Records every step of a store in this way, until the token is cancelled or dropped. The parent
  /// of an action that an effect or a middleware dispatched is the record of its cause.
  ///
  /// For a store whose state is not `Codable`. Viewers can put it back into its newest states, as
  /// `Reflected` keeps them. For other stores use `HistoryTransceiver`. Call it before `resume()`,
  /// and for one store: it sets the handler of `onReset`.
  public func record<Action, State>(reflecting store: Store<Action, State>) -> Subscription {
    guard recorder != nil else { return Subscription {} }
    let steps = store.observe(
      Recorder.tracing(store) { [weak self] step, parent in
        self?.openRecorder?.record(
          action: step.action, state: Reflected(step.state), parent: parent, at: .step(step.source))
      })
    let token = Subscription { steps.cancel() }
    onReset(initial: Reflected(store.state)) { [weak store, weak token] state in
      guard let store, let token, token.isActive else { throw NoLongerObserved("store") }
      await withCheckedContinuation { done in store.restore(state.value) { done.resume() } }
    }
    return token
  }
}
