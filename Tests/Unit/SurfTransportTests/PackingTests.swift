import SurfTransport
import SurfWire
import TestSupport
import Testing

/// What shares packets, and what leaves together.
@Suite struct PackingTests {
  private var sender: Sender
  private let endpoint = Endpoint(rawValue: 1)
  private let viewer = ViewerID(rawValue: 2)
  private var now = Duration.zero

  init() {
    let announcement = Heartbeat.sample()
    sender = Sender(
      session: SessionID(rawValue: 5), announcement: announcement,
      configuration: Sender.Configuration(), seed: 1)
    _ = sender.nextTransmission(at: .zero)
  }

  @Test mutating func `an action is on the wire at once, in a packet of its own`() {
    for sequence in 1...3 as ClosedRange<SequenceNumber> {
      send(sequence, size: 100)
      #expect(dataCounts() == [1])
    }
  }

  @Test mutating func `what waits shares packets with what comes meanwhile`() {
    for sequence in 1...20 as ClosedRange<SequenceNumber> { send(sequence, size: 130) }
    // Nine of some 160 octets fit a packet.
    #expect(dataCounts() == [3])
    #expect(sender.unsentSize == 0)
  }

  @Test mutating func `a packet that does not leave with those before it takes what comes`() {
    report(newest: 0, window: 10_000)
    // Nine fit a packet: 49 packets that are full, and one that is not.
    for sequence in 1...445 as ClosedRange<SequenceNumber> { send(sequence, size: 130) }
    now += .microseconds(20)
    guard case .run(let run)? = sender.nextTransmission(at: now)?.payload else {
      Issue.record("nothing leaves")
      return
    }
    #expect(run.count == 43)
    for sequence in 446...450 as ClosedRange<SequenceNumber> { send(sequence, size: 130) }
    #expect(dataCounts() == [7])
  }

  @Test mutating func `large states leave in full runs although each came by itself`() {
    report(newest: 0, window: 10_000)
    for sequence in 1...10 as ClosedRange<SequenceNumber> { send(sequence, size: 65_536) }
    let counts = dataCounts()
    #expect(sender.unsentSize == 0)
    // 43 packets of 1,472 octets are as much as one call takes.
    #expect(counts.dropLast().allSatisfy { $0 == 43 })
    #expect(counts.count == 11)
  }

  @Test mutating func `a window that opens by a few packets lets none of a long run out`() {
    for sequence in 1...10 as ClosedRange<SequenceNumber> { send(sequence, size: 65_536) }
    report(newest: 0, window: 100)
    #expect(dataCounts() == [43, 43])
    report(newest: 10, window: 100)
    #expect(dataCounts() == [])
    report(newest: 11, window: 100)
    #expect(dataCounts() == [25])
  }

  @Test mutating func `the last few packets wait for no more room than they need`() {
    send(1, size: 140_000)
    report(newest: 0, window: 96)
    _ = dataCounts()
    send(2, size: 100)
    report(newest: sender.progress.newestPacket, window: 1)
    #expect(dataCounts() == [1])
  }

  /// Protocol.md §12, rule 2: the time before it had no room does not count.
  @Test mutating func `a viewer that was silent while it had room is waited for`() {
    report(newest: 0, window: 50)
    now += .seconds(3)
    send(1, size: 8_000_000)
    // Only what trickles, at 8 MiB/s.
    pass(.milliseconds(90))
    #expect(sender.unsentSize > 7_000_000)
    report(newest: 40, window: 50)
    pass(.milliseconds(90))
    #expect(sender.unsentSize > 6_000_000, "its report was news")
    pass(.milliseconds(20))
    let left = sender.unsentSize
    pass(.milliseconds(20))
    #expect(left - sender.unsentSize > 500_000, "it is left behind, at 50 MiB/s")
  }

