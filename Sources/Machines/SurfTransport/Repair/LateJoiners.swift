import SurfBasics
import SurfWire

/// History packets that late joiners have requested and that were not sent yet (Protocol.md §10.7).
/// `Sender` and a viewer's `Repairer` have one each.
///
/// Viewers take turns, and get a batch each. A packet that is queued for a viewer is not queued
/// again, so impatience costs nothing.
package struct LateJoiners: Sendable {
  private var requests: [Endpoint: [PacketRange]] = [:]
  private var turns = Queue<Endpoint>()
  /// Ranges dropped because a queue was full.
  private(set) var droppedCount = 0

  /// If more viewers join at once, they have to ask again.
  private static let countMax = 64

  package init() {}

  package var isEmpty: Bool { requests.isEmpty }

  package mutating func ask(for ranges: [PacketRange], from endpoint: Endpoint) {
    let queued = requests[endpoint] ?? []
    let new = queued.reduce(ranges) { rest, known in rest.flatMap { $0.without(known) } }
    guard !new.isEmpty else { return }
    if queued.isEmpty {
      guard requests.count < Self.countMax else {
        droppedCount += new.count
        return
      }
      turns.append(endpoint)
    }
    let all = queued + new
    droppedCount += max(0, all.count - Limits.queuedRangeCountMax)
    requests[endpoint] = Array(all.prefix(Limits.queuedRangeCountMax))
  }

  /// A batch for the viewer whose turn it is, as much as one call can send; nil if there is none.
  ///
  /// - Parameter packet: the datagram of a packet, if it is available.
  package mutating func nextRun(
    _ packet: (SequenceNumber) -> ArraySlice<UInt8>?
  ) -> (run: PacketRun, endpoint: Endpoint)? {
    guard let endpoint = turns.first else { return nil }
    var builder = RunBuilder()
    while let sequence = requests[endpoint]?.first?.first {
      if let datagram = packet(sequence) {
        guard builder.admits(datagram.count) else { break }
        builder.append(datagram) { DataPacket.mark($0, with: [.repair, .history]) }
      }
      dropNext(of: endpoint)
    }
    endTurn()
    return builder.run.map { ($0, endpoint) }
  }

  private mutating func dropNext(of turn: Endpoint) {
    guard let range = requests[turn]?.first else { return }
    if let rest = PacketRange(first: range.first.next, count: range.count.subtracting(1)) {
      requests[turn]?[0] = rest
    } else {
      requests[turn]?.removeFirst()
    }
  }

  /// Ends the turn, and queues the viewer again unless everything was sent.
  private mutating func endTurn() {
    guard let endpoint = turns.popFirst() else { return }
    if requests[endpoint]?.isEmpty == false {
      turns.append(endpoint)
    } else {
      requests[endpoint] = nil
    }
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
