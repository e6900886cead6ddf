import SurfWire

/// Which records to report as lost: none that came ahead of its turn with the newest state, and
/// none that this may yet bring.
struct LossLedger: Sendable {
  /// How many were reported.
  private(set) var count: WireCount = 0
  /// Records of the backlog that came with the newest state.
  private var ahead: Set<SequenceNumber> = []
  private var heldBack: [Range<SequenceNumber>] = []

  /// A record came with the newest state.
  ///
  /// - Returns: false if it had come so before.
  mutating func note(ahead record: SequenceNumber) -> Bool { ahead.insert(record).inserted }

  func hasAhead(_ record: SequenceNumber) -> Bool { ahead.contains(record) }

  func holdsBack(_ record: SequenceNumber) -> Bool { heldBack.contains { $0.contains(record) } }

  /// These are lost, unless the newest state brings one.
  mutating func holdBack(_ records: Range<SequenceNumber>) { heldBack.append(records) }

  /// The newest state is here, or will not come: returns the held-back records to report.
  mutating func takeHeldBack() -> [Range<SequenceNumber>] {
    defer { heldBack = [] }
    return heldBack
  }

  /// Counts the lost ones of these.
  mutating func tell(_ records: Range<SequenceNumber>) -> [ClosedRange<SequenceNumber>] {
    let lost = ahead.gaps(in: records)
    for range in lost { count.add(range.length) }
    return lost
  }

  /// This many of the reported ones have come after all.
  mutating func recovered(_ recovered: Int) { count.subtract(WireCount(recovered)) }
}
