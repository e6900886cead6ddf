import SurfBasics

/// A person's defaults of options, as a file keeps them: `interface = eth0`, a line each; a line
/// that begins with `#` is a comment.
package struct SettingsFile: Equatable, Sendable {
  /// For messages.
  package let path: String
  private(set) var entries: [OptionName: Entry] = [:]
  /// What in it says nothing, in words for people. The rest counts all the same: a newer version
  /// may have written the file.
  package private(set) var remarks: [String] = []

  struct Entry: Equatable, Sendable {
    let text: String
    /// From 1.
    let line: Int
  }

  /// More is no file of settings.
  package static let sizeMax: Int = 65_536

  package init(_ text: String, path: String) {
    self.path = path
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      read(line, index + 1)
    }
  }

  /// One of which nothing counts.
  init(path: String, remark: String) {
    self.path = path
    remarks = [remark]
  }

  /// Of two lines for one setting, the last counts.
  private mutating func read(_ line: Substring, _ number: Int) {
    let line = line.trimmingPrefix(while: \.isWhitespace)
    guard let first = line.first, first != "#" else { return }
    let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = Self.trimmed(parts[0])
    guard parts.count == 2 else {
      return remark(number, "'\(name)' has no value; a line is NAME = VALUE")
    }
    guard let option = OptionName.settings.first(where: { $0.rawValue == name }) else {
      let meant = nearest(to: name, in: OptionName.settings.map(\.rawValue)).first
      let hint = meant.map { "did you mean '\($0)'?" } ?? "`statesurf settings` lists them"
      return remark(number, "there is no setting '\(name)'; \(hint)")
    }
    entries[option] = Entry(text: Self.trimmed(parts[1]), line: number)
  }

  private mutating func remark(_ line: Int, _ text: String) {
    remarks.append("\(path), line \(line): \(text)")
  }

  private static func trimmed(_ text: Substring) -> String {
    let end = text.reversed().drop(while: \.isWhitespace)
    return String(String(end.reversed()).trimmingPrefix(while: \.isWhitespace))
  }
}

extension OptionName {
  /// Those that a person may want to be the same in every command.
  static let settings: [OptionName] = [
    .interface, .group, .port, .realm, .viewer, .timeout, .noDNSSD,
  ]

  /// Those that apps read from the environment, too.
  private static let shared: [OptionName] = [.interface, .group, .port, .realm]

  /// The variable that stands in for the option; nil if none does.
  var variable: String? {
    Self.shared.contains(self) ? "STATESURF_\(rawValue.uppercased())" : nil
  }
}
