import SurfWire

/// The records of a session as a viewer wants them: the newest state first, live records in order,
/// and the backlog as it comes (Protocol.md §10.7).
///
/// Its windows read the same stream of packets. The boundary between backlog and live is a
/// record, the newest at the time of joining, so that no record is delivered by both.
struct SessionReader: Sendable {
  private let session: SessionID
  private var events: [ObserverEvent] = []
  private(set) var extent: StreamExtent
  var packets: PacketStore
  var newestState: NewestState?
  var live: Window
  private(set) var liveChain = LiveChain()
  private(set) var nextLive: SequenceNumber
  var past: PastReader
  private var losses = LossReport()
  private var hasExpired = false
  private var hasCaughtUp = false
  /// Whether the question became another by itself.
  private var hasNewQuestion = false
  /// Whether it reads what comes by itself, and asks for nothing.
  private let overhears: Bool
  /// Of the next range that is asked for.
  var requestNumber = 0

  /// Give up on the newest state after this many requests in vain.
  static let newestStateAskMax = 12
  /// The same, if other records wait for it.
  static let awaitedStateAskMax = 40

  /// - Parameter window: packets that the app may be ahead of this viewer.
  init(
    of session: SessionID, past: HistoryRequest, progress: StreamProgress, window: WireCount,
    at now: Duration
  ) {
    self.session = session
    overhears = false
    extent = StreamExtent(progress, window: window)
    self.past = PastReader(past, of: session, progress)
    nextLive = self.past.boundary
    live = Window(of: session, from: self.past.boundaryPacket)
    packets = PacketStore(from: self.past.boundaryPacket)
    packets.extend(to: progress.newestPacket, due: now)
    // Packets that the app forgot before we came will not come; it keeps those of the newest state.
    giveUpForgotten()
    if !extent.newestState.isEmpty {
      newestState = NewestState(
        of: session, packets: extent.newestState, before: self.past.boundary)
      want(extent.newestState, due: now)
    }
    settle()
  }

  /// Reads what comes by itself from now on, and asks for nothing.
  init(overhearing session: SessionID, _ progress: StreamProgress, window: WireCount) {
    self.session = session
    overhears = true
    extent = StreamExtent(progress, window: window)
    past = PastReader(.newestState, of: session, progress)
    nextLive = progress.newestRecord.next
    live = Window(of: session, from: progress.newestPacket.next)
    packets = PacketStore(from: progress.newestPacket.next)
    settle()
  }

  /// Wants more of the past than before. Records that were delivered already may come again.
  mutating func widen(to request: HistoryRequest) {
    past.widen(to: request)
    hasCaughtUp = false
    packets.keep(for: rests)
    settle()
  }

  var recordsLost: WireCount { losses.count }

  mutating func takeEvents() -> [ObserverEvent] {
    defer { events = [] }
    return events
  }

  // MARK: Input

  /// Whether the question became another by itself since the last call.
  mutating func takeNewQuestion() -> Bool {
    defer { hasNewQuestion = false }
    return hasNewQuestion
  }

  /// Wants delivered records again, for a viewer that has dropped them; records on their way come
  /// all the same. Unavailable ones are reported as lost.
  mutating func refetch(_ records: ClosedRange<SequenceNumber>) {
    let end = min(records.upperBound.next, nextLive)
    if hasCaughtUp, !hasExpired, records.lowerBound < end {
      past.refetch(records.lowerBound..<end)
    } else {
      events.append(.lost(session, records))
    }
    settle()
  }

  /// The app is back after it expired: it may hold packets that were given up.
  mutating func resume() {
    hasExpired = false
    if !overhears { past.resume() }
    settle()
  }

  /// Gives up what was found missing before `time`.
  mutating func giveUpMissing(since time: Duration) {
    guard let end = packets.missing.overdue(at: time) else { return }
    packets.missing.abandon(below: end, keeping: end..<end)
    readOn()
    reportTail()
    settle()
  }

