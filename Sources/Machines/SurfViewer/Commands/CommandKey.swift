// Keys as the settings file writes them: `s`, `Ctrl-s`, `F5`, and `y>p` for two in a row.
extension CommandKey {
  /// Parses a key's name; nil unless every terminal has such a key.
  package init?(written word: String) {
    if let name = Self.stroke(word[...]) {
      self.init(name)
      return
    }
    // In `y>>`, the second stroke is `>` itself.
    let signs = word.indices.dropFirst().dropLast().filter { word[$0] == ">" }
    let pairs = signs.lazy.compactMap { sign -> CommandKey? in
      guard let first = Self.stroke(word[..<sign]),
        let next = Self.stroke(word[word.index(after: sign)...])
      else { return nil }
      return CommandKey(first).then(CommandKey(next))
    }
    guard let pair = pairs.first else { return nil }
    self = pair
  }

  /// The name that `init(written:)` parses.
  package var written: String { strokes.map(\.name).joined(separator: ">") }

  /// Whether it cannot be bound: a digit or `~` starts a row number, Ctrl-c always quits, and Esc
  /// cancels a two-stroke key.
  package var isFixed: Bool {
    let strokes = strokes
    guard strokes.count < 2 else {
      return strokes[0].isFixed || strokes.contains { $0 == "Esc" || $0 == "Ctrl-c" }
    }
    guard let character else { return name == "Ctrl-c" }
    return character == "~" || character.isASCII && character.isNumber
  }

  /// The name of one key, as the terminal reports it.
  private static func stroke(_ text: Substring) -> String? {
    var base = text
    let isControl = base.drop("Ctrl-")
    let isShifted = base.drop("Shift-")
    let held = (isControl ? "Ctrl-" : "") + (isShifted ? "Shift-" : "")
    let name = String(base)
    switch (base.count, held) {
    case (1, ""): return isPrintable(name) ? name : nil
    case (1, "Ctrl-"): return control(name.lowercased())
    case (1, _): return nil
    default: return movable.contains(name) || others(held).contains(name) ? held + name : nil
    }
  }

  /// A terminal sends Ctrl and a letter as one octet. Some of these are other keys: Ctrl-i is Tab.
  private static func control(_ letter: String) -> String? {
    "abcdefgklnopqrstuvwxyz\\]^_".contains(letter) ? "Ctrl-" + letter : nil
  }

  /// The named keys that a terminal reports with exactly these modifiers only.
  private static func others(_ held: String) -> [String] {
    switch held {
    case "": ["Enter", "Tab", "Backspace", "Esc", "Space"]
    case "Ctrl-": ["Space"]
    case "Shift-": ["Tab"]
    default: []
    }
  }

  /// Terminals send letters scalar by scalar, so a letter must be a single one.
  private static func isPrintable(_ letter: String) -> Bool {
    guard letter.unicodeScalars.count == 1, let scalar = letter.unicodeScalars.first else {
      return false
    }
    return switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .spaceSeparator, .lineSeparator,
      .paragraphSeparator, .nonspacingMark, .spacingMark, .enclosingMark:
      false
    default: true
    }
  }

  /// Named keys that a terminal reports with any of Ctrl and Shift.
  private static let movable = Set(
    ["Up", "Down", "Left", "Right", "Home", "End", "PageUp", "PageDown", "Delete"]
      + (1...12).map { "F\($0)" })
}

extension Substring {
  /// Removes a prefix; false if it is missing or nothing follows it.
  fileprivate mutating func drop(_ prefix: String) -> Bool {
    guard hasPrefix(prefix), count > prefix.count else { return false }
    self = dropFirst(prefix.count)
    return true
  }
}

/// A key as the command table names it: a character or a name such as `PageUp`, perhaps after
/// `Ctrl-` or `Shift-`. It may be two of these in a row, as in `y p`.
package struct CommandKey: Hashable, Sendable, ExpressibleByStringLiteral {
  package let name: String

  /// The blank separates two strokes, so the space bar is `Space`.
  package init(_ name: String) { self.name = name == " " ? "Space" : name }
  package init(stringLiteral name: String) { self.init(name) }

  /// The character that the key types, if any.
  package var character: Character? {
    name == "Space" ? " " : name.count == 1 ? name.first : nil
  }

  /// One or two keys, pressed one after the other.
  package var strokes: [CommandKey] { name.split(separator: " ").map { CommandKey(String($0)) } }

  package func then(_ next: CommandKey) -> CommandKey { CommandKey("\(name) \(next.name)") }

  /// For help and hints.
  package var label: String {
    strokes.map { Self.labels[$0.name] ?? $0.name }.joined(separator: ">")
  }

  private static let labels = ["Up": "↑", "Down": "↓", "Left": "←", "Right": "→"]
}
