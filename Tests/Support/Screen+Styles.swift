import TerminalScreen

extension Screen {
  /// Each row's styles, one letter per cell: `.` for plain, others in order of appearance. A legend
  /// follows the rows.
  package var styleLines: [String] {
    var letters: [CellStyle: Character] = [.plain: "."]
    var legend: [String] = []
    var unused = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[...]
    let rows = (0..<size.height).map { row in
      String(
        (0..<size.width).compactMap { self[row: row, column: $0]?.style }.map { style in
          if let letter = letters[style] { return letter }
          let letter = unused.popFirst() ?? "?"
          letters[style] = letter
          legend.append("\(letter) = \(style)")
          return letter
        })
    }
    return rows + legend
  }
}
