import SurfBasics
import SurfDebugger
import SurfViewer
import TerminalScreen

/// The user's settings file: defaults of options, such as `interface = eth0`, colours and keys. One
/// setting per line; lines that begin with `#` are comments.
package struct SettingsFile: Equatable, Sendable {
  package let path: String
  private(set) var entries: [OptionName: Entry] = [:]
  /// Lines that are ignored. The rest is used: a newer version may have written the file.
  private(set) var faults: [Fault] = []
  /// From lines such as `theme.good = blue`.
  package private(set) var theme = Theme()
  /// From lines such as `key.surf = S`.
  package private(set) var keys = KeyMap()
  /// The lines of colours and keys, by full name such as `key.surf`.
  private(set) var choices: [String: Entry] = [:]
  private var bindings: [KeyMap.Binding] = []

  struct Fault: Equatable, Sendable {
    /// From 1.
    let line: Int
    let text: String
  }

  struct Entry: Equatable, Sendable {
    let text: String
    /// From 1.
    let line: Int
  }

  /// In octets. A larger file is not read.
  package static let sizeMax: Int = 65_536

  /// The file's content.
  let text: String
  /// Why the file could not be read; nil if it could.
  let unreadable: String?

  package init(_ text: String, path: String) {
    self.path = path
    self.text = text
    unreadable = nil
    for (index, line) in Self.lines(of: text).enumerated() { read(line, index + 1) }
    bind()
  }

  /// A file that could not be read. It sets nothing.
  init(path: String, unreadable reason: String) {
    self.path = path
    text = ""
    unreadable = "'\(path)' is ignored: \(reason)"
  }

  /// Messages for the user about the file's faults.
  package var remarks: [String] {
    (unreadable.map { [$0] } ?? []) + faults.map { "\(path), line \($0.line): \($0.text)" }
  }

  /// If two lines set the same name, the last one wins.
  private mutating func read(_ line: Substring, _ number: Int) {
    guard let (name, text) = Self.parts(of: line) else { return }
    guard let text else {
      return remark(number, "'\(name)' has no value; a line is NAME = VALUE")
    }
    let entry = Entry(text: text, line: number)
    if name.hasPrefix("theme.") { return paint(name, entry) }
    if name.hasPrefix("key.") { return bind(name, entry) }
    guard let option = OptionName.settings.first(where: { $0.rawValue == name }) else {
      let meant = nearest(to: name, in: OptionName.settings.map(\.rawValue)).first
      let hint = meant.map { "did you mean '\($0)'?" } ?? "`statesurf settings` lists them"
      return remark(number, "there is no setting '\(name)'; \(hint)")
    }
    entries[option] = entry
  }

  /// The name in a line, and its value if it has one; nil for a comment or an empty line.
  static func parts(of line: Substring) -> (name: String, text: String?)? {
    let line = line.dropFirst(margin(of: line).count)
    guard let first = line.first, first != "#", !isEnd(first) else { return nil }
    let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    // `key.find = =` binds the key `=`.
    let texts = parts.map { String($0.trimming(where: \.isWhitespace)) }
    return (texts[0], texts.count == 2 ? texts[1] : nil)
  }

  private mutating func paint(_ name: String, _ entry: Entry) {
    let accents = Accent.allCases.map { "theme.\($0.rawValue)" }
    guard let accent = Accent(rawValue: String(name.dropFirst(6))) else {
      return remark(
        entry.line, "there is no accent '\(name)', but \(accents.joined(separator: ", "))")
    }
    guard let colour = CellStyle.Colour(named: entry.text) else {
      let names = CellStyle.Colour.allCases.map { "\($0)" }.joined(separator: ", ")
      return remark(entry.line, "'\(entry.text)' is not a colour; there are \(names)")
    }
    choices[name] = entry
    theme.colours[accent] = colour
  }

  private mutating func bind(_ name: String, _ entry: Entry) {
    guard let command = ViewerCommand(rawValue: String(name.dropFirst(4))) else {
      let meant = nearest(to: name, in: ViewerCommand.allCases.map { "key.\($0.rawValue)" }).first
      return remark(
        entry.line,
        "there is no command '\(name)'\(meant.map { "; did you mean '\($0)'?" } ?? "")")
    }
    var keys: [CommandKey] = []
    for word in entry.text.split(whereSeparator: \.isWhitespace) {
      guard let key = CommandKey(written: String(word)), !key.isFixed else {
        return remark(
          entry.line, "'\(word)' is not a key that can be chosen: x, Ctrl-x, F5, PageUp, y>x")
      }
      keys.append(key)
    }
    choices[name] = entry
    bindings.append(KeyMap.Binding(command, keys))
  }

  private mutating func bind() {
    keys = KeyMap(bindings)
    for conflict in keys.conflicts {
      let entry = choices.removeValue(forKey: "key.\(conflict.binding.command.rawValue)")
      remark(entry?.line ?? 0, "\(conflict.reason), so this does not count")
    }
  }

  private mutating func remark(_ line: Int, _ text: String) {
    faults.append(Fault(line: line, text: text))
  }
}

