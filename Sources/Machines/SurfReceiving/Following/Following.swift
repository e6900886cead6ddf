import SurfWire

/// The records of a session as a viewer wants them: the newest state first, what happens from now
/// on in order, and the backlog as it comes (Protocol.md §10.7).
///
/// Three windows read the same stream of packets. The boundary between backlog and live is a
/// record, the newest at the time of joining, so that no record is delivered by both.
struct Following: Sendable {
  typealias Output = Receiver.Output

  /// The first record wanted; `.max` for none of the past.
  private(set) var since: SequenceNumber
  private var outputs: [Output] = []
  private(set) var recordsLost: WireCount = 0
  var live: Window
  var newestState: NewestState?
  private(set) var liveChain = LiveChain()
  /// The packets of the newest state, as the last heartbeat knew them.
  private var stateExtent: Range<SequenceNumber>
  var backlog: Window?
  /// What was given up when the app was forsaken.
  var recovery = Recovery()
  private var isForsaken = false
  private var backlogStates = MadeStates()
  private var backlogPhase = BacklogPhase.unlocated
  /// The newest record when the viewer joined: live from here on.
  private let boundary: SequenceNumber
  /// The packet in which the boundary record begins.
  let boundaryPacket: SequenceNumber
  /// The newest packet when the viewer joined; up to it, repairs are this viewer's own affair.
  let joinPacket: SequenceNumber
  /// Up to it, what is missing is missing here alone: it was there when the viewer joined, or when
  /// it was left behind.
  private(set) var ownPacket: SequenceNumber
  /// Of the next range that is asked for.
  var requestNumber = 0
  /// So many packets missing in a row are more than the app sends to who reports (Protocol.md §12).
  private let window: WireCount
  private(set) var nextLive: SequenceNumber
  /// The newest record that the sender has named, and the packet that was the newest then.
  private var newestKnown: (record: SequenceNumber, packet: SequenceNumber)
  private var nextBacklog: SequenceNumber
  /// Records of the backlog that came with the newest state.
  private var ahead: Set<SequenceNumber> = []
  /// Lost records of the backlog, of which the newest state may yet bring one.
  private var heldBack: [Range<SequenceNumber>] = []
  private(set) var edge: SequenceNumber
  private var hasCaughtUp = false
  /// What the backlog's window has just put in order; empty between calls.
  private var items: [Assembler.Item] = []

  private enum BacklogPhase {
    /// Where it begins is not known yet.
    case unlocated
    case open
    case done
  }

  /// Give up on the newest state after asking so often and getting nothing of it.
  static let newestStateAskMax = 12
  /// The same, if other records wait for it.
  static let awaitedStateAskMax = 40

  /// - Parameter window: packets that the app may be ahead of this viewer.
  init(wish: HistoryWish, progress: StreamProgress, window: WireCount, at now: Duration) {
    self.window = window
    ownPacket = progress.newestPacket
    since = wish.first(newest: progress.newestRecord)
    boundary = max(progress.newestRecord, 1)
    let hasRecords = progress.newestRecordPacket > 0
    boundaryPacket = hasRecords ? progress.newestRecordPacket : progress.newestPacket.next
    joinPacket = progress.newestPacket
    nextLive = boundary
    newestKnown = (progress.newestRecord, progress.newestPacket)
    nextBacklog = since
    edge = progress.oldestPacket
    live = Window(from: boundaryPacket)
    live.extend(to: progress.newestPacket, due: now)
    stateExtent = progress.stateExtent
    // What the app forgot before we came will not come; the newest state it has not forgotten.
    var ignored: [Assembler.Item] = []
    live.abandon(below: edge, keeping: stateExtent, into: &ignored)
    if !stateExtent.isEmpty {
      newestState = NewestState(packets: stateExtent, before: boundary, at: now)
    }
    if since >= boundary { backlogPhase = .done }
    settle()
  }

  /// Wants more of the past than before. What was delivered already may come again.
  mutating func widen(to wish: HistoryWish) {
    since = min(since, wish.first(newest: boundary))
    hasCaughtUp = false
    backlog = nil
    recovery = Recovery()
    backlogPhase = since < boundary ? .unlocated : .done
    nextBacklog = since
    settle()
  }

  mutating func takeOutputs() -> [Output] {
    defer { outputs = [] }
    return outputs
  }

  // MARK: Input

  /// The record of which the app is to say where it begins; `.max` for none.
  var question: SequenceNumber { recovery.question ?? since }

