import SurfTransport
import SurfWire
import TestSupport

/// Links between one app and its viewers that lose, repeat, delay and reorder datagrams, on a
/// virtual clock. Everything follows from the seed.
struct SimulatedNetwork {
  struct Link {
    /// The probability that a datagram is lost, each way.
    var loss = 0.0
    var duplication = 0.0
    var delay = Duration.microseconds(200)
    /// Added evenly to the delay of each datagram: what makes them overtake each other.
    var jitter = Duration.zero
  }

  enum Node: Equatable {
    case app
    case viewer(Int)
  }

  struct Arrival {
    var bytes: [UInt8]
    var node: Node
    var viewer: Int
    /// The viewer that it is from; nil for the app.
    var origin: Int?
  }

  var down: [Link]
  var up: [Link]
  /// The probability that a datagram to the group is lost to everybody.
  var sharedLoss = 0.0
  /// While it lasts nothing comes down.
  var blackout: Range<Duration>?
  private(set) var droppedDown = 0
  private(set) var droppedUp = 0
  private(set) var droppedAcross = 0
  private var arrivals = EventQueue<Arrival>()
  private var random: SeededGenerator

  init(viewerCount: Int, seed: UInt64) {
    down = Array(repeating: Link(), count: viewerCount)
    up = down
    random = SeededGenerator(seed: seed)
  }

  var nextArrival: Duration? { arrivals.nextTime }

  mutating func takeArrival(at now: Duration) -> Arrival? { arrivals.pop(upTo: now) }

  mutating func send(_ bytes: [UInt8], toGroupAt now: Duration) {
    if chance(sharedLoss) {
      droppedDown += 1
      return
    }
    for viewer in down.indices { send(bytes, down: viewer, at: now) }
  }

  mutating func send(_ bytes: [UInt8], down viewer: Int, at now: Duration) {
    if blackout?.contains(now) == true || chance(down[viewer].loss) {
      droppedDown += 1
      return
    }
    let arrival = Arrival(bytes: bytes, node: .viewer(viewer), viewer: viewer)
    carry(arrival, over: down[viewer], at: now)
  }

  mutating func send(_ bytes: [UInt8], up viewer: Int, at now: Duration) {
    if chance(up[viewer].loss) {
      droppedUp += 1
      return
    }
    carry(Arrival(bytes: bytes, node: .app, viewer: viewer), over: up[viewer], at: now)
  }

  /// From one viewer to another, over the links of both; to itself it is never lost.
  mutating func send(_ bytes: [UInt8], from origin: Int, to viewer: Int, at now: Duration) {
    if origin != viewer, chance(up[origin].loss) || chance(down[viewer].loss) {
      droppedAcross += 1
      return
    }
    let arrival = Arrival(bytes: bytes, node: .viewer(viewer), viewer: viewer, origin: origin)
    carry(arrival, over: down[viewer], at: now)
  }

  private mutating func carry(_ arrival: Arrival, over link: Link, at now: Duration) {
    for _ in 0..<(chance(link.duplication) ? 2 : 1) {
      let jitter = link.jitter * Double.random(in: 0..<1, using: &random)
      arrivals.push(arrival, at: now + link.delay + jitter)
    }
  }

  private mutating func chance(_ probability: Double) -> Bool {
    probability > 0 && Double.random(in: 0..<1, using: &random) < probability
  }
}

/// A binary heap of events, the soonest first; of two at the same time, the one pushed first.
struct EventQueue<Event> {
  private var heap: [(time: Duration, order: Int, event: Event)] = []
  private var pushedCount = 0

  var nextTime: Duration? { heap.first?.time }

  mutating func push(_ event: Event, at time: Duration) {
    pushedCount += 1
    heap.append((time, pushedCount, event))
    var child = heap.count - 1
    while child > 0, precedes(child, (child - 1) / 2) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func pop(upTo now: Duration) -> Event? {
    guard let first = heap.first, first.time <= now else { return nil }
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
        if precedes(child, least) { least = child }
      }
      guard least != parent else { return first.event }
      heap.swapAt(parent, least)
      parent = least
    }
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    (heap[left].time, heap[left].order) < (heap[right].time, heap[right].order)
  }
}
