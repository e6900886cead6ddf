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
  }

  private func line(_ name: OptionName) -> Line {
    let found = defaults.find(name)
    return Line([
      Span(padded(name.rawValue, 11)), Span(padded(shown(found?.text ?? usual(name)), 17), .accent),
      Span("(\(found.map { "\($0.origin)" } ?? "default"))", .dim),
    ])
  }

  private func shown(_ value: String) -> String { value.isEmpty ? "–" : value }

  /// `setting`, `value`, and `variable`, or `file` and `line`, unless it is the default.
  private func object(_ name: OptionName) -> [UInt8] {
    let found = defaults.find(name)
    var members: [String: JSON] = [
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

  private func usual(_ name: OptionName) -> String {
    let common = Invocation.Common()
    return switch name {
    case .interface: common.interface
    case .group: IPv4.text(common.group)
    case .port: "\(common.port)"
    case .realm: common.realms.text
    case .viewer: viewerName
    case .timeout: "\(common.timeout.components.seconds)"
    default: "false"
    }
  }
}
