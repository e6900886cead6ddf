import JSONTree
import SurfNetwork
import SurfSockets

extension Subcommand {
  static let settings = Self(
    "settings", in: .learn, "Show the defaults of options, and where each comes from",
    options: [.json],
    examples: [("settings", "for people"), ("settings --json", "for a script")],
    notes: [
      "The file is $XDG_CONFIG_HOME/statesurf/settings, or ~/.config/statesurf/settings. A line is",
      "NAME = VALUE, with the names of options; lines that begin with # are comments. The command",
      "line overrides the environment, and the environment overrides the file.",
    ], isLocal: true
  ) { SettingsOptions(json: $0.has(.json)) }
}

struct SettingsOptions: Command {
  let json: Bool

  func run(on stage: Stage) -> Int32 {
    let view = SettingsView(
      environment: stage.environment, settings: stage.settings,
      viewerName: stage.output.terminal.viewerName)
    return stage.show(view.actions(json: json))
  }
}

/// What `settings` prints: the value of each setting and its origin.
package struct SettingsView {
  private let defaults: Defaults
  private let viewerName: String

  package init(environment: [String: String], settings: SettingsFile?, viewerName: String) {
    defaults = Defaults(environment: environment, file: settings)
    self.viewerName = viewerName
  }

  private struct Setting {
    let name: String
    let value: String
    /// Nil for the default.
    let origin: Defaults.Origin?
  }

  package func actions(json: Bool) -> [CommandAction] {
    (options + choices).map { json ? .printBytes(object($0)) : .print(line($0)) }
  }

  private var options: [Setting] {
    OptionName.settings.map { name in
      let found = defaults.find(name)
      return Setting(
        name: name.rawValue, value: found?.text ?? usual(name), origin: found?.origin)
    }
  }

  /// The colours and keys that the file sets.
  private var choices: [Setting] {
    guard let file = defaults.file else { return [] }
    return file.choices.sorted { $0.key < $1.key }.map { name, entry in
      Setting(name: name, value: entry.text, origin: .line(entry.line, file.path))
    }
  }

  private func line(_ setting: Setting) -> Line {
    let value = setting.value.isEmpty ? "–" : setting.value
    let origin = setting.origin.map { "\($0)" } ?? "default"
    return Line([
      Span(padded(setting.name, 18)), Span(padded(value, 17), .accent), Span("(\(origin))", .dim),
    ])
  }

  /// `setting`, `value`, and unless it is the default, `variable` or `file` and `line`.
  private func object(_ setting: Setting) -> [UInt8] {
    var members: JSONObject = ["setting": .string(setting.name), "value": .string(setting.value)]
    switch setting.origin {
    case .variable(let name): members["variable"] = .string(name)
    case .line(let number, let path):
      (members["file"], members["line"]) = (.string(path), .number(number))
    case nil: break
    }
    return EventJSON.object(members)
  }

  func usual(_ name: OptionName) -> String {
    let common = Invocation.Common()
    return switch name {
    case .interface: common.interface
    case .group: IPv4.text(common.group)
    case .port: "\(common.port)"
    case .realm: common.realms.text
    case .viewer: viewerName
    case .timeout: "\(common.timeout.components.seconds)"
    case .connectAtLaunch: "any"
    case .sources: ""
    default: "false"
    }
  }
}

// Subcommands that describe `statesurf` to other programs.
extension Subcommand {
  static let completions = Self(
    "completions", in: .learn, "Print a script that completes command lines in a shell",
    positionals: [Positional("shell", .choice(Shell.allCases.map(\.rawValue)))], options: [],
    examples: [
      ("completions bash", "bash reads it with: source <(statesurf completions bash)"),
      ("completions zsh", "a file _statesurf, in a folder of the fpath"),
      ("completions fish", "a file statesurf.fish, in ~/.config/fish/completions"),
    ], notes: ["The shell is bash, zsh or fish. `Demo/install` puts all three in their places."],
    isLocal: true
  ) { words throws(Failure) in
    let word = words.positionals[0]
    guard let shell = Shell(rawValue: word.lowercased()) else {
      let names = Shell.allCases.map(\.rawValue).joined(separator: ", ")
      throw words.misuse("there is nothing for '\(word)'", meaning: "Shells are \(names).")
    }
    return Page(shell.completions, isForProgram: true)
  }

  static let manual = Self(
    "manual", in: .learn, "Print the manual page, for man", options: [],
    examples: [
      ("manual | man -l -", "read it"), ("manual | gzip", "keep it, as packages do"),
    ], isLocal: true
  ) { _ in Page(ManualPage.lines, isForProgram: true) }
}