  /// Wants records once more that were delivered, for who has dropped them; those that are yet to
  /// be come all the same. What cannot be had is told as lost.
  mutating func refetch(_ records: ClosedRange<SequenceNumber>) {
    let end = min(records.upperBound.next, nextLive)
    if hasCaughtUp, !isForsaken, records.lowerBound < end {
      recovery.refetch(records.lowerBound..<end)
    } else {
      outputs.append(.lost(records))
    }
    settle()
  }

  /// The app is back after it was forsaken: it may hold what was given up.
  mutating func resume() {
    isForsaken = false
    recovery.begin()
  }

  /// - Returns: whether the backlog was opened by it.
  mutating func located(since record: SequenceNumber, packet: SequenceNumber, at now: Duration)
    -> Bool
  {
    guard recovery.question == nil else {
      // Nobody else has missed it.
      ownPacket = newestPacket
      recovery.window = recovery.located(
        since: record, packet: packet, newest: newestPacket, at: now
      ).map(adoptingRequests)
      settle()
      return false
    }
    guard backlogPhase == .unlocated else { return false }
    guard record > 0, record < boundary, packet > 0, packet <= boundaryPacket else {
      finishBacklog()
      return false
    }
    var window = Window(from: packet, to: boundaryPacket.next)
    window.extend(to: boundaryPacket, due: now)
    backlog = adoptingRequests(window)
    backlogPhase = .open
    report(lost: nextBacklog, before: record)
    nextBacklog = max(nextBacklog, record)
    return true
  }

  /// What packets were for.
  struct Tally {
    /// That at least one window had use for.
    var taken = 0
    var duplicates = 0
    var beyond = 0

    fileprivate mutating func count(_ arrival: Window.Arrival) {
      switch arrival {
      case .taken: taken += 1
      case .duplicate: duplicates += 1
      case .beyond: beyond += 1
      }
    }
  }

  mutating func receive(_ packets: PacketTrain, gapDue: @autoclosure () -> Duration) -> Tally {
    var tally = Tally()
    var newEdge = edge
    for index in packets.indices {
      let packet = packets[index]
      newEdge = max(newEdge, packet.oldestPacket)
      tally.count(offer(packet, gapDue: gapDue()))
    }
    abandon(below: newEdge)
    settle()
    return tally
  }

  private mutating func offer(
    _ packet: PacketView, gapDue: @autoclosure () -> Duration
  ) -> Window.Arrival {
    let start = outputs.count
    let known = live.horizon
    var arrival = live.receive(packet, gapDue: gapDue(), into: &outputs)
    noteGap(since: known)
    deliverLive(from: start)
    if newestState != nil { arrival.merge(stateReceive(packet)) }
    if backlog != nil { arrival.merge(backlogReceive(packet)) }
    if recovery.window != nil { arrival.merge(recoveryReceive(packet)) }
    return arrival
  }

  /// Takes what another viewer has sent and the app has vouched for. It tells of no trailing edge:
  /// that is the app's to tell.
  mutating func receive(proven packet: PacketView) -> Window.Arrival {
    let arrival = offer(packet, gapDue: .zero)
    settle()
    return arrival
  }

  /// The newest packet of the stream that is known to exist; 0 for none.
  var newestPacket: SequenceNumber { live.horizon.previous }

  /// The newest record that is known to exist, or was told as lost.
  var newestRecord: SequenceNumber { max(newestKnown.record, nextLive.previous) }

  /// Learns what the app still has.
  mutating func note(_ progress: StreamProgress) {
    // Heartbeats overtake each other; an older one says nothing of what is newer.
    let isNewer = progress.newestPacket >= newestKnown.packet
    let extent = isNewer ? progress.stateExtent : stateExtent
    guard progress.oldestPacket > edge || extent != stateExtent else { return }
    edge = max(edge, progress.oldestPacket)
    stateExtent = extent
    giveUpForgotten()
  }

  /// Learns from a heartbeat or a goodbye how far the stream is.
  mutating func extend(newestPacket: SequenceNumber, newestRecord: SequenceNumber, due: Duration) {
    let known = live.horizon
    live.extend(to: newestPacket, due: due)
    noteGap(since: known)
    // Heartbeats overtake each other; an older one says nothing of what is newer.
    if newestPacket >= newestKnown.packet { newestKnown = (newestRecord, newestPacket) }
    settle()
    reportTail()
  }

  /// Who misses more than its window at once was left behind: that is no affair of others.
  private mutating func noteGap(since known: SequenceNumber) {
    if known.distance(to: live.horizon) > window { ownPacket = live.horizon.previous }
  }

  private mutating func abandon(below newEdge: SequenceNumber) {
    guard newEdge > edge else { return }
    edge = newEdge
    giveUpForgotten()
  }

