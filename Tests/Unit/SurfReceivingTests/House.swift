import SurfReceiving
import SurfTransport
import SurfWire
import TestSupport
import Testing

/// An app, and a viewer that has followed it from the beginning and holds packets for others.
final class House {
  var sender: Sender
  var holder: Receiver
  private(set) var packets: [SequenceNumber: [UInt8]] = [:]
  private(set) var now = Duration.zero
  private let app = Endpoint(rawValue: 1)
  let seeker = Endpoint(rawValue: 7)

  init(heldSizeMax: Int) {
    let announcement = Heartbeat.sample()
    let session = SessionID(rawValue: 5)
    sender = Sender(
      session: session, announcement: announcement, configuration: Sender.Configuration(), seed: 1)
    holder = Receiver(
      session: session, viewer: ViewerID(rawValue: 2), viewerName: "v", repairWindow: 128,
      repair: PeerRepairOptions(heldSizeMax: heldSizeMax), seed: 3, at: .zero)
    holder.receive(announcement, at: .zero)
    holder.follow(.newestState, at: .zero)
  }

  /// One packet each, but for those in `lost`, which never come.
  func send(
    _ sequences: ClosedRange<SequenceNumber>, size: Int, without lost: Set<SequenceNumber> = []
  ) {
    for sequence in sequences {
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: UInt64($0) &* sequence.rawValue) }
      let record = Record(
        sequence: sequence, kind: .mark, name: "mark",
        state: .keyframe(Content(type: "x", bytes: bytes)))
      sender.send([record], at: now)
      now += .milliseconds(1)
      deliver(without: lost)
    }
  }

  private func deliver(without lost: Set<SequenceNumber>) {
    while let transmission = sender.nextTransmission(at: now) {
      for bytes in transmission.datagrams {
        guard let datagram = try? Datagram(decoding: bytes) else { continue }
        if case .data(let packet) = datagram.body {
          packets[packet.sequence] = bytes
          if lost.contains(packet.sequence) { continue }
        }
        holder.receive(datagram, at: now)
      }
    }
    _ = holder.takeEvents()
  }

  /// The offer that a seek brings.
  func offer(for wanted: ClosedRange<SequenceNumber>, from viewer: UInt64 = 4) -> Offer? {
    // By then a list of what is held that was made for an earlier seek is too old.
    now += .milliseconds(60)
    holder.receive(
      Seek(viewer: ViewerID(rawValue: viewer), wanted: wanted), from: seeker, at: now)
    now += Timers.offerDelay
    guard let bytes = served().first, case .offer(let offer)? = try? Datagram(decoding: bytes).body
    else { return nil }
    return offer
  }

  /// The packets that an offer's cookie brings.
  func ask(_ range: ClosedRange<SequenceNumber>, _ cookie: Cookie, from endpoint: Endpoint)
    -> [[UInt8]]
  {
    guard let range = PacketRange(first: range.lowerBound, count: range.length) else {
      return []
    }
    let nak = NAK(
      viewer: ViewerID(rawValue: 4), cookie: cookie, isHistory: true, ranges: [range])
    holder.receive(nak, from: endpoint, at: now)
    return served()
  }

  func served() -> [[UInt8]] {
    var all: [[UInt8]] = []
    for _ in 0..<200 {
      while let transmission = holder.nextServed(at: now) {
        #expect(transmission.destination == .peer(seeker))
        all += transmission.datagrams
      }
      guard let deadline = holder.servingDeadline(at: now) else { break }
      now = max(now + .microseconds(10), deadline)
    }
    return all
  }

  /// The app is silent for so long.
  func pass(_ time: Duration) {
    for _ in 0..<Int(time / .milliseconds(100)) {
      now += .milliseconds(100)
      holder.advance(to: now)
    }
  }
}
