import SurfSeal
import SurfTransport
import SurfWire
import TestSupport

/// What the app does in one simulation, and when.
struct Script {
  enum Act {
    case send([Record])
    case restored(Restored)
    /// Of the viewer with this number, modulo how many there are.
    case probe(viewer: Int)
    /// The process leaves, and another begins.
    case restart
    /// The viewer with this number has another address, and does not know.
    case move(viewer: Int)
  }

  var acts: [(time: Duration, act: Act)] = []
  var lastSend = Duration.zero
}

/// One app, its viewers, and the network between them, run from event to event.
struct Simulation {
  var network: SimulatedNetwork
  var viewers: [SimulatedViewer]
  private(set) var sender: Sender
  private(set) var now = Duration.zero
  /// When the script ends.
  let lastSend: Duration
  /// Heartbeats that the timers of Protocol.md §10.2 allow for.
  var heartbeatCountMax: Int {
    // 2 ms doubled nine times after each burst, then one each 640 ms; the first immediately.
    actCount * 10 + Int(now / Timers.heartbeatMax) + probeCount + 2
  }
  /// The records of each session in the order of their sequences.
  private(set) var sent: [SessionID: [Record]] = [:]
  private(set) var problems: [String] = []
  private var isReplaying = false
  /// Of all sessions.
  private(set) var counters = Sender.Counters()
  private(set) var probeCount = 0
  /// Packets from viewers that had no request for them.
  private(set) var impostorCount = 0
  /// Packets that viewers have sent to each other.
  private(set) var servedCount = 0
  /// How often each viewer's address has changed.
  private var moveCounts: [Int]
  private var configuration: Sender.Configuration
  private let actCount: Int
  private var acts: ArraySlice<(time: Duration, act: Script.Act)>
  var random: SeededGenerator
  /// What seals the sessions; nil while they are open.
  private(set) var seals: SimulatedSeals?
  private var newestState: (record: SequenceNumber, bytes: [UInt8])?
  private var payloads = PayloadMemory()

  /// Real ones take a few thousand.
  private static let stepCountMax = 200_000

  init(
    script: Script, network: SimulatedNetwork, viewers: [SimulatedViewer],
    configuration: Sender.Configuration, seed: UInt64
  ) {
    random = SeededGenerator(seed: seed)
    acts = script.acts[...]
    lastSend = script.lastSend
    actCount = script.acts.count
    self.network = network
    moveCounts = Array(repeating: 0, count: viewers.count)
    self.viewers = viewers
    self.configuration = configuration
    sender = Self.makeSender(configuration, using: &random)
    sent[sender.session] = []
  }

  /// Starts over, and seals everything sent.
  mutating func seal(watching: Set<Int> = []) {
    configuration.isSealed = true
    sent = [:]
    sender = Self.makeSender(configuration, using: &random)
    sent[sender.session] = []
    seals = SimulatedSeals(
      session: sender.session, viewers: viewers.map(\.id), watching: watching, using: &random)
  }

  /// Runs until every viewer has all that it wished for, or until `end`.
  mutating func run(until end: Duration) {
    for _ in 0..<Self.stepCountMax {
      step()
      guard let next = nextTime, next <= end, !isDone else { return }
      now = max(now, next)
    }
    problems.append("stalled at \(now)")
  }

  /// Runs on to `end`, whatever viewers have.
  mutating func idle(until end: Duration) {
    for _ in 0..<Self.stepCountMax {
      step()
      guard let next = nextTime, next <= end else { return }
      now = max(now, next)
    }
    problems.append("stalled at \(now)")
  }

  private var isDone: Bool {
    guard acts.isEmpty, !sender.hasUnsent else { return false }
    return viewers.allSatisfy { viewer in
      guard viewer.logs[sender.session] != nil else { return false }
      return viewer.logs.allSatisfy { $1.isComplete(to: SequenceNumber(sent[$0]?.count ?? 0)) }
    }
  }

  private var nextTime: Duration? {
    ([acts.first?.time, network.nextArrival, sender.deadline(at: now)]
      + viewers.map { $0.deadline(at: now) }).compactMap { $0 }.min()
  }

