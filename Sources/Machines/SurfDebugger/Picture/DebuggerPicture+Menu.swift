import SurfViewer
import TerminalScreen

extension DebuggerPicture {
  /// Draws the help, the palette, or the list of apps to compare with.
  mutating func drawMenu() {
    guard case .menu(let menu) = model.overlay else { return }
    let width = min(72, layout.size.width - 4)
    let height = min(menu.choices.count + 4, layout.bottomRule - 1)
    let area = ScreenArea(
      row: 1, column: (layout.size.width - width) / 2, width: width, height: height)
    screen.fill(area)
    screen.putBox(area)
    let label =
      switch menu.kind {
      case .help: " help: "
      case .palette: " do: "
      case .comparison: " compare with: "
      }
    let column = screen.put(label, at: area.row, area.column + 2, .bold)
    let typed = menu.field.text
    let room = width - (column - area.column) - 3
    let end = screen.put(typed, at: area.row, column, .bold, width: min(room, columns(typed) + 1))
    screen.cursor = ScreenPlace(row: area.row, column: max(column, end - 1))
    drawChoices(menu, area)
  }

  /// The keys that may follow the first of two strokes.
  mutating func drawPrefix() {
    guard case .prefix(let key) = model.overlay else { return }
    let met = model.met(in: catalog)
    let keys = model.personal.keys
    let lines = keys.begun(by: key).map { next, command in
      let refusal = model.refusal(of: command, met: met)
      let why = refusal.map { " (\($0))" } ?? ""
      let style: CellStyle = refusal == nil ? .plain : .dim
      return (text: "\(next.label)  \(command.spec.title)\(why)", style: style)
    }
    drawBox(key.label, lines)
  }

  /// The completions of a path.
  mutating func drawCandidates() {
    guard case .prompt(let prompt) = model.overlay, !prompt.candidates.isEmpty else { return }
    let roomMax = max(1, min(10, layout.bottomRule - 3))
    let shown = prompt.candidates.prefix(roomMax).map { (text: $0, style: CellStyle.plain) }
    let count = prompt.candidates.count
    drawBox(count > roomMax ? "\(roomMax) of \(count) files" : "\(count) files", shown)
  }

  /// A box over the lower end of the panes.
  mutating func drawBox(_ title: String, _ lines: [(text: String, style: CellStyle)]) {
    let height = min(lines.count + 2, layout.bottomRule)
    let width = min(72, layout.size.width - 4)
    let area = ScreenArea(
      row: layout.bottomRule - height, column: 2, width: width, height: height)
    screen.fill(area)
    screen.putBox(area)
    screen.put(" \(title) ", at: area.row, area.column + 2, .bold)
    for (offset, line) in lines.prefix(height - 2).enumerated() {
      write(line.text, at: area.row + 1 + offset, area.column + 2, line.style, widthMax: width - 4)
    }
  }

  private mutating func drawChoices(_ menu: Menu, _ area: ScreenArea) {
    let height = area.height - 2
    let met = model.met(in: catalog)
    let first = max(0, min(menu.index - height / 2, menu.choices.count - height))
    if menu.choices.isEmpty {
      screen.put("nothing has this name", at: area.row + 1, area.column + 2)
    }
    for (offset, choice) in menu.choices.dropFirst(first).prefix(height).enumerated() {
      let row = area.row + 1 + offset
      let inner = ScreenArea(
        row: row, column: area.column + 1, width: area.width - 2, height: 1)
      var style = CellStyle.plain
      var title = choice.title
      if case .command(let command) = choice, let refusal = model.refusal(of: command, met: met) {
        style = .dim
        title += " (\(refusal))"
      }
      if menu.isGone(choice) {
        style = .dim
        title += " ○ gone"
      }
      screen.put(
        choice.keyText(menu.keys), at: row, inner.column + 1, style.adding(.bold), width: 14)
      write(title, at: row, inner.column + 16, style, widthMax: inner.width - 17)
      if first + offset == menu.index { drawCursor(inner, hasKeys: true) }
    }
  }
}
