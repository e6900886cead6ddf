import SurfBasics

/// Counts the columns that text takes on a terminal, by grapheme cluster.
package struct TextWidth: Hashable, Sendable {
  /// Whether East Asian Ambiguous clusters, such as boxes and arrows, take two columns.
  package var isAmbiguousWide: Bool
  /// Whether the terminal has confirmed that.
  package var isAmbiguousKnown: Bool

  package init(isAmbiguousWide: Bool = false, isAmbiguousKnown: Bool = false) {
    self.isAmbiguousWide = isAmbiguousWide
    self.isAmbiguousKnown = isAmbiguousKnown
  }

  /// The text must be `escaped`.
  package func columns(_ text: String) -> Int {
    // The usual case.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
    return text.reduce(0) { $0 + columns($1) }
  }

  /// 0 for an invisible cluster, else 1 or 2.
  package func columns(_ cluster: Character) -> Int {
    let scalars = cluster.unicodeScalars
    guard let base = scalars.first else { return 0 }
    if base.isPrintableASCII, scalars.count == 1 { return 1 }
    if base.isInvisibleAlone { return 0 }
    if base.isWide || base.isAmbiguous && isAmbiguousWide { return 2 }
    if Self.isPicture(scalars) { return 2 }
    // Letters and marks beside the first one. Terminals that measure by clusters may draw one
    // column.
    return scalars.dropFirst().contains(where: \.takesColumnInCluster) ? 2 : 1
  }

  /// Whether terminals disagree on the width, so that the cursor's column is unknown after it.
  package func isDoubtful(_ cluster: Character) -> Bool {
    let scalars = cluster.unicodeScalars
    guard let base = scalars.first else { return false }
    if base.isPrintableASCII, scalars.count == 1 { return false }
    // Private-use scalars are ambiguous, and their width depends on the font.
    if base.isAmbiguous && !(isAmbiguousKnown && !base.isPrivate) { return true }
    // Emoji with text presentation by default, and halves of flags.
    if base.isEmoji && !base.isWide || base.isRegionalIndicator { return true }
    if base.joinsNext { return true }
    return !scalars.dropFirst().allSatisfy(\.isPlainMark)
  }

  /// Whether the text after the first scalar makes it two columns wide: the other half of a flag,
  /// the emoji selector, a skin tone, or a joined picture.
  private static func isPicture(_ scalars: Character.UnicodeScalarView) -> Bool {
    guard let base = scalars.first, base.isEmoji || base.isRegionalIndicator else { return false }
    return scalars.dropFirst().contains { follower in
      follower == "\u{FE0F}" || follower == "\u{200D}" || follower.isRegionalIndicator
        || follower.properties.isEmojiModifier
    }
  }
}

extension Unicode.Scalar {
  var isPrintableASCII: Bool { value >= 0x20 && value < 0x7F }
  var isWide: Bool { value >= 0x1100 && isListed(in: WidthTable.wide) }
  var isAmbiguous: Bool { isListed(in: WidthTable.ambiguous) }
  /// May be shown as a picture (UTS #51).
  var isEmoji: Bool { properties.isEmoji }
  var isPrivate: Bool { properties.generalCategory == .privateUse }
  /// Two of them make a flag.
  var isRegionalIndicator: Bool { 0x1F1E6...0x1F1FF ~= value }
  /// Part of a flag such as Wales's; elsewhere an invisible letter.
  var isTag: Bool { 0xE0000...0xE007F ~= value }

  /// A mark that every terminal draws over the letter before it. Excludes variation selectors,
  /// which change widths, and viramas, which join two letters.
  var isPlainMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark:
      !properties.isVariationSelector && properties.canonicalCombiningClass != .virama
    default: false
    }
  }

  /// Some terminals draw it together with the next cell: the first letter of a Korean syllable, or
  /// a prepended mark (UAX #29, Prepend).
  var joinsNext: Bool {
    switch value {
    case ..<0x600: false
    case 0x1100...0x115F, 0xA960...0xA97C, 0xD4E, 0x111C2...0x111C3, 0x1193F, 0x11941, 0x11A3A,
      0x11A84...0x11A89, 0x11D46, 0x11F02:
      true
    default: isNumberSign
    }
  }

  /// Controls a terminal or changes the writing direction.
  package var isHarmful: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069, 0x200E...0x200F, 0x61C: true
    default: false
    }
  }

  /// A format character that is always invisible: operators, tags, annotations, deprecated ones.
  /// Excludes joiners, which words and emoji need.
  package var isUnseen: Bool {
    switch value {
    case 0xAD, 0x180E, 0x200B, 0x2060...0x2065, 0x206A...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
      0x1BCA0...0x1BCA3, 0x1D173...0x1D17A:
      true
    default: isTag
    }
  }

  /// Takes no column: alone, it would be invisible or change the cluster before it.
  var isInvisibleAlone: Bool {
    if value < 0xA0 { return !isPrintableASCII }
    // A fast path for arrows, boxes and Braille, which fill screens: this block has only visible
    // signs, and Swift's property tables are slow.
    if Self.signs ~= value { return false }
    switch properties.generalCategory {
    case .control, .nonspacingMark, .enclosingMark, .spacingMark, .lineSeparator,
      .paragraphSeparator, .surrogate:
      return true
    // The Arabic signs around a number are visible.
    case .format: return !isNumberSign
    default:
      return properties.isDefaultIgnorableCodePoint || properties.isGraphemeExtend
        || properties.isEmojiModifier || isLaterJamo
    }
  }

  private static let signs: ClosedRange<UInt32> = 0x2190...0x2BFF

  /// Whether it adds a column after a cluster's first scalar: a letter, a spacing mark, or a voice
  /// mark of half-width Katakana.
  var takesColumnInCluster: Bool {
    properties.generalCategory == .spacingMark || 0xFF9E...0xFF9F ~= value || !isInvisibleAlone
  }

  /// Prepended_Concatenation_Mark, which Swift does not expose.
  private var isNumberSign: Bool {
    switch value {
    case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD: true
    default: false
    }
  }

  /// A vowel or final consonant of a Korean syllable, which joins what precedes it.
  private var isLaterJamo: Bool { 0x1160...0x11FF ~= value || 0xD7B0...0xD7FF ~= value }

  /// Binary search in the ranges of `WidthTable`.
  private func isListed(in bounds: [UInt32]) -> Bool {
    bounds.partitionPoint { $0 > value } % 2 == 1
  }
}
