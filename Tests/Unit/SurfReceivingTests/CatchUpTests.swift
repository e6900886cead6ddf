import SurfReceiving
import SurfTransport
import SurfWire
import TestSupport
import Testing

/// A viewer that was stopped for a while gets all that it missed, without slowing the stream.
@Suite struct CatchUpTests {
  @Test func `who was stopped catches up while nothing of the stream waits`() {
    var link = StoppedViewer(liveCount: 12, rateMax: 50e6)
    link.run(milliseconds: 150)
    link.isStopped = true
    link.run(milliseconds: 600)
    link.isStopped = false
    link.unsentMax = 0
    link.run(milliseconds: 700)
    link.liveCount = 0
    link.run(milliseconds: 700)
    #expect(link.seen == link.sent)
    // A tick's worth is what always waits.
    #expect(link.unsentMax < 64 * 1_024)
  }

  /// Without reports, only the rate is a bound: the stream takes three quarters of it.
  @Test func `history has what the stream leaves`() {
    var link = StoppedViewer(liveCount: 28, rateMax: 50e6, reports: false)
    link.run(milliseconds: 100)
    link.isStopped = true
    link.run(milliseconds: 300)
    link.isStopped = false
    link.unsentMax = 0
    link.run(milliseconds: 200)
    #expect(link.unsentMax < 256 * 1_024)
    link.liveCount = 0
    link.run(milliseconds: 700)
    #expect(link.seen == link.sent)
  }
}

/// An app that sends `liveCount` records a millisecond, and two viewers. One is always there. The
/// other may be stopped: then its socket fills, and later datagrams are lost.
private struct StoppedViewer {
  var liveCount: Int
  var isStopped = false
  /// The most octets that ever waited to be sent.
  var unsentMax = 0
  private(set) var sent = 0
  private var sender: Sender
  private var viewers: [Receiver]
  private var seenBy: [Set<SequenceNumber>] = [[], []]
  /// Datagrams that wait to be read by the viewer that may be stopped.
  private var socket: [Datagram] = []
  private var now = Duration.zero
  private let reports: Bool

  var seen: Int { seenBy[1].count }

  init(liveCount: Int, rateMax: Double, reports: Bool = true) {
    self.liveCount = liveCount
    self.reports = reports
    var configuration = Sender.Configuration()
    configuration.rateMax = rateMax
    let announcement = Heartbeat.sample()
    sender = Sender(
      session: SessionID(rawValue: 5), announcement: announcement, configuration: configuration,
      seed: 1)
    viewers = (0..<2).map { number in
      var receiver = Receiver(
        session: SessionID(rawValue: 5), viewer: ViewerID(rawValue: 7 + UInt64(number)),
        viewerName: "v", repairWindow: 1_024, seed: 3, at: .zero)
      receiver.receive(announcement, at: .zero)
      receiver.follow(.since(1), at: .zero)
      return receiver
    }
  }

  mutating func run(milliseconds: Int) {
    for _ in 0..<milliseconds * 4 {
      if now.components.attoseconds % 1_000_000_000_000_000 == 0 { sendLive() }
      while let transmission = sender.nextTransmission(at: now) { deliver(transmission) }
      unsentMax = max(unsentMax, sender.unsentSize)
      for number in viewers.indices where !(number == 1 && isStopped) { turn(number) }
      now += .microseconds(250)
    }
  }

  private mutating func sendLive() {
    for _ in 0..<liveCount {
      sent += 1
      let state = Content(type: "x", bytes: [UInt8](repeating: 7, count: 1_350))
      let record = Record(
        sequence: SequenceNumber(sent), kind: .action, name: "step", state: .keyframe(state))
      sender.send([record], at: now)
    }
  }

  private mutating func deliver(_ transmission: Transmission) {
    for bytes in transmission.datagrams {
      guard let datagram = try? Datagram(decoding: bytes) else { continue }
      for number in viewers.indices {
        if case .peer(let endpoint) = transmission.destination,
          endpoint.rawValue != UInt64(number)
        {
          continue
        }
        if number == 0 {
          viewers[0].receive(datagram, at: now)
        } else if socket.count < 3_600 {
          socket.append(datagram)
        }
      }
    }
  }

  private mutating func turn(_ number: Int) {
    if number == 1 {
      for datagram in socket.prefix(20) { viewers[1].receive(datagram, at: now) }
      socket.removeFirst(min(20, socket.count))
    }
    if let deadline = viewers[number].deadline, deadline <= now {
      viewers[number].advance(to: now)
    }
    for request in viewers[number].takeRequests() { answer(request, number) }
    for record in viewers[number].takeEvents().compactMap(\.shown) {
      seenBy[number].insert(record.sequence)
    }
  }

  private mutating func answer(_ request: Datagram, _ number: Int) {
    let endpoint = Endpoint(rawValue: UInt64(number))
    switch request.body {
    case .hello(let hello):
      viewers[number].receive(sender.welcome(hello, from: endpoint, at: now), at: now)
    case .nak(let nak): sender.receive(nak, from: endpoint, at: now)
    case .windowUpdate(let update):
      if reports { sender.receive(update, from: endpoint, at: now) }
    default: break
    }
  }
}
