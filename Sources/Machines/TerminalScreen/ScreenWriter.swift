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
    let blank = Screen(next.size)
    for row in 0..<next.size.height {
      paint(next.cells(of: row), over: (old ?? blank).cells(of: row), row, with: &pen)
    }
    return pen.finish(cursor: next.cursor, wasShown: old?.cursor != nil, isNew: old == nil)
  }

  private func paint(
    _ new: ArraySlice<Cell>, over old: ArraySlice<Cell>, _ row: Int, with pen: inout TerminalPen
  ) {
    guard new != old else { return }
    if new.contains(where: \.isDoubtful) || old.contains(where: \.isDoubtful) {
      paintWhole(new, row, with: &pen)
    } else {
      paintRuns(of: new, over: old, row, with: &pen)
    }
  }

  /// What a terminal draws wider or narrower than we think may cover its neighbours, or leave
  /// something standing: the row is made as if for the first time.
  private func paintWhole(_ new: ArraySlice<Cell>, _ row: Int, with pen: inout TerminalPen) {
    pen.move(to: row, 0)
    pen.eraseToEnd()
    pen.write(new[..<new.visibleEnd], at: row, 0)
  }

  private func paintRuns(
    of new: ArraySlice<Cell>, over old: ArraySlice<Cell>, _ row: Int, with pen: inout TerminalPen
  ) {
    let end = new.visibleEnd - new.startIndex
    for run in runs(of: new[..<new.visibleEnd], over: old) {
      pen.write(
        new[(new.startIndex + run.lowerBound)..<(new.startIndex + run.upperBound)], at: row,
        run.lowerBound)
    }
    guard old.visibleEnd - old.startIndex > end else { return }
    pen.move(to: row, end)
    pen.eraseToEnd()
  }

  /// To pass over fewer cells takes more octets than to write them again.
  private static let gapMax = 4

  /// Columns that differ. A wide cluster belongs to a run with both of its own.
  private func runs(of new: ArraySlice<Cell>, over old: ArraySlice<Cell>) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for (column, (cell, other)) in zip(new, old).enumerated() where cell != other {
      let first = cell.width == 0 ? column - 1 : column
      let end = column + max(Int(cell.width), 1)
      if let last = runs.last, first - last.upperBound <= Self.gapMax {
        runs[runs.count - 1] = last.lowerBound..<max(end, last.upperBound)
      } else {
        runs.append(first..<end)
      }
    }
    return runs
  }
}
