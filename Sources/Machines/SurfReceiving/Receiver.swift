import SurfBasics
import SurfTransport
import SurfWire

/// A viewer's end of one session; `ObserverMachine` has one for each session that it hears. It
/// knows whether the app is alive. After `follow`, it puts the app's records in order and requests
/// missing packets (Protocol.md §10).
///
/// The caller passes it datagrams of this session from the session's endpoint, calls `advance(to:)`
/// at `deadline` or sooner, and then takes requests. The events are in the sink.
package struct Receiver {
  package struct Counters: Equatable, Sendable {
    /// Packets, and replies with values, that were new.
    package var arrivals = 0
    package var repairsReceived = 0
    package var duplicates = 0
    package var naksSent = 0
    package var recordsLost: WireCount = 0
    /// Packets of the backlog that another viewer sent and the app has vouched for.
    package var packetsFromViewers = 0
    package var packetsToViewers = 0
    /// Blocks from another viewer whose digest was not the app's.
    package var failedChecks = 0
    package var drops: [String: Int] = [:]

    package init() {}
  }

  package let session: SessionID
  let viewer: ViewerID
  private let viewerName: String
  /// Whether it only listens and sends nothing.
  private let isSilent: Bool
  let repairWindow: WireCount
  private var updates: WindowUpdateClock
  var random: SeededGenerator
  private var liveness: Liveness
  /// The app's goodbye, unless a heartbeat followed it.
  private var farewell: Goodbye?
  private var progress = StreamProgress()
  var reader: SessionReader?
  var hello: HelloClock?
  private var unanswered = UnansweredRequests()
  private var claimCheck = ClaimCheck()
  private var past = HistoryRequest.newestState
  /// Whether the app has answered a hello, which proves that it is at its stated address.
  package private(set) var isProven = false
  /// Fetches the backlog from other viewers; nil if the app alone is asked for it.
  var seeker: RepairSeeker?
  /// Sends packets to other viewers; nil if this one holds none for them.
  var repairer: Repairer?
  private var pause = RequestPause()
  var values: ValueReader
  package let sink: EventSink
  var requests: [Datagram] = []
  /// Datagrams for other viewers, not for the app.
  var localRequests: [(Destination, Datagram)] = []
  var counts = Counters()

  /// - Parameter repairWindow: packets that the viewer's socket can buffer. No more are outstanding
  ///   at a time.
  /// - Parameter streamWindow: packets that the app may send ahead, which have a buffer of their
  ///   own; nil for `repairWindow`.
  /// - Parameter repair: what this viewer does for other viewers, and they for it.
  package init(
    session: SessionID, viewer: ViewerID, viewerName: String, repairWindow: Int,
    streamWindow: Int? = nil, repair: PeerRepairOptions = PeerRepairOptions(),
    isSilent: Bool = false, seed: UInt64, into sink: EventSink = EventSink(), at now: Duration
  ) {
    self.session = session
    self.sink = sink
    values = ValueReader(of: session, into: sink)
    self.viewer = viewer
    self.viewerName = viewerName
    self.isSilent = isSilent
    self.repairWindow = WireCount(max(repairWindow, 8))
    updates = WindowUpdateClock(windowMax: streamWindow.map { WireCount($0) } ?? self.repairWindow)
    random = SeededGenerator(seed: seed)
    liveness = .present(lastHeard: now)
    if repair.seeks {
      seeker = RepairSeeker(viewer: viewer, repairWindow: self.repairWindow, using: &random)
    }
    if repair.heldSizeMax > 0 {
      repairer = Repairer(session: session, sizeMax: repair.heldSizeMax, using: &random)
    }
  }

  var isFollowing: Bool { reader != nil }
  var hasExpired: Bool { liveness == .expired }
  package var isPresent: Bool { if case .present = liveness { true } else { false } }
  /// Every request to the app must carry it. Nil before the first welcome.
  package var cookie: Cookie? { hello?.cookie }

  package var counters: Counters {
    var all = counts
    all.recordsLost = reader?.recordsLost ?? 0
    all.drops.add(reader?.live.drops ?? [:])
    all.drops.add(values.drops)
    addRepairCounters(to: &all)
    return all
  }

  /// Datagrams for the session's endpoint.
  package mutating func takeRequests() -> [Datagram] { requests.takeAll() }

  func datagram(_ body: Datagram.Body) -> Datagram { Datagram(session: session, body: body) }

  // MARK: Calls

  /// Starts to receive records. If the receiver already follows, it requests more of the past
  /// instead. Call it after the first heartbeat. Each call leads to one `caughtUp`.
  package mutating func follow(_ past: HistoryRequest, at now: Duration) {
    if isSilent { return overhear() }
    self.past = past
    if reader == nil {
      reader = SessionReader(
        of: session, past: past, progress: progress, window: repairWindow, into: sink, at: now)
      takeLeave(at: now)
    } else {
      seeker?.cancel()
      reader?.widen(to: past)
    }
    introduce(at: now)
  }

  /// A short program may end before anybody follows it. Its goodbye still says what exists.
  private mutating func takeLeave(at now: Duration) {
    if let farewell {
      reader?.extend(
        newestPacket: farewell.newestPacket, newestRecord: farewell.newestRecord, due: now)
    }
    if hasExpired { reader?.abandonAll() }
  }

  /// A silent viewer cannot request the past, so it has caught up from the start.
  private mutating func overhear() {
    if reader == nil {
      reader = SessionReader(
        overhearing: session, progress, window: repairWindow, into: sink)
    } else {
      sink.append(.caughtUp(session))
    }
  }

  /// Requests records again that were already delivered, for a viewer that has dropped their states
  /// and now needs one. They arrive like records of the backlog. Unavailable records are reported
  /// as lost. So are all if the backlog is not complete yet, or if the app has expired. If the app
  /// expires later, the rest is requested once more when it is back.
  package mutating func refetch(_ records: ClosedRange<SequenceNumber>, at now: Duration) {
    guard reader != nil, !isSilent else { return sink.append(.lost(session, records)) }
    reader?.refetch(records)
    introduce(at: now)
  }

  /// Gets a cookie without following. A reset needs one.
  package mutating func introduce(at now: Duration) {
    if isSilent { return }
    if hello == nil { hello = HelloClock(at: now) } else { hello?.hasten(at: now) }
    advance(to: now)
  }

  // MARK: Input

  package mutating func receive(_ heartbeat: Heartbeat, at now: Duration) {
    heard(at: now)
    values.note(heartbeat)
    progress = heartbeat.progress
    if let claims = reader?.claims, claimCheck.shouldAsk(claims, progress, at: now) {
      hello?.hasten(at: now)
    }
    reader?.note(progress)
    // A heartbeat leaves after the data, so missing packets were not merely overtaken.
    let due = now + random.duration(upTo: Timers.nakBackoff)
    reader?.extend(
      newestPacket: progress.newestPacket, newestRecord: progress.newestRecord, due: due)
    askAnew(at: now)
  }

  /// Receives packets that came together.
  package mutating func receive(_ packets: PacketTrain, at now: Duration) {
    // Protocol.md §10.8: anybody can replay packets, so a duplicate does not prove that the app is
    // alive.
    if reader?.wants(packets) == true {
      heardInPassing(at: now)
      if packets.flags.contains(.history) { reader?.noteHistory(packets, at: now) }
    }
    let tally = reader?.receive(
      packets, gapDue: now + Timers.reorderWait + random.duration(upTo: Timers.nakBackoff))
    guard let tally else { return }
    if tally.taken > 0 { repairer?.hold(packets) }
    counts.arrivals += tally.taken
    if packets.flags.contains(.repair) {
      counts.repairsReceived += tally.taken
      pause.note(arrivals: tally.taken)
    }
    counts.duplicates += tally.duplicates
    counts.drops.count("beyond window", tally.beyond)
    reportProgress()
    askAnew(at: now)
  }

  package mutating func receive(_ welcome: Welcome, at now: Duration) {
    guard welcome.viewer == viewer else { return }
    isProven = true
    guard hello != nil else { return }
    heardInPassing(at: now)
    let isAnswer = welcome.wanted == question
    hello?.welcome(welcome.cookie, isAnswer: isAnswer, at: now)
    switch claimCheck.judge(welcome) {
    case .agrees: break
    case .doubtful: hello?.hasten(at: now)
    case .contradicts: beginAnew(welcome.progress, at: now)
    }
    reportProgress()
    if welcome.wanted == reader?.past.question,
      reader?.located(since: welcome.since, packet: welcome.sincePacket, at: now) == true
    {
      seekRepairer(at: now)
    }
    askAnew(at: now)
    advance(to: now)
  }

  package mutating func receive(_ goodbye: Goodbye, at now: Duration) {
    guard isPresent else { return }
    reader?.extend(
      newestPacket: goodbye.newestPacket, newestRecord: goodbye.newestRecord, due: now)
    // It answers nothing any more. Wait only for packets that are still in flight.
    liveness = .gone(expiresAt: now + Timers.departure)
    farewell = goodbye
    sink.append(.gone(session, saidGoodbye: true))
  }

  /// The socket of this viewer overflowed: the viewer is too slow for the stream.
  package mutating func socketOverflowed() { updates.socketOverflowed() }

  // MARK: Time

  package var deadline: Duration? {
    guard isPresent else { return liveness.deadline }
    let missing = hello?.cookie == nil ? nil : reader?.packets.missing.deadline
    let asking = isSilent ? givingUp : missing.map(pause.allowed)
    let local = seeker?.deadline(repeatMin: repeatMin)
    return .least(liveness.deadline, hello?.due, asking, local, valuesDue)
  }

  /// When a silent viewer gives up packets that are missing now.
  private var givingUp: Duration? {
    reader?.packets.missing.deadline.map { $0 + Timers.observerWait }
  }

  package mutating func advance(to now: Duration) {
    switch liveness.advance(to: now) {
    case .gone: sink.append(.gone(session, saidGoodbye: false))
    case .expired:
      reader?.abandonAll()
      leavePeers()
    case nil: break
    }
    guard isPresent else { return }
    if isSilent { reader?.giveUpMissing(since: now - Timers.observerWait) }
    if reader?.packets.missing.oldestAsked == nil { unanswered.end() }
    sayHello(at: now)
    advanceRepair(to: now)
    ask(at: now)
    askForValues(at: now)
  }

  /// After a goodbye, datagrams that were still in flight do not make the app present again
  /// (Protocol.md §10.8).
  mutating func heardInPassing(at now: Duration) {
    if farewell == nil { heard(at: now) }
  }

  private mutating func heard(at now: Duration) {
    let hadExpired = hasExpired
    farewell = nil
    liveness.heard(at: now)
    if hadExpired { values.beginAnew(at: now) }
    if hadExpired { resume(at: now) }
  }

  /// After an expiry: the app may still have packets that were given up, and the cookie may be too
  /// old.
  private mutating func resume(at now: Duration) {
    reader?.resume()
    hello?.hasten(at: now)
  }

  /// Reports the newest packet to the app, if an update is due. The other half of the socket's
  /// buffer is for packets other than the requested repairs.
  private mutating func reportProgress() {
    guard let cookie, let newest = reader?.newestPacket, updates.isDue(newest: newest) else {
      return
    }
    updates.updateWasSent(newest: newest)
    let update = WindowUpdate(
      viewer: viewer, cookie: cookie, newestPacket: newest, window: updates.window)
    requests.append(datagram(.windowUpdate(update)))
  }

  /// The app contradicts what the viewer believed of the stream. Starts a new reader after the last
  /// confirmed record.
  private mutating func beginAnew(_ progress: StreamProgress, at now: Duration) {
    guard reader != nil else { return }
    // Records lost in an outage may still arrive, and are older than the confirmed record.
    let confirmed = claimCheck.confirmedRecord.map { min($0, reader?.past.first ?? $0) }
    let first = confirmed.map { min($0, max(progress.newestRecord, 1)) }
    sink.append(.retracted(session, from: first ?? 1))
    values.beginAnew(at: now)
    leavePeers()
    self.progress = progress
    reader = SessionReader(
      of: session, past: first.map { .since($0) } ?? past, progress: progress,
      window: repairWindow, into: sink, at: now)
    hello?.hasten(at: now)
  }

  /// The record that the app must locate; `.max` for none.
  private var question: SequenceNumber { reader?.past.question ?? .max }

  /// Says hello immediately if the reader has a new question. It asks for the records of an outage
  /// after the backlog.
  mutating func askAnew(at now: Duration) {
    if reader?.takeNewQuestion() == true { hello?.hasten(at: now) }
  }

  /// A hello. `ObserverMachine` also sends it to addresses where the session claims to be, to see
  /// who answers.
  var greeting: Datagram {
    datagram(.hello(Hello(viewer: viewer, viewerName: viewerName, since: question)))
  }

  /// For a new address of this viewer: the cookie proves the old one.
  mutating func renewCookie(at now: Duration) {
    guard hello != nil else { return }
    introduce(at: now)
  }

  /// Since when requests have gone unanswered; nil if the app has answered, or nothing is awaited.
  var unansweredSince: Duration? {
    guard isPresent else { return nil }
    return reader?.packets.missing.oldestAsked == nil ? hello?.unansweredSince : unanswered.since
  }

  private mutating func noteAsked(at now: Duration) {
    guard let oldest = reader?.packets.missing.oldestAsked,
      unanswered.asked(oldest: oldest, arrivals: counts.repairsReceived, at: now)
    else { return }
    hello?.hasten(at: now)
    sayHello(at: now)
  }

  private mutating func sayHello(at now: Duration) {
    guard let due = hello?.due, due <= now else { return }
    hello?.helloWasSent(at: now)
    claimCheck.helloIsSent(reader?.claims, nextRecord: reader?.nextLive)
    requests.append(greeting)
  }

  /// The shortest wait before a packet is requested again: it may still be in flight.
  var repeatMin: Duration {
    let roundTrip = hello?.roundTrip ?? .zero
    // A sum, because `Duration` multiplies through a generic function, and this runs in each turn.
    return min(max(Timers.nakRepeatMin, roundTrip + roundTrip), Timers.nakRepeatMax)
  }

  private mutating func ask(at now: Duration) {
    guard let cookie = hello?.cookie, let due = reader?.packets.missing.deadline,
      pause.allowed(due) <= now
    else { return }
    let underWay = underWay(at: now)
    guard underWay.packets < repairWindow else { return pauseAsking(at: now) }
    let repeatMin = repeatMin
    let asked = reader?.ask(
      at: now, packets: repairWindow.subtracting(underWay.packets),
      historyRanges: Limits.queuedRangeCountMax - underWay.historyRanges, repeatMin: repeatMin,
      isHeard: !unanswered.lasts(at: now), using: &random)
    guard let (history, repair) = asked else { return }
    pause.cancel()
    requests += naks(for: history, isHistory: true, cookie)
    requests += naks(for: repair, isHistory: false, cookie)
    if !history.isEmpty || !repair.isEmpty { noteAsked(at: now) }
    if let due = reader?.packets.missing.deadline, due <= now { pauseAsking(at: now) }
  }

  private func underWay(at now: Duration) -> (packets: WireCount, historyRanges: Int) {
    var underWay = reader?.packets.missing.underWay(at: now) ?? (packets: 0, historyRanges: 0)
    underWay.packets.add(seeker?.outstandingCount ?? 0)
    return underWay
  }

  /// More packets are due than may be outstanding.
  private mutating func pauseAsking(at now: Duration) {
    pause.begin(
      underWay: underWay(at: now).packets, until: reader?.packets.missing.nextRepetition(after: now)
    )
  }

  private mutating func naks(
    for ranges: [PacketRange], isHistory: Bool, _ cookie: Cookie
  ) -> [Datagram] {
    stride(from: 0, to: ranges.count, by: Limits.rangeCountMax).map { first in
      counts.naksSent += 1
      let nak = NAK(
        viewer: viewer, cookie: cookie, isHistory: isHistory,
        ranges: Array(ranges[first..<min(first + Limits.rangeCountMax, ranges.count)]))
      return datagram(.nak(nak))
    }
  }
}
