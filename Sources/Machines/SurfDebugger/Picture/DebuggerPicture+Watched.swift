import JSONTools
import SurfTimeline
import SurfWire
import TerminalScreen

extension DebuggerPicture {
  /// The paths above their columns, and below them the course of the numbers on screen.
  mutating func drawWatchedTitles(_ columns: ListColumns, _ window: ListWindow) {
    let places = view.watched.places.prefix(columns.watchCount)
    guard let title = layout.listTitle, !places.isEmpty else { return }
    let rows = window.numbers
    for (index, place) in places.enumerated() {
      let column = columns.watched(index)
      let width = ListColumns.watchWidth - 1
      screen.put(
        fittedToEnd("\(place)", width), at: title, column, .bold, width: width)
      let numbers = rows.compactMap { view.watched[$0]?[index].number }
      guard numbers.count > 1 else { continue }
      screen.put(Sparkline.course(of: numbers, width: width), at: title + 1, column, .colour(.cyan))
    }
  }

  /// - Parameter before: for each row, the values in the row before, which are not highlighted.
  mutating func drawWatched(
    _ row: SequenceNumber, _ holdsState: Bool, at line: Int, _ columns: ListColumns,
    _ before: [SequenceNumber: [WatchedValue]]
  ) {
    let (values, before) = (view.watched[row], before[row])
    for index in 0..<columns.watchCount {
      let value = values?[index]
      let isNew = before != nil && value != nil && before?[index] != value
      screen.put(
        value?.text ?? (holdsState ? "…" : "?"), at: line, columns.watched(index),
        value == nil ? .dim : isNew ? .colour(.yellow) : .plain, width: ListColumns.watchWidth - 1)
    }
  }
}

extension Row {
  /// Not what only reports the initial state.
  var mayHaveState: Bool {
    holdsState || record.kind.movesApp && !record.isDescription
  }
}

extension Sparkline {
  /// Numbers as a line of bars, the newest last; of more numbers than columns, one in each.
  static func course(of numbers: [Double], width: Int) -> String {
    let count = min(width, numbers.count)
    let shown = (0..<count).map { numbers[numbers.count * ($0 + 1) / count - 1] }
    guard let low = shown.min(), let high = shown.max() else { return "" }
    let bars = levels.dropFirst()
    // The difference of two numbers may be infinite; that of their halves cannot.
    let scale = (high - low).isFinite ? 1.0 : 0.5
    let span = high * scale - low * scale
    return String(
      shown.map { number in
        let share = span > 0 ? (number * scale - low * scale) / span : 0
        return bars[bars.startIndex + Int(share * Double(bars.count - 1))]
      })
  }
}
