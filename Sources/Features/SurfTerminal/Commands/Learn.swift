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
      "line counts before the environment, and the environment before the file.",
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

  package func actions(json: Bool) -> [CommandAction] {
    OptionName.settings.map { json ? .printBytes(object($0)) : .print(line($0)) }
      + choices.map {
        json ? .printBytes(object($0.name, $0.entry)) : .print(line($0.name, $0.entry))
      }
  }

  /// The colours and keys that the file sets.
  private var choices: [(name: String, entry: SettingsFile.Entry)] {
    (defaults.file?.choices ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private func line(_ name: String, _ entry: SettingsFile.Entry) -> Line {
    let origin = Defaults.Origin.line(entry.line, defaults.file?.path ?? "")
    return line(name, entry.text, "\(origin)")
  }

  private func line(_ name: String, _ value: String, _ origin: String) -> Line {
    Line([
      Span(padded(name, 18)), Span(padded(value, 17), .accent), Span("(\(origin))", .dim),
    ])
  }

  private func object(_ name: String, _ entry: SettingsFile.Entry) -> [UInt8] {
    EventJSON.object([
      "setting": .string(name), "value": .string(entry.text),
      "file": .string(defaults.file?.path ?? ""), "line": .number(entry.line),
    ])
  }

  private func line(_ name: OptionName) -> Line {
    let found = defaults.find(name)
    return line(
      name.rawValue, shown(found?.text ?? usual(name)), found.map { "\($0.origin)" } ?? "default")
  }

  private func shown(_ value: String) -> String { value.isEmpty ? "–" : value }

  /// `setting`, `value`, and unless it is the default, `variable` or `file` and `line`.
  private func object(_ name: OptionName) -> [UInt8] {
    let found = defaults.find(name)
    var members: JSONObject = [
      "setting": .string(name.rawValue), "value": .string(found?.text ?? usual(name)),
    ]
    switch found?.origin {
    case .variable(let name): members["variable"] = .string(name)
    case .line(let number, let path):
      members["file"] = .string(path)
      members["line"] = .number(number)
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
