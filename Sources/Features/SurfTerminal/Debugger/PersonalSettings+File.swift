import SurfDebugger
import SurfViewer

// For `SettingsStorage`: `statesurf surf` asks it once at the start, on the command's thread, and
// the debugger after each change of a setting, on a thread `statesurf-file`.
extension PersonalSettings {
  /// The settings of a file, and which of them the command line or the environment overrides.
  init(
    _ file: SettingsFile?, environment: [String: String], options: DebuggerOptions,
    viewerName: String
  ) {
    self.init()
    theme = file?.theme ?? Theme()
    keys = file?.keys ?? KeyMap()
    remarks = file?.remarks ?? []
    let defaults = Defaults(environment: environment, file: file)
    isNewestFirst =
      options.given.contains(.newestFirst) || defaults.find(.newestFirst)?.text == "true"
    let sources =
      options.given.contains(.sources) ? options.sources : defaults.find(.sources)?.text
    sourceFolders = Self.folders(sources ?? "")
    let view = SettingsView(environment: environment, settings: file, viewerName: viewerName)
    lines =
      OptionName.settings.map { name in
        Self.line(
          name, defaults.find(name), view.usual(name), isGiven: options.given.contains(name))
      }
      + Accent.allCases.map { Self.line("theme.\($0.rawValue)", "\($0.usual)", file) }
      + ViewerCommand.allCases.map { command in
        let keys = command.spec.keys.filter { !$0.isFixed }.map(\.written)
        return Self.line("key.\(command.rawValue)", keys.joined(separator: " "), file)
      }
  }

  private static func line(
    _ name: OptionName, _ found: Defaults.Found?, _ usual: String, isGiven: Bool
  ) -> Line {
    let isVariable = if case .variable = found?.origin { true } else { false }
    let origin =
      switch found?.origin {
      case _ where isGiven: "--\(name.rawValue) counts"
      case .variable(let variable): "\(variable) counts"
      case .line(let line, _): "line \(line)"
      case nil: "default"
      }
    return Line(
      name: name.rawValue, value: found?.text ?? usual, origin: origin,
      isOverridden: isGiven || isVariable)
  }

  private static func line(_ name: String, _ usual: String, _ file: SettingsFile?) -> Line {
    let entry = file?.choices[name]
    return Line(
      name: name, value: entry?.text ?? usual, origin: entry.map { "line \($0.line)" } ?? "default",
      isOverridden: false)
  }
}
