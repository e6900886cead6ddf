/// A picture of a terminal's whole screen. `DebuggerPicture` draws it, and `ScreenWriter` encodes
/// it.
///
/// Drawing never fails. It clips whatever lies outside of the screen, and escapes text, so that no
/// stranger's text can control the terminal.
package struct Screen: Equatable, Sendable {
  package let size: ScreenSize
  package let textWidth: TextWidth
  /// Whether to draw boxes and ellipses in ASCII.
  package let isASCII: Bool
  /// Whether the terminal can show nothing but ASCII.
  let hasOnlyASCII: Bool
  /// The terminal's cursor; nil hides it.
  package var cursor: ScreenPlace?
  /// Row by row.
  var cells: [Cell]

  /// A blank screen. If ambiguous clusters are wide, boxes would be, too, so they are drawn in
  /// ASCII.
  package init(_ size: ScreenSize, textWidth: TextWidth = TextWidth(), isASCII: Bool = false) {
    self.size = size
    self.textWidth = textWidth
    hasOnlyASCII = isASCII
    self.isASCII = isASCII || textWidth.isAmbiguousWide
    cells = Array(repeating: .blank, count: size.width * size.height)
  }

  package subscript(row row: Int, column column: Int) -> Cell? {
    guard 0..<size.height ~= row, 0..<size.width ~= column else { return nil }
    return cells[row * size.width + column]
  }

  /// Writes a text into one row, starting at a column.
  ///
  /// - Parameters:
  ///   - text: Escaped here. If it is too long, it is cut between clusters and ends with `…`.
  ///   - width: The columns to fill; the text is cut or padded. Nil for as many as the text needs.
  /// - Returns: The column after the text.
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

  package mutating func fill(_ area: ScreenArea, _ style: CellStyle = .plain) {
    for row in rows(of: area) {
      let columns = columns(of: area)
      guard let first = columns.first else { continue }
      var pen = Pen(row: row, column: first, end: columns.upperBound, style: style)
      blank(with: &pen)
    }
  }

  /// Changes the style of an area, including wide clusters that are half outside of it.
  package mutating func restyle(_ area: ScreenArea, _ change: (inout CellStyle) -> Void) {
    for row in rows(of: area) {
      let columns = columns(of: area)
      guard var first = columns.first, var last = columns.last else { continue }
      if cells[row * size.width + first].width == 0 { first -= 1 }
      if cells[row * size.width + last].width == 2 { last += 1 }
      for column in first...last { change(&cells[row * size.width + column].style) }
    }
  }

  /// The area's rows on the screen.
  func rows(of area: ScreenArea) -> Range<Int> {
    (area.row..<area.row.saturating(adding: area.height)).clamped(to: 0..<size.height)
  }

  func columns(of area: ScreenArea) -> Range<Int> {
    (area.column..<area.column.saturating(adding: area.width)).clamped(to: 0..<size.width)
  }
}

extension Screen {
  /// Each row as plain text without trailing blanks, for tests and dumps.
  package var lines: [String] {
    (0..<size.height).map { row in
      let cells = cells(of: row)
      return cells[..<cells.visibleEnd].map(\.cluster).joined()
    }
  }

  func cells(of row: Int) -> ArraySlice<Cell> {
    cells[(row * size.width)..<((row + 1) * size.width)]
  }
}

extension ArraySlice<Cell> {
  /// The index after the last cell that is not a plain blank.
  fileprivate var visibleEnd: Int { lastIndex { $0 != .blank }.map { $0 + 1 } ?? startIndex }
}

/// A screen's rows and columns, clamped to 1 to 1,000 each: a terminal may report anything.
package struct ScreenSize: Hashable, Sendable {
  static let sideMax = 1_000

  package let height: Int
  package let width: Int

  package init(width: Int, height: Int) {
    self.width = min(max(width, 1), Self.sideMax)
    self.height = min(max(height, 1), Self.sideMax)
  }
}

/// A place on a screen; the top left one is row 0, column 0.
package struct ScreenPlace: Hashable, Sendable {
  package var row: Int
  package var column: Int

  package init(row: Int, column: Int) {
    self.row = row
    self.column = column
  }
}

/// A rectangle of a screen, which may extend beyond it.
package struct ScreenArea: Hashable, Sendable {
  package var row: Int
  package var column: Int
  package var width: Int
  package var height: Int

  /// A negative width or height counts as 0.
  package init(row: Int, column: Int, width: Int, height: Int = 1) {
    self.row = row
    self.column = column
    self.width = max(width, 0)
    self.height = max(height, 0)
  }
}