extension OptionName {
  /// Options that the settings file may contain.
  static let settings: [OptionName] = [
    .interface, .group, .port, .realm, .viewer, .timeout, .noDNSSD, .connectAtLaunch,
    .newestFirst, .ambiguousWide, .sources,
  ]

  /// Options that apps read from the environment as well.
  private static let shared: [OptionName] = [.interface, .group, .port, .realm]

  /// The environment variable that sets the option, if any.
  var variable: String? {
    switch self {
    case .ambiguousWide: "STATESURF_AMBIGUOUS"
    case .sources: "STATESURF_SOURCES"
    default: Self.shared.contains(self) ? "STATESURF_\(rawValue.uppercased())" : nil
    }
  }
}

extension CellStyle.Colour {
  /// Parses `brightBlue` or `bright-blue`.
  init?(named text: String) {
    let word = text.lowercased().filter { $0 != "-" }
    guard let colour = Self.allCases.first(where: { "\($0)".lowercased() == word }) else {
      return nil
    }
    self = colour
  }
}

// Editing: the debugger changes the file on `statesurf-file`.
extension SettingsFile {
  /// Returns `text` with a new value for a setting, or without the setting if the value is empty.
  /// Everything else stays: comments, order, line ends, and lines with faults.
  package static func text(_ text: String, with name: String, set value: String) -> String {
    var lines = lines(of: text)
    func setsName(_ line: Substring) -> Bool { parts(of: line)?.name == name }
    if value.isEmpty {
      lines.removeAll(where: setsName)
    } else if let last = lines.lastIndex(where: setsName) {
      let line = lines[last]
      lines[last] = "\(margin(of: line))\(name) = \(value)\(end(of: line))"
    } else {
      let end = lines.first.map(end) ?? ""
      let usual = end.isEmpty ? "\n" : end
      if let last = lines.last, Self.end(of: last).isEmpty { lines.append(usual) }
      lines.append("\(name) = \(value)\(usual)")
    }
    return lines.joined()
  }

  /// Why a setting cannot have this value; nil if it can.
  package func complaint(about value: String, as name: String) -> String? {
    if value.unicodeScalars.contains(where: \.breaksLine) {
      return "'\(name)' is one line, without control characters"
    }
    if let option = OptionName.settings.first(where: { $0.rawValue == name }) {
      if value.isEmpty { return nil }
      return ArgumentParser.complaint(about: value, as: option).map { "'\(name)' \($0)" }
    }
    let edited = SettingsFile(Self.text(text, with: name, set: value), path: path)
    let conflicts = edited.keys.conflicts
    if let conflict = conflicts.first(where: { "key.\($0.binding.command.rawValue)" == name }) {
      return conflict.reason
    }
    // The new value makes another line, which was valid before, a conflict.
    if let conflict = conflicts.first(where: { !keys.conflicts.contains($0) }) {
      return conflict.otherReason
    }
    if value.isEmpty || edited.choices[name]?.text == value { return nil }
    let known = faults.map(\.text)
    return edited.faults.map(\.text).first { !known.contains($0) }
      ?? "there is no setting '\(name)'"
  }
}

// How lines are divided, for reading and for editing.
extension SettingsFile {
  /// The lines with their ends, which may be those of Unix, Windows or old Macs.
  private static func lines(of text: String) -> [Substring] {
    var lines: [Substring] = []
    var rest = text[...]
    while let end = rest.firstIndex(where: isEnd) {
      lines.append(rest[...end])
      rest = rest[rest.index(after: end)...]
    }
    return rest.isEmpty ? lines : lines + [rest]
  }

  /// The blanks before a name, and the byte order mark that some editors begin a file with.
  private static func margin(of line: Substring) -> Substring {
    line.prefix { !isEnd($0) && ($0.isWhitespace || $0 == "\u{FEFF}") }
  }

  private static func end(of line: Substring) -> Substring {
    line.last.map(isEnd) == true ? line.suffix(1) : ""
  }

  private static func isEnd(_ character: Character) -> Bool {
    // "\r\n" is one character.
    character == "\n" || character == "\r\n" || character == "\r"
  }
}

extension Unicode.Scalar {
  fileprivate var breaksLine: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
