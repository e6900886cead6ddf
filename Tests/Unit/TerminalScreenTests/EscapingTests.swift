import TerminalScreen
import TestSupport
import Testing

@Suite struct EscapingTests {
  @Test(arguments: [
    ("todo: Milk", "todo: Milk"), ("a\nb\tc\r", "a\\nb\\tc\\r"), ("\r\n", "\\r\\n"),
    ("\u{1B}[2J\u{9B}31m\u{7F}\0", "\\u{1b}[2J\\u{9b}31m\\u{7f}\\u{0}"),
    ("a\u{202E}b\u{2066}c\u{200F}", "a\\u{202e}b\\u{2066}c\\u{200f}"),
    // Unseen alone, and seen inside of a cluster.
    ("a\u{200B}b\u{2060}\u{FEFF}", "a\\u{200b}b\\u{2060}\\u{feff}"),
    ("\u{200D}", "\\u{200d}"), ("👩‍👧", "👩‍👧"), ("\u{301}", "\\u{301}"), ("e\u{301}", "e\u{301}"),
    ("\u{FE0F}", "\\u{fe0f}"), ("❤️", "❤️"), ("so\u{AD}ft", "so\\u{ad}ft"),
    ("\u{3164}", "\\u{3164}"), ("\u{E000}", "\u{E000}"), ("\u{600}1", "\u{600}1"),
    // Letters that nobody sees, and the flag of Wales.
    ("a\u{E0068}\u{E0069}", "a\\u{e0068}\\u{e0069}"), ("🏴󠁧󠁢󠁷󠁬󠁳󠁿", "🏴󠁧󠁢󠁷󠁬󠁳󠁿"),
  ])
  func `what nobody would see is seen`(text: String, shown: String) {
    #expect(escaped(text) == shown)
    #expect(Array(escaped(text).unicodeScalars) == Array(shown.unicodeScalars))
    #expect(escaped(escaped(text)) == shown, "twice is once")
  }

  @Test func `a cluster is no hiding-place`() {
    let marks = String(repeating: "\u{301}", count: 1_000)
    let shown = escaped("a" + marks)
    #expect(shown.unicodeScalars.starts(with: "a\u{301}\u{301}".unicodeScalars))
    #expect(shown.hasSuffix("\\u{301}"))
    #expect(shown.allSatisfy { $0.unicodeScalars.count <= 16 })
    // And no long work for a short row.
    var screen = Screen(ScreenSize(width: 10, height: 1))
    screen.put("a" + marks, at: 0, 0)
    #expect(screen.lines[0].count == 10)
  }

  @Test func `no text brings a control character to the screen`() {
    var random = SeededGenerator(seed: 13)
    for _ in 0..<2_000 {
      var text = ""
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        text.unicodeScalars.append(Samples.scalar(&random))
      }
      let shown = escaped(text)
      #expect(escaped(shown) == shown, "\(Array(text.unicodeScalars))")
      #expect(!shown.unicodeScalars.contains { $0.value < 0x20 || 0x7F..<0xA0 ~= $0.value })
      #expect(shown.allSatisfy { TextWidth().columns($0) > 0 }, "\(Array(text.unicodeScalars))")
      var screen = Screen(ScreenSize(width: 80, height: 1))
      let end = screen.put(text, at: 0, 0)
      #expect(end == min(TextWidth().columns(shown), 80), "\(Array(text.unicodeScalars))")
    }
  }
}
