import SurfReceiving
import SurfTransport
import SurfWire
import TestSupport
import Testing

/// A viewer that comes late, step by step, with an app that answers and others that are played.
private final class Newcomer {
  let house = House(heldSizeMax: 0)
  private(set) var receiver: Receiver
  private(set) var outputs: [ObserverEvent] = []
  var now: Duration
  /// Packets that the app was asked for.
  private(set) var asked: Set<SequenceNumber> = []
  private(set) var checks: [Check] = []
  private(set) var seeks: [Seek] = []
  private(set) var naks: [(Endpoint, NAK)] = []
  private let own = Endpoint(rawValue: 30)
  let id = ViewerID(rawValue: 9)
  /// The two who offer.
  let first = Endpoint(rawValue: 20)
  let second = Endpoint(rawValue: 21)

  /// A block is half of the window.
  init(packetCount: SequenceNumber = 70, repairWindow: Int = 32) {
    house.send(1...packetCount, size: packetCount > 100 ? 1 : 1_000)
    now = house.now + .seconds(1)
    receiver = Receiver(
      session: house.sender.session, viewer: id, viewerName: "v", repairWindow: repairWindow,
      repair: PeerRepairOptions(seeks: true), seed: 5, at: now)
    var heartbeat = house.sender.announcement
    heartbeat.progress = house.sender.progress
    receiver.receive(heartbeat, at: now)
    receiver.follow(.since(1), at: now)
    settle()
  }

  func wait(_ time: Duration) {
    let end = now + time
    while let deadline = receiver.deadline, deadline <= end {
      now = max(now, deadline)
      receiver.advance(to: now)
      settle()
    }
    now = end
  }

  func offer(_ held: ClosedRange<SequenceNumber> = 1...70, from endpoint: Endpoint) {
    let offer = Offer(viewer: id, cookie: Cookie(rawValue: endpoint.rawValue), held: held)
    receiver.receive(offer, from: endpoint, at: now)
    settle()
  }

  /// Gives the packets as the app has sent them, but for a bit of those in `false`.
  @discardableResult
  func give(
    _ range: ClosedRange<SequenceNumber>, from endpoint: Endpoint,
    false wrong: Set<SequenceNumber> = []
  ) -> Bool {
    var isExpected = true
    for sequence in range {
      guard var bytes = house.packets[sequence] else { continue }
      if wrong.contains(sequence) { bytes[bytes.count - 1] ^= 1 }
      guard case .data(let packet)? = try? Datagram(decoding: bytes).body else { continue }
      PacketTrain.with(packet, of: house.sender.session) {
        isExpected = receiver.receive($0, from: endpoint, at: now)
      }
      settle()
    }
    return isExpected
  }

  /// The app's answer to the latest check.
  func answer() {
    guard let check = checks.last else { return }
    house.sender.receive(welcomed(check), from: own, at: now)
    now += .milliseconds(1)
    while let transmission = house.sender.nextTransmission(at: now) {
      for bytes in transmission.datagrams {
        guard case .proof(let proof)? = try? Datagram(decoding: bytes).body else { continue }
        receiver.receive(proof, at: now)
        settle()
      }
    }
  }

  /// Says that the app does not have it.
  func forget() {
    guard let check = checks.last else { return }
    receiver.receive(
      Proof(viewer: id, key: check.key.first, digests: check.ranges.map { _ in nil }), at: now)
    settle()
  }

  var sequences: [SequenceNumber] {
    outputs.compactMap { $0.shown?.sequence }
  }

  var hasLost: Bool { outputs.contains { if case .lost = $0 { true } else { false } } }

  private func welcomed(_ check: Check) -> Check {
    let hello = Hello(viewer: id, viewerName: "v", since: .max)
    guard case .welcome(let welcome) = house.sender.welcome(hello, from: own, at: now).body else {
      return check
    }
    var check = check
    check.cookie = welcome.cookie
    return check
  }

  private func settle() {
    for request in receiver.takeRequests() {
      switch request.body {
      case .hello(let hello):
        let welcome = house.sender.welcome(hello, from: own, at: now)
        receiver.receive(welcome, at: now)
        settle()
      case .nak(let nak): asked.formUnion(nak.ranges.flatMap { $0.first..<$0.end })
      case .check(let check): checks.append(check)
      default: break
      }
    }
    for (destination, request) in receiver.takeLocalRequests() {
      switch (destination, request.body) {
      case (.group, .seek(let seek)): seeks.append(seek)
      case (.peer(let endpoint), .nak(let nak)): naks.append((endpoint, nak))
      default: Issue.record("\(request)")
      }
    }
    outputs += receiver.takeEvents()
  }
}