  /// - Returns: whether it opened the backlog.
  mutating func located(since record: SequenceNumber, packet: SequenceNumber, at now: Duration)
    -> Bool
  {
    guard past.isUnlocated else { return false }
    let isBacklog = past.isBacklog
    if !isBacklog { extent.own(to: newestPacket) }
    let missed = past.locate(record, in: packet, newest: newestPacket)
    packets.keep(for: rests)
    if let window = past.window { want(window.rest, due: now) }
    report(lost: missed)
    past.note(waiting: liveChain.waiting)
    readOn()
    settle()
    return isBacklog && past.window != nil
  }

  mutating func receive(_ train: PacketTrain, gapDue: @autoclosure () -> Duration) -> Tally {
    var tally = Tally()
    var newEdge = extent.edge
    for index in train.indices {
      let packet = train[index]
      newEdge = max(newEdge, packet.oldestPacket)
      tally.count(offer(packet, gapDue: gapDue()))
    }
    if extent.note(edge: newEdge) { giveUpForgotten() }
    settle()
    return tally
  }

  /// Whether one of them is not here, and may still be of use.
  func wants(_ train: PacketTrain) -> Bool { train.contains { packets.wants($0.sequence) } }

  private mutating func offer(
    _ packet: PacketView, gapDue: @autoclosure () -> Duration
  ) -> Arrival {
    if packet.sequence == live.next, live.next == packets.horizon, readsAlone(live.next) {
      // Nothing is missing and nothing waits: the path of nearly every packet.
      let start = events.count
      packets.pass(packet.sequence)
      live.receive(packet, into: &events)
      deliverLive(from: start)
      // A window that was opened because of it gets it, too.
      guard packets.wants(packet.sequence) else { return .taken }
    }
    guard packets.wants(packet.sequence) else { return .duplicate }
    // For what a window reads next there is always room.
    guard packets.hasRoom || rests.contains(where: { $0.lowerBound == packet.sequence }) else {
      return .beyond
    }
    let known = packets.horizon
    packets.take(packet, gapDue: gapDue())
    extent.noteLeap(from: known, to: packets.horizon)
    newestState?.note(packet.sequence)
    readOn()
    return .taken
  }

  /// Takes a packet that another viewer has sent and the app has vouched for. It carries no
  /// trailing edge: only the app tells that.
  mutating func receive(proven packet: PacketView) -> Arrival {
    let arrival = offer(packet, gapDue: .zero)
    settle()
    return arrival
  }

  /// The newest packet of the stream that is known to exist; 0 for none.
  var newestPacket: SequenceNumber { packets.horizon.previous }

  /// The newest record that is known to exist, or was reported as lost.
  var newestRecord: SequenceNumber { max(extent.newestRecord, nextLive.previous) }

  /// Learns what the app still has.
  mutating func note(_ progress: StreamProgress) {
    if extent.note(progress) { giveUpForgotten() }
  }

  /// Learns from a heartbeat or a goodbye how far the stream is.
  mutating func extend(newestPacket: SequenceNumber, newestRecord: SequenceNumber, due: Duration) {
    let known = packets.horizon
    packets.extend(to: newestPacket, due: due)
    extent.noteLeap(from: known, to: packets.horizon)
    extent.note(newestPacket: newestPacket, newestRecord: newestRecord)
    settle()
    reportTail()
  }

  /// Only the packets of the newest state are kept behind the edge.
  private mutating func giveUpForgotten() {
    packets.extend(to: extent.edge.previous, due: .zero)
    takeEdge()
    readLive()
    if newestState?.isForgotten == true { closeNewestState() }
    readOn()
    settle()
  }

  private mutating func takeEdge() {
    let (edge, kept) = (extent.edge, extent.newestState)
    newestState?.note(edge: edge, keeping: kept, of: packets.missing)
    packets.missing.abandon(below: edge, keeping: kept)
  }

  /// A window has been opened: misses what is neither here nor forgotten.
  private mutating func want(_ range: Range<SequenceNumber>, due: Duration) {
    packets.want(range, due: due)
    takeEdge()
  }

  /// The app is gone, and with it every repair.
  mutating func abandonAll() {
    hasExpired = true
    if !overhears { past.pause() }
    packets.missing.abandonAll()
    readLive()
    // None of its pieces is kept: the record is lost even if no heartbeat has named it.
    live.skip()
    extent.note(fragmented: live.assembler.newestFragmented)
    closeNewestState()
    readPast()
    report(lost: past.finishBacklog())
    packets.keep(for: rests)
    reportTail()
    settle()
  }

