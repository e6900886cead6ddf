import SurfViewer

extension Debugger {
  mutating func openSettings() {
    overlay = .settings(line: 0)
    guard let first = personal.remarks.first else { return }
    let count = personal.remarks.count - 1
    tell(count == 0 ? first : "\(first); and \(count) more", .failed)
  }

  mutating func press(_ key: CommandKey, settingsLine index: Int) {
    let count = personal.lines.count
    var next = index
    switch Self.paneCommand(key) ?? personal.keys.command(of: key) {
    case .close, .leave, .quit:
      overlay = nil
      return
    case .up: next -= 1
    case .down: next += 1
    case .pageUp: next -= 10
    case .pageDown: next += 10
    case .first: next = 0
    case .newest: next = count
    case .open:
      guard personal.lines.indices.contains(index) else { break }
      let line = personal.lines[index]
      return ask(.setting(line.name, line: index), line.value)
    default: break
    }
    overlay = .settings(line: max(0, min(count - 1, next)))
  }

  /// Keys that work in every list, whatever a person has bound.
  static func paneCommand(_ key: CommandKey) -> ViewerCommand? {
    switch key {
    case "Esc", "Left": .close
    case "Enter", "Right": .open
    case "Up", "Ctrl-p": .up
    case "Down", "Ctrl-n": .down
    case "PageUp": .pageUp
    case "PageDown": .pageDown
    case "Home": .first
    case "End": .newest
    default: nil
    }
  }

  /// Applies a changed settings file.
  mutating func take(_ personal: PersonalSettings) {
    let turns = personal.isNewestFirst != self.personal.isNewestFirst
    self.personal = personal
    if turns, personal.isNewestFirst != (order == .newestFirst) { turnOrder() }
  }
}
