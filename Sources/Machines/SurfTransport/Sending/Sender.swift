import SurfBasics
import SurfWire

/// The app's end of one session, for `BroadcastMachine` (Protocol.md §9, §10, §12). It numbers
/// packets, paces them, resends those that viewers missed, and reports its progress to all viewers.
///
/// The driver calls `nextTransmission(at:)` until it returns nil, then again at `deadline` or after
/// any other call. Any clock will do that starts near zero and never goes back.
package struct Sender: Sendable {
  package struct Configuration: Sendable {
    /// The largest datagram on the wire, in octets.
    package var datagramSize = Limits.datagramSizeMax
    /// Whether datagrams are sealed afterwards, which makes them larger.
    package var isSealed = false
    /// Octets of packets kept for repair and late joiners.
    package var historySizeMax = 64 * 1_024 * 1_024
    package var historyAgeMax = Timers.historyAgeMax
    /// The highest rate in octets a second while no viewer reports its progress.
    package var rateMax = 50.0 * 1_024 * 1_024
    package init() {}

    /// Sealed packets are padded to blocks of 64 octets (Protocol.md §C.2).
    fileprivate var packetSize: Int {
      guard isSealed else { return datagramSize }
      let size = datagramSize - SealedHeader.packetGrowth
      return size - (size - SealedHeader.packetClearSize) % 64
    }
    fileprivate var messageSize: Int {
      isSealed ? datagramSize - SealedHeader.messageGrowth : datagramSize
    }
  }

  package struct Counters: Equatable, Sendable {
    /// Data datagrams to the group, without repairs: the cost of a record, however many viewers
    /// there are.
    package var dataSent = 0
    package var repairsSent = 0
    package var historySent = 0
    /// Answers to viewers that got history from other viewers.
    package var proofsSent = 0
    package var heartbeatsSent = 0
    /// Requests with an invalid cookie.
    package var unprovenRequests = 0
    /// Ranges of history requested while the queue was full.
    package var unqueuedRanges = 0
    /// Requested packets that are no longer, or not yet, available.
    package var unavailablePackets = 0
    /// Requests for values while the queue was full.
    package var unqueuedValueRequests = 0
    package init() {}
  }

  package let session: SessionID
  /// The heartbeat, apart from the progress and the uptime that `Sender` fills in. The driver keeps
  /// `position` up to date.
  package var announcement: Heartbeat
  package private(set) var counters = Counters()

  private let cookies: CookieJar
  /// The largest message, in octets.
  private let messageSize: Int
  private var history: PacketHistory
  private var pacer: Pacer
  private var heartbeats = HeartbeatClock()
  private var flow = FlowControl()
  private var repairs = RepairQueue()
  private var lateJoiners = LateJoiners()
  private var proofs = DigestResponder()
  private var values = KeptValues()
  private var valueAnswers = ValueAnswers()
  /// Whether values go before history.
  private var valuesAreNext = false
  private var lanes = LaneScheduler()
  /// Turns of history that the stream has taken.
  private var yieldedTurns = 0
  private static let historyTurns = 8

  package init(
    session: SessionID, announcement: Heartbeat, configuration: Configuration, seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    self.session = session
    self.announcement = announcement
    cookies = CookieJar(using: &random)
    history = PacketHistory(
      session: session, datagramSize: configuration.packetSize,
      sizeMax: configuration.historySizeMax, ageMax: configuration.historyAgeMax)
    pacer = Pacer(rateMax: configuration.rateMax)
    messageSize = configuration.messageSize
  }

  /// Octets that were queued and not sent yet.
  package var unsentSize: Int { history.unsentSize }
  /// Octets held within the limit; and those of the newest state, which the limit does not affect.
  package var size: Int { history.size }
  package var pinnedSize: Int { history.pinnedSize }
  var valueSize: Int { values.size }

  /// Changes the limits. Unsent packets stay.
  package mutating func bound(historySize: Int, valueSize: Int, at now: Duration) {
    history.sizeMax = historySize
    history.evict(at: now)
    values.bound(size: valueSize)
  }

  package var progress: StreamProgress {
    StreamProgress(
      newestPacket: history.nextUnsent.previous, oldestPacket: history.oldest,
      newestRecord: history.records.newestSent.record,
      newestRecordPacket: history.records.newestSent.packet,
      newestStatePacket: history.states.newest?.lowerBound ?? 0,
      newestStatePacketCount: history.states.newest?.length ?? 0)
  }

  // MARK: Sending

  package mutating func send(_ records: [Record], at now: Duration) {
    for record in records {
      history.add(record)
      values.note(record)
    }
  }

  package mutating func send(_ restored: Restored, at now: Duration) {
    history.add(.restored(restored))
  }

  // MARK: Requests

  /// The state of a record, if its packets are still held.
  package func state(of record: SequenceNumber) -> Content? { history.state(of: record) }

  /// The next packets for a viewer in this process.
  ///
  /// - Parameter place: where its last read ended; nil for the first.
  package mutating func ownPackets(
    from place: SequenceNumber?, sizeMax: Int, at now: Duration
  ) -> OwnPackets {
    let beginning = place == nil ? history.beginning : nil
    let first = place ?? beginning?.packet ?? history.oldest
    let (packets, next) = history.copy(from: first, sizeMax: sizeMax)
    return OwnPackets(
      session: session, heartbeat: currentHeartbeat(at: now), oldestRecord: beginning?.record,
      packets: packets, next: next, hasMore: next < history.end)
  }

  /// Answers a hello. The answer is no longer than the hello.
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
      counters.unqueuedRanges = lateJoiners.droppedCount
    } else {
      for range in nak.ranges { queueRepairs(of: range, for: endpoint, at: now) }
    }
  }

  package mutating func receive(_ update: WindowUpdate, from endpoint: Endpoint, at now: Duration) {
    guard isProven(update.cookie, update.viewer, endpoint, at: now) else { return }
    flow.receive(update, from: endpoint, next: history.nextUnsent)
    pacer.note(hasWindows: flow.hasWindows)
  }

  package mutating func receive(_ check: Check, from endpoint: Endpoint, at now: Duration) {
    guard isProven(check.cookie, check.viewer, endpoint, at: now) else { return }
    proofs.ask(check, from: endpoint)
  }

  package mutating func receive(
    _ request: ValueRequest, from endpoint: Endpoint, at now: Duration
  ) {
    guard isProven(request.cookie, request.viewer, endpoint, at: now) else { return }
    valueAnswers.ask(request, from: endpoint)
    counters.unqueuedValueRequests = valueAnswers.droppedCount
  }

  /// Whether the asker has proved that it receives at its stated address.
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
    for sequence in range.packets.numbers {
      if history.holds(sequence) {
        repairs.ask(for: sequence, by: endpoint, at: now)
      } else {
        counters.unavailablePackets += 1
        // The viewer must learn the trailing edge, or that it asked too soon.
        heartbeats.hasten(at: now)
      }
    }
  }

  // MARK: On the wire

  /// When `nextTransmission(at:)` may return something although nothing else has happened.
  package func deadline(at now: Duration) -> Duration {
    let mayAll = !repairs.isEmpty || !lateJoiners.isEmpty || !valueAnswers.isEmpty
    if mayAll { return min(heartbeats.due, pacer.ready(at: now)) }
    let due = min(
      heartbeats.due, proofs.due.map { max($0, pacer.ready(at: now)) } ?? .seconds(1 << 40))
    guard !history.unsentCount.isZero else { return due }
    let isOpen = flow.allowance(from: history.nextUnsent, count: liveCount) > 0
    let ready = isOpen ? pacer.ready(at: now) : pacer.trickleReady(at: now)
    return min(due, ready)
  }

  package mutating func nextTransmission(at now: Duration) -> Transmission? {
    if heartbeats.due <= now { return heartbeat(at: now) }
    guard pacer.maySpend(at: now) else { return nil }
    if lanes.isOver { lanes.pass() }
    for _ in LaneScheduler.Lane.allCases {
      if let transmission = transmission(of: lanes.lane, at: now) { return transmission }
      lanes.pass()
    }
    return nil
  }

  /// - Parameter newestRecord: the newest record made. Viewers count records up to it that were not
  ///   sent as lost.
  package func goodbye(newestRecord: SequenceNumber = 0) -> Datagram {
    let progress = progress
    return Datagram(
      session: session,
      body: .goodbye(
        Goodbye(
          newestPacket: progress.newestPacket,
          newestRecord: max(progress.newestRecord, newestRecord))))
  }

  private mutating func transmission(of lane: LaneScheduler.Lane, at now: Duration) -> Transmission?
  {
    switch lane {
    case .live: live(at: now)
    case .repair: repair(at: now)
    case .history: prove(at: now) ?? (historyMayGo(at: now) ? answer() : nil)
    }
  }

  /// While stream data waits and may leave, history gets one turn in `historyTurns` (Protocol.md
  /// §12).
  private mutating func historyMayGo(at now: Duration) -> Bool {
    let liveWaits =
      history.unsentCount > 0
      && (flow.allowance(from: history.nextUnsent, count: liveCount) > 0
        || pacer.mayTrickle(at: now))
    yieldedTurns = liveWaits ? (yieldedTurns + 1) % Self.historyTurns : 0
    return yieldedTurns == 0
  }

  /// The last words: a heartbeat, which has the final counts of what was given up, and a goodbye
  /// (Protocol.md §7.3). Each goes twice, because nobody can request one that was lost.
  mutating func farewell(_ goodbye: Datagram, at now: Duration) -> Transmission {
    let (heartbeat, goodbye) = (heartbeatDatagram(at: now), goodbye.encoded())
    // If the app resumes, its first heartbeat leaves immediately.
    heartbeats = HeartbeatClock()
    return Transmission(to: .group, [heartbeat, heartbeat, goodbye, goodbye])
  }

  private mutating func heartbeat(at now: Duration) -> Transmission {
    Transmission(to: .group, [heartbeatDatagram(at: now)])
  }

  private mutating func heartbeatDatagram(at now: Duration) -> [UInt8] {
    history.evict(at: now)
    heartbeats.heartbeatWasSent(at: now)
    counters.heartbeatsSent += 1
    return Datagram(session: session, body: .heartbeat(currentHeartbeat(at: now))).encoded()
  }

  private func currentHeartbeat(at now: Duration) -> Heartbeat {
    var heartbeat = announcement
    heartbeat.progress = progress
    if values.isUsed { heartbeat.control.insert(.hasValues) }
    heartbeat.uptime = UInt64(max(0, now.inSeconds * 1e9))
    return heartbeat
  }

  /// The number of waiting unsent packets, up to the most that one call can send.
  private var liveCount: Int {
    history.unsentCount.clamped(to: PacketRun.countMax)
  }

  private mutating func live(at now: Duration) -> Transmission? {
    flow.forget(before: history.nextUnsent, at: now)
    pacer.note(hasWindows: flow.hasWindows)
    let allowance = flow.allowance(from: history.nextUnsent, count: liveCount)
    guard allowance > 0 || pacer.mayTrickle(at: now) else { return nil }
    let countMax = allowance > 0 ? allowance : PacketRun.countMax
    guard
      let run = history.sendNext(countMax: countMax, sizeMax: PacketRun.sizeMax, at: now)
    else { return nil }
    spend(run.size, count: run.count)
    pacer.spendTrickle(run.size)
    history.evict(at: now)
    counters.dataSent += run.count
    heartbeats.dataWasSent(at: now)
    return Transmission(to: .group, run)
  }

  private mutating func repair(at now: Duration) -> Transmission? {
    var builder = RunBuilder()
    var destination: Destination?
    while let next = repairs.next {
      guard let datagram = history[next.sequence] else {
        repairs.dropNext()
        counters.unavailablePackets += 1
        continue
      }
      guard destination == nil || destination == next.destination, builder.admits(datagram.count)
      else { break }
      destination = next.destination
      builder.append(datagram) { DataPacket.mark($0, with: .repair) }
      repairs.noteSent(at: now)
    }
    guard let destination, let run = builder.run else { return nil }
    spend(run.size, count: run.count, isRepair: true)
    counters.repairsSent += run.count
    return Transmission(to: destination, run)
  }

  /// Alternates between history and values while both are requested.
  private mutating func answer() -> Transmission? {
    valuesAreNext.toggle()
    return valuesAreNext
      ? answerValues() ?? answerLateJoiner() : answerLateJoiner() ?? answerValues()
  }

  private mutating func answerValues() -> Transmission? {
    let answer = valueAnswers.next(from: values, datagramSize: messageSize)
    guard let (replies, endpoint) = answer, !replies.isEmpty else { return nil }
    let datagrams = replies.map { Datagram(session: session, body: .valueReply($0)).encoded() }
    spend(datagrams.reduce(0) { $0 + $1.count }, count: datagrams.count)
    return Transmission(to: .peer(endpoint), datagrams)
  }

  private mutating func answerLateJoiner() -> Transmission? {
    let next = lateJoiners.nextRun { sequence in
      let datagram = history[sequence]
      if datagram == nil { counters.unavailablePackets += 1 }
      return datagram
    }
    guard let (run, endpoint) = next else { return nil }
    spend(run.size, count: run.count)
    counters.historySent += run.count
    return Transmission(to: .peer(endpoint), run)
  }

  private mutating func prove(at now: Duration) -> Transmission? {
    let made = proofs.next(at: now) { history[$0] }
    guard let (proof, endpoint) = made else { return nil }
    counters.proofsSent += 1
    let datagram = Datagram(session: session, body: .proof(proof)).encoded()
    spend(datagram.count, count: 1)
    return Transmission(to: .peer(endpoint), [datagram])
  }

  private mutating func spend(_ size: Int, count: Int, isRepair: Bool = false) {
    pacer.spend(size, count: count, isRepair: isRepair)
    lanes.spend(size, count: count)
  }
}
