import SurfBasics
import SurfObserver
import SurfStreams
import SurfWire

/// What has come and waits for its turn: one client, or one app, must not keep the others waiting.
struct GatewayTurns {
  /// Streams that have said more than was heard yet; the next one first.
  private var streams = Queue<StreamID>()
  private var waiting: Set<StreamID> = []
  /// What did not come on streams, in its order.
  private var inputs = Queue<GatewayInput>()
  /// Octets of inputs for which this turn has room.
  private var inputRoom = Self.inputSize

  /// Octets of messages that a stream has heard at once, while it does not wait.
  static let firstSize = 32 * 1_024
  /// Octets that one stream has heard in a turn, and all of them.
  static let streamSize = 64 * 1_024
  static let allSize = 256 * 1_024
  /// Octets of inputs that are taken in a turn.
  static let inputSize = 512 * 1_024
  /// A small message costs as much as so many octets of a large one.
  static let leastSize = 2 * 1_024

  var isEmpty: Bool { streams.isEmpty && inputs.isEmpty }
  var streamCount: Int { streams.count }

  func contains(_ stream: StreamID) -> Bool { waiting.contains(stream) }

  /// The stream waits for its turn, behind the others.
  ///
  /// - Returns: whether it did not before.
  mutating func join(_ stream: StreamID) -> Bool {
    streams.append(stream)
    return waiting.insert(stream).inserted
  }

  /// - Returns: whether it has waited.
  mutating func leave(_ stream: StreamID) -> Bool { waiting.remove(stream) != nil }

  mutating func next() -> StreamID? { streams.popFirst() }

  /// - Returns: whether this turn has room for an input; otherwise it waits.
  mutating func admits(_ input: GatewayInput) -> Bool {
    guard inputs.isEmpty, inputRoom > 0 else {
      inputs.append(input)
      return false
    }
    inputRoom -= input.size
    return true
  }

  mutating func nextInput() -> GatewayInput? {
    guard inputRoom > 0, let input = inputs.popFirst() else { return nil }
    inputRoom -= input.size
    return input
  }

  mutating func begin() { inputRoom = Self.inputSize }
}

extension GatewayMachine {
  /// Bytes of a stream. What they say is heard now, unless it is much.
  mutating func receive(_ bytes: [UInt8], from stream: StreamID, at now: Duration) {
    if inbound.receive(bytes, from: stream) { tidy(at: now) }
    guard !turns.contains(stream) else { return }
    guard inbound.nextSize(of: stream) <= GatewayTurns.firstSize else { return wait(stream) }
    hear(stream, upTo: GatewayTurns.firstSize, at: now)
  }

  /// No more of it is read, so that what waits has the size of what was read at once.
  private mutating func wait(_ stream: StreamID) {
    if turns.join(stream) { actions.append(.hold(stream)) }
  }

  /// Hears one message after the other. The rest waits.
  ///
  /// - Returns: how many octets were heard.
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
      handle(event, stream, at: now)
    }
    inbound.flush(stream)
    wait(stream)
    return size
  }

  /// Those that wait, in turn.
  package mutating func takeTurns(at now: Duration) {
    turns.begin()
    while let input = turns.nextInput() { take(input, at: now) }
    var room = GatewayTurns.allSize
    for _ in 0..<turns.streamCount where room > 0 {
      guard let stream = turns.next() else { return }
      // It may be gone, and have been heard to its end.
      guard turns.contains(stream) else { continue }
      room -= hear(stream, upTo: GatewayTurns.streamSize, at: now)
    }
  }

  /// Whether something waits for its turn.
  package var isBehind: Bool { !turns.isEmpty }
}

extension InboundStreams.Event {
  /// Octets that must be read to deal with it.
  fileprivate var size: Int {
    let size =
      switch self {
      case .request(let request): request.body.count
      case .refused: 0
      case .message(.text(let text), _): text.utf8.count
      case .message(.binary(let bytes), _): bytes.count
      }
    return GatewayTurns.leastSize + size
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
    return GatewayTurns.leastSize + size
  }
}
