/// Where `Screen` writes the next cluster.
struct Pen {
  let row: Int
  /// May be left of the screen; clusters there are clipped.
  var column: Int
  /// The first column not to write.
  let end: Int
  let style: CellStyle
}

extension Screen {
  /// Writes a text up to the pen's end, with a mark where it is cut.
  mutating func write(_ text: String, with pen: inout Pen) {
    // The last column waits until it is known whether more follows.
    var waiting: Cell?
    defer { if let waiting { place(waiting, with: &pen) } }
    // Two more octets than fit: what follows may combine with the last one, which is cut anyway.
    let beginning = text.utf8.prefix(pen.end - pen.column + 2)
    if beginning.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
      for code in beginning {
        guard take(Cell(ascii: code, pen.style), &waiting, with: &pen) else { return }
      }
      return
    }
    for piece in VisiblePieces(of: text) {
      switch piece {
      case .cluster(let cluster):
        let width = textWidth.columns(cluster)
        if hasOnlyASCII {
          let sign = Self.plainSigns[cluster] ?? cluster.asciiValue ?? 0x3F
          for _ in 0..<width {
            guard take(Cell(ascii: sign, pen.style), &waiting, with: &pen) else { return }
          }
          continue
        }
        let cell = Cell(
          String(cluster), width: UInt8(width), isDoubtful: textWidth.isDoubtful(cluster),
          pen.style)
        guard take(cell, &waiting, with: &pen) else { return }
      case .escape(let escape):
        for code in escape.utf8 {
          guard take(Cell(ascii: code, pen.style), &waiting, with: &pen) else { return }
        }
      }
    }
  }

  /// What our own signs look like in ASCII. Each has as many columns as before; the signs of others
  /// are question marks.
  private static let plainSigns: [Character: UInt8] = {
    let signs: [(String, String)] = [
      ("▸▾◆◇●○│─━", ">v@o*o|-="), ("→←⇄↑↓⤺…", "><=^v<."), ("·–—×✓░≥‹›", "---x+#><>"),
      ("▁▂▃▄▅▆▇", ".,:;il|"),
    ]
    let pairs = signs.flatMap { zip($0.0, $0.1.utf8) }
    return Dictionary(pairs) { first, _ in first }
  }()

  /// Blanks up to the pen's end.
  mutating func blank(with pen: inout Pen) {
    pen.column = max(pen.column, 0)
    while pen.column < pen.end { place(Cell(ascii: 0x20, pen.style), with: &pen) }
  }

  /// Places a cell, or keeps it waiting if it reaches the end. False once the text is cut.
  private mutating func take(_ cell: Cell, _ waiting: inout Cell?, with pen: inout Pen) -> Bool {
    let isLast = pen.column + Int(cell.width) >= pen.end
    guard waiting != nil || isLast else {
      place(cell, with: &pen)
      return true
    }
    if waiting == nil, pen.column + Int(cell.width) == pen.end {
      waiting = cell
      return true
    }
    waiting = nil
    cut(with: &pen)
    return false
  }

  private mutating func cut(with pen: inout Pen) {
    let mark = Character(isASCII ? ">" : "…")
    let cell = Cell(
      String(mark), width: 1, isDoubtful: textWidth.isDoubtful(mark), pen.style)
    place(cell, with: &pen)
    blank(with: &pen)
  }

  /// Places a cell and moves the pen. Half-overwritten wide clusters become a space.
  mutating func place(_ cell: Cell, with pen: inout Pen) {
    let column = pen.column
    pen.column += Int(cell.width)
    guard column >= 0 else {
      // Blank the visible half.
      if pen.column > 0 { set(Cell(ascii: 0x20, pen.style), pen.row, 0) }
      return
    }
    set(cell, pen.row, column)
    if cell.width == 2 { set(.second(cell.style), pen.row, column + 1) }
  }

  private mutating func set(_ cell: Cell, _ row: Int, _ column: Int) {
    let index = row * size.width + column
    let old = cells[index]
    if old.width == 2, column + 1 < size.width { cells[index + 1] = Cell(ascii: 0x20, old.style) }
    if old.width == 0, cell.width != 0, column > 0 {
      cells[index - 1] = Cell(ascii: 0x20, cells[index - 1].style)
    }
    cells[index] = cell
  }
}

extension Int {
  /// Saturates, because a caller may pass any place.
  func saturating(adding other: Int) -> Int {
    let (sum, hasOverflown) = addingReportingOverflow(other)
    return hasOverflown ? (other < 0 ? .min : .max) : sum
  }
}
