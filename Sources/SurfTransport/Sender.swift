import SurfWire

/// The sending end of one session: numbers packets, paces them, repairs what viewers missed, and
/// tells everybody how far it is (Protocol.md §9, §10, §12).
///
/// The driver calls `nextTransmission(at:)` until it gives nil, then again at `deadline` or after
/// any other call. Time is any clock that never goes back and that begins near zero.
package struct Sender: Sendable {
  package struct Configuration: Sendable {
    package var datagramSize = Limits.datagramSizeMax
    /// Octets of packets kept for repair and late joiners.
    package var historySizeMax = 64 * 1_024 * 1_024
    package var historyAgeMax = Duration.seconds(3_600)
    /// Octets a second at which packets leave at most.
    package var rateMax = 50.0 * 1_024 * 1_024
    package init() {}
  }

  package struct Counters: Equatable, Sendable {
    /// Data datagrams to the group that are not repairs: what a record costs, however many look on.
    package var dataSent = 0
    package var repairsSent = 0
    package var historySent = 0
    package var heartbeatsSent = 0
    /// Requests with a cookie that is not good.
    package var unprovenRequests = 0
    /// Asked-for packets that are no longer, or not yet, to be had.
    package var unavailablePackets = 0
    package init() {}
  }

  package let session: SessionID
  /// Sent with each heartbeat; the driver keeps `position` up to date, the rest is filled in here.
  package var announcement: Heartbeat
  package private(set) var counters = Counters()

  private let configuration: Configuration
  private let cookies: CookieJar
  private var history: PacketHistory
  private var pacer: Pacer
  private var heartbeats = HeartbeatClock()
  private var repairs = Queue<UInt64>()
  private var lateJoiners = LateJoiners()
  private var lane = Lane.live

  /// What takes turns when there is more to send than the rate allows.
  private enum Lane: CaseIterable { case live, repair, history }

  /// Packets that leave together: with the largest datagrams just below `Pacer.burst / 2`.
  private static let batchCount = 20

  package init(
    session: SessionID, announcement: Heartbeat, configuration: Configuration, seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    self.session = session
    self.announcement = announcement
    self.configuration = configuration
    cookies = CookieJar(using: &random)
    history = PacketHistory(
      sizeMax: configuration.historySizeMax, ageMax: configuration.historyAgeMax)
    pacer = Pacer(rateMax: configuration.rateMax)
  }

  /// Octets that were queued and have not left.
  package var unsentSize: Int { history.unsentSize }
  /// Octets held in memory.
  package var size: Int { history.size }

  package var progress: StreamProgress {
    StreamProgress(
      newestPacket: history.nextUnsent - 1, oldestPacket: history.oldest,
      newestRecord: history.newestRecord.record,
      newestRecordPacket: history.newestRecord.packet,
      newestStatePacket: history.newestState?.first ?? 0,
      newestStatePacketCount: history.newestState.map { UInt32($0.last - $0.first + 1) } ?? 0)
  }

  // MARK: To be sent

  package mutating func send(_ records: [OutgoingRecord], at now: Duration) {
    var packer = Packer(datagramSize: configuration.datagramSize)
    for record in records { packer.add(record) }
    enqueue(packer.finish())
  }

  package mutating func send(_ restored: Restored, at now: Duration) {
    var packer = Packer(datagramSize: configuration.datagramSize)
    packer.add(.restored(restored))
    enqueue(packer.finish())
  }

  private mutating func enqueue(_ bodies: [Packer.Body]) {
    for body in bodies {
      let sequence = history.end
      let packet = DataPacket(
        sequence: sequence, oldestPacket: sequence, frames: body.frames)
      history.append(body, datagram: Datagram(session: session, body: .data(packet)).encoded())
    }
  }

  // MARK: Asked for

  /// Answers a viewer's introduction; the answer is not longer than the question.
  package func welcome(_ hello: Hello, from endpoint: Endpoint, at now: Duration) -> Datagram {
    let located = hello.since == .max ? nil : history.locate(since: hello.since)
    let welcome = Welcome(
      viewer: hello.viewer,
      cookie: cookies.cookie(for: hello.viewer, at: endpoint, now: now),
      progress: progress, wanted: hello.since, since: located?.record ?? 0,
      sincePacket: located?.packet ?? 0)
    return Datagram(session: session, body: .welcome(welcome))
  }

  package mutating func receive(_ probe: Probe, at now: Duration) {
    heartbeats.hasten(at: now)
  }

  package mutating func receive(_ nak: NAK, from endpoint: Endpoint, at now: Duration) {
    guard isProven(nak.cookie, nak.viewer, endpoint, at: now) else { return }
    if nak.isHistory {
      lateJoiners.ask(for: nak.ranges, from: endpoint)
    } else {
      for range in nak.ranges { queueRepairs(of: range, for: endpoint, at: now) }
    }
  }

  /// Whether an asker has shown that it receives where it says that it is.
  package mutating func isProven(
    _ cookie: Cookie, _ viewer: ViewerID, _ endpoint: Endpoint, at now: Duration
  ) -> Bool {
    let isGood = cookies.isGood(cookie, from: viewer, at: endpoint, now: now)
    if !isGood { counters.unprovenRequests += 1 }
    return isGood
  }

  private mutating func queueRepairs(
    of range: PacketRange, for endpoint: Endpoint, at now: Duration
  ) {
    for sequence in range.first..<range.end {
      guard var packet = history[sequence] else {
        counters.unavailablePackets += 1
        // The asker has to learn the trailing edge, or that it asked too soon.
        heartbeats.hasten(at: now)
        continue
      }
      let before = packet.repair
      packet.repair = before.asked(by: endpoint, at: now)
      guard packet.repair != before else { continue }
      history[sequence] = packet
      if case .queued = before { continue }
      repairs.append(sequence)
    }
  }

  // MARK: On the wire

  /// When `nextTransmission(at:)` may have something although nothing else has happened.
  package func deadline(at now: Duration) -> Duration {
    let isWaiting = history.hasUnsent || !repairs.isEmpty || !lateJoiners.isEmpty
    return isWaiting ? min(heartbeats.due, pacer.ready(at: now)) : heartbeats.due
  }

  package mutating func nextTransmission(at now: Duration) -> Transmission? {
    if heartbeats.due <= now { return heartbeat(at: now) }
    guard pacer.maySpend(at: now) else { return nil }
    for _ in Lane.allCases {
      defer { lane = Self.lane(after: lane) }
      if let transmission = transmission(of: lane, at: now) { return transmission }
    }
    return nil
  }

  package var goodbye: Datagram {
    let progress = progress
    return Datagram(
      session: session,
      body: .goodbye(
        Goodbye(newestPacket: progress.newestPacket, newestRecord: progress.newestRecord)))
  }

  private static func lane(after lane: Lane) -> Lane {
    switch lane {
    case .live: .repair
    case .repair: .history
    case .history: .live
    }
  }

  private mutating func transmission(of lane: Lane, at now: Duration) -> Transmission? {
    switch lane {
    case .live: live(at: now)
    case .repair: repair(at: now)
    case .history: answerLateJoiner()
    }
  }

  private mutating func heartbeat(at now: Duration) -> Transmission {
    history.evict(at: now)
    heartbeats.heartbeatWasSent(at: now)
    counters.heartbeatsSent += 1
    var heartbeat = announcement
    heartbeat.progress = progress
    heartbeat.uptime = UInt64(max(0, now.inSeconds * 1e9))
    return Transmission(
      to: .group, [Datagram(session: session, body: .heartbeat(heartbeat)).encoded()])
  }

  private mutating func live(at now: Duration) -> Transmission? {
    var batch: [[UInt8]] = []
    while batch.count < Self.batchCount, let datagram = history.sendNext(at: now) {
      pacer.spend(datagram.count, isRepair: false)
      batch.append(datagram)
    }
    guard !batch.isEmpty else { return nil }
    history.evict(at: now)
    for index in batch.indices { stamp(&batch[index], flags: []) }
    counters.dataSent += batch.count
    heartbeats.dataWasSent(at: now)
    return Transmission(to: .group, batch)
  }

  private mutating func repair(at now: Duration) -> Transmission? {
    var batch: [[UInt8]] = []
    var destination: Destination?
    while batch.count < Self.batchCount, let sequence = repairs.first {
      guard var packet = history[sequence], case .queued(let asker) = packet.repair else {
        _ = repairs.popFirst()
        counters.unavailablePackets += 1
        continue
      }
      guard destination == nil || destination == asker else { break }
      _ = repairs.popFirst()
      destination = asker
      packet.repair = .sent(to: asker, at: now)
      history[sequence] = packet
      pacer.spend(packet.datagram.count, isRepair: true)
      batch.append(stamped(packet.datagram, flags: .repair))
    }
    counters.repairsSent += batch.count
    return destination.map { Transmission(to: $0, batch) }
  }

  private mutating func answerLateJoiner() -> Transmission? {
    guard let (endpoint, sequences) = lateJoiners.next(max: Self.batchCount) else { return nil }
    var batch: [[UInt8]] = []
    for sequence in sequences {
      guard let packet = history[sequence] else {
        counters.unavailablePackets += 1
        continue
      }
      pacer.spend(packet.datagram.count, isRepair: false)
      batch.append(stamped(packet.datagram, flags: [.repair, .history]))
    }
    counters.historySent += batch.count
    return batch.isEmpty ? nil : Transmission(to: .peer(endpoint), batch)
  }

  private func stamped(_ datagram: [UInt8], flags: DatagramFlags) -> [UInt8] {
    var datagram = datagram
    stamp(&datagram, flags: flags)
    return datagram
  }

  private func stamp(_ datagram: inout [UInt8], flags: DatagramFlags) {
    DataPacket.stamp(&datagram, flags: flags, oldestPacket: history.oldest)
  }
}

extension PacketHistory.Repair {
  /// Protocol.md §10.5: the first asker alone gets the packet; a second one before it has left, or
  /// just after, makes it everybody's; whoever asks again too soon has it on the way.
  func asked(by endpoint: Endpoint, at now: Duration) -> PacketHistory.Repair {
    let asker = Destination.peer(endpoint)
    switch self {
    case .none: return .queued(for: asker)
    case .queued(let destination): return destination == asker ? self : .queued(for: .group)
    case .sent(let destination, let sentAt):
      if now - sentAt >= Timers.repairHoldOff { return .queued(for: asker) }
      return destination == asker || destination == .group ? self : .queued(for: .group)
    }
  }
}
