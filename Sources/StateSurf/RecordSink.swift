package import SurfNetwork
package import SurfWire

/// Where records go: a broadcaster, or a test that wants to see them. All calls from any thread.
package protocol RecordSink: Sendable {
  /// Begins to be on the wire. Idempotent.
  func resume()
  /// Leaves it, and says so. Idempotent.
  func suspend()
  /// Takes the next record of the session; may block.
  func send(_ record: Record)
  /// Answers a reset, behind the records sent before.
  func answer(_ reset: IncomingReset, with result: Outcome.Result)
  /// Waits until all is on the wire, at most `timeout`; true if it is.
  func flush(timeout: Duration) -> Bool
}

extension Broadcaster: RecordSink {}

/// Makes the sink of a transceiver, at its first `resume()`.
package typealias RecordSinkFactory =
  @Sendable (
    Broadcaster.Configuration, @escaping @Sendable (IncomingReset) -> Void
  ) -> any RecordSink
