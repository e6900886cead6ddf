import SurfBasics
import SurfWire

/// Rows that a person marked, to come back to.
package struct RowMarks: Equatable, Sendable {
  /// Ascending.
  package private(set) var rows: [SequenceNumber] = []
  private var notes: [SequenceNumber: String] = [:]

  package init() {}

  package func contains(_ row: SequenceNumber) -> Bool { rows.contains(row) }

  /// What the person wrote at a mark; nil for nothing.
  package func note(at row: SequenceNumber) -> String? { notes[row] }

  /// Marks a row; an empty note is none.
  package mutating func set(_ row: SequenceNumber, note: String) {
    if !contains(row) { toggle(row) }
    notes[row] = note.isEmpty ? nil : note
  }

  /// The mark from which a time is counted: the last up to a row, else the first of all.
  package func origin(of row: SequenceNumber) -> SequenceNumber? {
    rows.last { $0 <= row } ?? rows.first
  }

  package mutating func toggle(_ row: SequenceNumber) {
    let index = rows.partitionPoint { $0 >= row }
    if index < rows.count, rows[index] == row {
      rows.remove(at: index)
      notes[row] = nil
    } else {
      rows.insert(row, at: index)
    }
  }

  /// Behind the last comes the first again; nil if no mark can be seen.
  package func next(
    after row: SequenceNumber, where isSeen: (SequenceNumber) -> Bool
  ) -> SequenceNumber? {
    rows.first { $0 > row && isSeen($0) } ?? rows.first(where: isSeen)
  }

  package func next(
    before row: SequenceNumber, where isSeen: (SequenceNumber) -> Bool
  ) -> SequenceNumber? {
    rows.last { $0 < row && isSeen($0) } ?? rows.last(where: isSeen)
  }
}
