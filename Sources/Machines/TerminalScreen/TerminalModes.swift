/// The modes that `Terminal` switches on in a terminal while it shows screens, and the bytes for
/// that.
package struct TerminalModes: Equatable, Sendable {
  /// Kitty's keyboard protocol tells keys apart that otherwise send the same octets.
  private var hasKeyboard = false
  /// Mode 2027 measures text by clusters. Used where the terminal knows it and it is off.
  private var hasClusters = false
  /// Whether we get clicks and the scroll wheel, so that the mouse cannot select text.
  package var takesMouse = true
  /// Whether the last question was answered. No other answer will follow.
  package private(set) var areAnswered = false
  /// The background's luminance, from 0 to 1; nil if the terminal did not report it.
  package private(set) var luminance: Double?
  /// The columns of an ambiguous cluster; nil if the terminal did not report them.
  private var ambiguousColumns: Int?

  package init() {}

  /// Enters the alternate screen, hides the cursor, and turns line wrapping off. A cluster that is
  /// wider than we think must not shift the next row.
  package static let enter = Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l".utf8)

  /// Asks for synchronized output, clusters, the background, kitty's keyboard, and the cursor's
  /// place after an ambiguous cluster. Last, asks for the terminal's kind, which every terminal
  /// answers.
  package static let questions = Array(
    ("\u{1B}[?2026$p\u{1B}[?2027$p\u{1B}]11;?\u{1B}\\\u{1B}[?u"
      + "\u{1B}[\(testRow)H│\u{1B}[6n\u{1B}[c").utf8)

  /// In the first row the answer would look like a key.
  private static let testRow = 2

  package mutating func note(_ reply: TerminalReply) {
    switch reply {
    case .attributes: areAnswered = true
    case .keyboard: hasKeyboard = true
    case .mode(2027, .reset): hasClusters = true
    case .cursor(row: Self.testRow, let column) where 2...3 ~= column:
      ambiguousColumns = column - 1
    case .mode, .cursor: break
    case .background(let luminance): self.luminance = luminance
    }
  }

  /// The widths that the terminal reported. A person's setting that ambiguous clusters are wide
  /// wins.
  package func textWidth(of kind: TerminalKind) -> TextWidth {
    guard let ambiguousColumns else { return kind.textWidth }
    let isWide = ambiguousColumns == 2
    return TextWidth(
      isAmbiguousWide: isWide || kind.textWidth.isAmbiguousWide,
      isAmbiguousKnown: isWide || !kind.textWidth.isAmbiguousWide)
  }

  /// Switches on bracketed paste, focus events, the mouse with SGR coordinates, and what the
  /// terminal said it can do.
  package var on: [UInt8] {
    let text =
      "\u{1B}[?2004h\u{1B}[?1004h" + mouse
      + (hasClusters ? "\u{1B}[?2027h" : "") + (hasKeyboard ? "\u{1B}[>1u" : "")
    return Array(text.utf8)
  }

  package var mouseBytes: [UInt8] { Array((takesMouse ? mouse : Self.mouseOff).utf8) }

  private var mouse: String { takesMouse ? "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h" : "" }

  private static let mouseOff = "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l"

  /// Switches everything off, even if a sequence was cut short. Kitty's keyboard goes first,
  /// because each of the two screens has its own.
  package var off: [UInt8] {
    let text =
      "\u{18}" + (hasKeyboard ? "\u{1B}[<u" : "") + (hasClusters ? "\u{1B}[?2027l" : "")
      + Self.mouseOff + "\u{1B}[?1004l\u{1B}[?2004l\u{1B}[?2026l"
      + "\u{1B}[m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
    return Array(text.utf8)
  }
}
