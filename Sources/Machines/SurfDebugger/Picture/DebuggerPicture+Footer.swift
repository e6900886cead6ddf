import SurfBasics
import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen

extension DebuggerPicture {
  mutating func drawStatus() {
    guard let row = layout.status else { return }
    var parts = ["\(catalog.live.count) live"]
    if let instance {
      let control = instance.heartbeat.control
      if let note = instance.standing.note { parts.append(note) }
      if let driver = instance.driver {
        parts.append(driver.viewer == model.setting.viewer ? "you drive" : "\(driver.title) drives")
      }
      if control.contains(.paused) { parts.append("paused") }
      if control.contains(.locked) { parts.append("locked") }
      if control.contains(.leavesOut) { parts.append("leaves actions out") }
      if view.scrub.isOn { parts.append("auto-apply") }
      let lost = instance.timeline.lost.count
      parts.append(countText(instance.timeline.newestNumber, "record"))
      if !lost.isZero { parts.append("\(lost) lost") }
      let verb = instance.status == .live ? "is" : "ended"
      parts.append("\(instance.label) \(verb) at \(positionText(instance.timeline.position))")
      parts += presence(in: instance)
    }
    write(parts.joined(separator: " · "), at: row, 1, .dim, widthMax: layout.size.width - 2)
  }

  /// The viewer that moved the app last, and those that moved it before. Viewers that only look are
  /// unknown.
  private func presence(in instance: Instance) -> [String] {
    guard let last = instance.timeline.lastMoves.first else { return [] }
    // Compare ids, because another terminal of the same person has the same name.
    let isOwn = last.viewer == model.setting.viewer
    // The wire protocol does not carry the time.
    let age = last.afterRow.distance(to: max(last.afterRow, instance.timeline.newestNumber))
    let who = isOwn ? "you" : last.who
    let driver =
      age.isZero ? "last moved by \(who)" : "moved by \(who) \(countText(age, "row")) ago"
    let others = model.otherMovers(of: instance, besides: last)
    guard !others.isEmpty else { return [driver] }
    let more = others.count > 3 ? " and \(others.count - 3) more" : ""
    return [driver, "earlier by \(others.prefix(3).joined(separator: ", "))\(more)"]
  }

  /// The prompt if there is one, else the newest notice, else the search's result.
  mutating func drawMessage() {
    let row = layout.message
    let width = layout.size.width - 2
    if case .prompt(let prompt) = model.overlay { return draw(prompt, at: row) }
    if let text = menuMessage() {
      write(text, at: row, 1, widthMax: width)
      return
    }
    if let notice = model.notices.last {
      draw(notice)
    } else if model.searchesDetail, let search = view.detail.search {
      let what = "find in \(model.tab.rawValue)"
      drawFound(what, search.search.text, findText(search) + doubt(about: search), at: row)
    } else if let find = view.find {
      drawFound("find", find.text, findText(find), at: row)
    }
  }

  private mutating func draw(_ notice: Notice) {
    let style = notice.tone.look.style
    let width = layout.size.width - 2
    for (offset, line) in lines(of: notice).enumerated() {
      write(line, at: layout.message + offset, 1, style, widthMax: width)
    }
  }

  /// The message's row, and for the rest of a long one the row of the hints below.
  private func lines(of notice: Notice) -> [String] {
    let text = notice.tone.look.mark + notice.text
    let width = layout.size.width - 2
    guard columns(text) > width, model.overlay == nil else { return [text] }
    let lines = folded(text, width: width)
    return [lines[0], lines.dropFirst().joined(separator: " ")]
  }

  private mutating func drawFound(_ what: String, _ text: String, _ found: String, at row: Int) {
    let keys = [ViewerCommand.findNext, .findPrevious].compactMap(model.personal.keys.label)
    write(
      "\(what): \(Excerpt.text(text, limit: 40))   \(found)   \(keys.joined(separator: " "))",
      at: row, 1, widthMax: layout.size.width - 2)
  }

  private func findText(_ find: RowSearch) -> String {
    let hits = shownHits(of: find)
    let index = hits.partitionPoint { $0 >= view.selection.place.number }
    let isHit = index < hits.count && hits[index] == view.selection.place.number
    return isHit
      ? "\(index + 1) of \(hitCount(find))" : "\(hitCount(find)) found\(doubt(about: find))"
  }

  /// What may have been meant by a query that no row matches.
  private func doubt(about search: RowSearch) -> String {
    guard search.isDone, search.hits.isEmpty, let hint = search.hint, !hint.isEmpty else {
      return ""
    }
    return " · \(hint)"
  }

  /// Where a query belongs that was taken for a text.
  private func doubt(about search: DetailSearch) -> String {
    let search = search.search
    guard !view.detail.isReading, search.isDone, search.hits.isEmpty, search.isQuery else {
      return ""
    }
    let keys = [ViewerCommand.nextPane, .find].compactMap(model.personal.keys.label)
    let way = keys.isEmpty ? "" : ": \(keys.joined(separator: " "))"
    return " as text · a query searches rows, from the list\(way)"
  }

  private func findText(_ search: DetailSearch) -> String {
    let hits = search.search.hits
    let isOn = view.detail.isReading || !search.search.isDone
    let rest = search.search.mayLackHits ? " or more" : isOn ? "…" : ""
    let outline = view.detail.outline(in: model.tab)
    let order = outline.flatMap { outline in outline.cursor.map(outline.order) }
    let index = hits.firstIndex { $0.order == order }
    return index.map { "\($0 + 1) of \(hits.count)\(rest)" } ?? "\(hits.count)\(rest) found"
  }

