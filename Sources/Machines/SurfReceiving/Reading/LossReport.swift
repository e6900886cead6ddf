import SurfWire

/// Which records to report as lost: each once, none of the backlog that was delivered, and none
/// that the newest state may yet bring.
struct LossReport: Sendable {
  /// How many were reported, and have not come since.
  private(set) var count: WireCount = 0
  private var lost = SequenceRanges()
  /// Records that came by another window than live.
  private var delivered = SequenceRanges()
  /// Records of the backlog that came with the newest state.
  private var ahead: Set<SequenceNumber> = []
  private var heldBack: [Range<SequenceNumber>] = []

  /// A record came with the newest state.
  ///
  /// - Returns: false if it had come so before.
  mutating func note(ahead record: SequenceNumber) -> Bool {
    note(delivered: record)
    return ahead.insert(record).inserted
  }

  /// A record came with the past, perhaps one that was reported as lost.
  mutating func note(delivered record: SequenceNumber) {
    delivered.insert(record...record)
    guard lost.contains(record) else { return }
    lost.remove(record)
    count.subtract(1)
  }

  func hasAhead(_ record: SequenceNumber) -> Bool { ahead.contains(record) }

  func holdsBack(_ record: SequenceNumber) -> Bool { heldBack.contains { $0.contains(record) } }

  /// These are lost, unless the newest state brings one.
  mutating func holdBack(_ records: Range<SequenceNumber>) { heldBack.append(records) }

  /// The newest state is here, or will not come: returns the held-back records to report.
  mutating func takeHeldBack() -> [Range<SequenceNumber>] {
    defer { heldBack = [] }
    return heldBack
  }

  /// Those of the records that were not delivered.
  func missing(of records: Range<SequenceNumber>) -> [ClosedRange<SequenceNumber>] {
    guard !records.isEmpty else { return [] }
    return delivered.complement(in: records.lowerBound...records.upperBound.previous)
  }

  /// Counts these as lost.
  ///
  /// - Returns: those to report, because they were not lost before.
  mutating func lose(
    _ records: ClosedRange<SequenceNumber>
  ) -> [ClosedRange<SequenceNumber>] {
    let unreported = lost.complement(in: records)
    lost.insert(records)
    for range in unreported { count.add(range.length) }
    return unreported
  }
}
