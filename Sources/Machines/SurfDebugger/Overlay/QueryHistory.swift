/// A person's queries for Up and Down in a prompt, oldest first, without duplicates.
struct QueryHistory: Equatable, Sendable {
  private(set) var texts: [String] = []

  /// More than a person goes back through.
  static let countMax = 100

  mutating func add(_ text: String) {
    guard !text.isEmpty else { return }
    texts.removeAll { $0 == text }
    texts.append(text)
    if texts.count > Self.countMax { texts.removeFirst() }
  }

  /// The query before this one; the newest if this one is not in the history.
  func text(before text: String) -> String? {
    guard let index = texts.lastIndex(of: text) else { return texts.last }
    return index > 0 ? texts[index - 1] : nil
  }

  /// The query after this one; empty after the newest.
  func text(after text: String) -> String? {
    guard let index = texts.lastIndex(of: text) else { return nil }
    return index + 1 < texts.count ? texts[index + 1] : ""
  }
}
