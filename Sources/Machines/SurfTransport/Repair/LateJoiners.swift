import SurfBasics
import SurfWire

/// History packets that late joiners have requested and that were not sent yet (Protocol.md §10.7).
/// `Sender` and a viewer's `Repairer` have one each.
///
/// Viewers take turns, and get a batch each. A packet that is queued for a viewer is not queued
/// again, so impatience costs nothing.
package struct LateJoiners: Sendable {
  /// If more viewers join at the same time, they have to ask again.
  private var turns = Turns<Endpoint, [PacketRange]>(countMax: 64)
  /// Ranges dropped because a queue was full.
  private(set) var droppedCount = 0

  package init() {}

  package var isEmpty: Bool { turns.isEmpty }

  package mutating func ask(for ranges: [PacketRange], from endpoint: Endpoint) {
    let queued = turns[endpoint] ?? []
    let new = queued.reduce(ranges) { rest, known in rest.flatMap { $0.without(known) } }
    guard !new.isEmpty else { return }
    let all = queued + new
    let isQueued = turns.set(Array(all.prefix(Limits.queuedRangeCountMax)), of: endpoint)
    droppedCount += isQueued ? max(0, all.count - Limits.queuedRangeCountMax) : new.count
  }

  /// The next batch, if any, for the viewer whose turn it is: as much as one call can send.
  ///
  /// - Parameter packet: the datagram of a packet, if it is available.
  package mutating func nextRun(
    _ packet: (SequenceNumber) -> ArraySlice<UInt8>?
  ) -> (run: PacketRun, endpoint: Endpoint)? {
    guard case (let endpoint, var ranges)? = turns.popFirst() else { return nil }
    var builder = RunBuilder()
    while let range = ranges.first {
      if let datagram = packet(range.first) {
        guard builder.admits(datagram.count) else { break }
        builder.append(datagram) { DataPacket.mark($0, with: [.repair, .history]) }
      }
      let rest = PacketRange(first: range.first.next, count: range.count.subtracting(1))
      if let rest { ranges[0] = rest } else { ranges.removeFirst() }
    }
    if !ranges.isEmpty { turns.set(ranges, of: endpoint) }
    return builder.run.map { ($0, endpoint) }
  }
}

extension PacketRange {
  /// The range without `other`: nothing, one range or two.
  fileprivate func without(_ other: PacketRange) -> [PacketRange] {
    guard other.first < end, first < other.end else { return [self] }
    return [
      PacketRange(first: first, count: first.distance(to: other.first)),
      PacketRange(first: other.end, count: other.end.distance(to: end)),
    ].compactMap { $0 }
  }
}
