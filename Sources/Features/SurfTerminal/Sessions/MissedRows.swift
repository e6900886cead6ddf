import SurfWire

/// Rows that came and are not shown, because this end was too slow; one line tells of them.
struct MissedRows {
  private(set) var range: ClosedRange<SequenceNumber>
  private(set) var count: WireCount

  init(_ rows: ClosedRange<SequenceNumber>) { (range, count) = (rows, rows.length) }

  mutating func add(_ rows: ClosedRange<SequenceNumber>) {
    range = min(range.lowerBound, rows.lowerBound)...max(range.upperBound, rows.upperBound)
    count.add(rows.length)
  }
}

extension [SessionID: MissedRows] {
  mutating func add(_ rows: ClosedRange<SequenceNumber>, of session: SessionID) {
    if self[session]?.add(rows) == nil { self[session] = MissedRows(rows) }
  }
}
