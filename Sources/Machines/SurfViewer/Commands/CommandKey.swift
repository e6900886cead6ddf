// Keys in a file of settings: `s`, `Ctrl-s`, `F5`, and `y>p` for two, one after the other.
extension CommandKey {
  /// A key by its name, as a person writes it; nil if not every terminal has such a key.
  package init?(written word: String) {
    if let name = Self.stroke(word[...]) {
      self.init(name)
      return
    }
    // `y>>` ends with the key of the sign itself.
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

  /// As `init(written:)` reads it.
  package var written: String { strokes.map(\.name).joined(separator: ">") }

  /// Whether nobody can choose it: a digit or `~` begins a row's number, Ctrl-c always quits, and
  /// Esc leaves what the first of two keys has begun.
  package var isFixed: Bool {
    let strokes = strokes
    guard strokes.count < 2 else {
      return strokes[0].isFixed || strokes.contains { $0 == "Esc" || $0 == "Ctrl-c" }
    }
    guard let character else { return name == "Ctrl-c" }
    return character == "~" || character.isASCII && character.isNumber
  }

  /// The name of one key, as it comes from a terminal.
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

  /// Control and a letter are one octet, and some of these are keys of their own: Ctrl-i is Tab.
  private static func control(_ letter: String) -> String? {
    "abcdefgklnopqrstuvwxyz\\]^_".contains(letter) ? "Ctrl-" + letter : nil
  }

  /// The named keys that a terminal tells apart only with these held.
  private static func others(_ held: String) -> [String] {
    switch held {
    case "": ["Enter", "Tab", "Backspace", "Esc", "Space"]
    case "Ctrl-": ["Space"]
    case "Shift-": ["Tab"]
    default: []
    }
  }

  /// Terminals send letters scalar by scalar.
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

  /// Ctrl and Shift may be held with them.
  private static let movable = Set(
    ["Up", "Down", "Left", "Right", "Home", "End", "PageUp", "PageDown", "Delete"]
      + (1...12).map { "F\($0)" })
}

extension Substring {
  /// Whether there was such a prefix with something behind it, which is left.
  fileprivate mutating func drop(_ prefix: String) -> Bool {
    guard hasPrefix(prefix), count > prefix.count else { return false }
    self = dropFirst(prefix.count)
    return true
  }
}

/// A key as the command table names it: a character, a name such as `PageUp`, or either behind
/// `Ctrl-` or `Shift-`; or two of these, one after the other, as `y p`.
package struct CommandKey: Hashable, Sendable, ExpressibleByStringLiteral {
  package let name: String

  /// A blank stands between two keys, so the key that types one is `Space`.
  package init(_ name: String) { self.name = name == " " ? "Space" : name }
  package init(stringLiteral name: String) { self.init(name) }

  /// What the key types; nil for one that types nothing.
  package var character: Character? {
    name == "Space" ? " " : name.count == 1 ? name.first : nil
  }

  /// The keys that are pressed one after the other; mostly one.
  package var strokes: [CommandKey] { name.split(separator: " ").map { CommandKey(String($0)) } }

  /// This key, and then another one.
  package func then(_ next: CommandKey) -> CommandKey { CommandKey("\(name) \(next.name)") }

  /// For help and hints.
  package var label: String {
    strokes.map { Self.labels[$0.name] ?? $0.name }.joined(separator: ">")
  }

  private static let labels = ["Up": "↑", "Down": "↓", "Left": "←", "Right": "→"]
}