  private mutating func step() {
    while let next = acts.first, next.time <= now { perform(acts.removeFirst().act) }
    while let arrival = network.takeArrival(at: now) { receive(arrival) }
    for index in viewers.indices {
      viewers[index].advance(to: now)
      for request in viewers[index].takeRequests() {
        for bytes in seals.seal(request.encoded(), by: index) {
          network.send(bytes, up: index, at: now)
        }
      }
      for (destination, request) in viewers[index].takeLocalRequests() {
        for bytes in seals.seal(request.encoded(), by: index) {
          send(bytes, from: index, to: destination)
        }
      }
      while let served = viewers[index].nextServed(at: now) { serve(served, from: index) }
    }
    while let transmission = sender.nextTransmission(at: now) { transmit(transmission) }
  }

  // MARK: The app

  private mutating func perform(_ act: Script.Act) {
    switch act {
    case .send(let records):
      sent[sender.session, default: []] += records
      sender.send(records.map { differ($0) }, at: now)
    case .restored(let restored): sender.send(restored, at: now)
    case .probe(let number):
      let viewer = number % viewers.count
      probeCount += 1
      let probe = Datagram(session: .none, body: .probe(Probe(viewer: viewers[viewer].id)))
      for bytes in seals.seal(probe.encoded(), by: viewer) {
        network.send(bytes, up: viewer, at: now)
      }
    case .restart:
      for bytes in seals.seal(sender.goodbye()) {
        network.send(bytes, toGroupAt: now)
      }
      counters += sender.counters
      sender = Self.makeSender(configuration, using: &random)
      seals?.restart(sender.session, using: &random)
      sent[sender.session] = []
      newestState = nil
      payloads.begin()
    case .move(let viewer): moveCounts[viewer] += 1
    }
  }

  /// The address that the app sees.
  private func endpoint(of viewer: Int) -> Endpoint {
    Endpoint(rawValue: UInt64(viewer + moveCounts[viewer] * viewers.count))
  }

  /// The record with, more often than not, its state as a delta from the one before.
  private mutating func differ(_ record: Record) -> Record {
    guard case .keyframe(let content) = record.state else { return record }
    defer {
      newestState = (record.sequence, content.bytes)
      payloads.keep(record.payload, of: record.sequence)
    }
    guard let newestState, UInt64.random(in: 0..<8, using: &random) > 0,
      let delta = Delta.between(
        newestState.bytes, content.bytes, baseRecord: newestState.record, sizeMax: 10_000)
    else {
      payloads.begin()
      return record
    }
    let payload = self.delta(to: record.payload)
    return Record(
      sequence: record.sequence, kind: record.kind, uptime: record.uptime, name: record.name,
      payload: payload ?? record.payload, payloadIsDelta: payload != nil,
      state: .delta(Content(type: content.type, bytes: delta.encoded())))
  }

  /// A payload as a delta from the oldest that viewers keep: no viewer may have dropped it.
  private func delta(to payload: Content?) -> Content? {
    guard let payload, let base = payloads.kept.first,
      let delta = Delta.between(
        base.content.bytes, payload.bytes, baseRecord: base.record, sizeMax: 1_000)
    else { return nil }
    return Content(type: payload.type, bytes: delta.encoded())
  }

  private mutating func transmit(_ transmission: Transmission) {
    for bytes in seals.seal(transmission) {
      switch transmission.destination {
      case .group:
        if bytes[7] & 2 != 0 { problems.append("history to the group at \(now)") }
        network.send(bytes, toGroupAt: now)
      case .peer(let endpoint):
        let viewer = Int(endpoint.rawValue) % viewers.count
        // Nobody is where it was before.
        if self.endpoint(of: viewer) == endpoint { network.send(bytes, down: viewer, at: now) }
      }
    }
    // The driver bounds what is not sent yet, so this check does not.
    if sender.size - sender.unsentSize > configuration.historySizeMax {
      problems.append("\(sender.size) octets held at \(now)")
    }
    // All records that a script has, with deltas as long as the states.
    if sender.pinnedSize > 400_000 {
      problems.append("\(sender.pinnedSize) octets pinned at \(now)")
    }
  }

