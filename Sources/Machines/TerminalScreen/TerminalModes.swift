/// What is switched on in a terminal while it shows screens, and off again.
package struct TerminalModes: Equatable, Sendable {
  /// Kitty's protocol tells keys apart that others send alike.
  private var hasKeyboard = false
  /// Mode 2027 measures by clusters; on where it is known and off.
  private var hasClusters = false
  /// Whether clicks and the wheel come here, and select no text.
  package var takesMouse = true
  /// Whether the last question was answered, and so all were that ever will be.
  package private(set) var areAnswered = false
  /// How light the background is, from 0 to 1; nil if the terminal did not say.
  package private(set) var luminance: Double?
  /// Columns of an ambiguous cluster; nil if the terminal did not say.
  private var ambiguousColumns: Int?

  package init() {}

  /// The other screen, without a cursor, and without lines that wrap: a cluster that is wider than
  /// we think must not move the next row.
  package static let enter = Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l".utf8)

  /// Synchronized output, clusters, the background, kitty's keyboard; where the cursor is behind an
  /// ambiguous cluster; and the terminal's kind, which every one answers, and after the others.
  package static let questions = Array(
    ("\u{1B}[?2026$p\u{1B}[?2027$p\u{1B}]11;?\u{1B}\\\u{1B}[?u"
      + "\u{1B}[\(testRow)H│\u{1B}[6n\u{1B}[c").utf8)

  /// Not the first, where the answer would be a key's.
  private static let testRow = 2

  /// Takes an answer.
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

  /// As the terminal measures; but a person who said that ambiguous clusters are wide has seen it.
  package func textWidth(of kind: TerminalKind) -> TextWidth {
    guard let ambiguousColumns else { return kind.textWidth }
    let isWide = ambiguousColumns == 2
    return TextWidth(
      isAmbiguousWide: isWide || kind.textWidth.isAmbiguousWide,
      isAmbiguousKnown: isWide || !kind.textWidth.isAmbiguousWide)
  }

  /// Pastes in brackets, focus, clicks and drags with SGR's numbers, and what was answered.
  package var on: [UInt8] {
    let text =
      "\u{1B}[?2004h\u{1B}[?1004h" + mouse
      + (hasClusters ? "\u{1B}[?2027h" : "") + (hasKeyboard ? "\u{1B}[>1u" : "")
    return Array(text.utf8)
  }

  /// For the mouse alone.
  package var mouseBytes: [UInt8] { Array((takesMouse ? mouse : Self.mouseOff).utf8) }

  private var mouse: String { takesMouse ? "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h" : "" }

  private static let mouseOff = "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l"

  /// Everything off, in the middle of whatever was being written. Kitty's keyboard goes first: each
  /// of the two screens has one of its own.
  package var off: [UInt8] {
    let text =
      "\u{18}" + (hasKeyboard ? "\u{1B}[<u" : "") + (hasClusters ? "\u{1B}[?2027l" : "")
      + Self.mouseOff + "\u{1B}[?1004l\u{1B}[?2004l\u{1B}[?2026l"
      + "\u{1B}[m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
    return Array(text.utf8)
  }
}
