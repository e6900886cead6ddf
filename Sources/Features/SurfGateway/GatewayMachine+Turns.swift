import SurfBasics
import SurfReceiving
import SurfStreams
import SurfWire

/// Queues clients and apps that send much, so that `GatewayMachine` serves the others meanwhile.
struct GatewayTurns {
  /// Streams with unprocessed input, the next one first.
  private var streams = Queue<StreamID>()
  private var waiting: Set<StreamID> = []
  /// Streams that wait until less is left to carry out for guests.
  private var parked: [StreamID] = []
  /// Octets of messages whose requests to guests are not carried out yet, and how many of them
  /// `Gateway` has not been given.
  private var backlog = (all: 0, new: 0)
  /// Inputs other than those of streams, in order.
  private var inputs = Queue<GatewayInput>()
  /// Octets left for inputs and queued streams in this turn. Both share them: a large message of
  /// each would make everybody else wait for both.
  private(set) var room = Self.turnSize
  /// Whether this turn serves streams before inputs. They alternate, so that neither starves.
  private(set) var areStreamsFirst = false

  /// Octets of an input, or of a stream that is not queued, that are processed immediately.
  static let firstSize = 32 * 1_024
  /// Octets processed in a turn for one stream, for all of them, and for inputs and streams.
  static let streamSize = 64 * 1_024
  static let allSize = 256 * 1_024
  static let turnSize = 512 * 1_024
  /// How many octets of messages may wait to be carried out for guests.
  static let backlogMax = 8 * 1_024 * 1_024
  /// Added to the size of each message, because even a small one has this cost.
  static let messageOverhead = 2 * 1_024

  var isEmpty: Bool { streams.isEmpty && inputs.isEmpty }
  var streamCount: Int { streams.count }

  func contains(_ stream: StreamID) -> Bool { waiting.contains(stream) }

  /// Queues the stream behind the others.
  ///
  /// - Returns: whether it was not queued before.
  mutating func join(_ stream: StreamID) -> Bool {
    streams.append(stream)
    return waiting.insert(stream).inserted
  }

  /// - Returns: whether it was queued.
  mutating func leave(_ stream: StreamID) -> Bool {
    parked.removeAll { $0 == stream }
    return waiting.remove(stream) != nil
  }

  mutating func next() -> StreamID? { streams.popFirst() }

  /// - Returns: whether to process the input now; otherwise it is queued.
  mutating func admits(_ input: GatewayInput) -> Bool {
    guard inputs.isEmpty, room > 0, input.size <= Self.firstSize else {
      inputs.append(input)
      return false
    }
    room -= input.size
    return true
  }

  mutating func nextInput() -> GatewayInput? {
    guard room > 0, let input = inputs.popFirst() else { return nil }
    room -= input.size
    return input
  }

  mutating func begin() {
    room = Self.turnSize
    areStreamsFirst.toggle()
  }

  mutating func use(_ size: Int) { room -= size }

  // MARK: What guests make others do

  /// Makes the stream wait until the guests' requests are carried out.
  ///
  /// - Returns: whether it was not queued before.
  mutating func park(_ stream: StreamID) -> Bool {
    if !parked.contains(stream) { parked.append(stream) }
    return waiting.insert(stream).inserted
  }

  var isBacklogFull: Bool { backlog.all > Self.backlogMax }

  mutating func growBacklog(by size: Int) {
    backlog.all += size
    backlog.new += size
  }

  mutating func shrinkBacklog(by size: Int) {
    backlog.all -= size
    guard !isBacklogFull else { return }
    for stream in parked { streams.append(stream) }
    parked = []
  }

  /// Octets that `Gateway` has not been given; nil if it has all.
  mutating func takeNewBacklog() -> Int? {
    defer { backlog.new = 0 }
    return backlog.new > 0 ? backlog.new : nil
  }
}

extension GatewayMachine {
  /// Takes bytes of a stream. Processes its messages immediately unless the next one is large.
  mutating func receive(_ bytes: [UInt8], from stream: StreamID, at now: Duration) {
    if inbound.receive(bytes, from: stream) { scheduleTrim(at: now) }
    guard !turns.contains(stream) else { return }
    guard inbound.nextSize(of: stream) <= GatewayTurns.firstSize else { return wait(stream) }
    hear(stream, upTo: GatewayTurns.firstSize, at: now)
  }

  /// Queues the stream, and stops reading it: so no more waits than one read returned.
  private mutating func wait(_ stream: StreamID) {
    if turns.join(stream) { actions.append(.hold(stream)) }
  }

  /// Processes a stream's messages one by one until `sizeMax`, and queues it if any may be left.
  ///
  /// A guest whose messages make more work than the guests' thread gets done waits for it.
  ///
  /// - Returns: how many octets were processed.
  @discardableResult
  mutating func hear(_ stream: StreamID, upTo sizeMax: Int, at now: Duration) -> Int {
    var size = 0
    while size < sizeMax {
      guard let event = inbound.next(from: stream) else {
        inbound.flush(stream)
        if turns.leave(stream) { actions.append(.release(stream)) }
        return size
      }
      size += event.size
      let requestCount = requests.count
      handle(event, stream, at: now)
      guard requests[requestCount...].contains(where: \.isWork) else { continue }
      turns.growBacklog(by: event.size)
      if turns.isBacklogFull {
        inbound.flush(stream)
        if turns.park(stream) { actions.append(.hold(stream)) }
        return size
      }
    }
    inbound.flush(stream)
    wait(stream)
    return size
  }

  /// Processes queued inputs and streams, as many as fit in one turn.
  package mutating func takeTurns(at now: Duration) {
    turns.begin()
    let areStreamsFirst = turns.areStreamsFirst
    if areStreamsFirst { hearStreams(at: now) }
    while let input = turns.nextInput() { take(input, at: now) }
    if !areStreamsFirst { hearStreams(at: now) }
  }

  private mutating func hearStreams(at now: Duration) {
    let end = turns.room - GatewayTurns.allSize
    for _ in 0..<turns.streamCount where turns.room > max(0, end) {
      guard let stream = turns.next() else { return }
      // It may have closed, and been processed to its end.
      guard turns.contains(stream) else { continue }
      turns.use(hear(stream, upTo: GatewayTurns.streamSize, at: now))
    }
  }

  package var isBehind: Bool { !turns.isEmpty }
}

extension GatewayRequest {
  /// Whether the guests' thread may need long for it.
  fileprivate var isWork: Bool { if case .tell = self { true } else { false } }
}

extension InboundStreams.Event {
  /// Octets to read in order to process the event.
  fileprivate var size: Int {
    let size =
      switch self {
      case .request(let request): request.body.count
      case .refused: 0
      case .message(let message, _): message.size
      }
    return GatewayTurns.messageOverhead + size
  }
}

extension GatewayInput {
  fileprivate var size: Int {
    let record =
      switch self {
      case .observer(.record(_, let arrived)): arrived.record
      case .observer(.values(_, .value(let record))): record
      default: nil as Record?
      }
    let size = record.map { $0.state.size + ($0.payload?.bytes.count ?? 0) } ?? 0
    return GatewayTurns.messageOverhead + size
  }
}
