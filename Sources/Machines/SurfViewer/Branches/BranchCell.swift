/// One place of the lines beside a list.
package struct BranchCell: Hashable, Sendable {
  /// To which sides a line leads.
  package struct Sides: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let up = Sides(rawValue: 1)
    package static let down = Sides(rawValue: 2)
    package static let left = Sides(rawValue: 4)
    package static let right = Sides(rawValue: 8)
  }

  package enum Dot: Hashable, Sendable {
    case row
    /// A row from whose origin no line leads here.
    case beginning
    /// Lines that have no room pass by.
    case more
  }

  package internal(set) var sides: Sides = []
  package internal(set) var dot: Dot?

  init() {}

  /// As a character of boxes.
  package var glyph: Character {
    switch dot {
    case .row: "●"
    case .beginning: "○"
    case .more: "┊"
    case nil: Self.lines[sides] ?? "┼"
    }
  }

  private static let lines: [Sides: Character] = [
    []: " ", [.up, .down]: "│", [.left, .right]: "─", [.left, .down]: "╮", [.right, .down]: "╭",
    [.left, .right, .down]: "┬", [.down]: "╷",
  ]
}
