import JSONTools
import TerminalScreen

/// A line of the detail pane, or of the live values, before it is fitted into the pane.
struct DetailLine {
  typealias Part = (text: String, style: CellStyle)

  var parts: [Part]
  var indent = 0
  /// Whether it is wrapped even where long lines are cut.
  var wraps = false
  /// What the part before the last one is; nil if that keeps its length.
  var label: Label?

  /// A label that gives way to the value behind it.
  enum Label {
    case key
    case path(JSONPath, isChanged: Bool)
  }

  init(_ text: String, _ style: CellStyle = .plain, indent: Int = 0) {
    self.init([(text, style)], indent: indent)
  }

  init(_ parts: [Part], indent: Int = 0, wraps: Bool = false) {
    (self.parts, self.indent, self.wraps) = (parts, indent, wraps)
  }
}

extension DebuggerPicture {
  /// The lines around an outline's cursor, and the cursor's index among them. Formats only lines
  /// that may fit.
  ///
  /// - Parameter head: lines above the outline.
  func window(
    of outline: Outline, below head: [DetailLine] = [], height: Int,
    _ line: (OutlineLine) -> DetailLine
  ) -> ([DetailLine], Int?) {
    let first = max(0, outline.index - height)
    let head = first == 0 ? head : []
    let shown = outline.lines.dropFirst(first).prefix(2 * height)
    return (head + shown.map(line), head.count + outline.index - first)
  }

  /// Draws lines so that the cursor's is in the middle, or as near as there are lines.
  mutating func put(
    _ lines: [DetailLine], cursor: Int?, in area: ScreenArea, hasKeys: Bool
  ) {
    let rows = lines.enumerated().flatMap { index, line in
      fitted(line, area.width).map { (line: index, row: $0) }
    }
    let top = rows.firstIndex { $0.line == cursor } ?? 0
    let end = rows.lastIndex { $0.line == cursor }.map { $0 + 1 } ?? 0
    let middle = max(0, min(top - area.height / 2, rows.count - area.height))
    // All of the cursor's line, or as much as there is room for.
    let start = min(top, max(middle, end - area.height))
    for (offset, entry) in rows.dropFirst(start).prefix(area.height).enumerated() {
      put(entry.row, at: area.row + offset, area)
      if entry.line == cursor, hasKeys, model.overlay == nil {
        let whole = ScreenArea(row: area.row + offset, column: area.column, width: area.width)
        drawCursor(whole, hasKeys: true)
      }
    }
  }

  private mutating func put(_ line: DetailLine, at row: Int, _ area: ScreenArea) {
    let end = area.column + area.width
    var column = area.column + 1 + min(line.indent, area.width / 2)
    for part in line.parts where column < end {
      column = write(part.text, at: row, column, part.style, widthMax: end - column)
    }
  }

  /// The rows of the screen that a line takes.
  func fitted(_ line: DetailLine, _ width: Int) -> [DetailLine] {
    if model.wraps || line.wraps { return wrapped(line, width) }
    guard view.detail.shift == 0 else { return [shifted(line)] }
    // A hit is where it would be in the whole line.
    return [view.detail.search == nil ? shortened(line, width) : line]
  }

  /// Shortens the label of a line that is too long, so that its value is in sight.
  private func shortened(_ line: DetailLine, _ width: Int) -> DetailLine {
    guard let label = line.label, let last = line.parts.indices.last else { return line }
    let room = width - 1 - min(line.indent, width / 2)
    let excess = line.parts.reduce(0) { $0 + columns($1.text) } - room
    guard excess > 0 else { return line }
    var line = line
    let (text, value) = (line.parts[last - 1].text.dropLast(2), line.parts[last].text)
    let most = max(room * 2 / 3 - 4, columns(String(text)) - excess)
    let shown =
      switch label {
      case .key: Excerpt.text(String(text), limit: most - 1)
      case .path(let path, _): fitted(path, most)
      }
    if shown.count < text.count { line.parts[last - 1].text = "\(shown): " }
    if case .path(_, isChanged: true) = label {
      let used = line.parts.dropLast().reduce(0) { $0 + columns($1.text) }
      line.parts[last].text = change(value, fittedTo: room - used)
    }
    return line
  }

  /// Long keys are shortened first, as those of a dictionary by id, and the last one last.
  private func fitted(_ path: JSONPath, _ width: Int) -> String {
    // A key may be as long as a state, and a path as deep.
    var path = JSONPath(
      path.elements.suffix(32).map { element in
        if case .key(let key) = element { .key(Excerpt.text(key, limit: 80)) } else { element }
      })
    for (index, element) in path.elements.enumerated() where columns("\(path)") > width {
      guard case .key(let key) = element, key.utf8.count > 12 else { continue }
      path.elements[index] = .key(Excerpt.text(key, limit: 8))
    }
    return fittedToEnd("\(path)", width)
  }

  /// Cuts the old value of a change, so that the new one is in sight, too.
  private func change(_ values: String, fittedTo width: Int) -> String {
    guard columns(values) > width, let arrow = values.firstRange(of: " → ") else { return values }
    let (old, new) = (values[..<arrow.lowerBound], values[arrow.upperBound...])
    let most = max((width - 3) / 2, width - 3 - columns(String(new)))
    return "\(Excerpt.text(String(old), limit: max(1, most - 1))) → \(new)"
  }

  private func shifted(_ line: DetailLine) -> DetailLine {
    var left = max(0, view.detail.shift - line.indent)
    let isCut = left > 0 && line.parts.contains { !$0.text.isEmpty }
    // The sign takes a column.
    if isCut { left += 1 }
    let parts = line.parts.map { part -> DetailLine.Part in
      var rest = Substring(left > 0 ? escaped(part.text) : part.text)
      while left > 0, let first = rest.first {
        left -= screen.textWidth.columns(first)
        rest.removeFirst()
      }
      return (String(rest), part.style)
    }
    return DetailLine(
      (isCut ? [("…", .dim)] : []) + parts, indent: max(0, line.indent - view.detail.shift))
  }

  /// Breaks a line after the last blank that fits, or else where it ends.
  private func wrapped(_ line: DetailLine, _ width: Int) -> [DetailLine] {
    let room = max(1, width - 1 - min(line.indent, width / 2))
    guard line.parts.reduce(0, { $0 + columns($1.text) }) > room else { return [line] }
    var rows: [[DetailLine.Part]] = [[]]
    var left = room
    for part in line.parts {
      var rest = Substring(escaped(part.text))
      while !rest.isEmpty {
        let piece = beginning(of: rest, columns: left, isFirst: left == room)
        rows[rows.count - 1].append((String(piece), part.style))
        left -= columns(String(piece))
        rest = rest[piece.endIndex...]
        guard !rest.isEmpty else { break }
        rows.append([])
        left = room
      }
    }
    return rows.map { DetailLine($0, indent: line.indent) }
  }

  /// - Parameter isFirst: whether the row is empty, so that at least one cluster must go there.
  private func beginning(of text: Substring, columns room: Int, isFirst: Bool) -> Substring {
    var width = 0
    var end = text.startIndex
    var blank: Substring.Index?
    while end < text.endIndex {
      width += screen.textWidth.columns(text[end])
      guard width <= room else { break }
      let isBlank = text[end] == " "
      end = text.index(after: end)
      if isBlank { blank = end }
    }
    if end == text.endIndex { return text }
    if end == text.startIndex, isFirst { end = text.index(after: end) }
    return text[..<(blank ?? end)]
  }
}
