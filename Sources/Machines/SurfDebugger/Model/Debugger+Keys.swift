import SurfQuery
import SurfTimeline
import SurfViewer
import SurfWire

extension Debugger {
  /// A key goes to the overlay if there is one, otherwise to the command table.
  mutating func press(_ key: CommandKey, in catalog: Catalog) -> [DebuggerEffect] {
    if key == "Ctrl-c" { return [.quit] }
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
    case .settings(let pane):
      press(key, pane)
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

  private mutating func run(_ key: CommandKey, in catalog: Catalog) -> [DebuggerEffect] {
    guard let command = personal.keys.command(of: key) else {
      tell(personal.keys.text("no command has the key \(key.label)", .help, "shows all"))
      return []
    }
    return run(command, in: catalog)
  }

  mutating func paste(_ text: String, isCut: Bool, in catalog: Catalog) -> [DebuggerEffect] {
    switch overlay {
    case .prompt(var prompt):
      prompt.field.add(text)
      prompt.candidates = []
      follow(&prompt, in: catalog)
      overlay = .prompt(prompt)
    case .menu(var menu):
      menu.add(text)
      overlay = .menu(menu)
    case .apps(var table) where table.isTyping:
      table.add(text)
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
    case "Up": menu.move(by: -1)
    case "Down": menu.move(by: 1)
    case "PageUp": menu.turn(by: -layout.menuHeight)
    case "PageDown": menu.turn(by: layout.menuHeight)
    case "Home": menu.move(by: -menu.choices.count)
    case "End": menu.move(by: menu.choices.count)
    case "Enter":
      overlay = nil
      switch menu.chosen {
      case .command(let command):
        note(command)
        return run(command, in: catalog)
      case .shell(let subcommand): return copy(subcommand, in: catalog)
      case .app(let session, let label, _) where catalog[session] == nil:
        tell("\(label) is no longer here", .failed)
      case .app(let session, _, _) where menu.kind == .comparison: compare(with: session)
      case .app(let session, _, _): choose(session)
      case nil: break
      }
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

  // MARK: Prompts

  mutating func ask(_ question: Prompt.Question, _ text: String = "") {
    let view = app.flatMap { views[$0] } ?? AppView()
    overlay = .prompt(Prompt(question: question, field: TextField(text), before: view))
  }

  private mutating func press(
    _ key: CommandKey, _ prompt: Prompt, in catalog: Catalog
  ) -> [DebuggerEffect] {
    var prompt = prompt
    prompt.candidates = []
    switch key {
    case "Esc":
      overlay = prompt.question.pane.map { .settings($0) }
      restore(prompt)
    case "Tab" where prompt.question.isFile: return [.complete(prompt.field.text)]
    case "Enter":
      guard prompt.fault == nil else { break }
      overlay = nil
      return answer(prompt, in: catalog)
    case "Up" where prompt.question.isSearch:
      recall(queries.text(before: prompt.field.text), in: &prompt, catalog)
    case "Down" where prompt.question.isSearch:
      recall(queries.text(after: prompt.field.text), in: &prompt, catalog)
    default:
      guard prompt.field.press(key) else { break }
      follow(&prompt, in: catalog)
      overlay = .prompt(prompt)
    }
    return []
  }

  private mutating func recall(_ text: String?, in prompt: inout Prompt, _ catalog: Catalog) {
    guard let text else { return }
    prompt.field = TextField(text)
    follow(&prompt, in: catalog)
    overlay = .prompt(prompt)
  }

  /// Updates the search or filter on each keystroke. While the text is not a valid query, the last
  /// valid one stays.
  private mutating func follow(_ prompt: inout Prompt, in catalog: Catalog) {
    if prompt.question == .values, let app { views[app]?.values.filter = prompt.field.text }
    if case .findIn(let tab) = prompt.question, let app {
      let before = prompt.before.detail.outline(in: tab)
      let origin = before.flatMap { outline in outline.cursor.map(outline.order) }
      views[app]?.detail.find(prompt.field.text, in: tab, from: origin)
    }
    guard let app, let timeline = catalog[app]?.timeline, prompt.question.isSearch else { return }
    prompt.fault = nil
    do throws(QueryError) {
      show(try filter(prompt.field.text, timeline), of: prompt, app)
    } catch {
      if error.fault == .empty { show(nil, of: prompt, app) } else { prompt.fault = error }
    }
  }

  /// Keeps a running search if the query is the same.
  private mutating func show(_ search: RowSearch?, of prompt: Prompt, _ app: SessionID) {
    let shown = prompt.question == .find ? views[app]?.find : views[app]?.filter
    guard search?.query != shown?.query else { return }
    if prompt.question == .find {
      views[app]?.find = search
    } else {
      views[app]?.filter = search
    }
    views[app]?.selection = prompt.before.selection
  }

  private mutating func restore(_ prompt: Prompt) {
    if prompt.question == .values, let app {
      views[app]?.values.filter = prompt.before.values.filter
    }
    if case .findIn = prompt.question, let app {
      let detail = prompt.before.detail
      // Another row may be there by now.
      if views[app]?.detail.edition == detail.edition { views[app]?.detail = detail }
      views[app]?.detail.search = detail.search
    }
    guard let app, prompt.question.isSearch else { return }
    views[app]?.find = prompt.before.find
    views[app]?.filter = prompt.before.filter
    views[app]?.selection = prompt.before.selection
  }

  private mutating func answer(_ prompt: Prompt, in catalog: Catalog) -> [DebuggerEffect] {
    let text = prompt.field.text
    if case .setting(let name, let pane) = prompt.question {
      overlay = .settings(pane)
      // An empty text removes the line from the file, even if the line's value is empty.
      let isSame = personal.lines.contains {
        $0.name == name && $0.value == text && !(text.isEmpty && $0.origin.hasPrefix("line"))
      }
      return isSame ? [] : [.set(name, text)]
    }
    guard let app, let instance = catalog[app] else {
      tell(whyNoApp, .failed)
      return []
    }
    let met = met(in: catalog)
    if let command = prompt.question.command,
      let refusal = refusal(of: command, met: met)
    {
      tell(refusal, .failed)
      return []
    }
    switch prompt.question {
    case .goTo: goTo(text, in: instance)
    case .find:
      queries.add(text)
      views[app]?.jumps.leave(prompt.before.selection.place)
    case .filter: queries.add(text)
    case .save(let row) where !text.isEmpty: return [.save(app, row, path: text)]
    case .load where !text.isEmpty && instance.isLocked:
      ask(.load(path: text, about: ""), instance)
    case .load where !text.isEmpty: return load(text, instance)
    case .exportHistory where !text.isEmpty: return [.export(app, path: text)]
    case .importHistory where !text.isEmpty: ask(.replace(path: text), instance)
    case .note(let row): views[app]?.marks.set(row, note: text)
    case .dispatch where !text.isEmpty: return dispatch(text, instance)
    case .findIn, .save, .load, .dispatch, .exportHistory, .importHistory, .values, .setting: break
    }
    return []
  }
}
