import SurfReceiving
import SurfTransport
import SurfWire
import TestSupport
import Testing

/// One sender and what a viewer may ask of it, without a network between them.
private struct Desk {
  var sender: Sender
  private var random = SeededGenerator(seed: 7)
  private(set) var records: [Record] = []

  init(historySizeMax: Int = 1 << 20, rateMax: Double = 50 * 1_024 * 1_024) {
    var configuration = Sender.Configuration()
    configuration.historySizeMax = historySizeMax
    configuration.rateMax = rateMax
    sender = Sender(
      session: SessionID(rawValue: 5), announcement: .sample(), configuration: configuration,
      seed: 1)
  }

  /// Sends records with states of `size` octets, or without.
  mutating func send(_ count: Int, size: Int?, at now: Duration) {
    for _ in 0..<count {
      let content = size.map { Content(type: "x", bytes: [UInt8](repeating: 0x61, count: $0)) }
      let record = Record(
        sequence: SequenceNumber(records.count + 1), kind: .mark, name: "mark",
        state: content.map(RecordState.keyframe) ?? .none)
      records.append(record)
      sender.send([record], at: now)
    }
  }

  /// A record whose state is a delta from a record that nobody has.
  mutating func send(differingFrom base: UInt8, at now: Duration) {
    let delta = [base, 1, 1, 5, 0x62]
    let record = Record(
      sequence: SequenceNumber(records.count + 1), kind: .mark, name: "mark",
      state: .delta(Content(type: "x", bytes: delta)))
    records.append(record)
    sender.send([record], at: now)
  }

  /// What the app says when it leaves.
  func goodbye(newestRecord: SequenceNumber = 0) throws -> Goodbye {
    let body = sender.goodbye(newestRecord: newestRecord).body
    let goodbye: Goodbye? = if case .goodbye(let goodbye) = body { goodbye } else { nil }
    return try #require(goodbye)
  }

  /// All that leaves until `end`, heartbeats included.
  mutating func transmissions(from start: Duration, to end: Duration) -> [Transmission] {
    var all: [Transmission] = []
    var now = start
    while now <= end {
      while let transmission = sender.nextTransmission(at: now) { all.append(transmission) }
      now = max(now + .microseconds(10), sender.deadline(at: now))
    }
    return all
  }

  mutating func ask(
    _ range: ClosedRange<SequenceNumber>, viewer: UInt64, isHistory: Bool = false,
    cookie: Cookie? = nil,
    at now: Duration
  ) {
    let endpoint = Endpoint(rawValue: viewer)
    let id = ViewerID(rawValue: viewer)
    let hello = Hello(viewer: id, viewerName: "v", since: .max)
    guard case .welcome(let welcome) = sender.welcome(hello, from: endpoint, at: now).body,
      let packets = PacketRange(first: range.lowerBound, count: range.length)
    else { return }
    sender.receive(
      NAK(
        viewer: id, cookie: cookie ?? welcome.cookie, isHistory: isHistory, ranges: [packets]),
      from: endpoint, at: now)
  }

  /// A receiver that has heard the sender's present heartbeat.
  func receiver(at now: Duration) -> Receiver {
    var receiver = Receiver(
      session: sender.session, viewer: ViewerID(rawValue: 9), viewerName: "v", repairWindow: 128,
      seed: 3, at: now)
    receiver.receive(heartbeat, at: now)
    return receiver
  }

  var heartbeat: Heartbeat {
    var heartbeat = sender.announcement
    heartbeat.progress = sender.progress
    return heartbeat
  }
}

extension [Transmission] {
  /// Where data datagrams went, and what they carried.
  fileprivate var data: [(destination: Destination, packet: DataPacket)] {
    flatMap { transmission in
      transmission.datagrams.compactMap { bytes in
        guard case .data(let packet) = try? Datagram(decoding: bytes).body else { return nil }
        return (transmission.destination, packet)
      }
    }
  }
}

