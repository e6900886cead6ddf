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
