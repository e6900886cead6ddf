import SurfWire

/// The records of a session as a viewer wants them: the newest state first, what happens from now
/// on in order, and the backlog as it comes (Protocol.md §10.7).
///
/// Three windows read the same stream of packets. The boundary between backlog and live is a
/// record, the newest at the time of joining, so that no record is delivered by both.
struct Following: Sendable {
  enum Output: Equatable, Sendable {
    case record(Record)
    case restored(Restored)
    case lost(ClosedRange<UInt64>)
    case caughtUp
  }

  /// The first record wanted; `.max` for none of the past.
  private(set) var since: UInt64
  private(set) var outputs: [Output] = []
  private(set) var live: Window
  private var newestState: Window?
  private var backlog = Backlog.unlocated
  /// The newest record when the viewer joined: live from here on.
  private let boundary: UInt64
  /// The packet in which the boundary record begins.
  private let boundaryPacket: UInt64
  /// The newest packet when the viewer joined; up to it, repairs are this viewer's own affair.
  private let joinPacket: UInt64
  private var nextLive: UInt64
  /// The newest record that the sender has named.
  private var newestKnown: UInt64
  private var nextBacklog: UInt64
  /// Records of the backlog that came with the newest state.
  private var ahead: Set<UInt64> = []
  /// Lost records of the backlog, of which the newest state may yet bring one.
  private var heldBack: [Range<UInt64>] = []
  private var edge: UInt64
  private var hasCaughtUp = false

  private enum Backlog: Sendable {
    /// Where it begins is not known yet.
    case unlocated
    case open(Window)
    case done
  }

  /// Give up on the newest state after this many requests; by then a newer one has come.
  private static let newestStateAttemptMax = 12

  init(wish: HistoryWish, progress: StreamProgress, at now: Duration) {
    since = wish.first(newest: progress.newestRecord)
    boundary = max(progress.newestRecord, 1)
    let hasRecords = progress.newestRecordPacket > 0
    boundaryPacket = hasRecords ? progress.newestRecordPacket : progress.newestPacket + 1
    joinPacket = progress.newestPacket
    nextLive = boundary
    newestKnown = progress.newestRecord
    nextBacklog = since
    edge = progress.oldestPacket
    live = Window(from: boundaryPacket)
    live.extend(to: progress.newestPacket, due: now)
    // What the app forgot before we came will not come; the newest state it has not forgotten.
    if progress.newestStatePacket != progress.newestRecordPacket {
      live.abandon(below: edge) { _ in }
    }
    if progress.newestStatePacketCount > 0 {
      let end = progress.newestStatePacket + UInt64(progress.newestStatePacketCount)
      var window = Window(from: progress.newestStatePacket, to: end)
      window.extend(to: end - 1, due: now)
      newestState = window
    }
    if since >= boundary { backlog = .done }
    settle()
  }

  /// Wants more of the past than before. What was delivered already may come again.
  mutating func widen(to wish: HistoryWish) {
    since = min(since, wish.first(newest: boundary))
    hasCaughtUp = false
    backlog = since < boundary ? .unlocated : .done
    nextBacklog = since
    settle()
  }

  mutating func takeOutputs() -> [Output] {
    defer { outputs.removeAll() }
    return outputs
  }

  // MARK: Input

  mutating func located(since record: UInt64, packet: UInt64, at now: Duration) {
    guard case .unlocated = backlog else { return }
    guard record > 0, record < boundary, packet > 0, packet <= boundaryPacket else {
      finishBacklog()
      return
    }
    var window = Window(from: packet, to: boundaryPacket + 1)
    window.extend(to: boundaryPacket, due: now)
    backlog = .open(window)
    report(lost: nextBacklog, before: record)
    nextBacklog = max(nextBacklog, record)
  }

  /// - Returns: whether any window had use for the packet.
  mutating func receive(_ packet: DataPacket, gapDue: Duration) -> Window.Arrival {
    var arrivals = [liveReceive(packet, gapDue: gapDue)]
    if newestState != nil { arrivals.append(stateReceive(packet)) }
    if case .open = backlog { arrivals.append(backlogReceive(packet)) }
    abandon(below: packet.oldestPacket)
    settle()
    if arrivals.contains(.taken) { return .taken }
    return arrivals.contains(.beyond) ? .beyond : .duplicate
  }

  /// Learns from a heartbeat or a goodbye how far the stream is.
  mutating func extend(newestPacket: UInt64, newestRecord: UInt64, due: Duration) {
    live.extend(to: newestPacket, due: due)
    newestKnown = max(newestKnown, newestRecord)
    settle()
    reportTail(through: newestPacket)
  }

  mutating func abandon(below newEdge: UInt64) {
    guard newEdge > edge else { return }
    edge = newEdge
    var items: [Assembler.Item] = []
    live.abandon(below: edge) { items.append($0) }
    for item in items { deliverLive(item) }
    if case .open(var window) = backlog {
      items = []
      window.abandon(below: edge) { items.append($0) }
      backlog = .open(window)
      for item in items { deliverBacklog(item) }
    }
    settle()
  }

  /// Nobody is there any more who could repair anything.
  mutating func abandonAll() {
    var items: [Assembler.Item] = []
    live.abandonAll { items.append($0) }
    for item in items { deliverLive(item) }
    newestState = nil
    if case .open(var window) = backlog {
      items = []
      window.abandonAll { items.append($0) }
      for item in items { deliverBacklog(item) }
    }
    finishBacklog()
    reportTail(through: live.horizon - 1)
    settle()
  }

  // MARK: Requests

