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

extension Screen {
  /// Each row as plain text, without the blanks at its end: for tests, and to dump a screen.
  package var lines: [String] {
    (0..<size.height).map { row in
      let cells = cells(of: row)
      return cells[..<cells.visibleEnd].map(\.cluster).joined()
    }
  }

  /// The styles of each row, a letter for each cell: `.` for plain, others in the order in which
  /// they come. After the rows, a line for each letter says which style it is.
  package var styleLines: [String] {
    var letters: [CellStyle: Character] = [.plain: "."]
    var legend: [String] = []
    let rows = (0..<size.height).map { row in
      String(
        cells(of: row).map { cell in
          if let letter = letters[cell.style] { return letter }
          let letter = Self.letter(legend.count)
          letters[cell.style] = letter
          legend.append("\(letter) = \(cell.style)")
          return letter
        })
    }
    return rows + legend
  }

  private static let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")

  private static func letter(_ index: Int) -> Character {
    index < letters.count ? letters[index] : "?"
  }

  func cells(of row: Int) -> ArraySlice<Cell> {
    cells[(row * size.width)..<((row + 1) * size.width)]
  }
}

extension ArraySlice<Cell> {
  /// After the last cell that is more than a blank without a style.
  fileprivate var visibleEnd: Int { lastIndex { $0 != .blank }.map { $0 + 1 } ?? startIndex }
}

/// Rows and columns of a screen, from 1 to 1,000 each: a terminal that says otherwise is not
/// believed.
package struct ScreenSize: Hashable, Sendable {
  static let sideMax = 1_000

  package let height: Int
  package let width: Int

  /// Brought within bounds.
  package init(width: Int, height: Int) {
    self.width = min(max(width, 1), Self.sideMax)
    self.height = min(max(height, 1), Self.sideMax)
  }

  /// All of it.
  package var area: ScreenArea { ScreenArea(row: 0, column: 0, width: width, height: height) }
}

/// A place on a screen; the upper left one is row 0, column 0.
package struct ScreenPlace: Hashable, Sendable {
  package var row: Int
  package var column: Int

  package init(row: Int, column: Int) {
    self.row = row
    self.column = column
  }
}

/// A rectangle of a screen. What lies outside of the screen is drawn nowhere.
package struct ScreenArea: Hashable, Sendable {
  package var row: Int
  package var column: Int
  package var width: Int
  package var height: Int

  /// A negative width or height is none.
  package init(row: Int, column: Int, width: Int, height: Int) {
    self.row = row
    self.column = column
    self.width = max(width, 0)
    self.height = max(height, 0)
  }
}
