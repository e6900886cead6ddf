import SurfWire

/// Decides which of a `Sender`'s lanes has its turn when more waits than may be sent now
/// (Protocol.md §12). Counts how much of the turn is left.
///
/// A turn is one run, or as many repairs as one call can send. Repairs of scattered packets for
/// many viewers make runs of one packet or a few. With one run a turn, they would wait until the
/// stream pauses. History waits for the stream instead.
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

  /// Whether the turn is used up.
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
