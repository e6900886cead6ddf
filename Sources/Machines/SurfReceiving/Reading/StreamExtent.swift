import SurfTransport
import SurfWire

/// How far a stream reaches, as the app has stated, for a `SessionReader`. Also which missing
/// packets concern this viewer alone.
struct StreamExtent: Sendable {
  /// The newest packet when the viewer joined.
  let joinPacket: SequenceNumber
  /// Missing packets up to this one are requested as history. Only this viewer lacks them, because
  /// they existed when it joined or fell behind.
  private(set) var ownPacket: SequenceNumber
  /// The oldest packet that the app still has, apart from those of the newest state.
  private(set) var edge: SequenceNumber
  /// The packets of the newest state, according to the last heartbeat.
  private(set) var newestState: Range<SequenceNumber>
  /// The newest record that the app has named, or that has at least partly arrived.
  private(set) var newestRecord: SequenceNumber
  /// The newest packet when the app named `newestRecord`.
  private(set) var newestPacket: SequenceNumber
  /// A longer run of missing packets exceeds what the app sends ahead to a viewer that reports its
  /// progress (Protocol.md §12).
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

  /// Learns which packets the app still has. Returns whether that has changed.
  mutating func note(_ progress: StreamProgress) -> Bool {
    // An older heartbeat that was overtaken says nothing about newer packets.
    let state = progress.newestPacket >= newestPacket ? progress.stateExtent : newestState
    guard progress.oldestPacket > edge || state != newestState else { return false }
    edge = max(edge, progress.oldestPacket)
    newestState = state
    return true
  }

  /// Learns the oldest packet that the app still has, apart from its newest state. Returns whether
  /// the app has dropped more.
  mutating func note(edge newEdge: SequenceNumber) -> Bool {
    guard newEdge > edge else { return false }
    edge = newEdge
    return true
  }

  /// Learns which record was the newest when `packet` was.
  mutating func note(newestPacket packet: SequenceNumber, newestRecord record: SequenceNumber) {
    guard packet >= newestPacket else { return }
    (newestRecord, newestPacket) = (record, packet)
  }

  mutating func note(fragmented record: SequenceNumber) {
    newestRecord = max(newestRecord, record)
  }

  /// Packets up to this one count as lost by this viewer alone.
  mutating func own(to packet: SequenceNumber) { ownPacket = packet }

  /// The known end of the stream has moved. A viewer that suddenly misses more than its window fell
  /// behind, which does not concern other viewers.
  mutating func noteLeap(from known: SequenceNumber, to horizon: SequenceNumber) {
    if known.distance(to: horizon) > window { own(to: horizon.previous) }
  }
}
