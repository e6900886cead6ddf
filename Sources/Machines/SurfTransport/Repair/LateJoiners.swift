import SurfBasics
import SurfWire

/// Packets that late joiners have asked for and that were not sent yet (Protocol.md §10.7).
///
/// Each viewer gets a batch in turn. A packet that is queued for a viewer is not queued again, so
/// an impatient one costs nothing.
package struct LateJoiners: Sendable {
  private var requests: [Endpoint: [PacketRange]] = [:]
  private var turns = Queue<Endpoint>()
  /// Ranges dropped for want of room.
  private(set) var droppedCount = 0

  /// More viewers than this joining in the same moment have to ask again.
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

  /// Whose turn it is.
  package var turn: Endpoint? { turns.first }

  /// The next packet for the viewer whose turn it is; nil if that is all.
  package var next: SequenceNumber? { turn.flatMap { requests[$0]?.first?.first } }

  /// `next` was sent, or is not available.
  package mutating func dropNext() {
    guard let turn, let range = requests[turn]?.first else { return }
    if let rest = PacketRange(first: range.first.next, count: range.count.subtracting(1)) {
      requests[turn]?[0] = rest
    } else {
      requests[turn]?.removeFirst()
    }
  }

  /// Begins the next viewer's turn, and, unless all was sent, queues this one again.
  package mutating func endTurn() {
    guard let endpoint = turns.popFirst() else { return }
    if requests[endpoint]?.isEmpty == false {
      turns.append(endpoint)
    } else {
      requests[endpoint] = nil
    }
  }
}

extension PacketRange {
  /// The range without `other`: nothing, one run or two.
  fileprivate func without(_ other: PacketRange) -> [PacketRange] {
    guard other.first < end, first < other.end else { return [self] }
    return [
      PacketRange(first: first, count: first.distance(to: other.first)),
      PacketRange(first: other.end, count: other.end.distance(to: end)),
    ].compactMap { $0 }
  }
}
