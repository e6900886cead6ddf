/// A key as the command table names it: a character, a name such as `PageUp`, or either behind
/// `Ctrl-` or `Shift-`; or two of these, one after the other, as `y p`.
package struct CommandKey: Hashable, Sendable, ExpressibleByStringLiteral {
  package let name: String

  package init(_ name: String) { self.name = name }
  package init(stringLiteral name: String) { self.name = name }

  /// What the key types; nil for one that types nothing.
  package var character: Character? { name.count == 1 ? name.first : nil }

  /// The keys that are pressed one after the other; mostly one.
  package var strokes: [CommandKey] {
    let names = name.split(separator: " ")
    return names.count < 2 ? [self] : names.map { CommandKey(String($0)) }
  }

  /// This key, and then another one.
  package func then(_ next: CommandKey) -> CommandKey { CommandKey("\(name) \(next.name)") }

  /// For help and hints.
  package var label: String { Self.labels[name] ?? name }

  private static let labels = [
    "Up": "↑", "Down": "↓", "Left": "←", "Right": "→", " ": "Space",
  ]
}
