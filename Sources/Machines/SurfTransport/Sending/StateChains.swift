import SurfBasics
import SurfWire

/// Where keyframes begin that later deltas build on (Protocol.md §8.3). A viewer that wants a
/// record in the middle must begin there. `StatePlaces` owns it.
struct StateChains: Sendable {
  private struct Chain: Sendable {
    /// The record with the keyframe, and the packet in which it begins.
    var record: SequenceNumber
    var packet: SequenceNumber
    /// The last record that builds on it, directly or not.
    var last: SequenceNumber
  }

  /// In rising order. Keyframes without deltas are left out, except the newest.
  private var chains = Queue<Chain>()

  mutating func note(_ record: Record, inPacket packet: SequenceNumber) {
    if record.base != nil {
      guard !chains.isEmpty else { return }
      chains.update(chains.count - 1) { $0.last = record.sequence }
    } else {
      if let last = chains.last, last.last == last.record { _ = chains.popLast() }
      chains.append(Chain(record: record.sequence, packet: packet, last: record.sequence))
    }
  }

  mutating func forget(before packet: SequenceNumber) {
    while let first = chains.first, first.packet < packet { _ = chains.popFirst() }
  }

  /// The packet with the beginning of the keyframe that this record, or the next one with a state,
  /// builds on. Nil if that is this record itself, or is gone.
  func start(of record: SequenceNumber) -> SequenceNumber? {
    let index = chains.partitionPoint { $0.last >= record }
    guard index < chains.count, chains[index].record < record else { return nil }
    return chains[index].packet
  }
}