@Suite struct LateJoinTests {
  @Test func `history goes to its asker alone`() {
    var desk = Desk()
    desk.send(50, size: 1_000, at: .zero)
    _ = desk.transmissions(from: .zero, to: .seconds(1))
    desk.ask(1...50, viewer: 1, isHistory: true, at: .seconds(1))
    desk.ask(1...50, viewer: 2, isHistory: true, at: .seconds(1))
    let data = desk.transmissions(from: .seconds(1), to: .seconds(2)).data
    #expect(data.count == 100)
    #expect(data.allSatisfy { $0.packet.flags == [.repair, .history] })
    for viewer in 1...2 as ClosedRange<UInt64> {
      let own = data.filter { $0.destination == .peer(Endpoint(rawValue: viewer)) }
      #expect(own.map(\.packet.sequence).sorted() == Array(1...50))
    }
  }

  @Test func `a packet asked for by one goes to one, by two to all, and by none again at once`() {
    var desk = Desk()
    desk.send(3, size: 1_400, at: .zero)
    _ = desk.transmissions(from: .zero, to: .seconds(1))
    let group = Destination.group
    let first = Destination.peer(Endpoint(rawValue: 1))
    func asked(by viewers: [UInt64], at now: Duration) -> [Destination] {
      for viewer in viewers { desk.ask(1...1, viewer: viewer, at: now) }
      return desk.transmissions(from: now, to: now).data.map(\.destination)
    }
    #expect(asked(by: [1], at: .seconds(2)) == [first])
    #expect(asked(by: [1], at: .seconds(2) + .milliseconds(2)) == [])
    #expect(asked(by: [2], at: .seconds(2) + .milliseconds(2)) == [group])
    #expect(asked(by: [3, 1], at: .seconds(2) + .milliseconds(4)) == [])
    #expect(asked(by: [1], at: .seconds(2) + .milliseconds(30)) == [first])
    #expect(asked(by: [1, 2, 3], at: .seconds(3)) == [group])
  }

  @Test func `ranges beyond those that an app has room for are counted`() {
    var desk = Desk()
    desk.send(200, size: 1_400, at: .zero)
    _ = desk.transmissions(from: .zero, to: .seconds(1))
    for number in 1...100 {
      let packet = SequenceNumber(number * 2)
      desk.ask(packet...packet, viewer: 1, isHistory: true, at: .seconds(1))
    }
    #expect(desk.sender.counters.unqueuedRanges == 20)
    #expect(desk.transmissions(from: .seconds(1), to: .seconds(2)).data.count == 80)
  }

  @Test func `who shows a wrong cookie gets nothing and is counted`() {
    var desk = Desk()
    desk.send(3, size: 1_400, at: .zero)
    _ = desk.transmissions(from: .zero, to: .seconds(1))
    for isHistory in [true, false] {
      desk.ask(
        1...3, viewer: 1, isHistory: isHistory, cookie: Cookie(rawValue: 1), at: .seconds(1))
    }
    #expect(desk.transmissions(from: .seconds(1), to: .seconds(2)).data.isEmpty)
    #expect(desk.sender.counters.unprovenRequests == 2)
  }

  @Test func `the newest state comes first, even when all else is forgotten`() throws {
    var desk = Desk(historySizeMax: 4_000)
    // Each leaves before the next is there: else they share packets.
    for (index, part) in [(5, 300), (1, 3_000), (80, nil), (200, nil)].enumerated() {
      let start = Duration.milliseconds(200 * index)
      desk.send(part.0, size: part.1, at: start)
      _ = desk.transmissions(from: start, to: start + .milliseconds(200))
    }
    let progress = desk.sender.progress
    #expect(progress.newestStatePacket < progress.oldestPacket)
    var receiver = desk.receiver(at: .seconds(1))
    receiver.follow(.since(1), at: .seconds(1))
    let outputs = exchange(&desk, &receiver, from: .seconds(1), to: .seconds(2))
    guard let first = outputs.lazy.compactMap(\.shown).first else {
      Issue.record("no record came")
      return
    }
    #expect(first == desk.records[5])
    let count = outputs.reduce(0) { count, output in
      switch output {
      case .record(_, let arrived): count + (arrived.isBase ? 0 : 1)
      case .lost(_, let range): count + range.count
      default: count
      }
    }
    #expect(count == desk.records.count)
    #expect(receiver.counters.recordsLost > 5)
    #expect(receiver.counters.recordsLost == WireCount(outputs.lostCount))
    #expect(outputs.filter { $0.isCaughtUp }.count == 1)
  }

