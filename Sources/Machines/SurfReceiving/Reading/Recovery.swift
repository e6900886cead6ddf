import SurfBasics
import SurfWire

/// The records that were reported as lost because the app expired, and the means to get them once
/// it is back (Protocol.md §10.9); and the records that a viewer had, has dropped, and wants again.
struct Recovery: Sendable {
  typealias Output = Receiver.Output

  var window: Window?
  /// Packets to ask for ahead when one record is wanted: enough for one that comes in a moment, and
  /// not all of history behind it.
  private static let refetchStep: WireCount = 128
  /// In rising order.
  private var gaps: [Range<SequenceNumber>] = []
  /// Records that were delivered without their states, because the states' bases were missing.
  private var unmade: Set<SequenceNumber> = []
  /// Such records that the backlog is to bring again.
  private var handedOver: Set<SequenceNumber> = []
  /// Records wanted again.
  private var dropped: Range<SequenceNumber> = 0..<0
  /// Those of them that are not available.
  private var refused: [ClosedRange<SequenceNumber>] = []
  /// Whether the app has expired, and what that cost is not all here yet.
  private(set) var isOutage = false
  private var stage = Stage.idle
  /// The end of a window for dropped records alone, of which some are wanted at a time.
  private var lastStep: SequenceNumber?
  private var items: [Assembler.Item] = []

  private enum Stage {
    /// Nothing is to be asked, or not yet: after an outage, the next state may be one to ask for.
    case idle
    /// The app is expired.
    case paused
    /// The backlog is read first: one window at a time feeds its chain.
    case afterBacklog
    /// The app is asked where the first gap begins.
    case asking
  }

  /// The record to locate; nil if none.
  var question: SequenceNumber? { stage == .asking ? first : nil }

  /// The first record that may yet come.
  var first: SequenceNumber? {
    let first = dropped.isEmpty ? nil : dropped.lowerBound
    return .least(gaps.first?.lowerBound, unmade.min(), first)
  }
  private var last: SequenceNumber? {
    let last = dropped.isEmpty ? nil : dropped.upperBound.previous
    return [gaps.last.map { $0.upperBound.previous }, unmade.max(), last].compactMap { $0 }.max()
  }

  /// Ends when all wanted records are here. After an outage the live chain must be whole, too:
  /// until then the next live state may have its base in this window alone.
  ///
  /// - Returns: whether there is a new question.
  mutating func goOn(_ liveChain: LiveChain, horizon: SequenceNumber) -> Bool {
    if stage == .asking, first == nil { stage = .idle }
    guard stage == .idle, isOutage || window != nil else { return false }
    if let window, window.next == min(horizon, lastStep ?? horizon) {
      giveUp(except: window.assembler.openRecords)
    }
    if first == nil {
      if isStepwise { window = nil }
      if !isOutage || liveChain.isWhole { end() }
      return false
    }
    guard window == nil || isStepwise && hasGap else { return false }
    stage = .asking
    return true
  }

  private var isStepwise: Bool { lastStep != nil }
  private var hasGap: Bool { !gaps.isEmpty || !unmade.isEmpty }

  /// Given up because the app is gone.
  mutating func note(lost range: ClosedRange<SequenceNumber>) {
    let isNewest = gaps.last.map { $0.upperBound <= range.lowerBound } ?? true
    gaps.append(range.halfOpen)
    if !isNewest { gaps.sort { $0.lowerBound < $1.lowerBound } }
  }

  /// The backlog did not bring these: what it took over is open again.
  mutating func takeBack(_ records: Range<SequenceNumber>) {
    let missed = handedOver.filter(records.contains)
    handedOver.subtract(missed)
    note(unmade: missed)
  }

  /// The backlog has brought it.
  mutating func note(brought record: SequenceNumber) { handedOver.remove(record) }

  mutating func note(unmade records: some Sequence<SequenceNumber>) { unmade.formUnion(records) }

  /// These wait for what their states differ from. It may come with what an outage took, and so may
  /// they.
  mutating func note(waiting records: some Sequence<SequenceNumber>) {
    if window != nil, !isStepwise { note(unmade: records) }
  }

  /// Their states were made after all.
  mutating func note(made records: some Sequence<SequenceNumber>) { unmade.subtract(records) }

  /// Wants these records again, in the place of earlier such wishes.
  mutating func refetch(_ records: Range<SequenceNumber>) {
    refuse(before: dropped.upperBound)
    dropped = records
    stage = .asking
  }

  /// The records wanted again that are not available, since the last call.
  mutating func takeRefused() -> [ClosedRange<SequenceNumber>] {
    defer { refused = [] }
    return refused
  }

