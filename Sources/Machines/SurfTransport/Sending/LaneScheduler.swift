import SurfWire

/// Which lane's turn it is when more waits than may leave at once, and how much of the turn is left
/// (Protocol.md §12).
///
/// A turn is one run, or as many repairs as leave with one call. Repairs of scattered packets for
/// many viewers are runs of one or a few: at one run a turn they would wait until the stream
/// pauses. History waits for the stream instead.
struct LaneScheduler: Sendable {
  enum Lane: CaseIterable {
    case live, repair, history

    fileprivate var next: Self {
      switch self {
      case .live: .repair
      case .repair: .history
      case .history: .live
      }
    }
  }

  let lane: Lane
  private var count = 0
  private var size = 0

  /// Whether nothing more may leave in it.
  var isOver: Bool {
    switch lane {
    case .live, .history: count > 0
    case .repair:
      count >= PacketRun.countMax || size > PacketRun.sizeMax - Limits.datagramSizeMax
    }
  }

  mutating func spend(_ size: Int, count: Int) {
    self.size += size
    self.count += count
  }

  mutating func pass() { self = LaneScheduler(lane.next) }

  init(_ lane: Lane = .live) { self.lane = lane }
}