private func packets(_ range: ClosedRange<SequenceNumber>) -> [PacketRange] {
  [PacketRange(first: range.lowerBound, count: range.length)].compactMap { $0 }
}

@Suite struct SeekerTests {
  private let newcomer = Newcomer()

  @Test func `the backlog is sought, the newest is asked of the app, and it waits 20 ms`() {
    #expect(newcomer.seeks.map(\.wanted) == [1...69])
    #expect(newcomer.asked == [70])
    newcomer.wait(Timers.seekWait - .milliseconds(1))
    #expect(newcomer.seeks.count == 2)
    #expect(newcomer.asked == [70])
    newcomer.wait(.milliseconds(1))
    #expect(newcomer.asked.count == 32)
    newcomer.offer(from: newcomer.first)
    #expect(newcomer.naks.isEmpty)
  }

  @Test func `for a few packets nobody is sought`() {
    #expect(Newcomer(packetCount: 16).seeks.isEmpty)
    #expect(Newcomer(packetCount: 17).seeks.count == 1)
  }

  @Test func `a block is asked of who offers, with its cookie, and shown once it is proven`() {
    newcomer.offer(from: newcomer.first)
    #expect(newcomer.naks.map(\.0) == [newcomer.first])
    #expect(newcomer.naks.first?.1.cookie == Cookie(rawValue: 20))
    #expect(newcomer.naks.first?.1.isHistory == true)
    #expect(newcomer.naks.first?.1.ranges == packets(1...16))
    newcomer.give(1...16, from: newcomer.first)
    #expect(newcomer.checks.last?.ranges == packets(1...16))
    #expect(newcomer.naks.last?.1.ranges == packets(17...32))
    #expect(newcomer.sequences.isEmpty)
    newcomer.answer()
    #expect(newcomer.sequences == Array(1...16))
    #expect(newcomer.asked == [70])
  }

  @Test func `what others send, and what nobody was asked for, is not taken`() {
    #expect(!newcomer.give(1...16, from: newcomer.first))
    newcomer.offer(from: newcomer.first)
    #expect(!newcomer.give(1...16, from: newcomer.second))
    #expect(newcomer.give(30...40, from: newcomer.first))
    #expect(newcomer.checks.isEmpty)
  }

  @Test func `a block with another digest is asked of the app, and the next one takes over`() {
    newcomer.offer(from: newcomer.first)
    newcomer.offer(from: newcomer.second)
    newcomer.give(1...16, from: newcomer.first, false: [5])
    newcomer.answer()
    #expect(newcomer.sequences.isEmpty)
    // With the block that is on its way, no more than the socket holds.
    #expect(newcomer.asked == Set(1...15).union([70]))
    #expect(newcomer.receiver.counters.failedChecks == 1)
    #expect(newcomer.receiver.counters.drops["digest mismatch"] == 16)
    #expect(newcomer.naks.last?.0 == newcomer.second)
    #expect(newcomer.naks.last?.1.ranges == packets(17...32))
    // It may offer what it likes.
    newcomer.offer(from: newcomer.first)
    newcomer.wait(Timers.repairerSilence + .milliseconds(1))
    #expect(newcomer.naks.last?.0 == newcomer.second)
  }

  @Test func `of two blocks in one question each is judged by itself`() {
    newcomer.offer(from: newcomer.first)
    newcomer.give(1...16, from: newcomer.first)
    newcomer.give(17...32, from: newcomer.first, false: [17])
    #expect(newcomer.checks.last?.ranges.count == 1)
    #expect(newcomer.naks.last?.1.ranges == packets(17...32))
    newcomer.answer()
    newcomer.give(33...48, from: newcomer.first)
    #expect(newcomer.checks.last?.ranges.map(\.first) == [17])
    newcomer.answer()
    #expect(newcomer.sequences == Array(1...16))
    #expect(newcomer.receiver.counters.failedChecks == 1)
    newcomer.answer()
    #expect(newcomer.sequences == Array(1...16))
    #expect(newcomer.checks.last?.ranges.map(\.first) == [33])
    #expect(!newcomer.hasLost)
  }

  @Test func `once it is whole, a block does not change`() {
    newcomer.offer(from: newcomer.first)
    newcomer.give(1...16, from: newcomer.first)
    newcomer.give(1...16, from: newcomer.first, false: Set(1...16))
    newcomer.answer()
    #expect(newcomer.sequences == Array(1...16))
  }

