import SurfBasics
import SurfWire

/// Delivers the records of a session to a `Receiver`: the newest state first, then live records in
/// order, and the past as it arrives (Protocol.md §10.7).
///
/// All its windows read the same packets. The newest record at the time of joining separates the
/// backlog from the live window, so no record is delivered by both.
struct SessionReader {
  private let session: SessionID
  private let sink: EventSink
  private(set) var extent: StreamExtent
  var packets: PacketStore
  var newestState: NewestState?
  var live: Window
  private(set) var liveChain = LiveChain()
  private(set) var nextLive: SequenceNumber
  var past: PastReader
  private var losses = LossReport()
  /// The newest record that was reported as lost since `takeNewestLost` was last called.
  private var newestLost: SequenceNumber?
  private var hasExpired = false
  private var hasCaughtUp = false
  /// Whether the question has changed since `takeNewQuestion` was last called.
  private var hasNewQuestion = false
  /// Whether it only listens, and requests nothing.
  private let overhears: Bool
  /// The number of the next requested range.
  var requestNumber = 0

  /// Unanswered requests before the newest state is given up.
  static let newestStateAskMax = 12
  /// The same while other records wait for it.
  static let awaitedStateAskMax = 40

  /// - Parameter window: packets that the app may be ahead of this viewer.
  init(
    of session: SessionID, past: HistoryRequest, progress: StreamProgress, window: WireCount,
    into sink: EventSink, at now: Duration
  ) {
    self.session = session
    self.sink = sink
    overhears = false
    extent = StreamExtent(progress, window: window)
    self.past = PastReader(past, of: session, progress)
    nextLive = self.past.boundary
    live = Window(of: session, from: self.past.boundaryPacket)
    packets = PacketStore(from: self.past.boundaryPacket)
    packets.extend(to: progress.newestPacket, due: now)
    // Packets that the app dropped before the viewer joined are lost, except those of the newest
    // state.
    giveUpForgotten()
    if !extent.newestState.isEmpty {
      newestState = NewestState(
        of: session, packets: extent.newestState, before: self.past.boundary)
      want(extent.newestState, due: now)
    }
    settle()
  }

  /// A reader that only listens from now on, and requests nothing.
  init(
    overhearing session: SessionID, _ progress: StreamProgress, window: WireCount,
    into sink: EventSink
  ) {
    self.session = session
    self.sink = sink
    overhears = true
    extent = StreamExtent(progress, window: window)
    past = PastReader(.newestState, of: session, progress)
    nextLive = progress.newestRecord.next
    live = Window(of: session, from: progress.newestPacket.next)
    packets = PacketStore(from: progress.newestPacket.next)
    settle()
  }

  /// Requests more of the past than before. Delivered records may arrive again.
  mutating func widen(to request: HistoryRequest) {
    past.widen(to: request)
    hasCaughtUp = false
    packets.keep(for: rests)
    settle()
  }

  var recordsLost: WireCount { losses.count }

  mutating func takeNewestLost() -> SequenceNumber? { newestLost.take() }

  // MARK: Input

  /// Whether the question has changed since the last call.
  mutating func takeNewQuestion() -> Bool {
    defer { hasNewQuestion = false }
    return hasNewQuestion
  }

  /// Requests delivered records again, for a viewer that has dropped them. Unavailable records are
  /// reported as lost. Others that are in flight still arrive.
  mutating func refetch(_ records: ClosedRange<SequenceNumber>) {
    let end = min(records.upperBound.next, nextLive)
    if hasCaughtUp, !hasExpired, records.lowerBound < end {
      past.refetch(records.lowerBound..<end)
    } else {
      emit(lost: records)
    }
    settle()
  }

  /// The app is back after it expired, and may still have packets that were given up.
  mutating func resume() {
    hasExpired = false
    if !overhears { past.resume() }
    settle()
  }

  /// Gives up packets that were found missing before `time`.
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

  /// Whether a packet of the train is new and may still be useful.
  func wants(_ train: PacketTrain) -> Bool { train.contains { packets.wants($0.sequence) } }

