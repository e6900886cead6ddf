import SurfReceiving
import SurfTimeline
import SurfTransport
import SurfWire
import TestSupport

/// An app that tells values and takes them back, and a viewer that comes late, with a network
/// between them that loses, delays and overtakes. `live` is what the viewer must know.
struct ValueWorld {
  private(set) var now = Duration.zero
  private(set) var live: [String: [UInt8]] = [:]
  private(set) var board = KnownValues()
  private(set) var requestCount = 0
  var isDeaf = false

  private var random: SeededGenerator
  private let loss: Double
  private var sender: Sender
  private var receiver: Receiver?
  private var sequence: SequenceNumber = 0
  private var underWay: [(due: Duration, arrival: SimulatedNetwork.Arrival)] = []
  /// What seals the session; nil while it is open.
  private(set) var seals: SimulatedSeals?

  private static let session = SessionID(rawValue: 7)
  private static let endpoint = Endpoint(rawValue: 1)
  private static let viewer = ViewerID(rawValue: 9)
  private static let step = Duration.milliseconds(1)

  init(seed: UInt64, loss: Double? = nil, isSealed: Bool = false) {
    random = SeededGenerator(seed: seed)
    self.loss = loss ?? Double.random(in: 0...0.25, using: &random)
    var configuration = Sender.Configuration()
    configuration.historySizeMax = 65_536
    configuration.isSealed = isSealed
    if isSealed {
      seals = SimulatedSeals(session: Self.session, viewer: Self.viewer, seed: seed)
    }
    configuration.datagramSize = seed % 3 == 0 ? Limits.datagramSizeMin : Limits.datagramSizeMax
    sender = Sender(
      session: Self.session,
      announcement: Heartbeat(
        instance: InstanceID(high: 1, low: 2), app: "app", host: "here", processID: 1,
        contentType: "", acceptsResets: false, datagramSize: UInt16(configuration.datagramSize)),
      configuration: configuration, seed: seed)
  }

  /// The names whose value the viewer has wrong.
  var mistakes: [String] {
    let seen = Dictionary(
      board.records.map { ($0.name, $0.payload?.bytes ?? []) }, uniquingKeysWith: { $1 })
    return Set(seen.keys).union(live.keys).filter { seen[$0] != live[$0] }.sorted()
  }

  // MARK: The app

  mutating func tell(_ name: String, size: Int) {
    var bytes = [UInt8](repeating: .random(in: .min ... .max, using: &random), count: size)
    for index in 0..<min(size, 8) { bytes[index] = .random(in: .min ... .max, using: &random) }
    live[name] = bytes
    record(.update, name, Content(type: "application/octet-stream", bytes: bytes))
  }

  mutating func remove(_ name: String) {
    live = live.filter { $0.key != name && !$0.key.hasPrefix(name + "/") }
    record(.remove, name)
  }

  /// An action, whose state pushes values out of the history.
  mutating func act(_ number: Int) {
    record(
      .action, "act",
      state: .keyframe(Content(type: "text/plain", bytes: Array("\(number)".utf8))))
  }

  private mutating func record(
    _ kind: Record.Kind, _ name: String, _ payload: Content? = nil, state: RecordState = .none
  ) {
    sequence = sequence.next
    let record = Record(
      sequence: sequence, kind: kind, name: name, payload: payload, state: state)
    sender.send([record], at: now)
  }

  private mutating func doSomething() {
    switch Int.random(in: 0..<20, using: &random) {
    case 0...6: tell(name(), size: Int.random(in: 0...200, using: &random))
    case 7: tell(name(), size: Int.random(in: 2_000...20_000, using: &random))
    case 8: remove(name())
    case 9: act(Int.random(in: 0...9, using: &random))
    default: break
    }
  }

  /// Names of one to three parts; some begin like others without lying below them.
  private mutating func name() -> String {
    (0..<Int.random(in: 1...3, using: &random)).map { _ in
      ["a", "b", "a-", "a0", "ä"].randomElement(using: &random) ?? ""
    }.joined(separator: "/")
  }

  // MARK: Time

