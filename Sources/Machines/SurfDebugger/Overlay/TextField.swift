import SurfViewer

/// A line that a person types.
struct TextField: Equatable, Sendable {
  private(set) var text: String

  /// More than a query or a path needs; the rest of a paste is left out.
  static let countMax = 1_000

  init(_ text: String = "") { self.text = text }

  /// - Returns: whether the key was meant for the text.
  mutating func press(_ key: CommandKey) -> Bool {
    switch key {
    case "Backspace": _ = text.popLast()
    case "Ctrl-u": text = ""
    case "Ctrl-w": removeWord()
    default:
      guard let character = key.character else { return false }
      add(String(character))
    }
    return true
  }

  /// Only the first line.
  mutating func add(_ typed: String) {
    let line = typed.prefix { !$0.isNewline }
    text.unicodeScalars.append(
      contentsOf: line.unicodeScalars.prefix(max(0, Self.countMax - text.unicodeScalars.count)))
  }

  private mutating func removeWord() {
    while text.last == " " { text.removeLast() }
    while let last = text.last, last != " " { text.removeLast() }
  }
}
