import TerminalScreen
import Testing

@Suite struct TextWidthTests {
  @Test(arguments: [
    ("", 0), ("count", 5), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("ﾊﾝ", 2), ("한글", 4),
    // Marks beside a letter, as most terminals draw them.
    ("की", 2), ("क्ष", 2), ("ﾊﾞ", 2), ("ก็", 1),
    // Flags and their halves.
    ("🇩🇪", 2), ("🇩", 1), ("🏴󠁧󠁢󠁷󠁬󠁳󠁿", 2),
    // Pictures of two columns, and what only looks like one.
    ("⌚⏩☔⚡✅✨❌➕⭐🀄", 20), ("🌡🌶🏋🖥", 4), ("⚠❤", 2), ("⚠️❤️", 4), ("1️⃣#️⃣", 4),
    ("👍🏼", 2), ("👩‍👩‍👧‍👦", 2), ("❤️‍🔥", 2), ("🏳️‍🌈", 2),
    // Boxes and arrows.
    ("│─┼", 3), ("▸◆…", 3), ("Ω±", 2),
    ("\u{301}", 0), ("\u{200B}", 0), ("\u{FEFF}", 0), ("\u{200D}", 0), ("\u{AD}", 0),
  ])
  func `clusters have the width that terminals draw`(text: String, width: Int) {
    #expect(TextWidth().columns(text) == width)
  }

  @Test func `among the signs, only what Unicode hides takes no column`() {
    func isHidden(_ sign: Unicode.Scalar) -> Bool {
      let properties = sign.properties
      return switch properties.generalCategory {
      case .control, .nonspacingMark, .enclosingMark, .spacingMark, .format, .lineSeparator,
        .paragraphSeparator, .surrogate:
        true
      default: properties.isDefaultIgnorableCodePoint || properties.isGraphemeExtend
      }
    }
    for sign in (0x2000...0x2FFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init) {
      let isUnseen = TextWidth().columns(Character(sign)) == 0
      #expect(isUnseen == isHidden(sign), "U+\(String(sign.value, radix: 16))")
    }
  }

  @Test func `ambiguous ones are as wide as the person says`() {
    let wide = TextWidth(isAmbiguousWide: true)
    #expect(wide.columns("│◆Ω") == 6)
    #expect(wide.columns("aé日🇩🇪") == 7)
  }

  @Test func `where terminals differ, the cursor is doubted`() {
    for text in ["⚠️", "⚠", "❤️", "👍🏼", "👩‍👩‍👧", "🇩🇪", "🇩", "│", "…", "⌚\u{FE0E}", "क्ष", "का", "\u{E0B0}"] {
      #expect(text.allSatisfy(TextWidth().isDoubtful), "\(text)")
    }
    for text in ["a", "日", "한", "e\u{301}", "日\u{302A}", "⌚", "✅", "😀", "ñ"] {
      #expect(!text.contains(where: TextWidth().isDoubtful), "\(text)")
    }
  }

  @Test func `where the terminal has said how wide ambiguous ones are, only pictures are doubted`()
  {
    let known = TextWidth(isAmbiguousKnown: true)
    for text in ["│", "…", "▸", "◆", "é", "漢"] {
      #expect(!text.contains(where: known.isDoubtful), "\(text)")
    }
    for text in ["⚠️", "☎", "👍🏼", "🇩", "\u{E0B0}", "→\u{FE0F}"] {
      #expect(text.allSatisfy(known.isDoubtful), "\(text)")
    }
  }
}
