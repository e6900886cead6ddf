import SurfReceiving
import SurfTransport
import SurfWire
import TestSupport
import Testing

/// Datagrams with flipped bits, into machines that are in the middle of a session.
@Suite struct MutatedTrafficTests {
  #if DEBUG
    private static let count = 4_000
  #else
    private static let count = 50_000
  #endif

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `mutated datagrams never trap, and memory stays bounded`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var session = Session(seed: seed)
    var acceptedCount = 0
    for round in 0..<Self.count {
      // A session led astray once would refuse everything later.
      if round % 500 == 0 { session = Session(seed: random.next()) }
      var bytes = session.samples.randomElement(using: &random)!
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        // Past the header, which the codec's own tests wear out.
        let index = Int.random(in: 6..<bytes.count, using: &random)
        bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
      }
      guard let datagram = try? Datagram(decoding: bytes) else { continue }
      acceptedCount += 1
      session.now += .microseconds(Int64.random(in: 0...20_000, using: &random))
      session.receive(datagram)
      #expect(session.sender.size <= 40_000)
      // One datagram can cause at most one NAK of each sort, a hello, a check, and datagrams for
      // other viewers.
      #expect(session.requestCount <= 6)
      #expect(session.transmissionCount <= Limits.rangePacketCountMax)
    }
    #expect(acceptedCount > Self.count / 4)
  }
}

/// A sender with a little history, a receiver that follows it, and one datagram of each sort.
private struct Session {
  var now = Duration.seconds(1)
  private(set) var sender: Sender
  private var receiver: Receiver
  private(set) var samples: [[UInt8]] = []
  private(set) var requestCount = 0
  private(set) var transmissionCount = 0
  private let endpoint = Endpoint(rawValue: 1)
  private let neighbour = Endpoint(rawValue: 2)

  init(seed: UInt64) {
    var configuration = Sender.Configuration()
    configuration.historySizeMax = 40_000
    let announcement = Heartbeat.sample()
    let session = SessionID(rawValue: 5)
    sender = Sender(
      session: session, announcement: announcement, configuration: configuration, seed: seed)
    receiver = Receiver(
      session: session, viewer: ViewerID(rawValue: 9), viewerName: "v", repairWindow: 128,
      repair: PeerRepairOptions(heldSizeMax: 30_000, seeks: true), seed: seed, at: now)
    var random = SeededGenerator(seed: seed)
    let records = (1...20 as ClosedRange<SequenceNumber>).map { Record.random($0, using: &random) }
    sender.send(records, at: now)
    while let transmission = sender.nextTransmission(at: now) { samples += transmission.datagrams }
    var heartbeat = announcement
    heartbeat.progress = sender.progress
    receiver.receive(heartbeat, at: now)
    receiver.follow(.since(1), at: now)
    samples += talk(session, heartbeat).map { $0.encoded() }
    samples += gossip(session).map { $0.encoded() }
  }

  /// What viewers say to each other, and to the app about it.
  private func gossip(_ session: SessionID) -> [Datagram] {
    let (me, other) = (ViewerID(rawValue: 9), ViewerID(rawValue: 8))
    guard let range = PacketRange(first: 2, count: 9) else { return [] }
    let key = DigestKey(first: 1, second: 2)
    let bodies: [Datagram.Body] = [
      .seek(Seek(viewer: other, wanted: 1...20)),
      .offer(Offer(viewer: me, cookie: Cookie(rawValue: 3), held: 1...20)),
      .check(
        Check(viewer: me, cookie: receiver.cookie ?? Cookie(rawValue: 4), key: key, ranges: [range])
      ),
      .proof(Proof(viewer: me, key: 1, digests: [nil])),
    ]
    return bodies.map { Datagram(session: session, body: $0) }
  }

  /// The datagrams between the two, apart from data.
  private mutating func talk(_ session: SessionID, _ heartbeat: Heartbeat) -> [Datagram] {
    let hello = Hello(viewer: ViewerID(rawValue: 9), viewerName: "v", since: 1)
    let welcome = sender.welcome(hello, from: endpoint, at: now)
    receiver.receive(welcome, at: now)
    let requests = receiver.takeRequests()
    return [
      welcome, Datagram(session: session, body: .heartbeat(heartbeat)), sender.goodbye(),
      Datagram(session: .none, body: .probe(Probe(viewer: ViewerID(rawValue: 9)))),
    ] + requests
  }

  mutating func receive(_ datagram: Datagram) {
    switch datagram.body {
    case .nak(let nak): sender.receive(nak, from: endpoint, at: now)
    case .probe(let probe): sender.receive(probe, at: now)
    case .check(let check): sender.receive(check, from: endpoint, at: now)
    case .seek(let seek): receiver.receive(seek, from: neighbour, at: now)
    case .offer(let offer): receiver.receive(offer, from: neighbour, at: now)
    case .data(let packet) where packet.flags.contains(.history):
      PacketTrain.with(packet, of: datagram.session) {
        _ = receiver.receive($0, from: neighbour, at: now)
      }
    case .hello(let hello): _ = sender.welcome(hello, from: endpoint, at: now)
    default: receiver.receive(datagram, at: now)
    }
    receiver.advance(to: now)
    requestCount = receiver.takeRequests().count + receiver.takeLocalRequests().count
    _ = receiver.takeEvents()
    transmissionCount = 0
    while let served = receiver.nextServed(at: now) {
      transmissionCount += served.datagrams.count
    }
    while let transmission = sender.nextTransmission(at: now) {
      transmissionCount += transmission.datagrams.count
    }
  }
}
