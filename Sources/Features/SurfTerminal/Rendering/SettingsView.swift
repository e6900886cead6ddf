import JSONTree
import SurfNetwork
import SurfSockets

/// What `settings` prints: the value of each setting, and where it comes from.
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

  /// Colours and keys that were chosen.
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

  /// `setting`, `value`, and `variable`, or `file` and `line`, unless it is the default.
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
