import TerminalScreen
import TestSupport

/// Bytes that strangers may send, with a preference for hard ones.
enum Samples {
  static let hard: [Unicode.Scalar] = [
    "\u{1B}", "[", "m", ";", "\n", "\r", "\t", "\0", "\u{9B}", "\u{7F}", "\u{200B}", "\u{200D}",
    "\u{FE0F}", "\u{FE0E}", "\u{301}", "\u{302A}", "\u{202E}", "\u{E0041}", "\u{E007F}", "🏴", "👩",
    "👍", "🏼", "🇩", "🇪", "❤", "⚠", "日", "한", "ᄒ", "ᅡ", "ᆫ", "क", "्", "ष", "ा", "│", "…", "1",
    "\u{20E3}", "a", "é", "\u{E000}", "\u{600}", "\u{3164}", "\u{10FFFF}",
  ]

  static func scalar(_ random: inout SeededGenerator) -> Unicode.Scalar {
    if Bool.random(using: &random) { return hard.randomElement(using: &random) ?? "a" }
    return Unicode.Scalar(UInt32.random(in: 0...0x1FFFF, using: &random)) ?? "?"
  }
}

extension Samples {
  static func size(_ random: inout SeededGenerator) -> ScreenSize {
    ScreenSize(
      width: Int.random(in: 1...40, using: &random), height: Int.random(in: 1...8, using: &random))
  }

  static func screen(_ size: ScreenSize, _ random: inout SeededGenerator) -> Screen {
    var screen = Screen(size)
    for _ in 0..<5 { change(&screen, &random) }
    return screen
  }

  /// Draws one thing, anywhere.
  static func change(_ screen: inout Screen, _ random: inout SeededGenerator) {
    let row = Int.random(in: 0..<screen.size.height, using: &random)
    let column = Int.random(in: -2..<screen.size.width, using: &random)
    let width = Int.random(in: 0...12, using: &random)
    let area = ScreenArea(row: row, column: column, width: width, height: width / 3)
    switch Int.random(in: 0..<10, using: &random) {
    case 0: screen.fill(area, style(&random))
    case 1: screen.fill(area)
    case 2: screen.putBox(area, style(&random))
    case 3: screen.restyle(area) { $0 = $0.adding(.reverse) }
    case 4: screen.cursor = nil
    case 5: screen.cursor = ScreenPlace(row: row, column: max(column, 0))
    default:
      var text = ""
      let isPlain = Bool.random(using: &random)
      for _ in 0..<width {
        text.unicodeScalars.append(
          isPlain ? "abc日 ".unicodeScalars.randomElement(using: &random)! : scalar(&random))
      }
      screen.put(
        text, at: row, column, style(&random), width: Bool.random(using: &random) ? width : nil)
    }
  }

  static func style(_ random: inout SeededGenerator) -> CellStyle {
    guard Bool.random(using: &random) else { return .plain }
    return CellStyle(
      CellStyle.Traits(rawValue: UInt8.random(in: 0...31, using: &random)),
      Bool.random(using: &random) ? CellStyle.Colour.allCases.randomElement(using: &random) : nil)
  }
}
