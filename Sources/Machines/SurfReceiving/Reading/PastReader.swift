import SurfBasics
import SurfWire

/// Reads records of the past: those from before the viewer joined (Protocol.md §10.7), those that
/// an outage took (§10.9), and those that the viewer has dropped and wants again. One window at a
/// time feeds their chain.
struct PastReader: Sendable {
  /// How a record that came follows on those before it.
  struct Place {
    /// The records of the backlog before it that did not come; they will not.
    var missed: Range<SequenceNumber>
    var isWanted: Bool
  }

  private enum Phase {
    /// Nothing is to be asked, or not yet: after an outage, the next state may be one to ask for.
    case idle
    /// The app is expired.
    case paused
    /// The app is asked where the first open record begins.
    case asking
  }

  private enum Purpose: Equatable {
    case backlog
    /// Goes on beside the live window.
    case outage
    /// For dropped records alone: a few packets at a time, up to this one.
    case steps(end: SequenceNumber)
  }

  /// The first record wanted of the backlog; `.max` for none.
  private(set) var since: SequenceNumber
  /// The newest record when the viewer joined: it comes live.
  let boundary: SequenceNumber
  /// The packet in which that begins.
  let boundaryPacket: SequenceNumber
  var window: Window?
  private var purpose: Purpose
  private var phase = Phase.idle
  /// Wanted in order: the rest of the backlog, or else records that the viewer has dropped.
  private var wanted: Range<SequenceNumber>
  /// Dropped records that are not available.
  private var refused: [ClosedRange<SequenceNumber>] = []
  /// Records that an outage took, or left without their states.
  private var open = SequenceRanges([])
  /// Such records that the backlog is to bring.
  private var handedOver = SequenceRanges([])
  /// Whether the app has expired, and what that cost is not all here yet.
  private(set) var isOutage = false
  private var states = MadeStates()
  private let session: SessionID
  /// What the window has just put in order; empty between calls.
  private var events: [ObserverEvent] = []

  /// Packets to ask for ahead when one record is wanted: enough for one that comes in a moment, and
  /// not all of history behind it.
  private static let refetchStep: WireCount = 128

  init(_ past: HistoryRequest, of session: SessionID, _ progress: StreamProgress) {
    self.session = session
    since = past.first(newest: progress.newestRecord)
    boundary = max(progress.newestRecord, 1)
    let hasRecords = progress.newestRecordPacket > 0
    boundaryPacket = hasRecords ? progress.newestRecordPacket : progress.newestPacket.next
    wanted = min(since, boundary)..<boundary
    purpose = wanted.isEmpty ? .outage : .backlog
  }

  var isBacklog: Bool { purpose == .backlog }
  /// The record whose beginning the app must locate; `.max` for none.
  var question: SequenceNumber { phase == .asking ? first ?? since : since }
  /// Whether a new window can be opened.
  var isUnlocated: Bool { phase == .asking || isBacklog && window == nil }

  /// Whether the backlog has delivered the record, or it is lost.
  func hasPassed(_ record: SequenceNumber) -> Bool {
    record >= since && record < (isBacklog ? wanted.lowerBound : boundary)
  }

  /// The first record that may yet come besides those of the backlog.
  var first: SequenceNumber? {
    .least(open.runs.first?.lowerBound, dropped.isEmpty ? nil : dropped.lowerBound)
  }
  private var last: SequenceNumber? {
    let last = dropped.isEmpty ? nil : dropped.upperBound.previous
    return [open.runs.last?.upperBound, last].compactMap { $0 }.max()
  }
  private var dropped: Range<SequenceNumber> { isBacklog ? 0..<0 : wanted }
  private var hasGap: Bool { !open.runs.isEmpty }
  private var isStepwise: Bool { if case .steps = purpose { true } else { false } }

  // MARK: Wishes

  /// Wants more of the backlog than before, from the beginning. It goes first, and brings what was
  /// open of its records.
  mutating func widen(to past: HistoryRequest) {
    since = min(since, past.first(newest: boundary))
    let backlog = min(since, boundary)..<boundary
    guard !backlog.isEmpty else { return }
    if !isBacklog {
      refuse(before: backlog.lowerBound)
      wanted = max(wanted.lowerBound, boundary)..<max(wanted.upperBound, boundary)
      refuse(before: wanted.upperBound)
    }
    (wanted, purpose, window) = (backlog, .backlog, nil)
    for range in open.intersection(0...boundary.previous) { handedOver.insert(range) }
    open = SequenceRanges(open.intersection(boundary...SequenceNumber.max))
    if phase != .paused { phase = .idle }
  }

  /// Wants these records again, in the place of earlier such wishes. The backlog is here.
  mutating func refetch(_ records: Range<SequenceNumber>) {
    refuse(before: wanted.upperBound)
    wanted = records
    phase = .asking
  }

  /// The records wanted again that are not available, since the last call.
  mutating func takeRefused() -> [ClosedRange<SequenceNumber>] {
    defer { refused = [] }
    return refused
  }

  /// Given up because the app is gone.
  mutating func note(lost range: ClosedRange<SequenceNumber>) { open.insert(range) }

  /// The backlog did not bring these: what it took over is open again.
  mutating func takeBack(_ records: Range<SequenceNumber>) {
    let missed = handedOver.intersection(records.lowerBound...records.upperBound.previous)
    for range in missed { open.insert(range) }
  }

  mutating func note(unmade records: some Sequence<SequenceNumber>) {
    for record in records { open.insert(record...record) }
  }

  /// These wait for what their states differ from. It may come with what an outage took, and so may
  /// they.
  mutating func note(waiting records: some Sequence<SequenceNumber>) {
    if window != nil, purpose == .outage { note(unmade: records) }
  }

