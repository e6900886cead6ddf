import TerminalScreen
import TestSupport
import Testing

@Suite struct ScreenTests {
  private func screen(_ width: Int, _ height: Int = 1) -> Screen {
    Screen(ScreenSize(width: width, height: height))
  }

  @Test func `text stands where it is put, in its style`() {
    var screen = screen(12, 2)
    let end = screen.put("row", at: 1, 2, .colour(.red))
    screen.put("13", at: 1, 6, CellStyle([.bold, .reverse], .brightBlue))
    #expect(end == 5)
    #expect(screen.lines == ["", "  row 13"])
    #expect(
      screen.styleLines == [
        "............", "..aaa.bb....", "a = red", "b = bold reverse brightBlue",
      ])
  }

  @Test(arguments: [
    ("increment", 9, "increment"), ("increment", 8, "increme…"), ("increment", 1, "…"),
    ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 3, "日…"),
    ("日本語", 2, "…"), ("日本語", 1, "…"), ("a👩‍👩‍👧b", 4, "a👩‍👩‍👧b"), ("a👩‍👩‍👧b", 3, "a…"),
    ("e\u{301}e\u{301}", 2, "e\u{301}e\u{301}"), ("e\u{301}e\u{301}e", 2, "e\u{301}…"),
    ("a\nb", 3, "a\\…"), ("abc\u{301}", 3, "abc\u{301}"), ("abc\u{301}d", 3, "ab…"), ("", 3, ""),
  ])
  func `text is cut between clusters, with a mark`(text: String, width: Int, shown: String) {
    var wide = screen(20)
    wide.put(text, at: 0, 3, width: width)
    #expect(wide.lines == [shown.isEmpty ? "" : "   " + shown])
    // The end of the screen cuts as well.
    var narrow = screen(width)
    narrow.put(text, at: 0, 0)
    #expect(narrow.lines == [shown])
  }

  @Test func `a width is taken whole, also by a short text`() {
    var screen = screen(8)
    screen.put("########", at: 0, 0)
    let end = screen.put("ab", at: 0, 1, CellStyle(.reverse), width: 4)
    #expect(end == 5)
    #expect(screen.lines == ["#ab  ###"])
    #expect(screen.styleLines == [".aaaa...", "a = reverse"])
  }

  @Test func `half of a wide cluster is never left`() {
    var screen = screen(6)
    screen.put("日本語", at: 0, 0)
    screen.put("x", at: 0, 1)
    screen.put("y", at: 0, 4)
    #expect(screen.lines == [" x本y"])
    screen.put("語", at: 0, 1)
    #expect(screen.lines == [" 語 y"])
    screen.fill(ScreenArea(row: 0, column: 2, width: 1, height: 1))
    #expect(screen.lines == ["    y"])
  }

  @Test func `what lies outside of the screen is left out`() {
    var screen = screen(4, 2)
    screen.put("abcdef", at: 0, -2)
    screen.put("日x", at: 1, -1)
    for place in [(-1, 0), (2, 0), (0, 4), (0, Int.max), (0, Int.min), (Int.min, Int.min)] {
      screen.put("never seen", at: place.0, place.1, width: place.1 < 0 ? 3 : nil)
      screen.put("never seen", at: place.0, place.1 == .min ? .max : place.1, width: .max)
    }
    for area in [
      ScreenArea(row: .max, column: .max, width: .max, height: .max),
      ScreenArea(row: .min, column: .min, width: 5, height: 5),
      ScreenArea(row: 0, column: 0, width: -1, height: 2),
    ] {
      screen.fill(area)
      screen.putBox(area)
      screen.restyle(area) { $0 = .bold }
    }
    #expect(screen.lines == ["cdef", " x"])
    #expect(screen.styleLines == ["....", "...."])
    #expect(screen[row: 2, column: 0] == nil && screen[row: 0, column: -1] == nil)
  }

  @Test func `lines that meet are joined`() {
    var screen = screen(7, 5)
    screen.putBox(ScreenArea(row: 0, column: 0, width: 7, height: 5))
    screen.putHorizontalRule(at: 2, 0, width: 7)
    screen.putVerticalRule(at: 0, 3, height: 5)
    #expect(screen.lines == ["┌──┬──┐", "│  │  │", "├──┼──┤", "│  │  │", "└──┴──┘"])
  }

  @Test(arguments: [
    Screen(ScreenSize(width: 5, height: 3), isASCII: true),
    Screen(ScreenSize(width: 5, height: 3), textWidth: TextWidth(isAmbiguousWide: true)),
  ])
  func `boxes are of ASCII where others would be too wide`(screen: Screen) {
    var screen = screen
    screen.putBox(ScreenArea(row: 0, column: 0, width: 5, height: 3))
    screen.putVerticalRule(at: 0, 2, height: 3)
    screen.put("xyz", at: 1, 3, width: 2)
    #expect(screen.lines == ["+-+-+", "| |x>", "+-+-+"])
  }

  @Test func `a terminal of ASCII gets nothing else, in as many columns`() {
    var screen = Screen(ScreenSize(width: 16, height: 4), isASCII: true)
    let ends = ["▸ ◆ 日本 é → ×", "\u{200B}x", "日本語日本語日本語"].enumerated().map { row, text in
      screen.put(text, at: row, 0)
    }
    screen.putHorizontalRule(at: 3, 0, width: 16)
    screen.putHeavyRule(at: 3, 4, width: 8)
    #expect(
      screen.lines == ["> @ ???? ? > x", #"\u{200b}x"#, "???????????????>", "----========----"])
    #expect(ends == [14, 9, 16])
  }

  @Test func `a line that stands out leaves what it meets`() {
    var screen = screen(7, 3)
    screen.putHorizontalRule(at: 1, 0, width: 7)
    screen.putVerticalRule(at: 0, 3, height: 3)
    screen.putHeavyRule(at: 1, 0, width: 6, .colour(.green))
    #expect(screen.lines == ["   │", "━━━┼━━─", "   │"])
  }

  @Test func `a style is changed without the text`() {
    var screen = screen(6)
    screen.put("a日b", at: 0, 0, .colour(.green))
    screen.restyle(ScreenArea(row: 0, column: 2, width: 2, height: 1)) {
      $0 = $0.adding(.reverse)
    }
    #expect(screen.lines == ["a日b"])
    #expect(screen.styleLines == ["abbb..", "a = green", "b = reverse green"])
  }

  @Test(arguments: [
    (0, 1), (-5, 1), (80, 80), (1_000, 1_000), (1_001, 1_000), (Int.max, 1_000), (Int.min, 1),
  ])
  func `a terminal is as large as one can be`(side: Int, believed: Int) {
    let size = ScreenSize(width: side, height: side)
    #expect(size.width == believed && size.height == believed)
  }
}
