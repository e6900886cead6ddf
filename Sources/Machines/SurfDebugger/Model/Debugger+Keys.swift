import SurfTimeline
import SurfViewer
import SurfWire

extension Debugger {
  /// A key goes to the overlay if there is one, otherwise to the command table.
  mutating func press(_ key: CommandKey, in catalog: Catalog) -> [DebuggerEffect] {
    if key == "Ctrl-c" { return [.quit] }
    if isBlind {
      return blindCommands.first { $0.key == key }.map { run($0.command, in: catalog) } ?? []
    }
    notices.removeAll { $0.ground.endsWithKey }
    if let app, ![.findNext, .findPrevious].contains(personal.keys.command(of: key)) {
      views[app]?.hunt = nil
    }
    switch overlay {
    case .prompt(let prompt): return press(key, prompt, in: catalog)
    case .menu(let menu): return press(key, menu, in: catalog)
    case .plain:
      overlay = nil
      return [.endPlain]
    case .prefix(let first):
      overlay = nil
      return key == "Esc" ? [] : run(first.then(key), in: catalog)
    case .consent(let consent): return press(key, consent, in: catalog)
    case .settings(let line):
      press(key, settingsLine: line)
      return []
    case .apps(let table):
      press(key, table, in: catalog)
      return []
    case nil: break
    }
    if let digit = key.character, digit.isASCII, digit.isNumber || digit == "~" {
      ask(.goTo, String(digit))
      return []
    }
    if !personal.keys.begun(by: key).isEmpty {
      overlay = .prefix(key)
      return []
    }
    return run(key, in: catalog)
  }

  /// Whether the screen is too small to show anything of the app.
  var isBlind: Bool {
    if case .plain = overlay { false } else { layout.isTooSmall }
  }

  /// The only commands that run then. A letter may be meant for a text that is being typed.
  var blindCommands: [(key: CommandKey, command: ViewerCommand)] {
    [ViewerCommand.redraw, .suspend, .quit].compactMap { command in
      let keys = personal.keys.keys(of: command).filter { $0.strokes.count == 1 }
      return keys.first { overlay == nil || $0.character == nil }.map { ($0, command) }
    }
  }

  private mutating func run(_ key: CommandKey, in catalog: Catalog) -> [DebuggerEffect] {
    guard let command = personal.keys.command(of: key) else {
      tell(
        personal.keys.text("no command has the key \(key.label)", .help, "shows all"), while: .key)
      return []
    }
    return run(command, in: catalog)
  }

  mutating func paste(_ text: String, isCut: Bool, in catalog: Catalog) -> [DebuggerEffect] {
    if isBlind { return [] }
    switch overlay {
    case .prompt(let prompt)
    where prompt.question == .load && Self.isState(String(text.trimming(where: \.isWhitespace))):
      overlay = nil
      return take(paste: text, isCut: isCut, in: catalog)
    case .prompt(var prompt):
      prompt.add(text)
      edited(&prompt, in: catalog)
    case .menu(var menu):
      menu.add(text)
      overlay = .menu(menu)
    case .apps(var table) where table.isTyping:
      table.field.add(text)
      overlay = .apps(table)
    case .plain, .consent, .settings, .apps: break
    case .prefix, nil:
      overlay = nil
      return take(paste: text, isCut: isCut, in: catalog)
    }
    return []
  }

  // MARK: Menus

  private mutating func press(
    _ key: CommandKey, _ menu: Menu, in catalog: Catalog
  ) -> [DebuggerEffect] {
    var menu = menu
    switch key {
    case "Esc": overlay = nil
    case "Up", "Ctrl-p": menu.move(by: -1)
    case "Down", "Ctrl-n": menu.move(by: 1)
    case "PageUp": menu.turn(by: -layout.menuHeight)
    case "PageDown": menu.turn(by: layout.menuHeight)
    case "Home": menu.move(by: -menu.choices.count)
    case "End": menu.move(by: menu.choices.count)
    case "Enter" where menu.chosen != nil:
      overlay = nil
      switch menu.chosen {
      case .command(let command):
        note(command)
        return run(command, in: catalog)
      case .shell(let subcommand): return copy(subcommand, in: catalog)
      case .app(let session, let label, _) where !catalog.contains(session):
        tell("\(label) is no longer here", .failed, while: .absent(session))
      case .app(let session, _, _) where menu.kind == .comparison: compare(with: session)
      case .app(let session, _, _): choose(session)
      case nil: break
      }
    case "Enter" where menu.row != nil:
      ask(.goTo, menu.field.text)
      guard case .prompt(let prompt) = overlay else { return [] }
      return press(key, prompt, in: catalog)
    default: menu.press(key)
    }
    if overlay != nil { overlay = .menu(menu) }
    return []
  }

  /// The palette begins with it next time.
  private mutating func note(_ command: ViewerCommand) {
    guard command != .palette, command != .help else { return }
    recent = Array(([command] + recent.filter { $0 != command }).prefix(Self.recentMax))
  }

  /// As many commands as a person sees at a glance.
  private static let recentMax = 5
}