  /// Their states were made after all.
  mutating func note(made records: some Sequence<SequenceNumber>) {
    for record in records { open.remove(record) }
  }

  // MARK: Progress

  /// The app has expired, again perhaps: what is open stays so. The backlog is read to its end.
  mutating func pause() {
    (phase, isOutage) = (.paused, true)
    guard !isBacklog else { return }
    refuse(before: wanted.upperBound)
    window = nil
  }

  /// The newest state was asked for in vain: an outage that was too short to be noticed.
  mutating func noteVain() { isOutage = true }

  /// The app is back.
  mutating func resume() { phase = isBacklog || first == nil ? .idle : .asking }

  /// Opens a window where the app says that the record begins.
  ///
  /// - Parameter newest: the newest packet that is known to exist.
  /// - Returns: the records of the backlog that are older.
  mutating func locate(
    _ record: SequenceNumber, in packet: SequenceNumber, newest: SequenceNumber
  ) -> Range<SequenceNumber> {
    phase = isBacklog ? phase : .idle
    let last = isBacklog ? boundary.previous : last ?? 0
    let end = isBacklog ? boundaryPacket.next : newest.next
    guard record > 0, record <= last, packet > 0, packet < end else {
      if isBacklog { return finishBacklog() }
      self.end()
      return 0..<0
    }
    if isBacklog {
      window = Window(of: session, from: packet, to: end)
      return pass(before: record)
    }
    purpose = hasGap ? .outage : .steps(end: end)
    window = Window(
      of: session, from: packet, to: hasGap ? .max : min(packet.advanced(by: Self.refetchStep), end)
    )
    return 0..<0
  }

  /// The packet with the end of a record is unknown: wants a few more at a time.
  mutating func takeStep() -> Range<SequenceNumber>? {
    guard case .steps(let last) = purpose, let window, window.end < last,
      window.next.distance(to: window.end) < Self.refetchStep.divided(by: 2)
    else { return nil }
    let end = min(window.next.advanced(by: Self.refetchStep), last)
    self.window?.end = end
    return window.end..<end
  }

  /// The records that are in order now. The caller must place each.
  mutating func read(_ packets: inout PacketStore) -> [Record] {
    window?.read(&packets, into: &events)
    guard !events.isEmpty else { return [] }
    defer { events.removeAll(keepingCapacity: true) }
    return events.compactMap {
      guard case .record(_, let arrived) = $0 else { return nil }
      return isBacklog && arrived.record.sequence >= boundary ? nil : arrived.record
    }
  }

  /// - Parameter isHere: whether the record was delivered by another window of the same wish.
  mutating func place(_ record: Record, isHere: Bool) -> Place {
    let sequence = record.sequence
    let isNext = wanted.contains(sequence)
    let missed = pass(before: sequence)
    if isNext { wanted = sequence.next..<wanted.upperBound }
    guard isBacklog else {
      if !missed.isEmpty { refused.append(missed.lowerBound...missed.upperBound.previous) }
      let wasOpen = open.contains(sequence)
      open.remove(sequence)
      return Place(missed: 0..<0, isWanted: isNext || wasOpen)
    }
    handedOver.remove(sequence)
    if !states.pass(record), isOutage, !isHere { open.insert(sequence...sequence) }
    return Place(missed: missed, isWanted: isNext && !isHere)
  }

  /// The backlog has been read.
  ///
  /// - Returns: its records that did not come.
  mutating func finishBacklog() -> Range<SequenceNumber> {
    guard isBacklog else { return 0..<0 }
    defer { (wanted, purpose, window) = (0..<0, .outage, nil) }
    return wanted
  }

  /// Ends when all wanted records are here. After an outage the live chain must be whole, too:
  /// until then the next live state may have its base in this window alone.
  ///
  /// - Returns: whether there is a new question.
  mutating func goOn(_ liveChain: LiveChain, horizon: SequenceNumber) -> Bool {
    if phase == .asking, first == nil { phase = .idle }
    guard !isBacklog, phase == .idle, isOutage || window != nil else { return false }
    if let window, window.next >= horizon || isStepwise && window.isComplete {
      giveUp(except: window.assembler.openRecords)
    }
    if first == nil {
      if isStepwise { window = nil }
      if !isOutage || liveChain.isWhole { end() }
      return false
    }
    guard window == nil || isStepwise && hasGap else { return false }
    phase = .asking
    return true
  }

  /// What is not here is not available.
  private mutating func end() {
    giveUp()
    (window, isOutage) = (nil, false)
  }

  /// Records missing by now are not available, but for those of which pieces are still to come: the
  /// app may have been stopped in the midst of one.
  private mutating func giveUp(except begun: [SequenceNumber] = []) {
    refuse(before: wanted.upperBound)
    let lacking = open
    (open, handedOver) = (SequenceRanges([]), SequenceRanges([]))
    note(unmade: begun.filter(lacking.contains))
  }

  /// Records come in order: those missing by now will not come.
  private mutating func refuse(before record: SequenceNumber) {
    let missed = pass(before: record)
    if !missed.isEmpty { refused.append(missed.lowerBound...missed.upperBound.previous) }
  }

  /// Wants no record before this one any more.
  ///
  /// - Returns: those that were wanted.
  private mutating func pass(before record: SequenceNumber) -> Range<SequenceNumber> {
    let start = min(max(record, wanted.lowerBound), wanted.upperBound)
    defer { wanted = start..<wanted.upperBound }
    return wanted.lowerBound..<start
  }
}

extension SequenceRanges {
  /// None of them is ever forgotten.
  fileprivate init(_ runs: [ClosedRange<SequenceNumber>]) {
    self.init(runCountMax: .max)
    for run in runs { insert(run) }
  }
}
