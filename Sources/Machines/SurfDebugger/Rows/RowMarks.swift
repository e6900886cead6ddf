import SurfBasics
import SurfWire

/// Rows that a person marked in the debugger, with optional notes.
package struct RowMarks: Equatable, Sendable {
  /// Ascending.
  package private(set) var rows: [SequenceNumber] = []
  private var notes: [SequenceNumber: String] = [:]

  package init() {}

  package func contains(_ row: SequenceNumber) -> Bool { rows.contains(row) }

  package func note(at row: SequenceNumber) -> String? { notes[row] }

  /// Marks a row; an empty note removes the note.
  package mutating func set(_ row: SequenceNumber, note: String) {
    if !contains(row) { toggle(row) }
    notes[row] = note.isEmpty ? nil : note
  }

  /// The mark that a row's time counts from: the last one up to the row, otherwise the first of
  /// all.
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

  /// Wraps around after the last mark; nil if no mark is visible.
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
