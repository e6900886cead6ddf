import SurfWire

/// The records that were reported as lost because the app expired, and the means to get them once
/// it is back (Protocol.md §10.9); and the records that a viewer had, has dropped, and wants again.
struct Recovery: Sendable {
  typealias Output = Receiver.Output

  var window: Window?
  /// Packets to ask for ahead when one record is wanted: enough for one that comes in a moment, and
  /// not all of history behind it.
  private static let refetchStep: WireCount = 128
  /// In rising order, never touching.
  private var gaps: [Range<SequenceNumber>] = []
  /// Records that were delivered without their states, because the states' bases were missing.
  private var unmade: Set<SequenceNumber> = []
  /// Such records that the backlog is to bring again.
  private var handedOver: Set<SequenceNumber> = []
  /// Records wanted again.
  private var dropped: Range<SequenceNumber> = 0..<0
  /// Those of them that are not available.
  private var refused: [ClosedRange<SequenceNumber>] = []
  /// Whether it began for dropped records, and not after an outage.
  private var isRefetch = false
  /// Whether the backlog is read first: one window at a time feeds its chain.
  private var isWaiting = false
  /// Whether to ask the app where the first gap begins.
  private var isWanted = false
  private var items: [Assembler.Item] = []

  /// The record to locate; nil if none.
  var question: SequenceNumber? { isWanted ? first : nil }

  /// Whether something is still to come after an outage.
  var isActive: Bool { isUnderWay && !isRefetch }
  private var isUnderWay: Bool { isWaiting || isWanted || window != nil }

  /// The first record that may yet come.
  var first: SequenceNumber? {
    let first = dropped.isEmpty ? nil : dropped.lowerBound
    return [gaps.first?.lowerBound, unmade.min(), first].compactMap { $0 }.min()
  }
  private var last: SequenceNumber? {
    let last = dropped.isEmpty ? nil : dropped.upperBound.previous
    return [gaps.last.map { $0.upperBound.previous }, unmade.max(), last].compactMap { $0 }.max()
  }

  /// Whether all wanted records are here. After an outage the live chain must be whole, too.
  func isFilled(_ liveChain: LiveChain) -> Bool {
    window != nil && first == nil && (isRefetch || liveChain.isWhole)
  }

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

  /// Their states were made after all.
  mutating func note(made records: some Sequence<SequenceNumber>) { unmade.subtract(records) }

  /// Wants these records again, in the place of earlier such wishes.
  mutating func refetch(_ records: Range<SequenceNumber>) {
    isRefetch = !isActive
    refuse(before: dropped.upperBound)
    dropped = records
    isWanted = true
  }

  /// The records wanted again that are not available, since the last call.
  mutating func takeRefused() -> [ClosedRange<SequenceNumber>] {
    defer { refused = [] }
    return refused
  }

  /// The app has expired, again perhaps: gaps stay open.
  mutating func pause() {
    refuse(before: dropped.upperBound)
    (window, isWaiting, isWanted, isRefetch) = (nil, false, false, false)
  }

  /// The app is back, or the backlog that goes first is read.
  mutating func begin(afterBacklog: Bool = false) {
    isWaiting = afterBacklog
    isWanted = !afterBacklog && first != nil
  }

  /// The backlog is located anew, and goes first: it brings all of its records itself.
  ///
  /// - Parameter isOutage: whether the app is expired.
  mutating func giveWay(to backlog: Range<SequenceNumber>, isOutage: Bool) {
    let isOutage = isOutage || isActive
    refuse(before: backlog.lowerBound)
    dropped = dropped.part(from: backlog.upperBound)
    refuse(before: dropped.upperBound)
    gaps = gaps.map { $0.part(from: backlog.upperBound) }.filter { !$0.isEmpty }
    handedOver.formUnion(unmade.filter { $0 < backlog.upperBound })
    unmade.subtract(handedOver)
    (window, isWanted, isWaiting, isRefetch) = (nil, false, isOutage, false)
  }

  /// The backlog that went first is read.
  mutating func goOnAfterBacklog() {
    if isWaiting { begin() }
  }

  /// - Parameter newest: the newest packet that is known to exist.
  /// - Returns: the window that brings the wanted records; nil if none is available.
  mutating func located(
    since record: SequenceNumber, packet: SequenceNumber, newest: SequenceNumber, at now: Duration
  ) -> Window? {
    isWanted = false
    guard let last, record > 0, record <= last, packet > 0, packet <= newest else {
      end()
      return nil
    }
    var window = Window(from: packet, to: newest.next)
    window.extend(to: isRefetch ? packet.advanced(by: Self.refetchStep) : newest, due: now)
    return window
  }

  mutating func receive(_ packet: PacketView, into outputs: inout [Output]) -> Window.Arrival {
    guard let arrival = window?.receive(packet, gapDue: .zero, into: &items) else {
      return .duplicate
    }
    deliver(into: &outputs)
    goOn()
    return arrival
  }

  mutating func abandon(
    below edge: SequenceNumber, keeping kept: Range<SequenceNumber>, into outputs: inout [Output]
  ) {
    window?.abandon(below: edge, keeping: kept, into: &items)
    deliver(into: &outputs)
  }

  /// The packet with the end of a record is unknown: wants a few more at a time.
  private mutating func goOn() {
    guard isRefetch, let window,
      window.next.distance(to: window.horizon) < Self.refetchStep.divided(by: 2)
    else { return }
    self.window?.extend(to: window.next.advanced(by: Self.refetchStep), due: .zero)
  }

  private mutating func deliver(into outputs: inout [Output]) {
    for case .record(let record, _) in items {
      if take(record.sequence) {
        outputs.append(.record(record, .backlog))
      } else if record.carriesState {
        outputs.append(.base(record, .backlog))
      }
    }
    items.removeAll(keepingCapacity: true)
    if window?.isComplete == true { end() }
  }

  /// Records missing by now are not available.
  mutating func end() {
    refuse(before: dropped.upperBound)
    (window, gaps, unmade, handedOver) = (nil, [], [], [])
    (isWaiting, isRefetch) = (false, false)
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
