extension SettingsFile {
  /// A file's text with another value for a setting, or without the setting for an empty one. All
  /// else stays as it is: comments, order, and lines that say nothing.
  package static func text(_ text: String, with name: String, set value: String) -> String {
    // As it was written: "\r\n" is one character.
    let end = text.contains("\r\n") ? "\r\n" : "\n"
    var lines = lines(of: text).map(String.init)
    func isOf(_ line: String) -> Bool { parts(of: line[...])?.name == name }
    let last = lines.lastIndex(where: isOf)
    if value.isEmpty {
      lines.removeAll(where: isOf)
    } else if let last {
      let margin = lines[last].prefix { $0.isWhitespace && !$0.isNewline }
      lines[last] = "\(margin)\(name) = \(value)"
    } else {
      if lines.last == "" { lines.removeLast() }
      lines += ["\(name) = \(value)", ""]
    }
    return lines.joined(separator: end)
  }

  static func lines(of text: String) -> [Substring] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  }

  /// Why a value cannot be that of a setting; nil if it can.
  package func complaint(about value: String, as name: String) -> String? {
    if value.contains(where: \.isNewline) { return "'\(name)' is one line" }
    if let option = OptionName.settings.first(where: { $0.rawValue == name }) {
      if value.isEmpty { return nil }
      return ArgumentParser.complaint(about: value, as: option).map { "'\(name)' \($0)" }
    }
    let edited = SettingsFile(Self.text(text, with: name, set: value), path: path)
    let conflicts = edited.keys.conflicts
    if let conflict = conflicts.first(where: { "key.\($0.binding.command.rawValue)" == name }) {
      return conflict.reason
    }
    // Another line, which has counted up to now.
    if let conflict = conflicts.first(where: { !keys.conflicts.contains($0) }) {
      return conflict.otherReason
    }
    if value.isEmpty || edited.choices[name]?.text == value { return nil }
    let known = faults.map(\.text)
    return edited.faults.map(\.text).first { !known.contains($0) }
      ?? "there is no setting '\(name)'"
  }
}
