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
          legend.append("\(letter) = \(style.words)")
          return letter
        })
    }
    return rows + legend
  }
}

extension CellStyle {
  /// Such as `bold reverse red`, or `plain`.
  fileprivate var words: String {
    let names: [(Traits, String)] = [
      (.bold, "bold"), (.dim, "dim"), (.underline, "underline"), (.reverse, "reverse"),
      (.strike, "strike"),
    ]
    let words = names.filter { traits.contains($0.0) }.map(\.1) + [colour.map { "\($0)" } ?? ""]
    let text = words.filter { !$0.isEmpty }.joined(separator: " ")
    return text.isEmpty ? "plain" : text
  }
}
