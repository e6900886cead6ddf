import SurfNetwork
import SurfObserver
import SurfReceiving
import SurfSeal
import SurfTransport
import SurfWire
import TestSupport

/// A viewer and an app, and a network between them that loses datagrams and mixes them up.
struct LossyPair: ~Copyable {
  private var app: BroadcastMachine
  private var viewer: ObserverMachine
  private var generator: SeededGenerator
  private var now = Duration.seconds(1)
  /// Whether the viewer has heard of the app.
  private var hasMet = false
  private(set) var asked: [Position] = []
  /// In the app's order of decisions.
  private(set) var decided: [Position] = []
  /// What seals the session; nil while it is open.
  private(set) var seals: SimulatedSeals?

  init(seed: UInt64, isSealed: Bool = false) {
    generator = SeededGenerator(seed: seed)
    var configuration = Broadcaster.Configuration(
      instance: InstanceID(high: 1, low: 2), app: "app")
    configuration.historySizeMax = 60_000
    if isSealed {
      let ring = KeyRing(SimulatedSeals.key)
      configuration.sealing = Sealing(ring, makeCipher: ChaChaPoly.init)
    }
    app = BroadcastMachine(
      configuration: configuration, datagramSize: 1_472, random: SeededGenerator(seed: seed))
    // The rows that the viewer asks for; none has a state.
    let rows = (1...20 as ClosedRange<SequenceNumber>).map {
      Record(sequence: $0, kind: .log(.info), name: "row")
    }
    app.perform([.records(rows)], at: now)
    viewer = ObserverMachine(
      viewerName: "v", repairWindow: 128, heldSizeMax: 0, hasKeys: isSealed,
      viewers: Endpoint(rawValue: 9), random: SeededGenerator(seed: seed &+ 1))
    if isSealed {
      seals = SimulatedSeals(session: app.session, viewer: viewer.viewer, seed: seed)
    }
  }

  /// Asks `count` times, with a turn or a few between, and lets everything arrive.
  mutating func ask(_ count: Int, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    while !hasMet { turn() }
    for _ in 0..<count {
      ask()
      for _ in 0..<Int.random(in: 0..<4, using: &generator) { turn() }
    }
    for _ in 0..<5_000 { turn() }
  }

  private mutating func ask() {
    let target = Position.record(SequenceNumber(UInt64(asked.count + 1)))
    asked.append(target)
    let size = [1, 100, 10_000][Int.random(in: 0..<3, using: &generator)]
    let bytes = (0..<size).map { _ in UInt8.random(in: 0 ... .max, using: &generator) }
    // Of a record that the app does not have, so that it must ask for the whole; and of several
    // pieces, if the state is.
    let delta =
      Bool.random(using: &generator)
      ? Delta.between([], bytes, baseRecord: 5, sizeMax: 20_000) : nil
    let request = ObserverRequest(
      session: app.session, target: target, content: Content(type: "x", bytes: bytes),
      delta: delta, isCommand: false, timeout: .seconds(60)
    ) { _ in }
    viewer.perform(.request(request), at: now)
  }

  /// A turn of either end.
  private mutating func turn() {
    now += .milliseconds(2)
    viewer.advance(to: now)
    viewer.deliverEvents { if case .appeared = $0 { hasMet = true } }
    let requests = viewer.takeTransmissions().flatMap(\.datagrams)
    for bytes in survivors(of: requests.flatMap { seals.seal($0, by: 0) }) {
      receive(bytes, at: .app) { $0.app.receive($1, from: Endpoint(rawValue: 2), at: $0.now) }
    }
    let resets = app.takeResets()
    decided += resets.map(\.target)
    app.perform(resets.map { .answer($0, .applied) }, at: now)
    var sent: [Transmission] = []
    while sent.count < 16, let next = app.nextTransmission(at: now) { sent.append(next) }
    let key = seals == nil ? nil : SimulatedSeals.key
    for bytes in survivors(of: sent.flatMap { seals.seal($0) }) {
      receive(bytes, at: .viewer(0)) {
        $0.viewer.receive($1, from: Endpoint(rawValue: 1), sealedUnder: key, at: $0.now)
      }
    }
    _ = viewer.takeAnswers()
  }

  private mutating func survivors(of datagrams: [[UInt8]]) -> [[UInt8]] {
    datagrams.shuffled(using: &generator)
      .filter { _ in Int.random(in: 0..<4, using: &generator) > 0 }
  }

  private mutating func receive(
    _ bytes: [UInt8], at node: SimulatedNetwork.Node,
    _ body: (inout Self, IncomingDatagram) -> Void
  ) {
    let arrival = SimulatedNetwork.Arrival(bytes: bytes, node: node, viewer: 0)
    guard let bytes = seals.open(arrival, at: now) else { return }
    bytes.withUnsafeBytes { bytes in
      var datagrams = IncomingDatagrams(bytes, segmentSize: bytes.count)
      while let next = datagrams.next() {
        if case .success(let incoming) = next { body(&self, incoming) }
      }
    }
  }
}
