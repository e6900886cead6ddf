internal import TerminalScreen

/// A row of a pane. Its text cannot contain control sequences.
public struct PaneLine: Equatable, Sendable {
  /// Text in one style.
  public struct Run: Equatable, Sendable {
    /// Without control characters.
    public fileprivate(set) var text: String
    /// Whether it is bold.
    public let isBold: Bool
    /// Whether it is fainter than other text.
    public let isDim: Bool
    /// Whether it is underlined.
    public let isUnderlined: Bool
    /// Whether foreground and background are swapped.
    public let isReversed: Bool
    /// A colour of the terminal's palette, 0 to 15; nil for the terminal's own.
    public let colour: Int?
  }

  /// From left to right.
  public private(set) var runs: [Run] = []

  init(_ cells: [Cell]) {
    var style: CellStyle?
    for cell in cells {
      if cell.style == style {
        runs[runs.count - 1].text += cell.cluster
      } else {
        runs.append(Run(cell))
        style = cell.style
      }
    }
  }

  /// The text without styles, as wide as the pane.
  public var text: String { runs.map(\.text).joined() }
}

extension PaneLine.Run {
  fileprivate init(_ cell: Cell) {
    let traits = cell.style.traits
    self.init(
      text: cell.cluster, isBold: traits.contains(.bold), isDim: traits.contains(.dim),
      isUnderlined: traits.contains(.underline), isReversed: traits.contains(.reverse),
      colour: cell.style.colour.map { Int($0.rawValue) })
  }
}