  /// The app has expired, again perhaps: gaps stay open.
  mutating func pause() {
    refuse(before: dropped.upperBound)
    (window, stage, isOutage) = (nil, .paused, true)
  }

  /// The newest state was asked for in vain: an outage that was too short to be noticed.
  mutating func noteVain(afterBacklog: Bool) {
    isOutage = true
    if stage == .idle, afterBacklog { stage = .afterBacklog }
  }

  /// The app is back.
  mutating func begin(afterBacklog: Bool) {
    if isOutage { stage = afterBacklog ? .afterBacklog : first == nil ? .idle : .asking }
  }

  /// The backlog is located anew, and goes first: it brings all of its records itself.
  mutating func giveWay(to backlog: Range<SequenceNumber>) {
    refuse(before: backlog.lowerBound)
    dropped = dropped.part(from: backlog.upperBound)
    refuse(before: dropped.upperBound)
    gaps = gaps.map { $0.part(from: backlog.upperBound) }.filter { !$0.isEmpty }
    handedOver.formUnion(unmade.filter { $0 < backlog.upperBound })
    unmade.subtract(handedOver)
    window = nil
    if stage != .paused { stage = isOutage ? .afterBacklog : .idle }
  }

  /// The backlog that went first is read.
  mutating func goOnAfterBacklog() {
    if stage == .afterBacklog { begin(afterBacklog: false) }
  }

  /// - Parameter newest: the newest packet that is known to exist.
  /// - Returns: the window that brings the wanted records; nil if none is available.
  mutating func located(
    since record: SequenceNumber, packet: SequenceNumber, newest: SequenceNumber
  ) -> Window? {
    stage = .idle
    guard let last, record > 0, record <= last, packet > 0, packet <= newest else {
      end()
      return nil
    }
    lastStep = hasGap ? nil : newest.next
    guard let lastStep else { return Window(from: packet) }
    return Window(from: packet, to: min(packet.advanced(by: Self.refetchStep), lastStep))
  }

  /// The packet with the end of a record is unknown: wants a few more at a time.
  mutating func takeStep() -> Range<SequenceNumber>? {
    guard let lastStep, let window, window.end < lastStep,
      window.next.distance(to: window.end) < Self.refetchStep.divided(by: 2)
    else { return nil }
    let end = min(window.next.advanced(by: Self.refetchStep), lastStep)
    self.window?.end = end
    return window.end..<end
  }

  mutating func read(_ packets: inout PacketStore, into outputs: inout [Output]) {
    window?.read(&packets, into: &items)
    for case .record(let record, _) in items {
      if take(record.sequence) {
        outputs.append(.record(record, .backlog))
      } else if record.carriesState {
        outputs.append(.base(record, .backlog))
      }
    }
    items.removeAll(keepingCapacity: true)
  }

  private mutating func end() {
    giveUp()
    (window, isOutage) = (nil, false)
  }

  /// Records missing by now are not available, but for those of which pieces are still to come: the
  /// app may have been stopped in the midst of one.
  private mutating func giveUp(except open: [SequenceNumber] = []) {
    refuse(before: dropped.upperBound)
    let lacking = gaps
    gaps = open.filter { record in lacking.contains { $0.contains(record) } }.sorted()
      .map { $0..<$0.next }
    (unmade, handedOver) = (unmade.intersection(open), [])
  }

  /// Once for each wanted record.
  private mutating func take(_ record: SequenceNumber) -> Bool {
    refuse(before: record)
    let isDropped = dropped.contains(record)
    if isDropped { dropped = record.next..<dropped.upperBound }
    let wasLost = remove(record)
    return unmade.remove(record) != nil || wasLost || isDropped
  }

  /// Records come in order: those missing by now will not come.
  private mutating func refuse(before record: SequenceNumber) {
    let end = min(record, dropped.upperBound)
    guard dropped.lowerBound < end else { return }
    refused.append(dropped.lowerBound...end.previous)
    dropped = end..<dropped.upperBound
  }

  /// False if the record is not of a gap.
  private mutating func remove(_ record: SequenceNumber) -> Bool {
    guard let index = gaps.firstIndex(where: { $0.contains(record) }) else { return false }
    let gap = gaps[index]
    gaps.replaceSubrange(
      index...index,
      with: [gap.lowerBound..<record, record.next..<gap.upperBound].filter { !$0.isEmpty })
    return true
  }
}

extension Range where Bound: Comparable {
  /// What of it is not below `bound`.
  fileprivate func part(from bound: Bound) -> Range {
    Swift.min(Swift.max(lowerBound, bound), upperBound)..<upperBound
  }
}
