import SurfWire

/// What the app's end holds, for a viewer in the app's own process: without a datagram, a copy of
/// packets as they leave. Packets that wait for a network are among them.
package struct OwnPackets: Sendable {
  package let session: SessionID
  /// As of the newest packet.
  package let heartbeat: Heartbeat
  /// The oldest record that is here from its beginning, if this is a first reading. Older ones
  /// among the packets are only bases.
  package let oldestRecord: SequenceNumber?
  package let packets: [[UInt8]]
  /// Where the next reading begins.
  package let next: SequenceNumber
  /// Whether more is there by now.
  package let hasMore: Bool
}
