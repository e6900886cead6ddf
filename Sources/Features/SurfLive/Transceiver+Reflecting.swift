public import SurfStore
internal import SurfThreads

// States of which the program can only be asked how they look.
extension Transceiver {
  /// Records an action, and the state after it as reflection sees it, `Codable` or not: 64 levels
  /// deep and in 8 MiB of JSON at most. What does not fit is marked.
  ///
  /// Viewers show such a state, and cannot send it back.
  ///
  /// - Parameter parent: The record that led to this one, such as the request of a response.
  /// - Returns: `nil` if nothing was recorded: off, suspended, or no room.
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

  /// Records every step of a store in the same way, until the token is cancelled or dropped. What
  /// an effect or a middleware dispatched has the record of its cause as its parent.
  ///
  /// For a store whose state is not `Codable`; others have `HistoryTransceiver`.
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