  // MARK: Between viewers

  private mutating func send(_ bytes: [UInt8], from origin: Int, to destination: Destination) {
    switch destination {
    case .group:
      for viewer in viewers.indices { network.send(bytes, from: origin, to: viewer, at: now) }
    case .peer(let endpoint):
      network.send(bytes, from: origin, to: Int(endpoint.rawValue), at: now)
    }
  }

  private mutating func serve(_ transmission: Transmission, from origin: Int) {
    for var bytes in transmission.datagrams {
      if bytes[3] == 1 { servedCount += 1 }
      guard viewers[origin].distort(&bytes, number: servedCount, using: &random) else { continue }
      for bytes in seals.seal(bytes, by: origin) {
        send(bytes, from: origin, to: transmission.destination)
      }
    }
  }

  private mutating func receive(_ arrival: SimulatedNetwork.Arrival) {
    do {
      guard let bytes = seals.open(arrival, at: now) else { return }
      let datagram = try Datagram(decoding: bytes)
      let sealed = seals == nil ? nil : arrival.bytes
      switch arrival.node {
      case .viewer(let viewer):
        guard let origin = arrival.origin else {
          viewers[viewer].receive(datagram, sealed: sealed, at: now)
          return
        }
        let isExpected = viewers[viewer].receive(
          datagram, from: origin, sealed: sealed, at: now)
        if !isExpected { impostorCount += 1 }
      case .app: receive(datagram, from: arrival.viewer)
      }
    } catch {
      problems.append("\(error) at \(now)")
    }
  }

  /// Somebody who has recorded all sends so much of it again: in any order, to anybody, to those
  /// who sent it too.
  mutating func replay(count: Int) {
    guard let heard = seals?.heard else { return }
    isReplaying = true
    defer { isReplaying = false }
    for _ in 0..<count {
      guard var arrival = heard.randomElement(using: &random) else { return }
      let place = Int.random(in: 0...viewers.count, using: &random)
      arrival.node = place == viewers.count ? .app : .viewer(place)
      receive(arrival)
    }
  }

  private mutating func receive(_ datagram: Datagram, from viewer: Int) {
    let endpoint = endpoint(of: viewer)
    if case .probe(let probe) = datagram.body { sender.receive(probe, at: now) }
    guard datagram.session == sender.session else { return }
    switch datagram.body {
    case .hello(let hello):
      let welcome = sender.welcome(hello, from: endpoint, at: now)
      for bytes in seals.seal(welcome) { network.send(bytes, down: viewer, at: now) }
    case .nak(let nak): sender.receive(nak, from: endpoint, at: now)
    case .windowUpdate(let update): sender.receive(update, from: endpoint, at: now)
    case .check(let check): sender.receive(check, from: endpoint, at: now)
    // Viewers send the app nothing else.
    default: if !isReplaying { problems.append("the app got \(datagram.body)") }
    }
  }

  private static func makeSender(
    _ configuration: Sender.Configuration, using random: inout SeededGenerator
  ) -> Sender {
    let announcement = Heartbeat(
      instance: InstanceID(high: 1, low: 2), app: "app", host: "host", processID: 3,
      contentType: "application/json", acceptsResets: true,
      datagramSize: UInt16(configuration.datagramSize))
    return Sender(
      session: SessionID(rawValue: random.next() | 1), announcement: announcement,
      configuration: configuration, seed: random.next())
  }

  /// Of the sessions that are over and the present one.
  var totals: Sender.Counters {
    var totals = counters
    totals += sender.counters
    return totals
  }
}

extension Sender {
  var hasUnsent: Bool { unsentSize > 0 }
}

extension Sender.Counters {
  static func += (left: inout Self, right: Self) {
    left.dataSent += right.dataSent
    left.repairsSent += right.repairsSent
    left.historySent += right.historySent
    left.proofsSent += right.proofsSent
    left.heartbeatsSent += right.heartbeatsSent
    left.unprovenRequests += right.unprovenRequests
    left.unavailablePackets += right.unavailablePackets
  }
}
