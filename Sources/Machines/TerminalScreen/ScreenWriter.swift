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
