import SurfBasics
import SurfTransport
import SurfWire

/// The receiving end of one session: knows whether the sender is there, and, once told to follow,
/// puts its records in order and asks for what went missing (Protocol.md §10).
///
/// The driver feeds it datagrams of this session from the session's endpoint, calls `advance(to:)`
/// at `deadline` or sooner, and afterwards takes events and requests.
package struct Receiver: Sendable {
  package struct Counters: Equatable, Sendable {
    /// Packets, and answers about values, that brought something new.
    package var arrivals = 0
    package var repairsReceived = 0
    package var duplicates = 0
    package var naksSent = 0
    package var recordsLost: WireCount = 0
    /// Packets of the backlog that another viewer had, and the app has vouched for.
    package var packetsFromViewers = 0
    package var packetsToViewers = 0
    /// Blocks of packets that another viewer sent, and that the app does not know.
    package var failedChecks = 0
    package var drops: [String: Int] = [:]

    package init() {}
  }

  package let session: SessionID
  let viewer: ViewerID
  private let viewerName: String
  /// Whether it makes no requests.
  private let isSilent: Bool
  let repairWindow: WireCount
  private var updates: WindowUpdateClock
  var random: SplitMix64
  private var liveness: Liveness
  /// What it said when it left, if it has sent no heartbeat since.
  private var farewell: Goodbye?
  private var progress = StreamProgress()
  var reader: SessionReader?
  var hello: HelloClock?
  private var unanswered = UnansweredRequests()
  private var claimCheck = ClaimCheck()
  private var past = HistoryRequest.newestState
  /// Whether it has answered a hello: the app is at its stated address.
  package private(set) var isProven = false
  var peers: PeerRepair
  private var pause = RequestPause()
  var values = ValueReader()
  var events: [ObserverEvent] = []
  var requests: [Datagram] = []
  /// For other viewers, not the app.
  var localRequests: [(Destination, Datagram)] = []
  var counts = Counters()

  /// - Parameter repairWindow: packets that the viewer's socket has room for; no more are asked for
  ///   at the same time.
  /// - Parameter streamWindow: packets that the app may send ahead, for which there is other room;
  ///   nil for as many.
  /// - Parameter repair: what this viewer does for others, and has them do.
  /// - Parameter isSilent: whether it makes no requests, and reads what comes by itself.
  package init(
    session: SessionID, viewer: ViewerID, viewerName: String, repairWindow: Int,
    streamWindow: Int? = nil, repair: PeerRepairOptions = PeerRepairOptions(),
    isSilent: Bool = false,
    seed: UInt64, at now: Duration
  ) {
    self.session = session
    self.viewer = viewer
    self.viewerName = viewerName
    self.isSilent = isSilent
    self.repairWindow = WireCount(max(repairWindow, 8))
    updates = WindowUpdateClock(windowMax: streamWindow.map { WireCount($0) } ?? self.repairWindow)
    random = SplitMix64(seed: seed)
    liveness = .present(lastHeard: now)
    peers = PeerRepair(
      repair, session: session, viewer: viewer, repairWindow: self.repairWindow, using: &random)
  }

  var isFollowing: Bool { reader != nil }
  var hasExpired: Bool { liveness == .expired }
  package var isPresent: Bool { if case .present = liveness { true } else { false } }
  /// Needed for every request that the app should act on; nil before the first welcome.
  package var cookie: Cookie? { hello?.cookie }

  package var counters: Counters {
    var all = counts
    all.recordsLost = reader?.recordsLost ?? 0
    all.drops.add(reader?.live.assembler.drops ?? [:])
    all.drops.add(values.drops)
    peers.addCounters(to: &all)
    return all
  }

  package mutating func takeEvents() -> [ObserverEvent] {
    drainFollowing()
    drainValues()
    defer { events = [] }
    return events
  }

  /// Datagrams for the session's endpoint.
  package mutating func takeRequests() -> [Datagram] {
    defer { requests.removeAll() }
    return requests
  }

  // MARK: Calls

  /// Begins to receive records, or, when following already, asks for more of the past. Call it
  /// after the first heartbeat. Each call is followed by one `caughtUp`.
  package mutating func follow(_ past: HistoryRequest, at now: Duration) {
    if isSilent { return overhear() }
    self.past = past
    if reader == nil {
      reader = SessionReader(
        of: session, past: past, progress: progress, window: repairWindow, at: now)
      takeLeave(at: now)
    } else {
      peers.cancel()
      reader?.widen(to: past)
    }
    introduce(at: now)
  }

  /// A short program may be over before anybody follows: what it said last counts all the same.
  private mutating func takeLeave(at now: Duration) {
    if let farewell {
      reader?.extend(
        newestPacket: farewell.newestPacket, newestRecord: farewell.newestRecord, due: now)
    }
    if hasExpired { reader?.abandonAll() }
  }

  /// There is no past for somebody who asks for none.
  private mutating func overhear() {
    if reader == nil {
      reader = SessionReader(overhearing: session, progress, window: repairWindow)
    } else {
      put(.caughtUp(session))
    }
  }

  /// Asks the app again for records that were delivered, for a viewer that has dropped their states
  /// and wants one of them now. They come as records of the backlog do. Those that are not
  /// available come as lost, at once if the past is not here yet.
  package mutating func refetch(_ records: ClosedRange<SequenceNumber>, at now: Duration) {
    guard reader != nil, !isSilent else { return put(.lost(session, records)) }
    reader?.refetch(records)
    introduce(at: now)
  }

  /// Gets a cookie, as a reset needs one, without following.
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
    // A heartbeat is sent after the data: its packets were not merely overtaken.
    let due = now + random.duration(upTo: Timers.nakBackoff)
    reader?.extend(
      newestPacket: progress.newestPacket, newestRecord: progress.newestRecord, due: due)
    askAnew(at: now)
  }

  package mutating func receive(
    _ packet: DataPacket, sealed: [UInt8]? = nil, at now: Duration
  ) {
    PacketTrain.with(packet, of: session, sealed: sealed) { receive($0, at: now) }
  }

  /// Receives packets that came together.
  package mutating func receive(_ packets: PacketTrain, at now: Duration) {
    // Protocol.md §10.8: anybody can send again what was here.
    if reader?.wants(packets) == true {
      heardInPassing(at: now)
      if packets.flags.contains(.history) { reader?.noteHistory(packets, at: now) }
    }
    let tally = reader?.receive(
      packets, gapDue: now + Timers.reorderWait + random.duration(upTo: Timers.nakBackoff))
    guard let tally else { return }
    if tally.taken > 0 { peers.hold(packets) }
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
    // It has left, and answers no more. The wait is for stragglers only.
    liveness = .gone(expiresAt: now + Timers.departure)
    farewell = goodbye
    put(.gone(session, saidGoodbye: true))
  }

  /// The viewer's own socket overflowed: it is too slow for this stream.
  package mutating func socketOverflowed() { updates.socketOverflowed() }

  // MARK: Time

  package var deadline: Duration? {
    guard isPresent else { return liveness.deadline }
    let missing = hello?.cookie == nil ? nil : reader?.packets.missing.deadline
    let asking = isSilent ? givingUp : missing.map(pause.allowed)
    let local = peers.deadline(repeatMin: repeatMin)
    return .least(liveness.deadline, hello?.due, asking, local, valuesDue)
  }

  /// When what is missing now will be given up unless it comes.
  private var givingUp: Duration? {
    reader?.packets.missing.deadline.map { $0 + Timers.observerWait }
  }

  package mutating func advance(to now: Duration) {
    switch liveness.advance(to: now) {
    case .gone: put(.gone(session, saidGoodbye: false))
    case .expired:
      reader?.abandonAll()
      peers.leave()
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

  /// Datagrams that were under way when the app said goodbye do not bring it back (Protocol.md
  /// §10.8).
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

  /// The app may hold packets that were given up, and the cookie may be too old.
  private mutating func resume(at now: Duration) {
    reader?.resume()
    hello?.hasten(at: now)
  }

  /// The other half of the socket is for packets besides the requested repairs.
  private mutating func reportProgress() {
    guard let cookie, let newest = reader?.newestPacket, updates.isDue(newest: newest) else {
      return
    }
    updates.updateWasSent(newest: newest)
    let update = WindowUpdate(
      viewer: viewer, cookie: cookie, newestPacket: newest, window: updates.window)
    requests.append(Datagram(session: session, body: .windowUpdate(update)))
  }

  /// Our belief about the stream was not the app's word: follows the stream from where that ends.
  private mutating func beginAnew(_ progress: StreamProgress, at now: Duration) {
    guard reader != nil else { return }
    // Records that an outage took, and that may still come, are older than the confirmed.
    let confirmed = claimCheck.confirmedRecord.map { min($0, reader?.past.first ?? $0) }
    let first = confirmed.map { min($0, max(progress.newestRecord, 1)) }
    put(.retracted(session, from: first ?? 1))
    values.beginAnew(at: now)
    peers.leave()
    self.progress = progress
    reader = SessionReader(
      of: session, past: first.map { .since($0) } ?? past, progress: progress,
      window: repairWindow, at: now)
    hello?.hasten(at: now)
  }

  /// The record whose beginning the app must locate; `.max` for none.
  private var question: SequenceNumber { reader?.past.question ?? .max }

  /// The backlog is read, and the records of an outage are next.
  mutating func askAnew(at now: Duration) {
    if reader?.takeNewQuestion() == true { hello?.hasten(at: now) }
  }

  /// Asks for the identity of an address that the session is not known to have.
  package var greeting: Datagram {
    let hello = Hello(viewer: viewer, viewerName: viewerName, since: question)
    return Datagram(session: session, body: .hello(hello))
  }

  /// The cookie may prove an address that is no longer ours.
  package mutating func renewCookie(at now: Duration) {
    guard hello != nil else { return }
    introduce(at: now)
  }

  /// Since when no request has been answered; nil if one was, or nothing is awaited.
  package var unansweredSince: Duration? {
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
    let message = Hello(viewer: viewer, viewerName: viewerName, since: question)
    requests.append(Datagram(session: session, body: .hello(message)))
  }

  /// Packets on their way must not be asked for again.
  package var repeatMin: Duration {
    let roundTrip = hello?.roundTrip ?? .zero
    // A sum, because a product of durations is a generic function, and this is asked at each turn.
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
    underWay.packets.add(peers.outstandingCount)
    return underWay
  }

  /// More is due than may be under way.
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
      return Datagram(session: session, body: .nak(nak))
    }
  }

  /// Adds an event of our own, behind those of the reader.
  private mutating func put(_ event: ObserverEvent) {
    drainFollowing()
    events.append(event)
  }

  private mutating func drainFollowing() {
    guard let more = reader?.takeEvents(), !more.isEmpty else { return }
    // Most often the array itself can be passed on.
    if events.isEmpty { events = more } else { events += more }
    noteLosses(among: more)
  }
}
