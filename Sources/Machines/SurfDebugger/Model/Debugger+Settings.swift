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
    switch key {
    case "Esc", "q", "Left", "h":
      overlay = nil
      return
    case "Up", "k": pane.move(by: -1, of: count)
    case "Down", "j": pane.move(by: 1, of: count)
    case "PageUp": pane.move(by: -10, of: count)
    case "PageDown": pane.move(by: 10, of: count)
    case "Home", "g": pane.move(by: -count, of: count)
    case "End", "G": pane.move(by: count, of: count)
    case "Enter", "Right", "l":
      guard personal.lines.indices.contains(pane.index) else { break }
      let line = personal.lines[pane.index]
      return ask(.setting(line.name, pane), line.value)
    default: break
    }
    overlay = .settings(pane)
  }

  /// What the file says now.
  mutating func take(_ personal: PersonalSettings) {
    let turns = personal.isNewestFirst != self.personal.isNewestFirst
    self.personal = personal
    if turns, personal.isNewestFirst != (order == .newestFirst) { turnOrder() }
  }
}
