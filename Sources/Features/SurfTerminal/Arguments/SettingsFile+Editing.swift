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

  /// The lines with their ends, which may be those of Unix, Windows or old Macs.
  static func lines(of text: String) -> [Substring] {
    var lines: [Substring] = []
    var rest = text[...]
    while let end = rest.firstIndex(where: isEnd) {
      lines.append(rest[...end])
      rest = rest[rest.index(after: end)...]
    }
    return rest.isEmpty ? lines : lines + [rest]
  }

  /// The blanks before a name, and the byte order mark that some editors begin a file with.
  static func margin(of line: Substring) -> Substring {
    line.prefix { !isEnd($0) && ($0.isWhitespace || $0 == "\u{FEFF}") }
  }

  private static func end(of line: Substring) -> Substring {
    line.last.map(isEnd) == true ? line.suffix(1) : ""
  }

  static func isEnd(_ character: Character) -> Bool {
    // "\r\n" is one character.
    character == "\n" || character == "\r\n" || character == "\r"
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

extension Unicode.Scalar {
  fileprivate var breaksLine: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
