/// The list of settings over the panes, and its cursor.
struct SettingsPane: Equatable, Sendable {
  private(set) var index = 0

  mutating func move(by count: Int, of lineCount: Int) {
    index = max(0, min(lineCount - 1, index + count))
  }
}
