public import SurfStore
internal import SurfThreads

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
    let action = action()
    var entry = Entry(
      kind: .action, subject: action, source: .call(file: file, line: line), parent: parent)
    entry.payload = .action(action)
    entry.state = .reflectedState(state())
    return recorder.mailbox.add(entry)
  }

  /// Records every step of a store in this way, until the token is cancelled or dropped. The parent
  /// of an action that an effect or a middleware dispatched is the record of its cause.
  ///
  /// For a store whose state is not `Codable`. For others use `HistoryTransceiver`.
  public func record<Action, State>(reflecting store: Store<Action, State>) -> Subscription {
    guard recorder != nil else { return Subscription {} }
    let recent = Monitor(RecentSteps())
    return store.observe { [weak self] step in
      guard let recorder = self?.openRecorder else { return }
      let cause = step.cause.flatMap { cause in recent.withLock { $0.trace(of: cause) } }
      var entry = Entry(
        kind: .action, subject: step.action, source: .step(step.source), parent: cause?.record)
      entry.payload = .action(step.action)
      entry.state = .reflectedState(step.state)
      guard let id = recorder.mailbox.add(entry) else { return }
      recent.withLock { $0.remember(RecentSteps.Trace(record: id, restore: nil), of: step.id) }
    }
  }
}
