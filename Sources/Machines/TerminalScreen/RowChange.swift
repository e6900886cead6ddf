/// What must be written anew so that a row shows other cells.
struct RowChange {
  struct Run: Equatable {
    var columns: Range<Int>
    var eraser = Eraser.none
  }

  /// What is done to a run's columns before they are written.
  enum Eraser: Equatable {
    case none
    /// What stands there may be wider than we think, or mostly blanks come there.
    case columns
    /// Nothing is to be seen behind the run.
    case restOfRow
  }

  /// From left to right, apart from each other.
  private(set) var runs: [Run] = []

  /// To pass over fewer cells takes more octets than to write them again.
  private static let gapMax = 4
  /// To erase blanks, and to pass over them, takes fewer octets than to write as many.
  static let blankCountMin = 10

  init(from old: ArraySlice<Cell>, to new: ArraySlice<Cell>) {
    guard old != new else { return }
    find(old, new)
    let end = new.lastIndex { !$0.looksBlank }.map { $0 + 1 - new.startIndex } ?? 0
    if let index = runs.firstIndex(where: { $0.columns.upperBound > end }) {
      runs.removeSubrange((index + 1)...)
      runs[index] = Run(columns: runs[index].columns.lowerBound..<new.count, eraser: .restOfRow)
    }
    for index in runs.indices where runs[index].eraser == .none {
      let columns = runs[index].columns
      let cells = new.columns(columns)
      if cells.contains(where: \.isDoubtful) || old.columns(columns).contains(where: \.isDoubtful)
        || cells.blankCountMax >= Self.blankCountMin
      {
        runs[index].eraser = .columns
      }
    }
  }

  private mutating func find(_ old: ArraySlice<Cell>, _ new: ArraySlice<Cell>) {
    let ties = ColumnTies(old, new)
    for (column, (other, cell)) in zip(old, new).enumerated() where !cell.looks(like: other) {
      if let last = runs.last, column < last.columns.upperBound { continue }
      let columns = ties.columns(around: column)
      if let last = runs.last, columns.lowerBound - last.columns.upperBound <= Self.gapMax {
        runs[runs.count - 1].columns = last.columns.lowerBound..<columns.upperBound
      } else {
        runs.append(Run(columns: columns))
      }
    }
  }
}

/// Columns of a row that must be written together. A cluster takes those that it is drawn in, and a
/// doubtful one those that it may be drawn in.
private struct ColumnTies {
  /// Whether each column is tied to the one before it.
  private var isTied: [Bool]

  init(_ rows: ArraySlice<Cell>...) {
    let width = rows.map(\.count).max() ?? 0
    isTied = Array(repeating: false, count: width + 1)
    for row in rows {
      for (column, cell) in row.enumerated() where cell.reach > 1 {
        // At the end of a row, a terminal moves to the left what has no room.
        let first = max(0, min(column, width - cell.reach))
        for index in (first + 1)..<max(first + 1, min(column + cell.reach, width)) {
          isTied[index] = true
        }
      }
    }
  }

  func columns(around column: Int) -> Range<Int> {
    var (first, end) = (column, column + 1)
    while isTied[first] { first -= 1 }
    while isTied[end] { end += 1 }
    return first..<end
  }
}

extension Cell {
  /// The most columns in which any terminal draws it.
  fileprivate var reach: Int {
    isDoubtful ? 2 * cluster.unicodeScalars.count : Int(width)
  }
}

extension ArraySlice<Cell> {
  func columns(_ columns: Range<Int>) -> ArraySlice<Cell> {
    self[(startIndex + columns.lowerBound)..<(startIndex + columns.upperBound)]
  }

  /// The longest run of what erasing gives.
  fileprivate var blankCountMax: Int {
    var (count, most) = (0, 0)
    for cell in self {
      count = cell.looksBlank ? count + 1 : 0
      most = Swift.max(most, count)
    }
    return most
  }
}

/// Makes the bytes that turn what a terminal shows into another screen: few, and none if nothing
/// changed.
///
/// The terminal must not wrap lines by itself (`TerminalModes` turns that off), and nobody else may
/// write to it.
package struct ScreenWriter: Sendable {
  /// Whether colours are sent; what is bold, dim, underlined or reversed is in any case.
  private let hasColours: Bool
  /// What the terminal shows; nil if that is not known.
  private var shown: Screen?

  package init(hasColours: Bool = true) { self.hasColours = hasColours }

  /// Something else may have written to the terminal: the next screen is painted whole.
  package mutating func forget() { shown = nil }

  /// For one write to the terminal. Empty if it shows the screen already.
  package mutating func bytes(toShow next: Screen) -> [UInt8] {
    defer { shown = next }
    let old = shown.flatMap { $0.size == next.size ? $0 : nil }
    if old == next { return [] }
    var pen = TerminalPen(width: next.size.width, hasColours: hasColours)
    if old == nil { pen.eraseAll() }
    let before = old ?? Screen(next.size)
    for row in 0..<next.size.height {
      let change = RowChange(from: before.cells(of: row), to: next.cells(of: row))
      for run in change.runs { pen.paint(run, of: next.cells(of: row), at: row) }
    }
    return pen.finish(cursor: next.cursor, before: old?.cursor, isNew: old == nil)
  }
}
