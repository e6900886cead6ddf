import SurfBasics
import SurfWire

/// Reads past records for a `SessionReader`, in one window at a time. They are from before the
/// viewer joined (Protocol.md §10.7), were missed in an outage (§10.9), or are wanted again after
/// the viewer dropped them.
struct PastReader: Sendable {
  /// What to do with a record that arrived.
  struct Place {
    /// The backlog records before it that did not arrive, and will not.
    var missed: Range<SequenceNumber>
    var isWanted: Bool
  }

  private enum Phase {
    /// No question is open. After an outage, the next state may lead to one.
    case idle
    /// The app has expired.
    case paused
    /// The viewer asks the app for the first packet of the first open record.
    case asking
  }

  private enum Purpose: Equatable {
    case backlog
    /// Continues beside the live window.
    case outage
    /// For dropped records only: a few packets at a time, up to this one.
    case steps(end: SequenceNumber)
  }

  /// The first backlog record that is wanted; `.max` for none.
  private(set) var since: SequenceNumber
  /// The newest record when the viewer joined. The live window delivers it.
  let boundary: SequenceNumber
  /// The first packet of `boundary`.
  let boundaryPacket: SequenceNumber
  var window: Window?
  private var purpose: Purpose
  private var phase = Phase.idle
  /// Wanted in order: the rest of the backlog, or records that the viewer has dropped.
  private var wanted: Range<SequenceNumber>
  /// Dropped records that are not available.
  private var refused: [ClosedRange<SequenceNumber>] = []
  /// Records that an outage took, or whose states it made impossible.
  private var open = SequenceRanges([])
  /// Open records that the backlog will deliver.
  private var handedOver = SequenceRanges([])
  /// Whether the app has expired, and records that this cost are still open.
  private(set) var isOutage = false
  private var states = MadeStates()
  private let session: SessionID

  /// Packets to request ahead when one record is wanted: enough for a record, and not all of the
  /// history after it.
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
  /// The record that the app must locate; `.max` for none.
  var question: SequenceNumber { phase == .asking ? first ?? since : since }
  /// Whether a new window can be opened.
  var isUnlocated: Bool { phase == .asking || isBacklog && window == nil }

  /// Whether the backlog has delivered the record or reported it as lost.
  func hasPassed(_ record: SequenceNumber) -> Bool {
    record >= since && record < (isBacklog ? wanted.lowerBound : boundary)
  }

  /// The first record that may still arrive outside the backlog.
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

  // MARK: Requests

  /// Extends the backlog, and reads it from its beginning. It goes first, and delivers open records
  /// that it includes.
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

  /// Requests these records again, and replaces an earlier such request. The backlog must be
  /// complete.
  mutating func refetch(_ records: Range<SequenceNumber>) {
    refuse(before: wanted.upperBound)
    wanted = records
    phase = .asking
  }

  /// The dropped records that turned out to be unavailable since the last call.
  mutating func takeRefused() -> [ClosedRange<SequenceNumber>] { refused.takeAll() }

  /// Notes records that were given up because the app is gone.
  mutating func note(lost range: ClosedRange<SequenceNumber>) { open.insert(range) }

  /// The backlog did not deliver these records. Those that it had taken over are open again.
  mutating func takeBack(_ records: Range<SequenceNumber>) {
    guard let records = records.closed else { return }
    for range in handedOver.intersection(records) { open.insert(range) }
  }

  mutating func note(unmade records: some Sequence<SequenceNumber>) {
    for record in records { open.insert(record...record) }
  }

  /// These records wait for the bases of their states. If an outage took the bases, both may still
  /// arrive.
  mutating func note(waiting records: some Sequence<SequenceNumber>) {
    if window != nil, purpose == .outage { note(unmade: records) }
  }

  /// The states of these records were made after all.
  mutating func note(made records: some Sequence<SequenceNumber>) {
    for record in records { open.remove(record) }
  }

  // MARK: Progress

  /// The app has expired, perhaps again. Open records stay open, and dropped ones wanted: the app
  /// may still have them when it returns. A backlog is read to its end.
  mutating func pause() {
    (phase, isOutage) = (.paused, true)
    if !isBacklog { window = nil }
  }

  /// The newest state could not be fetched: an outage was too short to notice.
  mutating func noteVain() { isOutage = true }

  mutating func resume() { phase = isBacklog || first == nil ? .idle : .asking }

