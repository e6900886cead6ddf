import SurfWire

/// Decides for `SessionReader` which records to report as lost: each once, none that another window
/// has delivered, and none that the newest state may still bring.
struct LossReport: Sendable {
  /// Records that were reported and have not arrived since.
  private(set) var count: WireCount = 0
  private var lost = SequenceRanges()
  /// Records that a window other than the live one delivered.
  private var delivered = SequenceRanges()
  /// Backlog records that arrived with the newest state.
  private var ahead: Set<SequenceNumber> = []
  private var heldBack: [Range<SequenceNumber>] = []

  /// Notes a record that arrived with the newest state. Returns false if it had arrived that way
  /// before.
  mutating func note(ahead record: SequenceNumber) -> Bool {
    note(delivered: record)
    return ahead.insert(record).inserted
  }

  /// Notes a record that arrived with the past. It may have been reported as lost.
  mutating func note(delivered record: SequenceNumber) {
    delivered.insert(record...record)
    guard lost.contains(record) else { return }
    lost.remove(record)
    count.subtract(1)
  }

  func hasAhead(_ record: SequenceNumber) -> Bool { ahead.contains(record) }

  func holdsBack(_ record: SequenceNumber) -> Bool { heldBack.contains { $0.contains(record) } }

  /// Reports these records later, unless the newest state brings them.
  mutating func holdBack(_ records: Range<SequenceNumber>) { heldBack.append(records) }

  /// Call it when the newest state is here, or given up. Returns the held-back records to report.
  mutating func takeHeldBack() -> [Range<SequenceNumber>] {
    defer { heldBack = [] }
    return heldBack
  }

  /// The records of the range that were not delivered.
  func missing(of records: Range<SequenceNumber>) -> [ClosedRange<SequenceNumber>] {
    guard !records.isEmpty else { return [] }
    return delivered.complement(in: records.lowerBound...records.upperBound.previous)
  }

  /// Counts the records as lost. Returns those to report, because they were not lost before.
  mutating func lose(
    _ records: ClosedRange<SequenceNumber>
  ) -> [ClosedRange<SequenceNumber>] {
    let unreported = lost.complement(in: records)
    lost.insert(records)
    for range in unreported { count.add(range.length) }
    return unreported
  }
}
