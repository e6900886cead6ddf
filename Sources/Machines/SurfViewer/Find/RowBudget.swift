import SurfTimeline

/// How many rows a search looks at at a time: some milliseconds' work.
package struct RowBudget: Sendable {
  private let rowCountMax: Int
  private let sizeMax: Int

  /// To make a state of the one before takes as long as to read one that is so much smaller.
  private static let deltaGain = 16

  /// - Parameters:
  ///   - rowCountMax: if names and small payloads are searched.
  ///   - sizeMax: octets of payloads and of states that are read as a whole.
  package init(rowCountMax: Int = 1_000, sizeMax: Int = 512 << 10) {
    (self.rowCountMax, self.sizeMax) = (rowCountMax, sizeMax)
  }

  /// The rows that it is enough for: one at least, if there is one.
  ///
  /// - Parameters:
  ///   - rows: from where the search is now.
  ///   - asksStates: whether states are read.
  package func rowCount(in rows: some Sequence<Row>, asksStates: Bool) -> Int {
    var (rowCount, size) = (0, 0)
    for row in rows {
      rowCount += 1
      size += row.record.payload?.bytes.count ?? 0
      if asksStates { size += Self.readingSize(of: row) }
      if rowCount >= rowCountMax || size >= sizeMax { break }
    }
    return rowCount
  }

  private static func readingSize(of row: Row) -> Int {
    let size = row.stateSize ?? 0
    return row.hasDelta ? size / deltaGain : size
  }
}
