import SurfReceiving
import SurfTransport
import SurfWire
import TestSupport

/// An app with a past and a large newest state, and a viewer that joins late. Their link loses the
/// same share each way.
struct LossyJoin {
  /// When the newest state was whole, and when all of the past was here; since the viewer joined.
  private(set) var stateAt: Duration?
  private(set) var caughtUpAt: Duration?
  /// Packets that were requested, and those of them that were already sent or about to be.
  private(set) var askedCount = 0
  private(set) var vainCount = 0
  let packetCount: WireCount
  let statePacketCount: WireCount

  private var sender: Sender
  private var receiver: Receiver
  private var states = RecordDecoder()
  private var network: SimulatedNetwork
  /// What seals the session; nil while it is open.
  private(set) var seals: SimulatedSeals?
  private var now = LossyJoin.start
  private let state: SequenceNumber
  /// Packets whose requests got through and whose answers were not lost.
  private var coming: Set<SequenceNumber> = []
  /// Until then the app is busy with other things.
  private let answersAt: Duration

  private static let start = Duration.seconds(10)
  private static let endpoint = Endpoint(rawValue: 0)

  /// - Parameter backlog: records of one packet each.
  /// - Parameter stateSize: octets of the newest state. A record without a state follows it, so that
  ///   it is not the first of the live ones.
  /// - Parameter rateMax: octets a second that the app sends at most.
  /// - Parameter busyFor: so long does the app answer nothing but hellos.
  init(
    backlog: Int, stateSize: Int, wish: HistoryRequest = .since(1), loss: Double,
    jitter: Duration = .zero, rateMax: Double = 50e6, busyFor: Duration = .zero,
    isSealed: Bool = false, seed: UInt64
  ) {
    var configuration = Sender.Configuration()
    configuration.rateMax = rateMax
    configuration.isSealed = isSealed
    let announcement = Heartbeat(
      instance: InstanceID(high: 1, low: 2), app: "app", host: "host", processID: 3,
      contentType: "", acceptsResets: false, datagramSize: 1_472)
    sender = Sender(
      session: SessionID(rawValue: 5), announcement: announcement, configuration: configuration,
      seed: seed)
    let viewer = ViewerID(rawValue: 7)
    var seals = isSealed ? SimulatedSeals(session: sender.session, viewer: viewer, seed: seed) : nil
    state = SequenceNumber(backlog + 1)
    for number in 1...backlog + 1 {
      sender.send([.filler(number, size: number > backlog ? stateSize : 1_350)], at: .zero)
    }
    sender.send([.filler(backlog + 2, size: 1_350, hasState: false)], at: .zero)
    var time = Duration.zero
    while time < .seconds(9) {
      while let transmission = sender.nextTransmission(at: time) { _ = seals.seal(transmission) }
      time += .milliseconds(1)
    }
    self.seals = seals
    packetCount = WireCount(sender.progress.newestPacket.rawValue)
    statePacketCount = sender.progress.newestStatePacketCount
    network = SimulatedNetwork(viewerCount: 1, seed: seed)
    network.up[0].loss = loss
    network.down[0].loss = loss
    network.down[0].jitter = jitter
    answersAt = Self.start + busyFor
    receiver = Receiver(
      session: sender.session, viewer: viewer, viewerName: "v",
      repairWindow: 1_024, seed: seed, at: Self.start)
    var heartbeat = announcement
    heartbeat.progress = sender.progress
    receiver.receive(heartbeat, at: now)
    receiver.follow(wish, at: now)
  }

  mutating func run(until end: Duration) {
    while caughtUpAt == nil, now < Self.start + end {
      while let arrival = network.takeArrival(at: now) { receive(arrival) }
      if let deadline = receiver.deadline, deadline <= now { receiver.advance(to: now) }
      for request in receiver.takeRequests() { ask(request) }
      takeEvents()
      if now >= answersAt { answer() }
      now += .microseconds(250)
    }
  }

  private mutating func ask(_ request: Datagram) {
    let droppedCount = network.droppedUp
    for bytes in seals.seal(request.encoded(), by: 0) { network.send(bytes, up: 0, at: now) }
    guard case .nak(let nak) = request.body else { return }
    let packets = nak.ranges.flatMap { Array($0.packets) }
    askedCount += packets.count
    vainCount += packets.count { coming.contains($0) }
    if network.droppedUp == droppedCount { coming.formUnion(packets) }
  }

  private mutating func answer() {
    while let transmission = sender.nextTransmission(at: now) {
      for (open, bytes) in zip(transmission.datagrams, seals.seal(transmission)) {
        let droppedCount = network.droppedDown
        network.send(bytes, down: 0, at: now)
        if network.droppedDown > droppedCount { forget(open) }
      }
    }
  }

  private mutating func forget(_ bytes: [UInt8]) {
    guard case .data(let packet) = try? Datagram(decoding: bytes).body else { return }
    coming.remove(packet.sequence)
  }

  private mutating func receive(_ arrival: SimulatedNetwork.Arrival) {
    guard let bytes = seals.open(arrival, at: now), let datagram = try? Datagram(decoding: bytes)
    else { return }
    if arrival.node == .viewer(0) {
      forget(bytes)
      return receiver.receive(datagram, at: now)
    }
    switch datagram.body {
    case .hello(let hello):
      let welcome = sender.welcome(hello, from: Self.endpoint, at: now)
      for bytes in seals.seal(welcome) { network.send(bytes, down: 0, at: now) }
    case .nak(let nak): sender.receive(nak, from: Self.endpoint, at: now)
    // Without reports, only the rate bounds the stream.
    default: break
    }
  }

  private mutating func takeEvents() {
    for output in receiver.takeEvents() {
      switch output {
      case .record(_, let arrived):
        var record = arrived.record
        states.resolve(&record, from: arrived.origin)
        if !arrived.isBase, record.sequence == state, record.state != .unmade {
          stateAt = now - Self.start
        }
      case .caughtUp: caughtUpAt = now - Self.start
      default: break
      }
    }
  }
}

extension Record {
  fileprivate static func filler(
    _ number: Int, size: Int, hasState: Bool = true
  ) -> Record {
    let octets = Content(type: "x", bytes: [UInt8](repeating: 7, count: size))
    return Record(
      sequence: SequenceNumber(number), kind: .action, name: "step",
      payload: hasState ? nil : octets, state: hasState ? .keyframe(octets) : .none)
  }
}
