import SurfWire

/// What viewers that came late have asked for and not been sent yet (Protocol.md §10.7).
///
/// Each gets a batch in turn. What is already queued for a viewer is not queued again, so an
/// impatient one costs nothing.
struct LateJoiners: Sendable {
  private var requests: [Endpoint: [PacketRange]] = [:]
  private var turns = Queue<Endpoint>()

  /// More viewers than this joining in the same moment have to ask again.
  private static let countMax = 64
  /// Twice what one NAK can carry: the last one's rest and the next.
  private static let rangeCountMax = 2 * Limits.rangeCountMax

  var isEmpty: Bool { requests.isEmpty }

  mutating func ask(for ranges: [PacketRange], from endpoint: Endpoint) {
    let queued = requests[endpoint] ?? []
    let new = queued.reduce(ranges) { rest, known in rest.flatMap { $0.without(known) } }
    guard !new.isEmpty else { return }
    if queued.isEmpty {
      guard requests.count < Self.countMax else { return }
      turns.append(endpoint)
    }
    requests[endpoint] = Array((queued + new).prefix(Self.rangeCountMax))
  }

  /// Whose turn it is.
  var turn: Endpoint? { turns.first }

  /// What to send next to whose turn it is; nil if that is all.
  var next: SequenceNumber? { turn.flatMap { requests[$0]?.first?.first } }

  /// `next` was sent, or is not to be had.
  mutating func dropNext() {
    guard let turn, let range = requests[turn]?.first else { return }
    if let rest = PacketRange(first: range.first.next, count: range.count.subtracting(1)) {
      requests[turn]?[0] = rest
    } else {
      requests[turn]?.removeFirst()
    }
  }

  /// It is the next one's turn, and, unless all was sent, this one's again later.
  mutating func endTurn() {
    guard let endpoint = turns.popFirst() else { return }
    if requests[endpoint]?.isEmpty == false {
      turns.append(endpoint)
    } else {
      requests[endpoint] = nil
    }
  }
}

extension PacketRange {
  /// What is left when `other` is taken out: nothing, one run or two.
  fileprivate func without(_ other: PacketRange) -> [PacketRange] {
    guard other.first < end, first < other.end else { return [self] }
    return [
      PacketRange(first: first, count: first.distance(to: other.first)),
      PacketRange(first: other.end, count: other.end.distance(to: end)),
    ].compactMap { $0 }
  }
}
