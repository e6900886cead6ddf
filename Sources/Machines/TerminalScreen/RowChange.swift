/// What to write so that a row shows other cells: found for `ScreenWriter`, painted by
/// `TerminalPen`.
struct RowChange {
  struct Run: Equatable {
    var columns: Range<Int>
    var eraser = Eraser.none
  }

  /// What to erase before writing a run.
  enum Eraser: Equatable {
    case none
    /// The run's columns: a cluster in them may be wider than we think, or a long blank is due.
    case columns
    /// Everything from the run on: nothing visible follows it.
    case restOfRow
  }

  /// From left to right, disjoint.
  private(set) var runs: [Run] = []

  /// Up to this many equal cells, rewriting them takes fewer octets than skipping them.
  private static let gapMax = 4
  /// From this many blanks on, erasing and skipping them takes fewer octets than writing them.
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

/// Finds columns of a row that must be written together: those that a cluster takes, or may take if
/// its width is doubtful.
private struct ColumnTies {
  /// Whether each column is tied to the one before it.
  private var isTied: [Bool]

  init(_ rows: ArraySlice<Cell>...) {
    let width = rows.map(\.count).max() ?? 0
    isTied = Array(repeating: false, count: width + 1)
    for row in rows {
      for (column, cell) in row.enumerated() where cell.reach > 1 {
        // At the end of a row, a terminal moves a cluster that does not fit to the left.
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
  /// The most columns that any terminal draws it in.
  fileprivate var reach: Int {
    isDoubtful ? 2 * cluster.unicodeScalars.count : Int(width)
  }
}

extension ArraySlice<Cell> {
  func columns(_ columns: Range<Int>) -> ArraySlice<Cell> {
    self[(startIndex + columns.lowerBound)..<(startIndex + columns.upperBound)]
  }

  /// The longest run of blanks.
  fileprivate var blankCountMax: Int {
    var (count, most) = (0, 0)
    for cell in self {
      count = cell.looksBlank ? count + 1 : 0
      most = Swift.max(most, count)
    }
    return most
  }
}

/// Encodes the difference between what a terminal shows and the next screen in few bytes; none if
/// nothing changed.
///
/// The terminal must not wrap lines (`TerminalModes` turns that off), and nobody else may write to
/// it.
package struct ScreenWriter: Sendable {
  /// Whether to send colours. Traits are sent in any case.
  private let hasColours: Bool
  /// The screen that the terminal shows; nil if unknown.
  private var shown: Screen?

  package init(hasColours: Bool = true) { self.hasColours = hasColours }

  /// Call this if something else may have written to the terminal. The next screen is painted in
  /// full.
  package mutating func forget() { shown = nil }

  /// The bytes that make the terminal show a screen; empty if it does already.
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
