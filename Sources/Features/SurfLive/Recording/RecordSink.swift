package import SurfNetwork
package import SurfWire

/// Where records go: a broadcaster, or a test that wants to see them. All calls from any thread.
package protocol RecordSink: Sendable {
  /// Begins to be on the wire. Idempotent.
  func resume()
  /// Leaves it, and says so. Idempotent.
  func suspend()
  /// Tells viewers what may be asked for, and whether the app is locked or paused.
  func announce(_ control: Heartbeat.Control)
  /// Tells viewers what was given up so far, by a heartbeat that is due anyway; does nothing else.
  func note(_ givenUp: Heartbeat.GivenUp)
  /// Tells viewers that the app is in a state that no record carries.
  func leaveRecords()
  /// Takes the next records of the session; may block.
  func send(_ records: [Record])
  /// Waits until all is on the wire, at most `timeout`; true if it is.
  func flush(timeout: Duration) -> Bool
}

/// What a viewer wants the app's state to be, or wants done, and the way back to that viewer.
package struct ResetRequest: Sendable {
  /// `state` is a command (Protocol.md §11.5).
  package var isCommand = false
  /// Where the app is with that state: at the row that the viewer took it from.
  package var target = Position.elsewhere
  /// A name to show.
  package var viewerName: String
  /// Nil for the initial state.
  package var state: Content?
  /// Answers behind the records that the sink was sent before. To be called once, from any thread.
  package var answer: @Sendable (Outcome.Result) -> Void

  /// A request that is answered by `answer`.
  package init(
    viewerName: String, state: Content?, answer: @escaping @Sendable (Outcome.Result) -> Void
  ) {
    self.viewerName = viewerName
    self.state = state
    self.answer = answer
  }
}

/// Makes the sink of a transceiver, at its first `resume()`.
package typealias RecordSinkFactory =
  @Sendable (
    Broadcaster.Configuration, _ onReset: @escaping @Sendable (ResetRequest) -> Void
  ) -> any RecordSink