  @Test func `one NAK asks for a packet once, whatever windows lack it`() throws {
    var desk = Desk()
    desk.send(30, size: 1_400, at: .zero)
    _ = desk.transmissions(from: .zero, to: .seconds(1))
    var receiver = desk.receiver(at: .seconds(1))
    receiver.follow(.since(1), at: .seconds(1))
    var asked: [SequenceNumber] = []
    for request in receiver.takeRequests() {
      guard case .hello(let hello) = request.body,
        case .welcome(let welcome) =
          desk.sender.welcome(hello, from: Endpoint(rawValue: 9), at: .seconds(1)).body
      else { continue }
      receiver.receive(welcome, at: .seconds(1))
    }
    for request in receiver.takeRequests() {
      guard case .nak(let nak) = request.body else { continue }
      asked += nak.ranges.flatMap { Array($0.packets) }
    }
    #expect(asked.sorted() == Array(1...desk.sender.progress.newestPacket))
  }

  @Test func `history that is under way is not asked for again`() {
    // Half a millisecond for each packet, and a hundred are on their way at one time.
    var desk = Desk(historySizeMax: 1 << 24, rateMax: 1)
    desk.send(1_500, size: 1_400, at: .zero)
    _ = desk.transmissions(from: .zero, to: .seconds(1))
    var receiver = desk.receiver(at: .seconds(1))
    receiver.follow(.since(1), at: .seconds(1))
    var asked = 0
    let outputs = exchange(&desk, &receiver, from: .seconds(1), to: .seconds(3)) { asked += $0 }
    #expect(outputs.contains { $0.isCaughtUp })
    #expect(asked == 1_500)
  }

  @Test func `a lost base opens one window, and what waited for it is not held twice`() {
    var desk = Desk()
    desk.send(1, size: 1, at: .zero)
    _ = desk.transmissions(from: .zero, to: .seconds(1))
    var receiver = desk.receiver(at: .seconds(1))
    receiver.follow(.since(1), at: .seconds(1))
    var now = Duration.seconds(1)
    var asked = 0
    var outputs = exchange(&desk, &receiver, from: now, to: now + .seconds(1)) { _ in }
    for base in [99, 2, 3, 4, 5] as [UInt8] {
      now += .seconds(2)
      desk.send(differingFrom: base, at: now)
      outputs += exchange(&desk, &receiver, from: now, to: now + .seconds(1)) { asked += $0 }
    }
    let sequences = outputs.compactMap { output in
      output.shown?.sequence
    }
    #expect(sequences == [1, 2, 3, 4, 5, 6])
    // The window from the whole state to the record that waits, whose own packet is here.
    #expect(asked == 1)
  }

  /// Lets the two talk without loss or delay, and counts packets that are asked for.
  private func exchange(
    _ desk: inout Desk, _ receiver: inout Receiver, from start: Duration, to end: Duration,
    asking: (Int) -> Void = { _ in }
  ) -> [ObserverEvent] {
    let endpoint = Endpoint(rawValue: 9)
    var outputs: [ObserverEvent] = []
    var now = start
    while now <= end {
      receiver.advance(to: now)
      for request in receiver.takeRequests() {
        switch request.body {
        case .hello(let hello):
          receiver.receive(desk.sender.welcome(hello, from: endpoint, at: now), at: now)
        case .nak(let nak):
          asking(nak.ranges.reduce(0) { $0 + Int($1.first.distance(to: $1.end)) })
          desk.sender.receive(nak, from: endpoint, at: now)
        default: break
        }
      }
      for (_, packet) in desk.transmissions(from: now, to: now).data {
        receiver.receive(packet, at: now)
      }
      outputs += receiver.takeEvents()
      now += .milliseconds(1)
    }
    return outputs
  }
}