  @Test mutating func `scattered packets are repaired within one turn, for all who lack them`() {
    report(newest: 0, window: 10_000)
    for sequence in 1...40 as ClosedRange<SequenceNumber> { send(sequence, size: 65_536) }
    for _ in 0..<10 { _ = step() }
    // The runs of no two requests can be one: each is for another viewer than the one before.
    for sequence in 1...40 as ClosedRange<SequenceNumber> {
      let asker = Endpoint(rawValue: 1 + sequence.rawValue % 2)
      sender.receive(
        NAK(
          viewer: viewer, cookie: cookie(for: asker), isHistory: false,
          ranges: [PacketRange(first: SequenceNumber(sequence.rawValue * 9), count: 1)].compactMap(
            \.self)),
        from: asker, at: now)
    }
    let before = sender.counters.dataSent
    while sender.counters.repairsSent < 40, sender.unsentSize > 0 { _ = step() }
    #expect(sender.counters.repairsSent == 40)
    // The run whose turn it was.
    #expect(sender.counters.dataSent - before <= 43)
    let destinations = (0..<4).compactMap { _ in step()?.destination }
    #expect(destinations == [.group, .group, .group, .group], "the stream goes on")
  }

  @Test mutating func `the stream waits for one run of history, however small the runs are`() {
    report(newest: 0, window: 10_000)
    // Two packets make a run of their own, because the second is smaller.
    for sequence in 1...20 as ClosedRange<SequenceNumber> {
      send(sequence, size: 2_000)
      _ = step()
    }
    askForPast(PacketRange(first: 1, count: 40))
    for sequence in 21...30 as ClosedRange<SequenceNumber> {
      send(sequence, size: 100)
      let destinations = [step(), step()].compactMap { $0?.destination }
      #expect(Set(destinations) == [.group, .peer(endpoint)])
    }
  }

  @Test mutating func `who has no room and wants all of the past does not hold up the stream`() {
    report(newest: 0, window: 10_000)
    for sequence in 1...40 as ClosedRange<SequenceNumber> { send(sequence, size: 65_536) }
    while sender.unsentSize > 0 { _ = step() }
    send(41, size: 8_000_000)
    let before = sender.counters.dataSent
    // A quarter of a second.
    for count in 0..<2_500 {
      now += .microseconds(100)
      if count.isMultiple(of: 100) {
        report(newest: sender.progress.newestPacket, window: 1)
        askForPast(PacketRange(first: 1, count: 1_000))
      }
      while sender.nextTransmission(at: now) != nil {}
    }
    let sent = (sender.counters.dataSent - before) * 1_472
    #expect(sent > 2_000_000, "at 8 MiB/s")
    #expect(sent < 2_400_000, "and no faster")
    #expect(sender.counters.historySent > 1_000)
  }

  private mutating func askForPast(_ range: PacketRange?) {
    sender.receive(
      NAK(
        viewer: viewer, cookie: cookie(for: endpoint), isHistory: true,
        ranges: [range].compactMap(\.self)),
      from: endpoint, at: now)
  }

  private mutating func send(_ sequence: SequenceNumber, size: Int) {
    let content = Content(type: "x", bytes: [UInt8](repeating: 0x61, count: size))
    let record = Record(sequence: sequence, kind: .mark, name: "mark", state: .keyframe(content))
    sender.send([record], at: now)
  }

  private mutating func report(newest: SequenceNumber, window: WireCount) {
    let update = WindowUpdate(
      viewer: viewer, cookie: cookie(for: endpoint), newestPacket: newest, window: window)
    sender.receive(update, from: endpoint, at: now)
  }

  private func cookie(for endpoint: Endpoint) -> Cookie {
    let hello = Hello(viewer: viewer, viewerName: "v", since: .max)
    guard case .welcome(let welcome) = sender.welcome(hello, from: endpoint, at: now).body
    else { preconditionFailure("a hello is welcomed") }
    return welcome.cookie
  }

  /// Lets everything leave that may, in steps of a millisecond.
  private mutating func pass(_ time: Duration) {
    let end = now + time
    while now < end {
      now += .milliseconds(1)
      while sender.nextTransmission(at: now) != nil {}
    }
  }

  /// With window updates the bucket refills within such a step; what trickles hardly does.
  private mutating func step() -> Transmission? {
    now += .microseconds(20)
    return sender.nextTransmission(at: now)
  }

  /// How many data packets leave with each call until nothing more does.
  private mutating func dataCounts() -> [Int] {
    var counts: [Int] = []
    for _ in 0..<100 {
      guard let next = step() else { continue }
      if case .run(let run) = next.payload { counts.append(run.count) }
    }
    return counts
  }
}
