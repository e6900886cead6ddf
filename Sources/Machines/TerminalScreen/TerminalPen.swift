/// Writes control sequences and clusters, and knows where the terminal's cursor then is.
struct TerminalPen {
  private var bytes = Array("\u{1B}[?2026h".utf8)
  private let width: Int
  private let hasColours: Bool
  private var row: Int?
  /// Nil where terminals differ.
  private var column: Int?
  private var style = CellStyle.plain

  init(width: Int, hasColours: Bool) {
    self.width = width
    self.hasColours = hasColours
  }

  /// Of the whole screen, in the plain style.
  mutating func eraseAll() {
    bytes += "\u{1B}[m\u{1B}[2J".utf8
  }

  /// From the cursor to the end of its row.
  mutating func eraseToEnd() {
    set(.plain)
    bytes += "\u{1B}[K".utf8
  }

  mutating func move(to row: Int, _ column: Int) {
    guard row != self.row || column != self.column else { return }
    if row == self.row {
      command("G", column + 1)
    } else if column == 0 {
      command("H", row + 1)
    } else {
      command("H", row + 1, column + 1)
    }
    (self.row, self.column) = (row, column)
  }

  /// Whole clusters, from a column on.
  mutating func write(_ cells: ArraySlice<Cell>, at row: Int, _ first: Int) {
    var column = first
    for cell in cells where cell.width > 0 {
      // After a doubtful one, and nowhere else in a row, the cursor may be anywhere in it.
      move(to: row, column)
      set(cell.style)
      bytes += cell.cluster.utf8
      column += Int(cell.width)
      // In its last column a terminal waits with the cursor for what comes next.
      self.column = !cell.isDoubtful && column < width ? column : nil
    }
  }

  /// Leaves the plain style and the cursor where it belongs.
  mutating func finish(cursor: ScreenPlace?, wasShown: Bool, isNew: Bool) -> [UInt8] {
    set(.plain)
    if let cursor {
      move(to: cursor.row, cursor.column)
      if !wasShown { bytes += "\u{1B}[?25h".utf8 }
    } else if wasShown || isNew {
      bytes += "\u{1B}[?25l".utf8
    }
    return bytes + "\u{1B}[?2026l".utf8
  }

  /// SGR (ECMA-48 §8.3.117), from the plain style on: no terminal then needs to know how to leave
  /// a single trait.
  private mutating func set(_ new: CellStyle) {
    var new = new
    if !hasColours { new.colour = nil }
    guard new != style else { return }
    style = new
    bytes += "\u{1B}[".utf8
    if new != .plain { bytes += "0".utf8 }
    for (trait, code) in Self.codes where new.traits.contains(trait) { bytes += ";\(code)".utf8 }
    if let colour = new.colour {
      bytes +=
        ";\(colour.rawValue < 8 ? 30 + Int(colour.rawValue) : 82 + Int(colour.rawValue))".utf8
    }
    bytes.append(0x6D)
  }

  private static let codes: [(CellStyle.Traits, Int)] = [
    (.bold, 1), (.dim, 2), (.underline, 4), (.reverse, 7),
  ]

  private mutating func command(_ final: Unicode.Scalar, _ first: Int, _ second: Int? = nil) {
    bytes += "\u{1B}[\(first)\(second.map { ";\($0)" } ?? "")\(final)".utf8
  }
}