  /// `12…` during the search. `12 or more` if it could not decide about a row, because a state is
  /// missing or redacted, or a text or a list is too long.
  func hitCount(_ search: RowSearch) -> String {
    let rest = search.isDone ? search.mayLackHits ? " or more" : "" : "…"
    return "\(shownHits(of: search).count)\(rest)"
  }

  func shownHits(of search: RowSearch) -> [SequenceNumber] {
    instance.map { search.shownHits(in: $0.timeline) } ?? []
  }

  private mutating func draw(_ prompt: Prompt, at row: Int) {
    let label = "\(prompt.question.label): "
    let said = isBoxed(prompt.remark) ? "" : said(of: prompt)
    let saidMax = layout.size.width * 2 / 3
    let end = layout.size.width - 1 - min(columns(said), saidMax)
    let start = screen.put(label, at: row, 1, .bold)
    let room = max(1, end - start - 2)
    let text = prompt.field.text
    if text.isEmpty { write(prompt.proposal, at: row, start, .dim, widthMax: room) }
    // Show the end, where the person types.
    var shown = text[...]
    while columns(String(shown)) > room { shown = shown.dropFirst(max(1, shown.count / 64)) }
    let column = write(String(shown), at: row, start, widthMax: room)
    screen.cursor = ScreenPlace(row: row, column: min(column, layout.size.width - 1))
    write(
      said, at: row, end, prompt.fault == nil && prompt.remark == nil ? .dim : .colour(.red),
      widthMax: layout.size.width - 1 - end)
  }

  /// Whether a remark is too long for the prompt's line. It gets a box then.
  func isBoxed(_ remark: String?) -> Bool {
    remark.map { columns($0) > layout.size.width / 2 } ?? false
  }

  /// What the search has found so far, or what is wrong with the text.
  private func said(of prompt: Prompt) -> String {
    if let remark = prompt.remark { return remark }
    if let error = prompt.fault {
      return ["\(error)", error.fault.suggestion].compactMap(\.self).joined(separator: ". ")
    }
    switch prompt.question {
    case .find where prompt.field.text.isEmpty, .filter where prompt.field.text.isEmpty:
      return "a text, or name:add, total over 3, total changed"
    case .find: return view.find.map(findText) ?? ""
    case .findIn: return view.detail.search.map(findText) ?? ""
    case .filter:
      return view.filter.map { "\(hitCount($0)) pass\(doubt(about: $0))" } ?? ""
    case .goTo: return "12 ~1 app tip initial 12:05:30 -2s"
    case .dispatch: return prompt.example.map { "as \($0)" } ?? ""
    case .save, .load, .exportHistory, .importHistory, .note, .setting: return ""
    case .values: return view.values.filter.isEmpty ? "" : "\(view.values.shownCount) pass"
    }
  }

  private var overlayHints: [String]? {
    switch model.overlay {
    case .consent(let consent):
      [consent.wish.isFinal ? "y does it" : "y or Enter does it", "n cancels"]
    case .prompt(let prompt) where !prompt.choices.isEmpty:
      ["Tab ↓ choose", "Enter does it", "Esc leaves"]
    case .prompt, .settings: ["Enter does it", "Esc leaves"]
    // Letters filter here: they do not move the cursor.
    case .menu: ["type to filter", "↑↓ choose", "Enter does it", "Esc leaves"]
    case .apps(let table):
      (table.isTyping ? ["type to filter", "↑↓ choose"] : ["s S sort", "/ filter"])
        + ["Enter shows the app", "Esc leaves"]
    case .prefix, .plain: ["Esc leaves"]
    case nil: nil
    }
  }

  private var commandHints: [(text: String, target: ClickTarget?)] {
    let met = model.met(in: catalog)
    let order: [ViewerCommand] =
      model.pane == .list
      ? [.nextPane, .pin, .filter, .nextApp, .follow, .find, .surf, .palette, .help]
      : [.nextPane, .nextTab, .writers, .watch, .open, .find, .surf, .palette, .help]
    return order.compactMap { command in
      guard command.unmet(met) == nil, let hint = command.spec.hint,
        let text = model.personal.keys.hint(command, hint)
      else { return nil }
      return (text, .command(command))
    }
  }

  /// Hints at what can be done. If they do not fit, the first are dropped, so help stays.
  mutating func drawFooter() {
    if let notice = model.notices.last, lines(of: notice).count > 1 { return }
    var hints = overlayHints?.map { (text: $0, target: nil) } ?? commandHints
    while hints.count > 1,
      columns(hints.map(\.text).joined(separator: "   ")) > layout.size.width - 2
    {
      hints.removeFirst()
    }
    var column = 1
    for hint in hints {
      let end = write(
        hint.text, at: layout.footer, column, .dim, widthMax: layout.size.width - 1 - column)
      if let target = hint.target {
        addTarget(target, at: layout.footer, column..<max(column, end))
      }
      column = end + 3
    }
  }
}

extension Notice.Tone {
  fileprivate var look: (mark: String, style: CellStyle) {
    switch self {
    case .done: ("✓ ", .colour(.green))
    case .failed: ("! ", .colour(.red))
    case .note: ("", .plain)
    }
  }
}