  private mutating func offer(
    _ packet: PacketView, gapDue: @autoclosure () -> Duration
  ) -> Arrival {
    if packet.sequence == live.next, live.next == packets.horizon, readsAlone(live.next) {
      // The fast path, which nearly every packet takes: nothing is missing and nothing waits.
      let start = sink.events.count
      packets.pass(packet.sequence)
      live.receive(packet, into: &sink.events)
      deliverLive(from: start)
      // This packet may have opened a window, which needs it too.
      guard packets.wants(packet.sequence) else { return .taken }
    }
    guard packets.wants(packet.sequence) else { return .duplicate }
    // A packet that a window reads next is accepted even if the store is full.
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

  /// Takes a packet that another viewer sent and the app has vouched for. Its trailing edge is
  /// ignored: only the app states that.
  mutating func receive(proven packet: PacketView) -> Arrival {
    let arrival = offer(packet, gapDue: .zero)
    settle()
    return arrival
  }

  /// The newest packet known to exist; 0 for none.
  var newestPacket: SequenceNumber { packets.horizon.previous }

  /// The newest record that is known to exist, or was reported as lost.
  var newestRecord: SequenceNumber { max(extent.newestRecord, nextLive.previous) }

  /// Learns which packets the app still has.
  mutating func note(_ progress: StreamProgress) {
    if extent.note(progress) { giveUpForgotten() }
  }

  /// Learns from a heartbeat or a goodbye how far the stream reaches.
  mutating func extend(newestPacket: SequenceNumber, newestRecord: SequenceNumber, due: Duration) {
    let known = packets.horizon
    packets.extend(to: newestPacket, due: due)
    extent.noteLeap(from: known, to: packets.horizon)
    extent.note(newestPacket: newestPacket, newestRecord: newestRecord)
    settle()
    reportTail()
  }

  /// The app has dropped the packets before the edge, except those of the newest state.
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

  /// A new window wants packets. Those that are neither held nor dropped by the app are missing.
  private mutating func want(_ range: Range<SequenceNumber>, due: Duration) {
    packets.want(range, due: due)
    takeEdge()
  }

  /// The app has expired, so no repair will arrive.
  mutating func abandonAll() {
    hasExpired = true
    if !overhears { past.pause() }
    packets.missing.abandonAll()
    readLive()
    // The pieces of this record are gone. It is lost even if no heartbeat has named it.
    live.skip()
    extent.note(fragmented: live.newestFragmented)
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
      + windows.reduce(0) { $0 + $1.openSize }
  }

  /// Drops all unfinished data. Packets are requested again; waiting records are delivered as they
  /// are.
  mutating func forgetUnfinished(at now: Duration) -> Int {
    closeNewestState()
    let count = packets.heldCount + windows.reduce(0) { $0 + $1.openCount }
    if count > 0 {
      live.skip()
      past.window?.skip()
      packets.forgetHeld()
      for rest in rests { want(rest, due: now) }
    }
    settle()
    return count
  }

  private var windows: [Window] { [live, newestState?.window, past.window].compactMap(\.self) }

  // MARK: Windows

  /// The packets that each window has still to read. The most urgent window comes first.
  var rests: [Range<SequenceNumber>] {
    [newestState?.window, live, past.window].compactMap { $0?.rest }
  }

  /// Whether only the live window wants the packet.
  private func readsAlone(_ packet: SequenceNumber) -> Bool {
    newestState?.window.rest.contains(packet) != true
      && past.window?.rest.contains(packet) != true
  }

  /// Lets each window read the packets that have arrived, and skip those that were given up.
  private mutating func readOn() {
    readLive()
    newestState?.read(&packets)
    if newestState?.window.isComplete == true { closeNewestState() }
    readPast()
    packets.release(for: rests)
  }

  private mutating func readLive() {
    let start = sink.events.count
    live.read(&packets, into: &sink.events)
    deliverLive(from: start)
  }

  /// Delivers the records of the newest state that have arrived, and those that wait for it.
  mutating func closeNewestState() {
    guard let state = newestState else { return }
    newestState = nil
    if !state.window.isComplete {
      liveChain.noteLost(upTo: state.end.previous)
      packets.keep(for: rests)
    }
    // Records before a missing packet have arrived too.
    for record in state.records {
      let isNewestState = state.window.isComplete && record.sequence == state.newest
      deliver(record, isNewestState: isNewestState)
    }
    releaseHeld()
  }

  /// Opens a window for the base of a record. After a gap, the packets to that base begin where
  /// those of the newest state do. Returns false if the reader only listens, or the app named no
  /// newest state, or that begins at or after the next live packet.
  private mutating func openNewestState(before record: SequenceNumber) -> Bool {
    let start = extent.newestState.lowerBound
    guard !overhears, !extent.newestState.isEmpty, start < live.next else { return false }
    newestState = NewestState(of: session, packets: start..<live.next, before: record)
    want(start..<live.next, due: .zero)
    return true
  }

  /// Notes that a live record is delivered. In an outage, if its state cannot be made, the records
  /// that fill the gap may make it.
  private mutating func pass(_ record: Record) {
    if !liveChain.pass(record), past.isOutage { past.note(unmade: [record.sequence]) }
  }

  private mutating func releaseHeld() {
    let (records, unmade) = liveChain.release()
    for record in records { emit(record) }
    past.note(made: records.lazy.map(\.sequence).filter { !unmade.contains($0) })
    guard past.isOutage, !unmade.isEmpty else { return }
    past.note(unmade: unmade)
    // Their states may still be made: records with deltas from them wait again.
    if hasExpired { liveChain.breakOff() }
  }

  private mutating func deliver(_ record: Record, isNewestState: Bool) {
    liveChain.pass(record)
    let isWanted = isNewestState || record.sequence >= past.since
    if isWanted, record.sequence < past.boundary, !hasPassed(record.sequence),
      losses.note(ahead: record.sequence)
    {
      emit(record)
    } else if record.carriesState {
      emit(record, isBase: true)
    }
  }

  /// Whether the backlog has passed the record. It may give up packets that this window awaits.
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

  private mutating func emit(
    _ record: Record, from origin: RecordOrigin = .live, isBase: Bool = false
  ) {
    sink.append(.record(session, ArrivedRecord(record, from: origin, isBase: isBase)))
  }

  private mutating func emit(lost records: ClosedRange<SequenceNumber>) {
    newestLost = max(newestLost ?? 0, records.upperBound)
    sink.append(.lost(session, records))
  }

  /// Delivers the events that the live window has appended from `start` on. Usually all of them
  /// stay in place.
  private mutating func deliverLive(from start: Int) {
    for index in start..<sink.events.count where !passes(sink.events[index]) {
      let unordered = Array(sink.events[index...])
      sink.events.removeSubrange(index...)
      for event in unordered { deliverLive(event) }
      return
    }
  }

  /// Whether the event can stay where it is. If so, notes it as delivered.
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
    guard case .record(_, let arrived) = event else { return sink.append(event) }
    let record = arrived.record
    guard record.sequence >= nextLive else { return }
    reportLive(lost: nextLive..<record.sequence)
    nextLive = record.sequence.next
    if case .keyframe = record.state, liveChain.isEmpty { closeNewestState() }
    deliverInChain(record)
  }

