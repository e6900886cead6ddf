import TerminalScreen

extension DebuggerPicture {
  /// The question over the panes: what is to be done, what is lost, who sees it.
  mutating func drawConsent() {
    guard case .consent(let consent) = model.overlay else { return }
    let width = min(64, layout.size.width - 4)
    let heightMax = layout.bottomRule - 1
    var lines = consent.facts.flatMap { [""] + folded($0, width: width - 4) }
    // What is lost comes before what looks good.
    if lines.count + 4 > heightMax { lines.removeAll { $0.isEmpty } }
    let height = min(lines.count + 4, heightMax)
    if lines.count > height - 3, height > 3 { lines[height - 4] += " …" }
    let area = ScreenArea(
      row: max(1, (layout.size.height - height) / 3), column: (layout.size.width - width) / 2,
      width: width, height: height)
    screen.fill(area)
    screen.putBox(area, .colour(.yellow))
    write(" \(consent.question) ", at: area.row, area.column + 2, .bold, widthMax: width - 4)
    for (offset, line) in lines.prefix(height - 3).enumerated() {
      write(line, at: area.row + 1 + offset, area.column + 2, widthMax: width - 4)
    }
  }

  /// A text as lines of whole words; a word that is too long is cut where it is drawn.
  private func folded(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, columns(last) + 1 + columns(String(word)) <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
