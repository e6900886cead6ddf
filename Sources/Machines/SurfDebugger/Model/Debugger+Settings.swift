import SurfViewer

extension Debugger {
  mutating func openSettings() {
    overlay = .settings(SettingsPane())
    guard let first = personal.remarks.first else { return }
    let count = personal.remarks.count - 1
    tell(count == 0 ? first : "\(first); and \(count) more", .failed)
  }

  mutating func press(_ key: CommandKey, _ pane: SettingsPane) {
    var pane = pane
    let count = personal.lines.count
    switch Self.paneCommand(key) ?? personal.keys.command(of: key) {
    case .close, .quit:
      overlay = nil
      return
    case .up: pane.move(by: -1, of: count)
    case .down: pane.move(by: 1, of: count)
    case .pageUp: pane.move(by: -10, of: count)
    case .pageDown: pane.move(by: 10, of: count)
    case .first: pane.move(by: -count, of: count)
    case .newest: pane.move(by: count, of: count)
    case .open:
      guard personal.lines.indices.contains(pane.index) else { break }
      let line = personal.lines[pane.index]
      return ask(.setting(line.name, pane), line.value)
    default: break
    }
    overlay = .settings(pane)
  }

  /// Keys that work in every list, whatever a person has bound.
  static func paneCommand(_ key: CommandKey) -> ViewerCommand? {
    switch key {
    case "Esc", "Left": .close
    case "Enter", "Right": .open
    case "Up": .up
    case "Down": .down
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
