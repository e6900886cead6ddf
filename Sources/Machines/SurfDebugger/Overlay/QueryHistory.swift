/// The queries that a person has asked, the oldest first, each once.
struct QueryHistory: Equatable, Sendable {
  private(set) var texts: [String] = []

  /// More than a person goes back by a key.
  static let countMax = 100

  mutating func add(_ text: String) {
    guard !text.isEmpty else { return }
    texts.removeAll { $0 == text }
    texts.append(text)
    if texts.count > Self.countMax { texts.removeFirst() }
  }

  /// The one that was asked before this one; before one that is not there, the newest.
  func text(before text: String) -> String? {
    guard let index = texts.lastIndex(of: text) else { return texts.last }
    return index > 0 ? texts[index - 1] : nil
  }

  /// The one behind it; behind the newest, nothing.
  func text(after text: String) -> String? {
    guard let index = texts.lastIndex(of: text) else { return nil }
    return index + 1 < texts.count ? texts[index + 1] : ""
  }
}
