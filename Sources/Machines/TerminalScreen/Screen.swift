/// A picture of a terminal's whole screen: what a viewer draws, and `ScreenWriter` makes bytes of.
///
/// Drawing never fails: what lies outside of the screen is left out, and text is escaped, so that
/// no text of a stranger drives the terminal.
package struct Screen: Equatable, Sendable {
  package let size: ScreenSize
  /// How wide clusters are on this terminal.
  package let textWidth: TextWidth
  /// Whether boxes and marks of a cut are drawn in ASCII alone.
  package let isASCII: Bool
  /// Where the terminal's own cursor is shown; nil hides it.
  package var cursor: ScreenPlace?
  /// Row after row.
  var cells: [Cell]

  /// A blank one. Where ambiguous clusters are wide, boxes would be too: they are drawn in ASCII.
  package init(_ size: ScreenSize, textWidth: TextWidth = TextWidth(), isASCII: Bool = false) {
    self.size = size
    self.textWidth = textWidth
    self.isASCII = isASCII || textWidth.isAmbiguousWide
    cells = Array(repeating: .blank, count: size.width * size.height)
  }

  /// Nil outside of the screen.
  package subscript(row row: Int, column column: Int) -> Cell? {
    guard 0..<size.height ~= row, 0..<size.width ~= column else { return nil }
    return cells[row * size.width + column]
  }

  /// Writes a text into one row, from a column on.
  ///
  /// - Parameters:
  ///   - text: Escaped here. Cut between clusters, with `…` at the end, where it is too long.
  ///   - width: The columns to take, whether the text is shorter or longer; nil for as many as the
  ///     text needs.
  /// - Returns: The column after what was written.
  @discardableResult
  package mutating func put(
    _ text: String, at row: Int, _ column: Int, _ style: CellStyle = .plain, width: Int? = nil
  ) -> Int {
    guard 0..<size.height ~= row, column < size.width else { return column }
    let end = min(width.map { column.saturating(adding: max($0, 0)) } ?? size.width, size.width)
    guard end > max(column, 0) else { return max(end, column) }
    var pen = Pen(row: row, column: column, end: end, style: style)
    write(text, with: &pen)
    if width != nil { blank(with: &pen) }
    return pen.column
  }

  /// Blanks an area, in a style.
  package mutating func fill(_ area: ScreenArea, _ style: CellStyle = .plain) {
    for row in rows(of: area) {
      let columns = columns(of: area)
      guard let first = columns.first else { continue }
      var pen = Pen(row: row, column: first, end: columns.upperBound, style: style)
      blank(with: &pen)
    }
  }

  /// Changes the style of what stands in an area. A wide cluster half outside of it is changed
  /// whole.
  package mutating func restyle(_ area: ScreenArea, _ change: (inout CellStyle) -> Void) {
    for row in rows(of: area) {
      let columns = columns(of: area)
      guard var first = columns.first, var last = columns.last else { continue }
      if cells[row * size.width + first].width == 0 { first -= 1 }
      if cells[row * size.width + last].width == 2 { last += 1 }
      for column in first...last { change(&cells[row * size.width + column].style) }
    }
  }

  /// Those on the screen.
  func rows(of area: ScreenArea) -> Range<Int> {
    (area.row..<area.row.saturating(adding: area.height)).clamped(to: 0..<size.height)
  }

  func columns(of area: ScreenArea) -> Range<Int> {
    (area.column..<area.column.saturating(adding: area.width)).clamped(to: 0..<size.width)
  }
}
