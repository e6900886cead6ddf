public import SurfStore

// For states that are not `Encodable`.
extension Transceiver {
  /// Records an action and the state after it, read by reflection: at most 64 levels deep and 8 MiB
  /// of JSON. Parts that do not fit are marked.
  ///
  /// Viewers show such a state, but cannot send it back.
  ///
  /// - Parameter parent: The record that led to this one, such as the request of a response.
  /// - Returns: `nil` if nothing was recorded: off, suspended, or too much is waiting.
  @discardableResult
  public func record<Action: Sendable>(
    action: @autoclosure () -> Action, reflecting state: @autoclosure () -> any Sendable,
    parent: RecordID? = nil, file: StaticString = #fileID, line: UInt = #line
  ) -> RecordID? {
    guard let recorder = openRecorder else { return nil }
    return recorder.record(
      action: action(), reflecting: state(), parent: parent, at: .call(file: file, line: line))
  }

  /// Records every step of a store in this way, until the token is cancelled or dropped. The parent
  /// of an action that an effect or a middleware dispatched is the record of its cause.
  ///
  /// For a store whose state is not `Codable`. For others use `HistoryTransceiver`.
  public func record<Action, State>(reflecting store: Store<Action, State>) -> Subscription {
    guard recorder != nil else { return Subscription {} }
    return store.observe(
      Recorder.tracing(store) { [weak self] step, parent in
        self?.openRecorder?.record(
          action: step.action, reflecting: step.state, parent: parent, at: .step(step.source))
      })
  }
}