  /// Only the packets of the newest state are kept behind the edge.
  private mutating func giveUpForgotten() {
    let start = outputs.count
    live.abandon(below: edge, keeping: stateExtent, into: &outputs)
    deliverLive(from: start)
    if newestState?.window.missing.hasForgotten(below: edge, keeping: stateExtent) == true {
      closeNewestState()
    }
    backlog?.abandon(below: edge, keeping: stateExtent, into: &items)
    deliverBacklog()
    recovery.abandon(below: edge, keeping: stateExtent, into: &outputs)
    noteRecovered()
    settle()
  }

  /// Nobody is there any more who could repair anything.
  mutating func abandonAll() {
    isForsaken = true
    recovery.pause()
    let start = outputs.count
    // Its beginning is not kept: it is lost even if no heartbeat has named it.
    newestKnown.record = max(newestKnown.record, live.assembler.newestOpen ?? 0)
    live.abandonAll(into: &outputs)
    deliverLive(from: start)
    closeNewestState()
    backlog?.abandonAll(into: &items)
    deliverBacklog()
    finishBacklog()
    reportTail()
    settle()
  }

  /// Octets held of what is not finished, or waits for what is not.
  var unfinishedSize: Int {
    live.unfinishedSize + liveChain.heldSize + (newestState?.unfinishedSize ?? 0)
      + (backlog?.unfinishedSize ?? 0) + (recovery.window?.unfinishedSize ?? 0)
  }

  /// Forgets all of that. Packets are asked for again; what waited is delivered as it is.
  mutating func forgetUnfinished(at now: Duration) -> Int {
    closeNewestState()
    let count =
      live.forgetUnfinished(at: now) + (backlog?.forgetUnfinished(at: now) ?? 0)
      + (recovery.window?.forgetUnfinished(at: now) ?? 0)
    settle()
    return count
  }

  // MARK: Windows

  private mutating func stateReceive(_ packet: PacketView) -> Window.Arrival {
    guard let arrival = newestState?.receive(packet) else { return .duplicate }
    if newestState?.window.isComplete == true { closeNewestState() }
    return arrival
  }

  /// Delivers what has come of the newest state, and what waits for it.
  mutating func closeNewestState() {
    guard let state = newestState else { return }
    newestState = nil
    // What precedes a packet that has not come is here all the same.
    for record in state.records {
      let isNewestState = state.window.isComplete && record.sequence == state.newest
      deliver(record, isNewestState: isNewestState)
    }
    releaseHeld()
  }

  /// A live record is delivered. If its state cannot be made after an outage, what comes to fill
  /// the gap makes it.
  private mutating func pass(_ record: Record) {
    if !liveChain.pass(record), recovery.isActive { recovery.note(unmade: [record.sequence]) }
  }

  private mutating func releaseHeld() {
    let (records, unmade) = liveChain.release()
    outputs += records.map { .record($0, .live) }
    recovery.note(made: records.lazy.map(\.sequence).filter { !unmade.contains($0) })
    guard isForsaken || recovery.isActive, !unmade.isEmpty else { return }
    recovery.note(unmade: unmade)
    // Their states may yet be had: what differs from them waits once more.
    if isForsaken { liveChain.breakOff() }
  }

  private mutating func deliver(_ record: Record, isNewestState: Bool) {
    liveChain.pass(record)
    let isWanted = isNewestState || record.sequence >= since
    if isWanted, record.sequence < boundary, !hasPassed(record.sequence),
      ahead.insert(record.sequence).inserted
    {
      outputs.append(.record(record, .live))
    } else if record.carriesState {
      outputs.append(.base(record, .live))
    }
  }

  /// Whether the backlog has delivered the record: it may give up packets that this window awaits.
  private func hasPassed(_ record: SequenceNumber) -> Bool {
    record >= since && record < nextBacklog && !heldBack.contains { $0.contains(record) }
  }

  private mutating func backlogReceive(_ packet: PacketView) -> Window.Arrival {
    guard let arrival = backlog?.receive(packet, gapDue: .zero, into: &items) else {
      return .duplicate
    }
    deliverBacklog()
    return arrival
  }

  private mutating func recoveryReceive(_ packet: PacketView) -> Window.Arrival {
    let start = outputs.count
    let arrival = recovery.receive(packet, into: &outputs)
    for case .record(let record, _) in outputs[start...] { liveChain.drop(record.sequence) }
    noteRecovered()
    return arrival
  }

  private mutating func noteRecovered() {
    recordsLost.subtract(WireCount(recovery.takeRecoveredCount()))
  }