  @Test func `what the app has forgotten is not shown, and nobody is blamed`() {
    newcomer.offer(from: newcomer.first)
    newcomer.give(1...16, from: newcomer.first)
    newcomer.forget()
    #expect(newcomer.sequences.isEmpty)
    // With the block that is on its way, no more than the socket holds.
    #expect(newcomer.asked == Set(1...15).union([70]))
    #expect(newcomer.receiver.counters.failedChecks == 0)
    newcomer.give(17...32, from: newcomer.first)
    #expect(newcomer.checks.last?.ranges.map(\.first) == [17])
  }

  @Test func `an app that does not answer checks is asked for the packets`() {
    newcomer.offer(1...16, from: newcomer.first)
    newcomer.give(1...16, from: newcomer.first)
    newcomer.wait(.milliseconds(600))
    #expect(newcomer.checks.count == 12)
    #expect(Set(newcomer.checks.map(\.key)).count == 1)
    #expect(newcomer.asked.isSuperset(of: 1...16))
    newcomer.answer()
    #expect(newcomer.sequences.isEmpty)
  }

  @Test func `silence ends patience, and so does a trickle`() {
    newcomer.offer(from: newcomer.first)
    newcomer.give(1...3, from: newcomer.first)
    newcomer.wait(Timers.repairerSilence - .milliseconds(1))
    #expect(newcomer.asked == [70])
    newcomer.wait(.milliseconds(1))
    #expect(newcomer.asked.isSuperset(of: 1...16))
    let slow = Newcomer()
    slow.offer(from: slow.first)
    for sequence in 1...10 as ClosedRange<SequenceNumber> {
      slow.give(sequence...sequence, from: slow.first)
      #expect(slow.asked == [70])
      slow.wait(.milliseconds(100))
    }
    #expect(slow.asked.isSuperset(of: 1...16))
  }

  @Test func `the query is empty for again while packets come`() {
    newcomer.offer(from: newcomer.first)
    for sequence in 1...15 as ClosedRange<SequenceNumber> {
      newcomer.give(sequence...sequence, from: newcomer.first)
      newcomer.wait(.milliseconds(4))
    }
    #expect(newcomer.naks.count == 1)
    newcomer.wait(.milliseconds(2))
    #expect(newcomer.naks.last?.1.ranges == packets(16...16))
  }

  @Test func `what an offer lacks is asked of the app`() {
    newcomer.offer(21...60, from: newcomer.first)
    #expect(newcomer.naks.first?.1.ranges == packets(21...36))
    newcomer.wait(.milliseconds(1))
    #expect(newcomer.asked.contains(1))
    #expect(newcomer.asked.isDisjoint(with: 21...60))
  }

  @Test func `what there is no room to hold back is asked of the app in the end`() {
    // 32,768 packets may wait for an older one; the oldest block never comes.
    let newcomer = Newcomer(packetCount: 34_000, repairWindow: 2_048)
    newcomer.offer(1...33_999, from: newcomer.first)
    newcomer.offer(1...33_999, from: newcomer.second)
    newcomer.give(1...1_024, from: newcomer.first, false: [1])
    newcomer.answer()
    for start in stride(from: 1_025, to: 33_999, by: 1_024) as StrideTo<SequenceNumber> {
      newcomer.give(start...min(start + 1_023, 33_999), from: newcomer.second)
      newcomer.answer()
    }
    #expect(newcomer.receiver.counters.packetsFromViewers == 33_999 - 1_024)
    newcomer.wait(.seconds(1))
    #expect(newcomer.asked.isSuperset(of: 1...1_024))
    #expect(newcomer.asked.contains(33_999))
    #expect(newcomer.sequences.isEmpty)
  }

  @Test func `a repairer's word on what is retained moves nothing`() {
    newcomer.offer(from: newcomer.first)
    newcomer.offer(from: newcomer.second)
    newcomer.give(1...16, from: newcomer.first, false: [1])
    newcomer.answer()
    // The app's answer is late; the second block is proven before.
    newcomer.give(17...32, from: newcomer.second)
    newcomer.answer()
    #expect(newcomer.receiver.counters.packetsFromViewers == 16)
    #expect(newcomer.receiver.counters.arrivals == 16)
    #expect(!newcomer.hasLost)
    #expect(newcomer.sequences.isEmpty)
  }
}
