import SurfWire

/// Rows that a person marked, to come back to.
package struct RowMarks: Equatable, Sendable {
  /// Ascending.
  package private(set) var rows: [SequenceNumber] = []

  package init() {}

  package func contains(_ row: SequenceNumber) -> Bool { rows.contains(row) }

  package mutating func toggle(_ row: SequenceNumber) {
    let index = rows.partitionPoint { $0 >= row }
    if index < rows.count, rows[index] == row {
      rows.remove(at: index)
    } else {
      rows.insert(row, at: index)
    }
  }

  /// Behind the last comes the first again.
  package func next(after row: SequenceNumber) -> SequenceNumber? {
    rows.first { $0 > row } ?? rows.first
  }

  package func next(before row: SequenceNumber) -> SequenceNumber? {
    rows.last { $0 < row } ?? rows.last
  }
}
