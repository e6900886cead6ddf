import SurfDelta
import SurfNetwork
import SurfObserver
import SurfTransport
import SurfWire
import TestSupport
import Testing

/// A viewer and an app, and a network between them that loses datagrams and mixes them up.
private struct LossyPair {
  private var app: BroadcastMachine
  private var viewer: ObserverMachine
  private var generator: SeededGenerator
  private var now = Duration.seconds(1)
  /// Whether the viewer has heard of the app.
  private(set) var hasMet = false
  private(set) var asked: [Position] = []
  /// In the order in which the app decided.
  private(set) var decided: [Position] = []

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    var configuration = Broadcaster.Configuration(
      instance: InstanceID(high: 1, low: 2), app: "app")
    configuration.historySizeMax = 60_000
    app = BroadcastMachine(
      configuration: configuration, datagramSize: 1_472, random: SplitMix64(seed: seed))
    viewer = ObserverMachine(
      viewerName: "v", repairWindow: 128, heldSizeMax: 0, viewers: Endpoint(rawValue: 9),
      random: SplitMix64(seed: seed &+ 1))
  }

  mutating func ask() {
    let target = Position.record(SequenceNumber(UInt64(asked.count + 1)))
    asked.append(target)
    let size = [0, 100, 10_000][Int.random(in: 0..<3, using: &generator)]
    let bytes = (0..<size).map { _ in UInt8.random(in: 0 ... .max, using: &generator) }
    // Of a record that the app does not have, so that it must ask for the whole; and of several
    // pieces, if the state is.
    let delta =
      Bool.random(using: &generator)
      ? Delta.between([], bytes, baseRecord: 5, sizeMax: 20_000) : nil
    let request = ObserverInbox.Request(
      session: app.goodbye.session, target: target, content: Content(type: "x", bytes: bytes),
      delta: delta, isCommand: false, timeout: .seconds(60)
    ) { _ in }
    viewer.perform(.request(request), at: now)
  }

  /// A turn of either end.
  mutating func turn() {
    now += .milliseconds(2)
    viewer.advance(to: now)
    viewer.tell { if case .appeared = $0 { hasMet = true } }
    for bytes in survivors(of: viewer.takeTransmissions()) {
      receive(bytes) { $0.app.receive($1, from: Endpoint(rawValue: 2), at: $0.now) }
    }
    let resets = app.takeResets()
    decided += resets.map(\.target)
    app.perform(resets.map { .answer($0, .applied) }, at: now)
    var sent: [Transmission] = []
    while sent.count < 16, let next = app.nextTransmission(at: now) { sent.append(next) }
    for bytes in survivors(of: sent) {
      receive(bytes) { $0.viewer.receive($1, from: Endpoint(rawValue: 1), at: $0.now) }
    }
    _ = viewer.takeAnswers()
  }

  private mutating func survivors(of transmissions: [Transmission]) -> [[UInt8]] {
    transmissions.flatMap(\.datagrams).shuffled(using: &generator)
      .filter { _ in Int.random(in: 0..<4, using: &generator) > 0 }
  }

  private mutating func receive(
    _ bytes: [UInt8], _ body: (inout Self, IncomingDatagram) -> Void
  ) {
    bytes.withUnsafeBytes { bytes in
      var datagrams = IncomingDatagrams(bytes, segmentSize: bytes.count)
      while let next = datagrams.next() {
        if case .success(let incoming) = next { body(&self, incoming) }
      }
    }
  }
}

@Suite struct RequestOrderTests {
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `an app decides on what one viewer asks in the order in which it was asked`(seed: UInt64) {
    var pair = LossyPair(seed: seed)
    var generator = SeededGenerator(seed: ~seed)
    while !pair.hasMet { pair.turn() }
    for _ in 0..<12 {
      pair.ask()
      for _ in 0..<Int.random(in: 0..<4, using: &generator) { pair.turn() }
    }
    for _ in 0..<5_000 { pair.turn() }
    #expect(pair.decided == pair.asked)
  }
}
