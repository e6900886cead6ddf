import SurfReceiving
import SurfTransport
import SurfWire
import TestSupport
import Testing

/// A viewer that uploads a state, an app that takes it, and the links between them, on virtual time.
struct UploadSimulation {
  var network: SimulatedNetwork.Link
  /// Whether the app keeps nothing beyond a hole, and says nothing of one.
  var isOldApp = false
  /// Nothing comes through meanwhile.
  var outage: Range<Duration> = .zero..<(.zero)
  private var upload: ResetUpload
  private var intake = ResetIntake(acceptsResets: true)
  private var events = EventQueue<SimulatedNetwork.Arrival>()
  private var random: SeededGenerator
  private(set) var now = Duration.zero
  private(set) var sentCount = 0
  /// How many pieces had left when the app found that it had forgotten some; nil if it never did.
  private(set) var sentWhenForgotten: Int?
  private(set) var taken: [IncomingReset] = []
  private var oldEnd: WireCount = 0
  /// What seals the session; nil while it is open.
  private(set) var seals: SimulatedSeals?

  private static let session = SessionID(rawValue: 5)
  private static let viewer = ViewerID(rawValue: 1)

  init(
    state: [UInt8], network: SimulatedNetwork.Link, isSealed: Bool = false,
    timeout: Duration = .seconds(600), seed: UInt64
  ) {
    self.network = network
    if isSealed {
      seals = SimulatedSeals(session: Self.session, viewer: Self.viewer, seed: seed)
    }
    random = SeededGenerator(seed: seed)
    upload = ResetUpload(
      session: Self.session, viewer: Self.viewer, viewerName: "v", request: 7, target: .elsewhere,
      state: Content(type: "x", bytes: state),
      datagramSize: 1_472 - (isSealed ? SealedHeader.messageGrowth : 0), timeout: timeout,
      at: .zero)
  }

  mutating func run() -> ResetAnswer? {
    while upload.answer == nil, now < .seconds(600) {
      let datagrams = upload.advance(
        to: now, cookie: Cookie(rawValue: 9), wait: Timers.nakRepeatMin)
      for datagram in datagrams {
        if case .reset = datagram.body { sentCount += 1 }
        for bytes in seals.seal(datagram.encoded(), by: 0) { carry(bytes, to: .app) }
      }
      let next = [events.nextTime, upload.deadline(hasCookie: true)].compactMap { $0 }.min()
      now = max(now, next ?? now)
      while let arrival = events.pop(upTo: now) { receive(arrival) }
    }
    return upload.answer
  }

  private mutating func receive(_ arrival: SimulatedNetwork.Arrival) {
    guard let bytes = seals.open(arrival, at: now) else { return }
    switch try? Datagram(decoding: bytes).body {
    case .reset(let piece):
      let size = intake.size
      intake.forgetIdle(at: now)
      if intake.size < size { sentWhenForgotten = sentCount }
      if let answer = answer(to: piece) { reply(answer) }
    case .resetProgress(let progress): upload.receive(progress, at: now)
    case .outcome(let outcome): upload.receive(outcome)
    default: Issue.record("no reset, and no answer to one")
    }
  }

  private mutating func answer(to piece: Reset) -> Datagram.Body? {
    if isOldApp, case .bytes(_, _, let offset, let bytes) = piece.part {
      guard offset == oldEnd || offset < oldEnd else { return progress }
      oldEnd = max(oldEnd, offset.adding(WireCount(bytes.count)))
    }
    switch intake.receive(piece, position: .initial, at: now) {
    case .answer(.resetProgress) where isOldApp: return progress
    case .answer(let answer): return answer
    case .deliver(let reset, let acknowledgement):
      taken.append(reset)
      if let outcome = intake.decide(reset, .applied, position: .elsewhere) {
        reply(.outcome(outcome))
      }
      return isOldApp ? progress : acknowledgement
    }
  }

  private var progress: Datagram.Body {
    .resetProgress(
      ResetProgress(
        viewer: Self.viewer, request: 7, received: oldEnd, ahead: nil))
  }

  private mutating func reply(_ body: Datagram.Body) {
    for bytes in seals.seal(Datagram(session: Self.session, body: body)) {
      carry(bytes, to: .viewer(0))
    }
  }

  private mutating func carry(_ bytes: [UInt8], to node: SimulatedNetwork.Node) {
    guard !outage.contains(now) else { return }
    for _ in 0..<(chance(network.duplication) ? 2 : 1) where !chance(network.loss) {
      let jitter = network.jitter * Double.random(in: 0..<1, using: &random)
      events.push(
        SimulatedNetwork.Arrival(bytes: bytes, node: node, viewer: 0),
        at: now + network.delay + jitter)
    }
  }

  private mutating func chance(_ probability: Double) -> Bool {
    probability > 0 && Double.random(in: 0..<1, using: &random) < probability
  }
}