  /// Octets of unfinished data, and of records that wait for it.
  var unfinishedSize: Int {
    packets.size + liveChain.heldSize + (newestState?.recordsSize ?? 0)
      + assemblers.reduce(0) { $0 + $1.openSize }
  }

  /// Forgets all of that. Packets are asked for again; waiting records are delivered as they are.
  mutating func forgetUnfinished(at now: Duration) -> Int {
    closeNewestState()
    let count = packets.heldCount + assemblers.reduce(0) { $0 + $1.openCount }
    if count > 0 {
      live.skip()
      past.window?.skip()
      packets.forgetHeld()
      for rest in rests { want(rest, due: now) }
    }
    settle()
    return count
  }

  private var assemblers: [Assembler] {
    [live, newestState?.window, past.window].compactMap { $0?.assembler }
  }

  // MARK: Windows

  /// What windows have still to read, in the order of their importance.
  var rests: [Range<SequenceNumber>] {
    [newestState?.window, live, past.window].compactMap { $0?.rest }
  }

  /// Whether live alone wants the packet.
  private func readsAlone(_ packet: SequenceNumber) -> Bool {
    newestState?.window.rest.contains(packet) != true
      && past.window?.rest.contains(packet) != true
  }

  /// Each window reads what has come, or will not come any more.
  private mutating func readOn() {
    readLive()
    newestState?.read(&packets)
    if newestState?.window.isComplete == true { closeNewestState() }
    readPast()
    packets.release(for: rests)
  }

  private mutating func readLive() {
    let start = events.count
    live.read(&packets, into: &events)
    deliverLive(from: start)
  }

  /// Delivers the records of the newest state so far, and those that wait for it.
  mutating func closeNewestState() {
    guard let state = newestState else { return }
    newestState = nil
    if !state.window.isComplete {
      liveChain.noteLost(upTo: state.end.previous)
      packets.keep(for: rests)
    }
    // Records before a missing packet are here all the same.
    for record in state.records {
      let isNewestState = state.window.isComplete && record.sequence == state.newest
      deliver(record, isNewestState: isNewestState)
    }
    releaseHeld()
  }

  /// Asks for the packets that lead to a record's base: after a gap, they begin where those of the
  /// newest state do.
  ///
  /// - Returns: false if the app named no newest state, or the stream is not that far yet.
  private mutating func openNewestState(before record: SequenceNumber) -> Bool {
    let start = extent.newestState.lowerBound
    guard !overhears, !extent.newestState.isEmpty, start < live.next else { return false }
    newestState = NewestState(of: session, packets: start..<live.next, before: record)
    want(start..<live.next, due: .zero)
    return true
  }

  /// A live record is delivered. If its state cannot be made after an outage, the records that fill
  /// the gap make it.
  private mutating func pass(_ record: Record) {
    if !liveChain.pass(record), past.isOutage { past.note(unmade: [record.sequence]) }
  }

  private mutating func releaseHeld() {
    let (records, unmade) = liveChain.release()
    for record in records { tell(record) }
    past.note(made: records.lazy.map(\.sequence).filter { !unmade.contains($0) })
    guard past.isOutage, !unmade.isEmpty else { return }
    past.note(unmade: unmade)
    // Their states may still come: records that differ from them wait once more.
    if hasExpired { liveChain.breakOff() }
  }

  private mutating func deliver(_ record: Record, isNewestState: Bool) {
    liveChain.pass(record)
    let isWanted = isNewestState || record.sequence >= past.since
    if isWanted, record.sequence < past.boundary, !hasPassed(record.sequence),
      losses.note(ahead: record.sequence)
    {
      tell(record)
    } else if record.carriesState {
      tell(record, isBase: true)
    }
  }

  /// Whether the backlog has delivered the record: it may give up packets that this window awaits.
  private func hasPassed(_ record: SequenceNumber) -> Bool {
    past.hasPassed(record) && !losses.holdsBack(record)
  }

  private mutating func readPast() {
    for record in past.read(&packets) { deliverPast(record) }
    while let step = past.takeStep() {
      want(step, due: .zero)
      for record in past.read(&packets) { deliverPast(record) }
    }
  }

