/// A cell's traits and colour. It never sets a background colour, so that a person's theme stays
/// readable.
package struct CellStyle: Hashable, Sendable {
  /// Traits of any terminal, with or without colours.
  package struct Traits: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let bold = Traits(rawValue: 1)
    package static let dim = Traits(rawValue: 2)
    package static let underline = Traits(rawValue: 4)
    package static let reverse = Traits(rawValue: 8)
    /// Terminals that cannot strike text out show it plain.
    package static let strike = Traits(rawValue: 16)
  }

  /// The 16 palette colours, which follow the person's theme, in the order of their numbers.
  package enum Colour: UInt8, CaseIterable, Sendable {
    case black, red, green, yellow, blue, magenta, cyan, white
    case brightBlack, brightRed, brightGreen, brightYellow
    case brightBlue, brightMagenta, brightCyan, brightWhite
  }

  package var traits: Traits
  /// Nil for the terminal's own.
  package var colour: Colour?

  package init(_ traits: Traits = [], _ colour: Colour? = nil) {
    self.traits = traits
    self.colour = colour
  }

  package static let plain = CellStyle()
  package static let bold = CellStyle(.bold)
  package static let dim = CellStyle(.dim)

  /// A colour without traits.
  package static func colour(_ colour: Colour) -> CellStyle { CellStyle([], colour) }

  /// Whether a blank in this style looks like a plain one.
  var isPlainOnBlank: Bool { traits.isDisjoint(with: [.underline, .reverse, .strike]) }

  package func adding(_ traits: Traits) -> CellStyle {
    CellStyle(self.traits.union(traits), colour)
  }
}

/// A cell of a screen. Only `Screen` creates cells, from text that it has escaped.
package struct Cell: Hashable, Sendable {
  /// One grapheme cluster; empty in the second column of a wide one.
  package internal(set) var cluster: String
  package internal(set) var style: CellStyle
  /// 1 or 2; 0 in the second column of a wide cluster.
  package internal(set) var width: UInt8
  /// Whether terminals disagree on its width.
  package internal(set) var isDoubtful: Bool

  static let blank = Cell(ascii: 0x20, .plain)

  /// `code` must be printable ASCII.
  init(ascii code: UInt8, _ style: CellStyle) {
    self.init(String(Unicode.Scalar(code)), width: 1, style)
  }

  init(_ cluster: String, width: UInt8, isDoubtful: Bool = false, _ style: CellStyle) {
    self.cluster = cluster
    self.style = style
    self.width = width
    self.isDoubtful = isDoubtful
  }

  /// Whether a person sees no difference.
  func looks(like other: Cell) -> Bool { self == other || looksBlank && other.looksBlank }

  /// Whether it looks erased.
  var looksBlank: Bool { cluster == " " && style.isPlainOnBlank }

  static func second(_ style: CellStyle) -> Cell { Cell("", width: 0, style) }
}
