import SurfViewer
import TerminalScreen

/// The settings file's contents, as the debugger uses them.
package struct PersonalSettings: Equatable, Sendable {
  package var theme = Theme()
  package var keys = KeyMap()
  package var isNewestFirst = false
  /// Where to look for sources, in addition to the working directory.
  package var sourceFolders: [String] = []
  /// Lines of the file that have no effect, and why, for people.
  package var remarks: [String] = []
  /// All settings, for the settings list.
  package var lines: [Line] = []

  package struct Line: Equatable, Sendable {
    package let name: String
    package let value: String
    /// The value's source, as `default` or `line 3`.
    package let origin: String
    /// Whether the command line or the environment overrides the file.
    package let isOverridden: Bool

    package init(name: String, value: String, origin: String, isOverridden: Bool) {
      self.name = name
      self.value = value
      self.origin = origin
      self.isOverridden = isOverridden
    }
  }

  package init() {}

  /// Splits a path such as `~/app:~/library`.
  package static func folders(_ path: String) -> [String] {
    path.split(separator: ":").map(String.init)
  }
}

/// What the debugger's colours mean. Words or signs always say the same.
package enum Accent: String, CaseIterable, Sendable {
  /// Done, added, the app's position.
  case good
  /// Failed, removed, errors.
  case bad
  /// Changed, lost, warnings.
  case caution
  /// Values and the base.
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

  /// On a light background, yellow and cyan can hardly be read.
  var usualOnLight: CellStyle.Colour {
    switch self {
    case .caution: .magenta
    case .value: .blue
    case .good, .bad, .mark: usual
    }
  }
}

/// The accent colours that a person chose.
package struct Theme: Equatable, Sendable {
  package var colours: [Accent: CellStyle.Colour] = [:]

  package init() {}

  func colour(for usual: CellStyle.Colour, isLight: Bool = false) -> CellStyle.Colour {
    guard let accent = Accent.allCases.first(where: { $0.usual == usual }) else { return usual }
    return colours[accent] ?? (isLight ? accent.usualOnLight : usual)
  }
}
