/// A place of a screen: what stands there, and how it looks. Only `Screen` makes cells, of text
/// that it has escaped.
package struct Cell: Hashable, Sendable {
  /// One grapheme cluster; empty in the second column of a wide one.
  package internal(set) var cluster: String
  package internal(set) var style: CellStyle
  /// 1 or 2; 0 in the second column of a wide cluster.
  package internal(set) var width: UInt8
  /// Whether terminals disagree on its width.
  package internal(set) var isDoubtful: Bool

  static let blank = Cell(ascii: 0x20, .plain)

  /// `code` is of printable ASCII.
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

  /// Whether nothing is seen, as after erasing.
  var looksBlank: Bool { cluster == " " && style.isPlainOnBlank }

  /// The second column of a wide cluster.
  static func second(_ style: CellStyle) -> Cell { Cell("", width: 0, style) }
}
