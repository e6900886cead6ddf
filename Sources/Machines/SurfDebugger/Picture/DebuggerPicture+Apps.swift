import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen

extension DebuggerPicture {
  /// Draws the table of all apps over the panes.
  mutating func drawApps() {
    guard case .apps(let table) = model.overlay else { return }
    let width = layout.size.width
    screen.fill(ScreenArea(row: 1, column: 0, width: width, height: layout.bottomRule))
    screen.putHorizontalRule(at: 2, 0, width: width, .dim)
    screen.putHorizontalRule(at: layout.bottomRule, 0, width: width, .dim)
    let all = model.appLines(in: catalog)
    let lines = table.arranged(all)
    drawTitle(of: table, lines.count, of: all.count)
    guard !lines.isEmpty else {
      let text = all.isEmpty ? "no app is here yet" : "no app passes the filter"
      write(text, at: 3, 1, .dim, widthMax: width - 2)
      return
    }
    let columns = AppColumns(lines, width: width - 2) { self.columns($0) }
    drawHead(columns, table)
    let index = table.index(in: lines)
    let height = model.appTableHeight
    let first = max(0, min(index - height / 2, lines.count - height))
    for (offset, line) in lines.dropFirst(first).prefix(height).enumerated() {
      draw(line, columns, at: 4 + offset)
      if first + offset == index {
        screen.restyle(ScreenArea(row: 4 + offset, column: 0, width: width)) {
          $0.traits.insert(.reverse)
        }
      }
    }
  }

  private mutating func drawTitle(of table: AppTable, _ count: Int, of all: Int) {
    let apps = countText(all, "app")
    let typed = table.field.text
    guard table.isTyping || !typed.isEmpty else {
      let order = table.sorting.map { "by \($0.rawValue)" } ?? "in the order of the tabs"
      let turned = table.isReversed ? ", turned round" : ""
      write("\(apps) \(order)\(turned)", at: 1, 1, .dim, widthMax: layout.size.width - 2)
      return
    }
    let start = screen.put("apps with: ", at: 1, 1, .bold)
    let end = write(typed, at: 1, start, widthMax: layout.size.width / 2)
    if table.isTyping { screen.cursor = ScreenPlace(row: 1, column: end) }
    write(
      "   \(count) of \(apps)", at: 1, end, .dim, widthMax: max(0, layout.size.width - 1 - end))
  }

  /// The titles, with the letters that sort underlined.
  private mutating func drawHead(_ columns: AppColumns, _ table: AppTable) {
    for (column, start, width) in columns.places {
      let title = AppColumns.title(column)
      let text = column == table.sorting ? title + (table.isReversed ? "▲" : "▼") : title
      let begin = column.isNumber ? start + width - self.columns(text) : start
      write(text, at: 3, begin, .dim, widthMax: width + 1)
      guard let offset = Array(title.lowercased()).firstIndex(of: column.key) else { continue }
      screen.restyle(ScreenArea(row: 3, column: begin + offset, width: 1)) {
        $0 = CellStyle.bold.adding(.underline)
      }
    }
  }

  private mutating func draw(_ line: AppLine, _ columns: AppColumns, at row: Int) {
    let isShown = line.session == model.app
    let style: CellStyle = isShown ? .bold : line.isLive ? .plain : .dim
    for (column, start, width) in columns.places {
      let text = line.text(column)
      let begin = column.isNumber ? start + max(0, width - self.columns(text)) : start
      var cell = style
      if column == .errors, line.cells[.errors]?.number ?? 0 > 0 { cell.colour = .red }
      if column == .trust, line.text(.trust) != "sealed", line.cells[.trust] != nil {
        cell.colour = .yellow
      }
      write(text, at: row, begin, cell, widthMax: width)
    }
  }
}

/// Which columns of the table fit, and where.
private struct AppColumns {
  private(set) var places: [(column: AppTable.Column, start: Int, width: Int)] = []

  /// The columns that a narrow screen leaves out, in this order.
  private static let leaving: [AppTable.Column] = [
    .viewers, .realm, .trust, .driver, .host, .action, .errors, .rate,
  ]
  private static let widthMax = 24
  private static let gap = 2

  static func title(_ column: AppTable.Column) -> String { column.rawValue.uppercased() }

  init(_ lines: [AppLine], width: Int, measure: (String) -> Int) {
    var columns = AppTable.Column.allCases
    var widths: [AppTable.Column: Int] = [:]
    for column in columns {
      let cells = lines.map { measure($0.text(column)) }
      // The sign of the order follows the title.
      widths[column] = min(Self.widthMax, max(measure(Self.title(column)) + 1, cells.max() ?? 0))
    }
    func sum() -> Int {
      columns.reduce(0) { $0 + (widths[$1] ?? 0) } + Self.gap * (columns.count - 1)
    }
    for column in Self.leaving where sum() > width { columns.removeAll { $0 == column } }
    let surplus = max(0, sum() - width)
    widths[.name, default: 0] -= surplus
    var start = 1
    for column in columns {
      places.append((column, start, max(1, widths[column] ?? 0)))
      start += (widths[column] ?? 0) + Self.gap
    }
  }
}
