import StateSurfDebugger

/// What the program shows: its own panel, and the debugger beside it.
struct Picture: Equatable {
  /// Columns of the program's own panel.
  static let panelWidth = 26

  let rows: Int
  let state: Tally.State
  let hasDebuggerKeys: Bool
  let pane: [PaneLine]

  /// One string, so that the terminal never shows half of it.
  var text: String {
    let panel = [
      "", " count \(state.count)", " steps \(state.steps)", "", " + -  count", " q    quit",
      " ^T   \(hasDebuggerKeys ? "keys to the counter" : "keys to the debugger")",
    ]
    return (0..<rows).map { row in
      let line = row < panel.count ? panel[row] : ""
      let own = line + String(repeating: " ", count: max(0, Self.panelWidth - line.count))
      let debugger = row < pane.count ? Self.text(pane[row]) : ""
      return "\u{1B}[\(row + 1)H\u{1B}[m\(own)\u{1B}[2m│\(debugger)\u{1B}[m"
    }.joined()
  }

  private static func text(_ line: PaneLine) -> String {
    line.runs.map { "\u{1B}[\(codes($0))m\($0.text)" }.joined()
  }

  /// ECMA-48 §8.3.117: what a run looks like.
  private static func codes(_ run: PaneLine.Run) -> String {
    let traits = [
      (run.isBold, 1), (run.isDim, 2), (run.isUnderlined, 4), (run.isReversed, 7),
      (run.isStruck, 9),
    ]
    let colour = run.colour.map { [$0 < 8 ? 30 + $0 : 82 + $0] } ?? []
    let codes = [0] + traits.filter(\.0).map(\.1) + colour
    return codes.map(String.init).joined(separator: ";")
  }
}
