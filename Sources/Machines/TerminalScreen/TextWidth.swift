/// How many columns text takes on a terminal, counted by grapheme cluster.
package struct TextWidth: Hashable, Sendable {
  /// Whether what Unicode calls East Asian Ambiguous, as boxes and arrows are, takes two columns.
  package var isAmbiguousWide: Bool
  /// Whether the terminal has said so; else it may be otherwise.
  package var isAmbiguousKnown: Bool

  /// Ambiguous clusters take one column, unless said otherwise.
  package init(isAmbiguousWide: Bool = false, isAmbiguousKnown: Bool = false) {
    self.isAmbiguousWide = isAmbiguousWide
    self.isAmbiguousKnown = isAmbiguousKnown
  }

  /// Columns of a text that `escaped` has made visible.
  package func columns(_ text: String) -> Int {
    // Printable ASCII is the rule.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
    return text.reduce(0) { $0 + columns($1) }
  }

  /// 0 for what is invisible, else 1 or 2.
  package func columns(_ cluster: Character) -> Int {
    let scalars = cluster.unicodeScalars
    guard let base = scalars.first else { return 0 }
    if base.isPrintableASCII, scalars.count == 1 { return 1 }
    if base.isInvisibleAlone { return 0 }
    if base.isWide || base.isAmbiguous && isAmbiguousWide { return 2 }
    if Self.isPicture(scalars) { return 2 }
    // Letters and marks beside the first one. Terminals that know clusters may draw one column.
    return scalars.dropFirst().contains(where: \.takesColumnInCluster) ? 2 : 1
  }

  /// Whether terminals draw it in different widths, so that nobody knows where their cursor is.
  package func isDoubtful(_ cluster: Character) -> Bool {
    let scalars = cluster.unicodeScalars
    guard let base = scalars.first else { return false }
    if base.isPrintableASCII, scalars.count == 1 { return false }
    // Private scalars are ambiguous, and drawn as the font has them.
    if base.isAmbiguous && !(isAmbiguousKnown && !base.isPrivate) { return true }
    // Emoji that are text by default, halves of flags.
    if base.isEmoji && !base.isWide || base.isRegionalIndicator { return true }
    if base.joinsNext { return true }
    return !scalars.dropFirst().allSatisfy(\.isPlainMark)
  }

  /// Drawn in two columns for what follows the first scalar: a flag's other half, the picture's
  /// selector, a skin, or another picture.
  private static func isPicture(_ scalars: Character.UnicodeScalarView) -> Bool {
    guard let base = scalars.first, base.isEmoji || base.isRegionalIndicator else { return false }
    return scalars.dropFirst().contains { follower in
      follower == "\u{FE0F}" || follower == "\u{200D}" || follower.isRegionalIndicator
        || follower.properties.isEmojiModifier
    }
  }
}
