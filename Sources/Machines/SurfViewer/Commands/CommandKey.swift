/// A key as the command table names it: a character, a name such as `PageUp`, or either behind
/// `Ctrl-` or `Shift-`.
package struct CommandKey: Hashable, Sendable, ExpressibleByStringLiteral {
  package let name: String

  package init(_ name: String) { self.name = name }
  package init(stringLiteral name: String) { self.name = name }

  /// What the key types; nil for one that types nothing.
  package var character: Character? { name.count == 1 ? name.first : nil }

  /// For help and hints.
  package var label: String { Self.labels[name] ?? name }

  private static let labels = [
    "Up": "↑", "Down": "↓", "Left": "←", "Right": "→", " ": "Space",
  ]
}