  mutating func run(
    for time: Duration, isViewed: Bool, tellsMore: Bool = true,
    until isDone: (Self) -> Bool = { _ in false }
  ) throws {
    let end = now + time
    // A viewer that comes asks who is there.
    if isViewed, receiver == nil { sender.receive(Probe(viewer: Self.viewer), at: now) }
    while now < end {
      if tellsMore { doSomething() }
      try deliver(isViewed: isViewed)
      if isDone(self) { return }
      now = tellsMore ? now + Self.step : min(end, max(now + Self.step, nextEvent))
    }
  }

  private var nextEvent: Duration {
    [sender.deadline(at: now), receiver?.deadline, underWay.map(\.due).min()]
      .compactMap(\.self).min() ?? now
  }

  /// Lets everything under way arrive, and the viewer ask for the rest.
  mutating func settle() throws {
    try run(for: .seconds(8), isViewed: true, tellsMore: false)
  }

  private mutating func deliver(isViewed: Bool) throws {
    while let transmission = sender.nextTransmission(at: now) {
      let datagrams = seals.seal(transmission)
      guard isViewed else { continue }
      for bytes in datagrams { post(bytes, to: .viewer(0)) }
    }
    let due = underWay.filter { $0.due <= now }
    underWay.removeAll { $0.due <= now }
    for item in due {
      guard let bytes = seals.open(item.arrival, at: now) else { continue }
      let datagram = try Datagram(decoding: bytes)
      if item.arrival.node == .app { answer(datagram) } else { hear(datagram) }
    }
    receiver?.advance(to: now)
    drain()
  }

  private mutating func post(_ bytes: [UInt8], to node: SimulatedNetwork.Node) {
    guard !isDeaf, Double.random(in: 0..<1, using: &random) >= loss else { return }
    let delay = Duration.microseconds(Int.random(in: 0...3_000, using: &random))
    underWay.append((now + delay, SimulatedNetwork.Arrival(bytes: bytes, node: node, viewer: 0)))
  }

  private mutating func answer(_ datagram: Datagram) {
    switch datagram.body {
    case .hello(let hello):
      let welcome = sender.welcome(hello, from: Self.endpoint, at: now)
      for bytes in seals.seal(welcome) { post(bytes, to: .viewer(0)) }
    case .nak(let nak): sender.receive(nak, from: Self.endpoint, at: now)
    case .windowUpdate(let update): sender.receive(update, from: Self.endpoint, at: now)
    case .valueRequest(let request):
      requestCount += 1
      sender.receive(request, from: Self.endpoint, at: now)
    default: break
    }
  }

  // MARK: The viewer

  private mutating func hear(_ datagram: Datagram) {
    if receiver == nil, case .heartbeat(let heartbeat) = datagram.body { join(on: heartbeat) }
    switch datagram.body {
    case .data(let packet): receiver?.receive(packet, at: now)
    case .heartbeat(let heartbeat): receiver?.receive(heartbeat, at: now)
    case .welcome(let welcome): receiver?.receive(welcome, at: now)
    case .valueReply(let reply): receiver?.receive(reply, at: now)
    default: break
    }
  }

  private mutating func join(on heartbeat: Heartbeat) {
    receiver = Receiver(
      session: Self.session, viewer: Self.viewer, viewerName: "", repairWindow: 512,
      seed: 1, at: now)
    receiver?.receive(heartbeat, at: now)
    receiver?.follow(.newestState, at: now)
    receiver?.followValues(at: now)
  }

  private mutating func drain() {
    for output in receiver?.takeEvents() ?? [] {
      switch output {
      case .record(_, let arrived) where !arrived.isBase: board.note(arrived.record)
      case .values(_, .asked): board.begin()
      case .values(_, .value(let record)): board.add(answer: record)
      case .values(_, .complete(let horizon, let leftOut)):
        board.complete(horizon: horizon, leftOut: leftOut)
      default: break
      }
    }
    for request in receiver?.takeRequests() ?? [] {
      for bytes in seals.seal(request.encoded(), by: 0) { post(bytes, to: .app) }
    }
  }
}
