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

  /// The next sequences to send, at most `limit` of them, and to whom.
  mutating func next(max limit: Int) -> (Endpoint, [UInt64])? {
    guard let endpoint = turns.popFirst(), let ranges = requests[endpoint] else { return nil }
    var sequences: [UInt64] = []
    var rest: [PacketRange] = []
    for range in ranges {
      let count = min(range.count, UInt32(limit - sequences.count))
      let split = range.first + UInt64(count)
      sequences.append(contentsOf: range.first..<split)
      if let left = PacketRange(first: split, count: range.count - count) { rest.append(left) }
    }
    requests[endpoint] = rest.isEmpty ? nil : rest
    if !rest.isEmpty { turns.append(endpoint) }
    return (endpoint, sequences)
  }
}

extension PacketRange {
  /// What is left when `other` is taken out: nothing, one run or two.
  fileprivate func without(_ other: PacketRange) -> [PacketRange] {
    guard other.first < end, first < other.end else { return [self] }
    let before = other.first > first ? UInt32(other.first - first) : 0
    let after = end > other.end ? UInt32(end - other.end) : 0
    return [
      PacketRange(first: first, count: before), PacketRange(first: other.end, count: after),
    ].compactMap { $0 }
  }
}
