import SurfTransport
import SurfWire

/// How far a stream reaches, as the app has told, and which part of it this viewer alone lacks.
struct StreamExtent: Sendable {
  /// The newest packet when the viewer joined; repairs up to it are this viewer's own affair.
  let joinPacket: SequenceNumber
  /// Packets missing up to here are missing for this viewer alone: they existed when it joined, or
  /// when it was left behind.
  private(set) var ownPacket: SequenceNumber
  /// The oldest packet that the app still has, except for those of the newest state.
  private(set) var edge: SequenceNumber
  /// The packets of the newest state, as the last heartbeat knew them.
  private(set) var newestState: Range<SequenceNumber>
  /// The newest record that the app has named, or of which a part came.
  private(set) var newestRecord: SequenceNumber
  /// The packet that was the newest when the app named it.
  private(set) var newestPacket: SequenceNumber
  /// This many packets missing in a row are more than the app sends to a viewer that reports
  /// (Protocol.md §12).
  private let window: WireCount

  init(_ progress: StreamProgress, window: WireCount) {
    joinPacket = progress.newestPacket
    ownPacket = progress.newestPacket
    edge = progress.oldestPacket
    newestState = progress.stateExtent
    newestRecord = progress.newestRecord
    newestPacket = progress.newestPacket
    self.window = window
  }

  /// Learns what the app still has.
  ///
  /// - Returns: whether that has changed.
  mutating func note(_ progress: StreamProgress) -> Bool {
    // Heartbeats overtake each other; an older one says nothing of newer packets.
    let state = progress.newestPacket >= newestPacket ? progress.stateExtent : newestState
    guard progress.oldestPacket > edge || state != newestState else { return false }
    edge = max(edge, progress.oldestPacket)
    newestState = state
    return true
  }

  /// Learns which packets the app still has, its newest state's aside.
  ///
  /// - Returns: whether it has forgotten more.
  mutating func note(edge newEdge: SequenceNumber) -> Bool {
    guard newEdge > edge else { return false }
    edge = newEdge
    return true
  }

  /// Learns which record was the newest when a packet was.
  mutating func note(newestPacket packet: SequenceNumber, newestRecord record: SequenceNumber) {
    guard packet >= newestPacket else { return }
    (newestRecord, newestPacket) = (record, packet)
  }

  /// A piece of the record came.
  mutating func note(fragmented record: SequenceNumber) {
    newestRecord = max(newestRecord, record)
  }

  /// No other viewer has missed the packets before this one.
  mutating func own(to packet: SequenceNumber) { ownPacket = packet }

  /// The stream was known up to one horizon, and now is to another. A viewer that misses more than
  /// its window at once was left behind: that does not concern others.
  mutating func noteLeap(from known: SequenceNumber, to horizon: SequenceNumber) {
    if known.distance(to: horizon) > window { own(to: horizon.previous) }
  }
}
