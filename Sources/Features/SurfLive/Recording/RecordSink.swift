package import SurfNetwork
package import SurfWire

/// Where the encoding thread sends records: a `Broadcaster`, or a test that reads them. Its members
/// may be called from any thread.
package protocol RecordSink: Sendable {
  /// Goes on the wire. Idempotent.
  func resume()
  /// Says goodbye and leaves the wire within this time. Until then viewers may request what they
  /// miss. Idempotent.
  func suspend(within time: Duration)
  /// Announces which commands the app takes, and whether it is locked or paused.
  func announce(_ control: Heartbeat.Control)
  /// Reports the counts of what was given up in the next heartbeat, without causing one.
  func note(_ givenUp: Heartbeat.GivenUp)
  /// Tells viewers that the app is in a state that no record contains.
  func leaveRecords()
  /// Sends the next records of the session; may block.
  func send(_ records: [Record])
  /// Answers a reset, once, after the records sent before.
  func answer(_ reset: IncomingReset, with result: Outcome.Result)
  /// Reports to the viewer of a reset how much of the work is done.
  func note(_ share: ResetProgress.Share, of reset: IncomingReset)
  /// Waits at most `timeout` until everything is on the wire; true if it is.
  func flush(timeout: Duration) -> Bool
  /// Whether a viewer follows, as far as is known.
  var isWatched: Bool { get }
  /// How many viewers follow, as far as is known.
  var viewerCount: Int { get }
  /// The next packets for a debugger in this process; nil if there are none to read.
  func ownPackets(from place: SequenceNumber?, sizeMax: Int) -> OwnPackets?
}

extension RecordSink {
  package var isWatched: Bool { true }

  package var viewerCount: Int { 0 }

  package func note(_ share: ResetProgress.Share, of reset: IncomingReset) {}

  package func ownPackets(from place: SequenceNumber?, sizeMax: Int) -> OwnPackets? { nil }
}

extension Broadcaster: RecordSink {}

/// Makes the sink of a transceiver at its first `resume()`.
package typealias RecordSinkFactory =
  @Sendable (
    Broadcaster.Configuration, _ onReset: @escaping @Sendable (IncomingReset) -> Void
  ) -> any RecordSink
