import SurfGateway
import SurfNetwork
import SurfRelay
import SurfSockets
import SurfStreams
import SurfTransport
import SurfWire
import Synchronization
import TestSupport

/// A gateway with an app, two relays that it dials, and callers who say to it what they like.
struct Gate {
  var numbers: Numbers
  private(set) var messageCount = 0
  /// Callers that came as far as to speak in frames.
  private(set) var upgradeCount = 0
  private var machine: GatewayMachine
  private var callers: [(stream: StreamID, caller: Caller)] = []
  private var streams = StreamIDs.accepting
  private var now = Duration.zero
  private var newest: SequenceNumber = 0

  private static let app = SessionID(rawValue: 0x11)
  private static let address = TCPAddress(.v4(0x7f00_0001), port: 9)
  private static let callerCountMax = 12

  init(seed: UInt64) {
    numbers = Numbers(seed: seed)
    var configuration = GatewayConfiguration()
    configuration.relays = ["ws://127.0.0.1:8000", "socketio://127.0.0.1:8001"].compactMap {
      RelayAddress(parsing: $0)
    }
    let random = Mutex(SeededGenerator(seed: seed))
    machine = GatewayMachine(
      configuration: configuration, random: { random.withLock { $0.next() } },
      wallTime: { 0 }, perform: { _ in })
    var heartbeat = Heartbeat.sample()
    heartbeat.acceptsResets = true
    heartbeat.control = .allCommands
    machine.receive(.observer(.appeared(Self.app, heartbeat)), at: now)
    machine.receive(.observer(.caughtUp(Self.app)), at: now)
    settle()
  }

  var drops: [String: Int] { machine.drops }

  mutating func step() {
    switch numbers.below(24) {
    case 0, 1: open()
    case 2: appActs()
    case 3: pass()
    case 4: leave()
    default: speak()
    }
    settle()
  }

  /// A client that comes, is given a session, and leaves.
  mutating func openSession() {
    let stream = streams.next()
    machine.receive(.accepted(stream, peer: Self.address, local: Self.address), at: now)
    let request = "GET /socket.io/?EIO=4&transport=polling HTTP/1.1\r\nHost: localhost:9\r\n\r\n"
    machine.receive(.received(stream, Array(request.utf8)), at: now)
    machine.receive(.closed(stream, .byPeer), at: now)
    settle()
  }

  mutating func wait(_ duration: Duration) {
    now += duration
    machine.advance(to: now)
    settle()
  }

  private mutating func open() {
    guard callers.count < Self.callerCountMax else { return }
    let stream = streams.next()
    callers.append((stream, Caller(.visitor)))
    machine.receive(.accepted(stream, peer: Self.address, local: Self.address), at: now)
  }

  private mutating func appActs() {
    newest = newest.next
    let content = Content(type: "application/json", bytes: Array("{\"n\":\(newest)}".utf8))
    let record = Record(sequence: newest, kind: .action, name: "add", state: .keyframe(content))
    machine.receive(.observer(.record(Self.app, ArrivedRecord(record))), at: now)
    machine.receive(.answer(Self.app, .answered(numbers.outcome(), numbers.position())), at: now)
  }

  private mutating func pass() {
    let steps: [Duration] = [
      .zero, .milliseconds(1), .milliseconds(600), .seconds(9), .seconds(70),
    ]
    now += numbers.one(of: steps)
    if let deadline = machine.deadline, deadline <= now { machine.advance(to: now) }
  }

  private mutating func leave() {
    guard let (stream, _) = someone() else { return }
    switch numbers.below(4) {
    case 0: machine.receive(.ended(stream), at: now)
    case 1: machine.receive(.progress(stream, unsent: numbers.below(1 << 24)), at: now)
    case 2: machine.receive(.drained(stream), at: now)
    default: close(stream, numbers.isChance(oneIn: 2) ? .byPeer : .failed("too slow"))
    }
  }

  private mutating func speak() {
    guard let (stream, caller) = someone() else { return open() }
    var bytes = caller.message(&numbers)
    if numbers.isChance(oneIn: 6) { numbers.mutate(&bytes) }
    // As the kernel cuts them.
    let cut = numbers.isChance(oneIn: 3) ? numbers.below(bytes.count + 1) : bytes.count
    for piece in [bytes[..<cut], bytes[cut...]] where !piece.isEmpty {
      machine.receive(.received(stream, Array(piece)), at: now)
    }
    messageCount += 1
  }

  private mutating func someone() -> (StreamID, Caller)? {
    callers.isEmpty ? nil : numbers.one(of: callers)
  }

  private mutating func close(_ stream: StreamID, _ end: StreamEnd) {
    guard let index = callers.firstIndex(where: { $0.stream == stream }) else { return }
    callers.remove(at: index)
    machine.receive(.closed(stream, end), at: now)
  }

  private mutating func settle() {
    // What the machine answers to an end may be another end.
    for _ in 0..<20 {
      machine.performRequests()
      let actions = machine.takeActions()
      if actions.isEmpty { return }
      for action in actions { perform(action) }
    }
  }

  private mutating func perform(_ action: StreamAction) {
    switch action {
    case .connect(let stream, _, let port, _):
      callers.append((stream, Caller(.relay(isEngine: port == 8001))))
      machine.receive(.connected(stream, peer: Self.address), at: now)
    case .write(let stream, let bytes):
      let caller = callers.first { $0.stream == stream }?.caller
      if caller?.hear(bytes) == true { upgradeCount += 1 }
    case .closeAfterWriting(let stream), .abort(let stream): close(stream, .byUs)
    case .hold, .release: break
    }
  }
}