  // MARK: Output

  /// Delivers what the live window has put behind the outputs, from `start` on. What is the next
  /// output as it is, as nearly all of it is, stays where it lies.
  private mutating func deliverLive(from start: Int) {
    for index in start..<outputs.count where !passes(outputs[index]) {
      let items = Array(outputs[index...])
      outputs.removeSubrange(index...)
      for item in items { deliverLive(item) }
      return
    }
  }

  /// Whether an item is the next output as it is; then it counts as delivered.
  private mutating func passes(_ item: Assembler.Item) -> Bool {
    guard case .record(let record, _) = item else { return true }
    guard record.sequence == nextLive, newestState == nil, !liveChain.mustWait(record) else {
      return false
    }
    nextLive = nextLive.next
    pass(record)
    return true
  }

  private mutating func deliverLive(_ item: Assembler.Item) {
    guard case .record(let record, _) = item else { return outputs.append(item) }
    guard record.sequence >= nextLive else { return }
    report(lost: nextLive, before: record.sequence)
    nextLive = record.sequence.next
    if case .whole = record.state, liveChain.isEmpty { closeNewestState() }
    deliverInChain(record)
  }

  /// A record whose state differs from one that is not here waits until that is.
  private mutating func deliverInChain(_ record: Record) {
    guard liveChain.mustWait(record) else {
      pass(record)
      outputs.append(.record(record, .live))
      return
    }
    liveChain.hold(record)
    // After an outage the way to its state may begin in what was missed.
    if recovery.isActive { recovery.note(unmade: [record.sequence]) }
    if newestState == nil {
      // A gap: the way to this state begins where that to the newest does.
      let packets = stateExtent.lowerBound..<max(stateExtent.lowerBound, live.next)
      guard !isForsaken, !stateExtent.isEmpty, !packets.isEmpty else {
        return releaseHeld()
      }
      var state = NewestState(packets: packets, before: record.sequence, at: .zero)
      state.window = adoptingRequests(state.window)
      newestState = state
    }
    if newestState?.window.isComplete == true || liveChain.isFull { closeNewestState() }
  }

  private mutating func deliverBacklog() {
    guard !items.isEmpty else { return }
    for item in items { deliverBacklog(item) }
    items.removeAll(keepingCapacity: true)
  }

  private mutating func deliverBacklog(_ item: Assembler.Item) {
    guard case .record(let record, _) = item, record.sequence < boundary else { return }
    let isMade = backlogStates.pass(record)
    if isForsaken, !isMade { recovery.note(unmade: [record.sequence]) }
    if record.sequence >= nextBacklog {
      report(lost: nextBacklog, before: record.sequence)
      nextBacklog = record.sequence.next
      if !ahead.contains(record.sequence) {
        outputs.append(.record(record, .backlog))
        return
      }
    }
    if record.carriesState { outputs.append(.base(record, .backlog)) }
  }

  /// Closes what is complete, and says once that the past is here.
  private mutating func settle() {
    if backlog?.isComplete == true { finishBacklog() }
    if recovery.isFilled(liveChain) { recovery.end() }
    outputs += recovery.takeRefused().map { .lost($0) }
    if newestState == nil, !heldBack.isEmpty {
      let ranges = heldBack
      heldBack = []
      for range in ranges { report(lost: range.lowerBound, before: range.upperBound) }
    }
    guard !hasCaughtUp, backlogPhase == .done, newestState == nil, live.next > joinPacket
    else { return }
    hasCaughtUp = true
    outputs.append(.caughtUp)
  }

  /// Every packet is here or given up, yet records are missing: they went with lost packets.
  private mutating func reportTail() {
    guard live.next > newestKnown.packet, newestKnown.record >= nextLive else { return }
    let newest = newestKnown.record
    let end = live.assembler.isOpen(newest) ? newest : newest.next
    report(lost: nextLive, before: end)
    nextLive = max(nextLive, end)
  }

  private mutating func finishBacklog() {
    guard since < boundary else { return }
    backlog = nil
    backlogPhase = .done
    report(lost: nextBacklog, before: boundary)
    nextBacklog = boundary
  }

  private mutating func report(lost first: SequenceNumber, before end: SequenceNumber) {
    guard first < end else { return }
    guard newestState == nil || first >= boundary else {
      heldBack.append(first..<end)
      return
    }
    for range in ahead.gaps(in: first..<end) {
      recordsLost.add(range.length)
      outputs.append(.lost(range))
      if isForsaken || recovery.isActive { recovery.note(lost: range) }
    }
  }
}
