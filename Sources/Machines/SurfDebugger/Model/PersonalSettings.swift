import SurfViewer
import TerminalScreen

/// What a person's file of settings says, for the debugger.
package struct PersonalSettings: Equatable, Sendable {
  package var theme = Theme()
  package var keys = KeyMap()
  package var isNewestFirst = false
  /// Where sources are looked for, besides the working directory.
  package var sourceFolders: [String] = []
  /// What in the file says nothing, in words.
  package var remarks: [String] = []
  /// All that can be set.
  package var lines: [Line] = []

  package struct Line: Equatable, Sendable {
    package let name: String
    package let value: String
    /// Where the value comes from, as `default` or `line 3`.
    package let origin: String
    /// Whether the command line or the environment counts, and not the file.
    package let isOverridden: Bool

    package init(name: String, value: String, origin: String, isOverridden: Bool) {
      self.name = name
      self.value = value
      self.origin = origin
      self.isOverridden = isOverridden
    }
  }

  package init() {}

  /// The folders of a path such as `~/app:~/library`.
  package static func folders(_ path: String) -> [String] {
    path.split(separator: ":").map(String.init)
  }
}

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
