import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen

extension DebuggerPicture {
  /// The lines beside an item of the list: two futures of a row are two lines.
  mutating func drawBranches(_ item: TimelineItem, at line: Int, _ columns: ListColumns) {
    guard columns.gutter > 0 else { return }
    let cells =
      switch item {
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
  /// For a terminal without boxes.
  fileprivate var plainGlyph: Character {
    switch dot {
    case .row: "*"
    case .beginning: "o"
    case .more: ":"
    case nil: sides.isEmpty ? " " : sides == [.up, .down] ? "|" : sides.contains(.down) ? "+" : "-"
    }
  }
}