  // MARK: Output

  private mutating func tell(
    _ record: Record, from origin: RecordOrigin = .live, isBase: Bool = false
  ) {
    events.append(.record(session, ArrivedRecord(record, from: origin, isBase: isBase)))
  }

  /// Delivers what the live window has put behind the events, from `start` on. Nearly all of it
  /// stays in place as it is.
  private mutating func deliverLive(from start: Int) {
    for index in start..<events.count where !passes(events[index]) {
      let unordered = Array(events[index...])
      events.removeSubrange(index...)
      for event in unordered { deliverLive(event) }
      return
    }
  }

  /// Whether an event is the next one as it is; then it counts as delivered.
  private mutating func passes(_ event: ObserverEvent) -> Bool {
    guard case .record(_, let arrived) = event else { return true }
    let record = arrived.record
    guard record.sequence == nextLive, newestState == nil, !liveChain.mustWait(record) else {
      return false
    }
    nextLive = nextLive.next
    pass(record)
    return true
  }

  private mutating func deliverLive(_ event: ObserverEvent) {
    guard case .record(_, let arrived) = event else { return events.append(event) }
    let record = arrived.record
    guard record.sequence >= nextLive else { return }
    reportLive(lost: nextLive..<record.sequence)
    nextLive = record.sequence.next
    if case .keyframe = record.state, liveChain.isEmpty { closeNewestState() }
    deliverInChain(record)
  }

  /// A record waits until the state that its own differs from is here.
  private mutating func deliverInChain(_ record: Record) {
    guard liveChain.mustWait(record) else {
      pass(record)
      tell(record)
      return
    }
    liveChain.hold(record)
    past.note(waiting: CollectionOfOne(record.sequence))
    if newestState == nil, hasExpired || !openNewestState(before: record.sequence) {
      return releaseHeld()
    }
    if newestState?.isForgotten == true || liveChain.isFull { closeNewestState() }
  }

  private mutating func deliverPast(_ record: Record) {
    let isHere = past.isBacklog && losses.hasAhead(record.sequence)
    let place = past.place(record, isHere: isHere)
    report(lost: place.missed)
    if place.isWanted {
      liveChain.drop(record.sequence)
      losses.note(delivered: record.sequence)
      tell(record, from: .backlog)
    } else if record.carriesState {
      tell(record, from: .backlog, isBase: true)
    }
  }

  /// Closes windows that are complete, and reports once that the past is here.
  private mutating func settle() {
    if past.window?.isComplete == true { report(lost: past.finishBacklog()) }
    let isReading = past.window != nil
    if past.goOn(liveChain, horizon: packets.horizon) { hasNewQuestion = true }
    if isReading, past.window == nil { packets.keep(for: rests) }
    for records in past.takeRefused() { events.append(.lost(session, records)) }
    if newestState == nil { for records in losses.takeHeldBack() { report(lost: records) } }
    guard !hasCaughtUp, !past.isBacklog, newestState == nil, live.next > extent.joinPacket
    else { return }
    hasCaughtUp = true
    events.append(.caughtUp(session))
  }

  /// Every packet is here or given up, yet records are missing: they went with lost packets.
  private mutating func reportTail() {
    guard live.next > extent.newestPacket, extent.newestRecord >= nextLive else { return }
    let newest = extent.newestRecord
    let end = max(nextLive, live.assembler.isOpen(newest) ? newest : newest.next)
    reportLive(lost: nextLive..<end)
    nextLive = end
  }

  private mutating func reportLive(lost records: Range<SequenceNumber>) {
    if !records.isEmpty { liveChain.noteLost(upTo: records.upperBound.previous) }
    report(lost: records)
  }

  private mutating func report(lost records: Range<SequenceNumber>) {
    guard !records.isEmpty else { return }
    guard newestState == nil || records.lowerBound >= past.boundary else {
      return losses.holdBack(records)
    }
    for range in losses.missing(of: records) {
      if past.isOutage { past.note(lost: range) }
      for records in losses.lose(range) { events.append(.lost(session, records)) }
    }
    if past.isOutage { past.takeBack(records) }
  }
}
