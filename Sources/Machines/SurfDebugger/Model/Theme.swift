import TerminalScreen

/// What colours say in the debugger, apart from words and signs, which say the same.
package enum Accent: String, CaseIterable, Sendable {
  /// Done, added, where the app is.
  case good
  /// Failed, removed, errors.
  case bad
  /// Changed, lost, warnings.
  case caution
  /// Values, and the base.
  case value
  /// Marks and their notes.
  case mark

  package var usual: CellStyle.Colour {
    switch self {
    case .good: .green
    case .bad: .red
    case .caution: .yellow
    case .value: .cyan
    case .mark: .magenta
    }
  }
}

/// The accents' colours that a person chose.
package struct Theme: Equatable, Sendable {
  package var colours: [Accent: CellStyle.Colour] = [:]

  package init() {}

  func colour(for usual: CellStyle.Colour) -> CellStyle.Colour {
    Accent.allCases.first { $0.usual == usual }.flatMap { colours[$0] } ?? usual
  }
}
