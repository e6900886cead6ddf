import SurfWire

/// The records that were told as lost because the app was forsaken, and what brings them once it is
/// back (Protocol.md §10.10).
struct Recovery: Sendable {
  typealias Output = Receiver.Output

  var window: Window?
  /// In rising order, never touching.
  private var gaps: [Range<SequenceNumber>] = []
  /// Records that were delivered without their states, for want of what these differ from.
  private var unmade: Set<SequenceNumber> = []
  private var recoveredCount = 0
  /// Whether the app is to be asked where the first gap begins.
  private var isWanted = false
  private var items: [Assembler.Item] = []

  /// The record that is to be located; nil if none is.
  var question: SequenceNumber? { isWanted ? first : nil }

  /// Whether all that was given up is here.
  var isFilled: Bool { window != nil && first == nil }
  /// Whether something is still to come.
  var isActive: Bool { isWanted || window != nil }

  private var first: SequenceNumber? {
    [gaps.first?.lowerBound, unmade.min()].compactMap { $0 }.min()
  }
  private var last: SequenceNumber? {
    [gaps.last.map { $0.upperBound.previous }, unmade.max()].compactMap { $0 }.max()
  }

  /// Given up because nobody is there.
  mutating func note(lost range: ClosedRange<SequenceNumber>) {
    gaps.append(range.halfOpen)
    gaps.sort { $0.lowerBound < $1.lowerBound }
  }

  mutating func note(unmade records: [SequenceNumber]) { unmade.formUnion(records) }

  /// How many records came that were told as lost, since this was last asked.
  mutating func takeRecoveredCount() -> Int {
    defer { recoveredCount = 0 }
    return recoveredCount
  }

  /// The app is forsaken, again perhaps: gaps stay open.
  mutating func pause() { (window, isWanted) = (nil, false) }

  /// The app is back.
  mutating func begin() { isWanted = first != nil }

  /// - Parameter newest: the newest packet that is known to exist.
  mutating func located(
    since record: SequenceNumber, packet: SequenceNumber, newest: SequenceNumber, at now: Duration
  ) {
    isWanted = false
    guard let last, record > 0, record <= last, packet > 0, packet <= newest
    else { return end() }
    var window = Window(from: packet, to: newest.next)
    window.extend(to: newest, due: now)
    self.window = window
  }

  mutating func receive(_ packet: PacketView, into outputs: inout [Output]) -> Window.Arrival {
    guard let arrival = window?.receive(packet, gapDue: .zero, into: &items) else {
      return .duplicate
    }
    deliver(into: &outputs)
    return arrival
  }

  mutating func abandon(
    below edge: SequenceNumber, keeping kept: Range<SequenceNumber>, into outputs: inout [Output]
  ) {
    window?.abandon(below: edge, keeping: kept, into: &items)
    deliver(into: &outputs)
  }

  private mutating func deliver(into outputs: inout [Output]) {
    for case .record(let record, _) in items {
      if remove(record.sequence) || unmade.remove(record.sequence) != nil {
        outputs.append(.record(record, .backlog))
      } else if record.carriesState {
        outputs.append(.base(record, .backlog))
      }
    }
    items.removeAll(keepingCapacity: true)
    if window?.isComplete == true { end() }
  }

  /// What is not here by now cannot be had.
  mutating func end() { (window, gaps, unmade) = (nil, [], []) }

  /// False if the record is of no gap.
  private mutating func remove(_ record: SequenceNumber) -> Bool {
    guard let index = gaps.firstIndex(where: { $0.contains(record) }) else { return false }
    let gap = gaps[index]
    recoveredCount += 1
    gaps.replaceSubrange(
      index...index,
      with: [gap.lowerBound..<record, record.next..<gap.upperBound].filter { !$0.isEmpty })
    return true
  }
}
