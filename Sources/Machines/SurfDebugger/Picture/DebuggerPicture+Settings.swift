import TerminalScreen

extension DebuggerPicture {
  mutating func drawSettings() {
    let pane: SettingsPane
    switch model.overlay {
    case .settings(let shown): pane = shown
    case .prompt(let prompt):
      guard let shown = prompt.question.pane else { return }
      pane = shown
    case .menu, .consent, .prefix, .plain, nil: return
    }
    let lines = model.personal.lines
    let width = min(90, layout.size.width - 4)
    let height = min(lines.count + 2, layout.bottomRule - 1)
    let area = ScreenArea(
      row: 1, column: (layout.size.width - width) / 2, width: width, height: height)
    screen.fill(area)
    screen.putBox(area)
    write(
      " settings · Enter edits, an empty text is the default ", at: area.row, area.column + 2,
      .bold, widthMax: width - 4)
    let first = max(0, min(pane.index - (height - 2) / 2, lines.count - (height - 2)))
    for (offset, line) in lines.dropFirst(first).prefix(height - 2).enumerated() {
      draw(line, at: area.row + 1 + offset, area, isChosen: first + offset == pane.index)
    }
  }

  private mutating func draw(
    _ line: PersonalSettings.Line, at row: Int, _ area: ScreenArea, isChosen: Bool
  ) {
    let inner = ScreenArea(row: row, column: area.column + 1, width: area.width - 2, height: 1)
    let half = inner.width * 2 / 5
    write(line.name, at: row, inner.column + 1, widthMax: half - 2)
    let end = write(
      line.value.isEmpty ? "none" : line.value, at: row, inner.column + half, .colour(.cyan),
      widthMax: inner.width - half - 12)
    let style: CellStyle = line.isOverridden ? .colour(.yellow) : .dim
    write(
      "  (\(line.origin))", at: row, end, style, widthMax: inner.column + inner.width - end)
    if isChosen { screen.restyle(inner) { $0.traits.insert(.reverse) } }
  }
}
