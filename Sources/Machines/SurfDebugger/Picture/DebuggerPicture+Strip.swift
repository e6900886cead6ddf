import SurfBasics
import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen

extension DebuggerPicture {
  /// The strip: records over time, gaps, search hits, and where the cursor, app, base and marks
  /// are.
  mutating func drawStrip() {
    guard let row = layout.strip, let timeline = instance?.timeline,
      let strip = Sparkline(timeline, width: layout.size.width - 28, looks: looks)
    else { return }
    let clock = model.setting.secondsFromGMT
    let times = [timeline.rows.first, timeline.rows.last].map {
      String(clockText($0?.record.wallTime ?? 0, secondsFromGMT: clock).prefix(8))
    }
    screen.put(times[0], at: row, 1, .dim)
    let first = 10
    for (offset, glyph) in strip.glyphs.enumerated() {
      let isGap = glyph == Sparkline.gap
      screen.put(String(glyph), at: row, first + offset, isGap ? .colour(.yellow) : .dim)
    }
    addTarget(.strip(strip, column: first), at: row, first..<(first + strip.glyphs.count))
    screen.put(times[1], at: row, first + strip.glyphs.count + 1, .dim)
    func put(_ glyph: String, _ number: SequenceNumber, _ style: CellStyle) {
      if let place = strip.place(of: self.row(number, in: timeline)) {
        screen.put(glyph, at: row, first + place, style)
      }
    }
    for hit in (view.find?.hits ?? []).suffix(500) {
      guard let place = strip.place(of: self.row(hit, in: timeline)) else { continue }
      screen.restyle(ScreenArea(row: row, column: first + place, width: 1)) {
        $0.traits.insert(.reverse)
      }
    }
    for mark in view.marks.rows.suffix(500) { put("m", mark, .colour(.magenta)) }
    if let base = view.base { put("B", base, .colour(.cyan)) }
    if case .record(let number) = timeline.position {
      let isLive = instance?.status == .live
      put(isLive ? "◆" : "◇", number, isLive ? .colour(.green) : .dim)
    }
    put("▸", view.selection.place.number, .bold)
  }
}

/// A histogram of the records over time, drawn by `DebuggerPicture.drawStrip`.
struct Sparkline {
  static let gap: Character = "░"
  static let levels = Array(" ▁▂▃▄▅▆▇")

  let glyphs: [Character]
  private let start: UInt64
  private let step: UInt64

  /// Nil if the time span or the width is too small.
  init?(_ timeline: Timeline, width: Int, looks: LookCount) {
    let rows = timeline.rows
    guard width > 4, let start = rows.first?.record.uptime, let last = rows.last?.record.uptime,
      last > start
    else { return nil }
    let step = max(1, (last &- start) / UInt64(width) + 1)
    (self.start, self.step) = (start, step)
    // An app's clock may go backwards; then a column's end may precede its start. Records come at a
    // steady rate, so that a column is about as high as the one before. Rows are compared in their
    // place: a copy retains a dozen references, and this was a fifth of a frame.
    var ends = [0]
    for column in 1...width {
      let guess = 2 * ends[column - 1] - (column > 1 ? ends[column - 2] : 0)
      let end = rows.indices.partitionPoint(near: guess) {
        looks.add()
        return rows[$0].record.uptime >= start &+ step &* UInt64(column)
      }
      ends.append(end)
    }
    let counts = zip(ends, ends.dropFirst()).map { max(0, $1 - $0) }
    let most = max(1, counts.max() ?? 1)
    glyphs = zip(ends, counts).map { first, count in
      let upper = min(first + count, rows.count - 1)
      if first <= upper, !timeline.lost.runs.isEmpty,
        !timeline.lost.intersection(rows[first].number...rows[upper].number).isEmpty
      {
        return Self.gap
      }
      return count == 0 ? Self.levels[0] : Self.levels[1 + (count * 6) / most]
    }
  }

  /// The first visible row in a column or after it.
  func row(in column: Int, of timeline: Timeline) -> SequenceNumber? {
    guard glyphs.indices.contains(column) else { return nil }
    let time = start &+ step &* UInt64(column)
    let index = timeline.rows.partitionPoint { $0.record.uptime >= time }
    return timeline.rows[index...].first { !$0.isHidden }?.number
  }

  /// The column of a row.
  func place(of row: Row?) -> Int? {
    guard let record = row?.record, record.uptime >= start else { return nil }
    let place = Int(clamping: (record.uptime &- start) / step)
    return place < glyphs.count ? place : nil
  }
}

extension DebuggerPicture {
  /// Draws the branch lines beside an item of the list.
  mutating func drawBranches(_ item: TimelineItem, at line: Int, _ columns: ListColumns) {
    guard columns.gutter > 0 else { return }
    let cells =
      switch item {
      case .restarted: [BranchCell]()
      case .initial: view.branches.cells(beside: 0, isState: true)
      case .row(let row): view.branches.cells(beside: row.number, isState: row.isState)
      case .gap(let range), .notLoaded(let range):
        view.branches.cells(beside: range.lowerBound, isState: false)
      case .marker(let marker): view.branches.cells(behind: marker.afterRow)
      }
    for (offset, cell) in cells.enumerated() {
      let style: CellStyle = cell.dot == .row ? .plain : .colour(.blue)
      screen.put(
        String(screen.isASCII ? cell.plainGlyph : cell.glyph), at: line,
        ListColumns.branches + offset, style)
    }
  }
}

extension BranchCell {
  fileprivate var plainGlyph: Character {
    switch dot {
    case .row: "*"
    case .beginning: "o"
    case .more: ":"
    case nil: sides.isEmpty ? " " : sides == [.up, .down] ? "|" : sides.contains(.down) ? "+" : "-"
    }
  }
}
