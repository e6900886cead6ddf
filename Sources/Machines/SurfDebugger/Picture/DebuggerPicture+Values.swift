import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen

extension DebuggerPicture {
  mutating func drawValuesTitle(_ row: Int) {
    let values = view.values
    let text = Excerpt.text(values.filter, limit: 40)
    let filter = values.filter.isEmpty ? "" : "filter: \(text) · \(values.shownCount) of "
    let leftOut = instance?.values.leftOut ?? 0
    let rest = leftOut.isZero ? "" : " · \(leftOut) left out for want of room"
    let count = values.count == 1 ? "1 value" : "\(values.count) values"
    write(
      "live values · \(filter)\(count)\(rest)", at: row, 1,
      values.filter.isEmpty ? .dim : .colour(.yellow), widthMax: layout.size.width - 2)
  }

  mutating func drawValues(of instance: Instance) {
    guard let outline = view.values.outline, view.values.count > 0 else {
      let text =
        instance.values.isComplete
        ? "\(instance.label) shows no values" : "asking \(instance.label) for its values …"
      return put([DetailLine(text, .dim)], cursor: nil, in: layout.list, hasKeys: true)
    }
    let (lines, cursor) = window(of: outline, height: layout.list.height)
    put(lines, cursor: cursor, in: layout.list, hasKeys: true)
  }
}