  /// Opens a window where the app says that the record begins.
  ///
  /// - Parameter newest: the newest packet known to exist.
  /// - Returns: the older records of the backlog.
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

  /// Extends a stepwise window by a few packets, because the end of a record is unknown.
  mutating func takeStep() -> Range<SequenceNumber>? {
    guard case .steps(let last) = purpose, let window, window.end < last,
      window.next.distance(to: window.end) < Self.refetchStep.divided(by: 2)
    else { return nil }
    let end = min(window.next.advanced(by: Self.refetchStep), last)
    self.window?.end = end
    return window.end..<end
  }

  /// The records that are in order now. The caller must call `place` for each.
  mutating func read(_ packets: inout PacketStore) -> [Record] {
    var events: [ObserverEvent] = []
    window?.read(&packets, into: &events)
    return events.compactMap {
      guard case .record(_, let arrived) = $0 else { return nil }
      return isBacklog && arrived.record.sequence >= boundary ? nil : arrived.record
    }
  }

  /// - Parameter isHere: whether the newest state has already delivered the record.
  mutating func place(_ record: Record, isHere: Bool) -> Place {
    let sequence = record.sequence
    let isNext = wanted.contains(sequence)
    let missed = pass(before: sequence)
    if isNext { wanted = sequence.next..<wanted.upperBound }
    guard isBacklog else {
      if let missed = missed.closed { refused.append(missed) }
      let wasOpen = open.contains(sequence)
      open.remove(sequence)
      return Place(missed: 0..<0, isWanted: isNext || wasOpen)
    }
    handedOver.remove(sequence)
    if !states.pass(record), isOutage, !isHere { open.insert(sequence...sequence) }
    return Place(missed: missed, isWanted: isNext && !isHere)
  }

  /// Ends the backlog. Returns its records that did not arrive.
  mutating func finishBacklog() -> Range<SequenceNumber> {
    guard isBacklog else { return 0..<0 }
    defer { (wanted, purpose, window) = (0..<0, .outage, nil) }
    return wanted
  }

  /// Ends when all wanted records are here. After an outage the live chain must be whole, too:
  /// until then, only this window may have the base of the next live state. Returns whether there
  /// is a new question.
  mutating func goOn(_ liveChain: LiveChain, horizon: SequenceNumber) -> Bool {
    if phase == .asking, first == nil { phase = .idle }
    guard !isBacklog, phase == .idle, isOutage || window != nil else { return false }
    if let window, window.next >= horizon || isStepwise && window.isComplete {
      giveUp(except: window.openRecords)
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

  /// Records that are not here are not available.
  private mutating func end() {
    giveUp()
    (window, isOutage) = (nil, false)
  }

  /// Gives up the missing records, except those that have begun: the app may be in the middle of
  /// sending one.
  private mutating func giveUp(except begun: [SequenceNumber] = []) {
    refuse(before: wanted.upperBound)
    let lacking = open
    (open, handedOver) = (SequenceRanges([]), SequenceRanges([]))
    note(unmade: begun.filter(lacking.contains))
  }

  /// Records arrive in order, so wanted ones before this one will not.
  private mutating func refuse(before record: SequenceNumber) {
    if let missed = pass(before: record).closed { refused.append(missed) }
  }

  /// Stops wanting the records before this one. Returns those that were wanted.
  private mutating func pass(before record: SequenceNumber) -> Range<SequenceNumber> {
    let start = min(max(record, wanted.lowerBound), wanted.upperBound)
    defer { wanted = start..<wanted.upperBound }
    return wanted.lowerBound..<start
  }
}

extension SequenceRanges {
  /// A set without a limit, which never forgets a run.
  fileprivate init(_ runs: [ClosedRange<SequenceNumber>]) {
    self.init(runCountMax: .max)
    for run in runs { insert(run) }
  }
}

/// How much of a session's past a viewer requests.
package enum HistoryRequest: Equatable, Sendable {
  /// The newest state and everything after it.
  case newestState
  /// The last `n` records and everything after them.
  case last(WireCount)
  /// All records from this sequence number on that are still available.
  case since(SequenceNumber)

  /// The first record requested, given the newest; `.max` for none (Protocol.md §7.5).
  func first(newest: SequenceNumber) -> SequenceNumber {
    switch self {
    case .newestState: .max
    case .last(let count): max(newest.next.goingBack(by: count), 1)
    case .since(let sequence): max(sequence, 1)
    }
  }
}
