/// The directions of a cell's lines.
package struct RuleWays: OptionSet, Hashable, Sendable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let up = RuleWays(rawValue: 1)
  package static let down = RuleWays(rawValue: 2)
  package static let left = RuleWays(rawValue: 4)
  package static let right = RuleWays(rawValue: 8)

  /// Indexed by raw value.
  private static let glyphs = " │││─┘┐┤─└┌├─┴┬┼".map { String($0) }

  /// The line in a cell, so that lines that meet are joined. In ASCII, a text's sign is mistaken
  /// for a line.
  fileprivate static func of(_ cluster: String, isASCII: Bool) -> RuleWays {
    // The usual case.
    if cluster == " " { return [] }
    guard isASCII else {
      return RuleWays(rawValue: glyphs.lastIndex(of: cluster) ?? 0)
    }
    switch cluster {
    case "-": return [.left, .right]
    case "|": return [.up, .down]
    case "+": return [.up, .down, .left, .right]
    default: return []
    }
  }

  fileprivate var glyph: String { Self.glyphs[rawValue] }

  fileprivate var asciiGlyph: String {
    switch self {
    case [.left, .right], .left, .right: "-"
    case [.up, .down], .up, .down: "|"
    default: "+"
    }
  }
}

extension Screen {
  /// Draws a horizontal line. Either end joins a line that is there already, so draw a line that
  /// continues first.
  package mutating func putHorizontalRule(
    at row: Int, _ column: Int, width: Int, _ style: CellStyle = .plain
  ) {
    let area = ScreenArea(row: row, column: column, width: width)
    let last = area.column.saturating(adding: area.width - 1)
    for column in columns(of: area) {
      let ways: RuleWays = [column > area.column ? .left : [], column < last ? .right : []]
      join(ways, [.left, .right], row, column, style)
    }
  }

  /// Draws a vertical line, joined like a horizontal one.
  package mutating func putVerticalRule(
    at row: Int, _ column: Int, height: Int, _ style: CellStyle = .plain
  ) {
    let area = ScreenArea(row: row, column: column, width: 1, height: height)
    let last = area.row.saturating(adding: area.height - 1)
    for row in rows(of: area) {
      let ways: RuleWays = [row > area.row ? .up : [], row < last ? .down : []]
      join(ways, [.up, .down], row, column, style)
    }
  }

  /// Draws a horizontal line that stands out, over one that is there. Where that meets other lines,
  /// it stays.
  package mutating func putHeavyRule(
    at row: Int, _ column: Int, width: Int, _ style: CellStyle = .plain
  ) {
    let area = ScreenArea(row: row, column: column, width: width)
    for column in columns(of: area) {
      guard let cell = self[row: row, column: column],
        RuleWays.of(cell.cluster, isASCII: isASCII).isSubset(of: [.left, .right])
      else { continue }
      put(isASCII ? "=" : "━", row, column, style)
    }
  }

  /// Draws a frame just inside an area; nothing if it is less than two wide or high.
  package mutating func putBox(_ area: ScreenArea, _ style: CellStyle = .plain) {
    guard area.width > 1, area.height > 1 else { return }
    let bottom = area.row.saturating(adding: area.height - 1)
    let right = area.column.saturating(adding: area.width - 1)
    putHorizontalRule(at: area.row, area.column, width: area.width, style)
    putHorizontalRule(at: bottom, area.column, width: area.width, style)
    putVerticalRule(at: area.row, area.column, height: area.height, style)
    putVerticalRule(at: area.row, right, height: area.height, style)
    draw([.down, .right], area.row, area.column, style)
    draw([.down, .left], area.row, right, style)
    draw([.up, .right], bottom, area.column, style)
    draw([.up, .left], bottom, right, style)
  }

  /// Draws one cell of a line: `ways` if it meets another line, else `through`.
  private mutating func join(
    _ ways: RuleWays, _ through: RuleWays, _ row: Int, _ column: Int, _ style: CellStyle
  ) {
    guard let old = self[row: row, column: column] else { return }
    let other = RuleWays.of(old.cluster, isASCII: isASCII)
    draw(other.isEmpty ? through : ways.union(other), row, column, style)
  }

  private mutating func draw(_ ways: RuleWays, _ row: Int, _ column: Int, _ style: CellStyle) {
    put(isASCII ? ways.asciiGlyph : ways.glyph, row, column, style)
  }

  /// Nearly every cell of a rule looks like the one before it.
  private mutating func put(_ glyph: String, _ row: Int, _ column: Int, _ style: CellStyle) {
    guard self[row: row, column: column] != nil else { return }
    if let before = self[row: row, column: column - 1], before.cluster == glyph,
      before.style == style
    {
      var pen = Pen(row: row, column: column, end: column + 1, style: style)
      return place(before, with: &pen)
    }
    put(glyph, at: row, column, style, width: 1)
  }
}
