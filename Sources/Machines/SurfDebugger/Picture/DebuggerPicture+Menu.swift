import SurfViewer
import TerminalScreen

extension DebuggerPicture {
  /// Draws the help, the palette, or the list of apps to compare with.
  mutating func drawMenu() {
    guard case .menu(let menu) = model.overlay else { return }
    let width = min(menu.kind == .help ? 110 : 84, layout.size.width - 4)
    let lines = menu.lines
    let height = min(max(1, lines.count), layout.menuHeight) + 2
    let area = putBox(at: 1, width: width, height: height)
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
    if lines.isEmpty {
      let text = menu.row == nil ? "nothing has this name" : "Enter goes to row \(typed)"
      write(text, at: area.row + 1, area.column + 2, widthMax: width - 4)
    }
    let met = model.met(in: catalog)
    putLines(lines, chosen: lines.firstIndex(of: .choice(menu.index)), in: area) {
      picture, line, inner in
      switch line {
      case .heading(let group):
        picture.screen.put(group.rawValue, at: inner.row, inner.column + 1, .bold)
      case .choice(let index): picture.draw(menu.choices[index], of: menu, inner, met)
      }
    }
    if !menu.choices.isEmpty {
      let count = " \(menu.index + 1) of \(menu.choices.count) "
      let start = area.column + width - 2 - columns(count)
      screen.put(count, at: area.row + height - 1, start, .dim)
    }
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

  /// What Tab may make of a prompt's text.
  mutating func drawCandidates() {
    guard case .prompt(let prompt) = model.overlay else { return }
    if let remark = prompt.remark, isBoxed(remark) {
      let lines = folded(remark, width: boxWidth - 4).map {
        (text: $0, style: CellStyle.colour(.red))
      }
      return drawBox("not done", lines)
    }
    if prompt.choices.isEmpty { return }
    let roomMax = max(1, min(10, layout.bottomRule - 3))
    let count = prompt.choices.count
    let found = countText(count, prompt.question.isFile ? "file" : "choice")
    let area = putBox(
      count > roomMax ? "\(roomMax) of \(found)" : found, lineCount: min(count, roomMax))
    putLines(prompt.choices, chosen: prompt.chosen, in: area) {
      $0.write($1.label, at: $2.row, $2.column + 1, widthMax: $2.width - 2)
    }
  }

  /// Draws an empty box over the panes, centred unless `column` says where it begins.
  mutating func putBox(
    at row: Int, _ column: Int? = nil, width: Int, height: Int, _ style: CellStyle = .plain
  ) -> ScreenArea {
    let area = ScreenArea(
      row: row, column: column ?? (layout.size.width - width) / 2, width: width, height: height)
    screen.fill(area)
    screen.putBox(area, style)
    return area
  }

  private var boxWidth: Int { min(72, layout.size.width - 4) }

  /// Draws an empty box over the lower end of the panes.
  private mutating func putBox(_ title: String, lineCount: Int) -> ScreenArea {
    let height = min(lineCount + 2, layout.bottomRule)
    let area = putBox(at: layout.bottomRule - height, 2, width: boxWidth, height: height)
    screen.put(" \(title) ", at: area.row, area.column + 2, .bold)
    return area
  }

  private mutating func drawBox(_ title: String, _ lines: [(text: String, style: CellStyle)]) {
    let area = putBox(title, lineCount: lines.count)
    putLines(lines, chosen: nil, in: area) {
      $0.write($1.text, at: $2.row, $2.column + 1, $1.style, widthMax: $2.width - 2)
    }
    let rest = lines.count - (area.height - 2)
    if rest > 0 {
      screen.put(" \(rest) more ", at: area.row + area.height - 1, area.column + 2, .dim)
    }
  }

  /// Draws the lines that fit into a box, those around the chosen one, which gets the cursor.
  mutating func putLines<Line>(
    _ lines: [Line], chosen: Int?, in box: ScreenArea,
    _ draw: (inout DebuggerPicture, Line, ScreenArea) -> Void
  ) {
    let height = box.height - 2
    let first = max(0, min((chosen ?? 0) - height / 2, lines.count - height))
    for (offset, line) in lines.dropFirst(first).prefix(height).enumerated() {
      let inner = ScreenArea(
        row: box.row + 1 + offset, column: box.column + 1, width: box.width - 2)
      draw(&self, line, inner)
      if first + offset == chosen { drawCursor(inner, hasKeys: true) }
    }
  }

  /// The help has the keys on the left, as a table of them; the palette on the right, as a hint.
  private mutating func draw(
    _ choice: Menu.Choice, of menu: Menu, _ area: ScreenArea, _ met: Set<CommandNeed>
  ) {
    let canRun = choice.command.map { model.refusal(of: $0, met: met) == nil } ?? true
    let style: CellStyle = canRun && !choice.isGone ? .plain : .dim
    let keys = choice.keyText(menu.keys)
    let end = area.column + area.width - 1
    guard menu.kind == .help else {
      let keyStart = end - columns(keys)
      write(
        choice.title, at: area.row, area.column + 1, style, widthMax: keyStart - area.column - 3)
      screen.put(keys, at: area.row, keyStart, style.adding(.bold))
      return
    }
    let keyStart = area.column + 3
    let start = keyStart + (area.width < ScreenLayout.stackedMin ? 10 : 14)
    write(keys, at: area.row, keyStart, style.adding(.bold), widthMax: start - keyStart - 1)
    write(choice.title, at: area.row, start, style, widthMax: end - start)
  }

  /// Why the chosen command cannot run now, and its title, where the box may be too narrow for it.
  func menuMessage() -> String? {
    guard case .menu(let menu) = model.overlay, let command = menu.chosen?.command else {
      return nil
    }
    let title = command.spec.title
    if let refusal = model.refusal(of: command, met: model.met(in: catalog)) {
      return "\(refusal) · \(title)"
    }
    return layout.size.width < ScreenLayout.sideBySideMin ? title : nil
  }
}