  /// Delivers a record when the base of its state is here. Until then the record waits.
  private mutating func deliverInChain(_ record: Record) {
    guard liveChain.mustWait(record) else {
      pass(record)
      emit(record)
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
      emit(record, from: .backlog)
    } else if record.carriesState {
      emit(record, from: .backlog, isBase: true)
    }
  }

  /// Closes windows that are complete. Reports once that the requested past is here.
  private mutating func settle() {
    if past.window?.isComplete == true { report(lost: past.finishBacklog()) }
    let isReading = past.window != nil
    if past.goOn(liveChain, horizon: packets.horizon) { hasNewQuestion = true }
    if isReading, past.window == nil { packets.keep(for: rests) }
    for records in past.takeRefused() { emit(lost: records) }
    if newestState == nil { for records in losses.takeHeldBack() { report(lost: records) } }
    guard !hasCaughtUp, !past.isBacklog, newestState == nil, live.next > extent.joinPacket
    else { return }
    hasCaughtUp = true
    sink.append(.caughtUp(session))
  }

  /// Every packet is here or given up. Records still missing went with lost packets.
  private mutating func reportTail() {
    guard live.next > extent.newestPacket, extent.newestRecord >= nextLive else { return }
    let newest = extent.newestRecord
    let end = max(nextLive, live.isOpen(newest) ? newest : newest.next)
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
      for records in losses.lose(range) { emit(lost: records) }
    }
    if past.isOutage { past.takeBack(records) }
  }
}
