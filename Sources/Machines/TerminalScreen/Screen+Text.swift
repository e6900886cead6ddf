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
