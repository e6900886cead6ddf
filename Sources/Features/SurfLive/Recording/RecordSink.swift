package import SurfNetwork
package import SurfWire

/// Where records go: a broadcaster, or a test that reads them. Calls come from any thread.
package protocol RecordSink: Sendable {
  /// Goes on the wire. Idempotent.
  func resume()
  /// Leaves the wire, and says goodbye: within this time, in which viewers may still ask for what
  /// they miss. Idempotent.
  func suspend(within time: Duration)
  /// Tells viewers what may be asked for, and whether the app is locked or paused.
  func announce(_ control: Heartbeat.Control)
  /// Tells viewers what was given up so far, by a heartbeat that is due anyway; does nothing else.
  func note(_ givenUp: Heartbeat.GivenUp)
  /// Tells viewers that the app is in a state that no record carries.
  func leaveRecords()
  /// Takes the next records of the session; may block.
  func send(_ records: [Record])
  /// Answers a reset, once, behind the records that were sent before.
  func answer(_ reset: IncomingReset, with result: Outcome.Result)
  /// Tells the viewer of a reset how much of the work on it is done.
  func note(_ share: ResetProgress.Share, of reset: IncomingReset)
  /// Waits at most `timeout` until all is on the wire; true if it is.
  func flush(timeout: Duration) -> Bool
  /// Whether anybody watches, as far as can be known.
  var isWatched: Bool { get }
  /// How many viewers follow, as far as can be known.
  var viewerCount: Int { get }
  /// What a viewer in this process reads next; nil if that is not possible.
  func ownPackets(from place: SequenceNumber?, sizeMax: Int) -> OwnPackets?
}

extension RecordSink {
  package var isWatched: Bool { true }

  package var viewerCount: Int { 0 }

  package func note(_ share: ResetProgress.Share, of reset: IncomingReset) {}

  package func ownPackets(from place: SequenceNumber?, sizeMax: Int) -> OwnPackets? { nil }
}

extension Broadcaster: RecordSink {}

/// Makes the sink of a transceiver, at its first `resume()`.
package typealias RecordSinkFactory =
  @Sendable (
    Broadcaster.Configuration, _ onReset: @escaping @Sendable (IncomingReset) -> Void
  ) -> any RecordSink
