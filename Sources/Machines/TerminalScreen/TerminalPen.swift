/// Encodes control sequences and clusters for `ScreenWriter`, and tracks the terminal's cursor and
/// style.
struct TerminalPen {
  private var bytes = Self.beginning
  private let width: Int
  private let hasColours: Bool
  private var row: Int?
  /// Nil where terminals disagree.
  private var column: Int?
  private var style = CellStyle.plain

  private static let beginning = Array("\u{1B}[?2026h".utf8)

  init(width: Int, hasColours: Bool) {
    self.width = width
    self.hasColours = hasColours
  }

  /// Erases the whole screen in the plain style.
  mutating func eraseAll() {
    bytes += "\u{1B}[m\u{1B}[2J".utf8
  }

  /// Writes a run's cells. If it erases first, skips long blanks.
  mutating func paint(_ run: RowChange.Run, of cells: ArraySlice<Cell>, at row: Int) {
    let first = run.columns.lowerBound
    let cells = cells.columns(run.columns)
    switch run.eraser {
    case .none: return write(cells, at: row, first)
    case .columns: erase(run.columns.count, at: row, first)
    case .restOfRow: erase(nil, at: row, first)
    }
    var index = cells.startIndex
    while index < cells.endIndex {
      let end = cells[index...].firstIndex { !$0.looksBlank } ?? cells.endIndex
      let isPassed =
        end == cells.endIndex || column == nil || end - index >= RowChange.blankCountMin
      let next = cells[end...].firstIndex(where: \.looksBlank) ?? cells.endIndex
      let start = isPassed ? end : index
      write(cells[start..<next], at: row, first + start - cells.startIndex)
      index = next
    }
  }

  /// Erases this many columns, or with nil the rest of the row. The cursor stays.
  private mutating func erase(_ count: Int?, at row: Int, _ column: Int) {
    move(to: row, column)
    // Some terminals erase in the current style.
    if !style.isPlainOnBlank { set(.plain) }
    if let count { command("X", count) } else { bytes += "\u{1B}[K".utf8 }
  }

  private mutating func move(to row: Int, _ column: Int) {
    guard row != self.row || column != self.column else { return }
    if row == self.row, let before = self.column, column > before {
      command("C", column - before)
    } else if row == self.row {
      command("G", column + 1)
    } else if column == 0 {
      command("H", row + 1)
    } else {
      command("H", row + 1, column + 1)
    }
    (self.row, self.column) = (row, column)
  }

  /// Writes whole clusters from a column on.
  private mutating func write(_ cells: ArraySlice<Cell>, at row: Int, _ first: Int) {
    var column = first
    for cell in cells where cell.width > 0 {
      // This emits a move only after a doubtful cluster, which leaves the cursor's column unknown.
      move(to: row, column)
      if !(cell.looksBlank && style.isPlainOnBlank) { set(cell.style) }
      bytes += cell.cluster.utf8
      column += Int(cell.width)
      // After its last column, a terminal delays moving the cursor.
      self.column = !cell.isDoubtful && column < width ? column : nil
    }
  }

  /// Resets the style and places the cursor. Returns nothing if nothing was written and the cursor
  /// has not moved.
  mutating func finish(cursor: ScreenPlace?, before: ScreenPlace?, isNew: Bool) -> [UInt8] {
    if bytes.count == Self.beginning.count, cursor == before { return [] }
    set(.plain)
    if let cursor {
      move(to: cursor.row, cursor.column)
      if before == nil { bytes += "\u{1B}[?25h".utf8 }
    } else if before != nil || isNew {
      bytes += "\u{1B}[?25l".utf8
    }
    return bytes + "\u{1B}[?2026l".utf8
  }

  /// Sets the style (SGR, ECMA-48 §8.3.117). Sends only what it adds to the current style. To
  /// remove anything, it starts over from the plain style, so no terminal needs codes that remove
  /// one trait.
  private mutating func set(_ new: CellStyle) {
    var new = new
    if !hasColours { new.colour = nil }
    guard new != style else { return }
    let adds = new.traits.isSuperset(of: style.traits) && (new.colour != nil || style.colour == nil)
    var codes = adds || new == .plain ? [] : ["0"]
    let traits = adds ? new.traits.subtracting(style.traits) : new.traits
    for (trait, code) in Self.codes where traits.contains(trait) { codes.append("\(code)") }
    if let colour = new.colour, !adds || colour != style.colour { codes.append("\(colour.code)") }
    style = new
    bytes += "\u{1B}[\(codes.joined(separator: ";"))m".utf8
  }

  private static let codes: [(CellStyle.Traits, Int)] = [
    (.bold, 1), (.dim, 2), (.underline, 4), (.reverse, 7), (.strike, 9),
  ]

  /// The number 1 is the default and omitted.
  private mutating func command(_ final: Unicode.Scalar, _ first: Int, _ second: Int? = nil) {
    let start = first == 1 && second == nil ? "" : "\(first)"
    bytes += "\u{1B}[\(start)\(second.map { ";\($0)" } ?? "")\(final)".utf8
  }
}

extension CellStyle.Colour {
  fileprivate var code: Int { rawValue < 8 ? 30 + Int(rawValue) : 82 + Int(rawValue) }
}