extension ObserverEvent {
  /// The record that it delivers, if the viewer must show it.
  var shown: Record? {
    if case .record(_, let arrived) = self, !arrived.isBase { arrived.record } else { nil }
  }

  var isCaughtUp: Bool { if case .caughtUp = self { true } else { false } }
}

extension [ObserverEvent] {
  fileprivate var lostCount: Int {
    reduce(0) { if case .lost(_, let range) = $1 { $0 + range.count } else { $0 } }
  }
}

@Suite struct AudienceTests {
  @Test func `a record costs the same for one viewer and for twenty`() {
    let counts = [1, 20].map { count in
      var simulation = Simulation.crowd(of: count, seed: 11)
      simulation.run(until: simulation.lastSend + .seconds(5))
      return simulation.totals.dataSent
    }
    #expect(counts[0] == counts[1])
    #expect(counts[0] > 0)
  }
}

@Suite struct PresenceTests {
  @Test func `a goodbye is believed until a heartbeat says otherwise`() throws {
    var desk = Desk()
    desk.send(1, size: 10, at: .zero)
    let data = desk.transmissions(from: .zero, to: .milliseconds(1)).data
    var receiver = desk.receiver(at: .seconds(1))
    receiver.follow(.newestState, at: .seconds(1))
    receiver.receive(try desk.goodbye(), at: .seconds(1))
    #expect(receiver.takeEvents() == [.gone(receiver.session, saidGoodbye: true)])
    receiver.receive(data[0].packet, at: .seconds(1))
    #expect(!receiver.isPresent)
    #expect(
      receiver.takeEvents() == [
        .record(receiver.session, ArrivedRecord(desk.records[0])), .caughtUp(receiver.session),
      ])
    receiver.receive(desk.heartbeat, at: .seconds(1))
    #expect(receiver.isPresent)
    #expect(receiver.takeEvents().isEmpty)
  }

  /// A short program may be over before the viewer has read its first heartbeat.
  @Test(arguments: [true, false])
  func `who follows after the goodbye counts what it named`(isExpired: Bool) throws {
    var desk = Desk()
    desk.send(1, size: 10, at: .zero)
    _ = desk.transmissions(from: .zero, to: .milliseconds(1))
    var receiver = desk.receiver(at: .zero)
    desk.send(4, size: 10, at: .zero)
    _ = desk.transmissions(from: .zero, to: .milliseconds(2))
    receiver.receive(try desk.goodbye(newestRecord: 7), at: .zero)
    if isExpired { receiver.advance(to: Timers.departure) }
    receiver.follow(.since(1), at: Timers.departure)
    receiver.advance(to: Timers.departure * 2)
    let lost: [ClosedRange<SequenceNumber>] = receiver.takeEvents().compactMap {
      if case .lost(_, let range) = $0 { range } else { nil }
    }
    #expect(lost.flatMap { Array($0) } == Array(1...7))
  }

  @Test func `silence is noticed after the liveness time, and what is missing is given up`() {
    var desk = Desk()
    desk.send(4, size: 10, at: .zero)
    _ = desk.transmissions(from: .zero, to: .milliseconds(1))
    var receiver = desk.receiver(at: .zero)
    receiver.follow(.since(1), at: .zero)
    receiver.advance(to: Timers.liveness - .milliseconds(1))
    #expect(receiver.isPresent)
    receiver.advance(to: Timers.liveness)
    #expect(receiver.takeEvents() == [.gone(receiver.session, saidGoodbye: false)])
    receiver.advance(to: Timers.liveness + Timers.expiry)
    let session = receiver.session
    #expect(
      receiver.takeEvents() == [.lost(session, 1...3), .lost(session, 4...4), .caughtUp(session)])
  }
}
