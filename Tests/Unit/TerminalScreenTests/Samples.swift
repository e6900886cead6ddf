import TestSupport

/// What strangers may send, with a liking for what is hard.
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