  var deadline: Duration? {
    [live.missing.deadline, newestState?.missing.deadline, backlogWindow?.missing.deadline]
      .compactMap { $0 }.min()
  }

  /// Packets that were asked for and are still expected, each counted once.
  func outstandingCount(at now: Duration) -> UInt64 {
    [live, newestState, backlogWindow].flatMap { $0?.missing.outstanding(at: now) ?? [] }.unionCount
  }

  /// The soonest time at which something that was asked for is to be asked for again.
  func nextRepetition(after now: Duration) -> Duration? {
    [live, newestState, backlogWindow].compactMap { $0 }
      .flatMap { $0.missing.runs }
      .filter { $0.state.attempts > 0 && $0.state.due > now }
      .map(\.state.due).min()
  }

  /// What is due to be asked for: of history, and of what everybody may have lost. The newest state
  /// comes first, then the live stream, then the backlog; what several windows lack is asked for
  /// once.
  mutating func ask(at now: Duration, budget: UInt64, using random: inout SplitMix64)
    -> (history: [PacketRange], repair: [PacketRange])
  {
    var left = min(budget, UInt64(Limits.rangePacketCountMax))
    var asked: [MissingRuns.Run] = []
    forEachWindow { window in
      window.missing.adopt(asked)
      let more = window.missing.ask(
        at: now, rangeMax: Limits.rangeCountMax - asked.count, budget: left, using: &random)
      left -= more.reduce(0) { $0 + ($1.end - $1.first) }
      asked += more
    }
    forEachWindow { $0.missing.adopt(asked) }
    let attempts = newestState?.missing.runs.map(\.state.attempts).max() ?? 0
    if attempts > Self.newestStateAttemptMax { newestState = nil }
    let ranges = asked.compactMap(\.range)
    return (
      ranges.filter { $0.first <= joinPacket }, ranges.filter { $0.first > joinPacket }
    )
  }

  // MARK: Windows

  /// In the order of their importance.
  private mutating func forEachWindow(_ change: (inout Window) -> Void) {
    if var window = newestState {
      change(&window)
      newestState = window
    }
    change(&live)
    if case .open(var window) = backlog {
      change(&window)
      backlog = .open(window)
    }
  }

  private var backlogWindow: Window? {
    if case .open(let window) = backlog { window } else { nil }
  }

  private mutating func liveReceive(_ packet: DataPacket, gapDue: Duration) -> Window.Arrival {
    var items: [Assembler.Item] = []
    let arrival = live.receive(packet, gapDue: gapDue) { items.append($0) }
    for item in items { deliverLive(item) }
    return arrival
  }

  private mutating func stateReceive(_ packet: DataPacket) -> Window.Arrival {
    guard var window = newestState else { return .duplicate }
    var items: [Assembler.Item] = []
    let arrival = window.receive(packet, gapDue: .zero) { items.append($0) }
    newestState = window.isComplete ? nil : window
    for case .record(let record) in items where record.sequence < boundary {
      guard ahead.insert(record.sequence).inserted else { continue }
      outputs.append(.record(record))
    }
    return arrival
  }

  private mutating func backlogReceive(_ packet: DataPacket) -> Window.Arrival {
    guard case .open(var window) = backlog else { return .duplicate }
    var items: [Assembler.Item] = []
    let arrival = window.receive(packet, gapDue: .zero) { items.append($0) }
    backlog = .open(window)
    for item in items { deliverBacklog(item) }
    return arrival
  }

  // MARK: Output

  private mutating func deliverLive(_ item: Assembler.Item) {
    switch item {
    case .restored(let restored): outputs.append(.restored(restored))
    case .record(let record):
      guard record.sequence >= nextLive else { return }
      report(lost: nextLive, before: record.sequence)
      nextLive = record.sequence + 1
      if record.state.content != nil { newestState = nil }
      outputs.append(.record(record))
    }
  }

  private mutating func deliverBacklog(_ item: Assembler.Item) {
    guard case .record(let record) = item, record.sequence >= nextBacklog,
      record.sequence < boundary
    else { return }
    report(lost: nextBacklog, before: record.sequence)
    nextBacklog = record.sequence + 1
    if !ahead.contains(record.sequence) { outputs.append(.record(record)) }
  }

  /// Closes what is complete, and says once that the past is here.
  private mutating func settle() {
    if case .open(let window) = backlog, window.isComplete { finishBacklog() }
    if newestState == nil, !heldBack.isEmpty {
      let ranges = heldBack
      heldBack = []
      for range in ranges { report(lost: range.lowerBound, before: range.upperBound) }
    }
    guard !hasCaughtUp, case .done = backlog, newestState == nil, live.next > joinPacket
    else { return }
    hasCaughtUp = true
    outputs.append(.caughtUp)
  }

  /// Every packet is here or given up, yet records are missing: they went with lost packets.
  private mutating func reportTail(through newestPacket: UInt64) {
    guard live.next > newestPacket, newestKnown >= nextLive else { return }
    let end = live.assembler.isOpen(newestKnown) ? newestKnown : newestKnown + 1
    report(lost: nextLive, before: end)
    nextLive = max(nextLive, end)
  }

  private mutating func finishBacklog() {
    guard since < boundary else { return }
    backlog = .done
    report(lost: nextBacklog, before: boundary)
    nextBacklog = boundary
  }

  private mutating func report(lost first: UInt64, before end: UInt64) {
    guard first < end else { return }
    guard newestState == nil || first >= boundary else {
      heldBack.append(first..<end)
      return
    }
    outputs += ahead.gaps(in: first..<end).map(Output.lost)
  }
}
