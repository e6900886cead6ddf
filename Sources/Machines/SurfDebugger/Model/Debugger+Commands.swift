import SurfBasics
import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen

extension Debugger {
  /// Runs a command, or says why it cannot.
  mutating func run(_ command: ViewerCommand, in catalog: Catalog) -> [DebuggerEffect] {
    if refuses(command, in: catalog) { return [] }
    switch command {
    case .palette: openPalette(in: catalog)
    case .help: overlay = .menu(.help(personal.keys))
    case .settings: openSettings()
    case .redraw: return [.redraw]
    case .suspend: return [.suspend]
    case .quit: return [.quit]
    case .nextPane, .previousPane, .zoom, .times, .timesFromMark, .nextTab, .previousTab:
      arrange(command)
    case .apps: overlay = .apps(AppTable(at: app))
    case .watch, .unwatch: watch(command, in: catalog)
    case .wrap:
      wraps.toggle()
      scrollBack()
    case .nextApp: turnApp(by: 1, in: catalog)
    case .previousApp: turnApp(by: -1, in: catalog)
    case .surf, .back, .forward, .undo, .reset, .toggle, .pause, .lock, .scrub, .goOn, .drive:
      return act(command, in: catalog)
    case .moveEarlier, .moveLater, .sweep, .commit, .rollback: rewrite(command, in: catalog)
    case .goTo: ask(.goTo)
    case .values: page = page == .values ? .rows : .values
    case .logs: page = page == .logs ? .rows : .logs
    case .level: level = level.next
    case .find, .filter: askForSearch(command)
    case .hideAlike: hideAlike(in: catalog)
    case .save: askToSave(in: catalog)
    case .load: ask(.load, proposal: answers.texts(of: .file).last ?? "")
    case .dispatch: askForAction(in: catalog)
    case .exportHistory: askToExport(in: catalog)
    case .importHistory: ask(.importHistory)
    case .note: askForNote(in: catalog)
    case .compareApps: askForOther(in: catalog)
    case .order: turnOrder()
    case .showOrder: turnArrangement(in: catalog)
    case .writers: findWriters(in: catalog)
    case .hide, .unhide: return hide(command, in: catalog)
    case .copyPath, .copyValue, .copyDiff, .copyRow, .copySource, .copyCommand:
      return copy(command, in: catalog)
    case .openSource, .edit: return edit(command, in: catalog)
    case .plain: return showPlain(in: catalog)
    case .mouse: return turnMouse()
    default: look(command, in: catalog)
    }
    return []
  }

  /// Returns true if the command cannot run now, and shows the person why.
  mutating func refuses(_ command: ViewerCommand, in catalog: Catalog) -> Bool {
    if let refusal = refusal(of: command, met: met(in: catalog)) {
      tell(refusal, while: .refusal(command, reason: refusal))
      return true
    }
    guard command.changesApp, let doubt = restart.doubt(at: now) else { return false }
    tell(doubt, .failed)
    return true
  }

  private mutating func askForSearch(_ command: ViewerCommand) {
    let view = app.flatMap { views[$0] }
    if command == .find, searchesDetail {
      ask(.findIn(tab))
    } else if page == .values {
      ask(.values, view?.values.filter ?? "")
    } else if command == .find {
      ask(.find)
    } else {
      ask(.filter, view?.filter?.text ?? "")
    }
  }

  private mutating func openPalette(in catalog: Catalog) {
    let apps = catalog.ordered.map { Menu.Choice($0, seenFrom: setting.host) }
    let met = met(in: catalog)
    overlay = .menu(
      .palette(apps, setting.subcommands, recent: recent, keys: personal.keys) {
        $0.unmet(met) == nil
      })
  }

  /// The needs that are met now.
  func met(in catalog: Catalog) -> Set<CommandNeed> {
    var met: Set<CommandNeed> = []
    if catalog.instances.contains(where: { $0.session != app }) { met.insert(.otherApp) }
    if !setting.isWithin { met.insert(.statesurf) }
    guard let app, let view = views[app], let instance = catalog[app] else { return met }
    let timeline = instance.timeline
    met.insert(.app)
    if instance.status == .live { met.insert(.liveApp) }
    if instance.heartbeat.acceptsResets { met.insert(.restores) }
    if instance.heartbeat.control.contains(.takesCommands) { met.insert(.commands) }
    if instance.heartbeat.takesActions { met.insert(.actions) }
    if instance.heartbeat.control.contains(.replays) { met.insert(.replay) }
    if instance.heartbeat.control.contains(.hasWheel) { met.insert(.wheel) }
    if pendingMoves.canUndo(app) { met.insert(.undo) }
    if page == .logs { met.insert(.log) }
    if page == .values { return met }
    if view.find != nil || searchesDetail && view.detail.search != nil { met.insert(.hits) }
    if !view.marks.rows.isEmpty { met.insert(.marks) }
    if timeline.hiddenCount > 0 { met.insert(.hidden) }
    if view.detail.place(in: tab) != nil { met.insert(.place) }
    if view.shownRow(in: timeline).flatMap(timeline.rowInForce) != nil { met.insert(.stateInForce) }
    guard let number = view.row(in: timeline) else { return met }
    if number == 0 { met.insert(.state) }
    guard let row = timeline.row(number) else { return met }
    met.insert(.row)
    if row.isTarget { met.insert(.state) }
    if row.parent != nil { met.insert(.cause) }
    if row.record.hasPlace { met.insert(.source) }
    return met
  }

  private mutating func arrange(_ command: ViewerCommand) {
    guard page != .values else {
      return tell(
        personal.keys.text("the values have one pane", .values, "leads back to the rows"))
    }
    let tabs = DetailTab.allCases
    let index = tabs.firstIndex(of: tab) ?? 0
    switch command {
    case .nextTab, .previousTab:
      let count = command == .nextTab ? 1 : tabs.count - 1
      tab = tabs[(index + count) % tabs.count]
      scrollBack()
    case .zoom:
      zoom = zoom.next
      if zoom == .list { pane = .list }
      if zoom == .detail { pane = .detail }
    case .times: times = times.next
    case .timesFromMark: times = times == .sinceMark ? .clock : .sinceMark
    default:
      pane = pane.other
      // The other pane must become visible.
      if zoom != .both { zoom = pane == .list ? .list : .detail }
    }
  }

  /// Commands that change only the view of the shown app.
  private mutating func look(_ command: ViewerCommand, in catalog: Catalog) {
    guard let app, let instance = catalog[app] else { return }
    if page == .values, lookAtValues(command, app) { return }
    switch command {
    case .open where pane == .list && views[app]?.selection.place == .restart:
      showLastRun(of: instance, in: catalog)
    case .up: step(by: -1, instance)
    case .down: step(by: 1, instance)
    case .pageUp: step(by: -pageHeight, instance)
    case .pageDown: step(by: pageHeight, instance)
    case .halfUp: step(by: -max(1, pageHeight / 2), instance)
    case .halfDown: step(by: max(1, pageHeight / 2), instance)
    case .first:
      if pane == .detail { step(by: .min, instance) } else { goToFirst(instance) }
    case .newest:
      if pane == .detail { step(by: .max, instance) } else { followNewest(instance) }
    case .follow: toggleFollow(instance)
    case .open, .close, .leave, .foldAll, .unfoldAll: fold(command)
    case .jumpBack, .jumpForward: turnJumps(isBack: command == .jumpBack, instance, in: catalog)
    case .origin, .future, .otherFuture: branch(command, instance)
    case .findNext, .findPrevious: turnHits(isNext: command == .findNext, instance)
    default: mark(command, instance)
    }
  }

  private mutating func fold(_ command: ViewerCommand) {
    guard let app else { return }
    let tab = tab
    switch command {
    case .open where pane == .list: pane = .detail
    case .open: if !scroll(by: 1) { views[app]?.detail.open(in: tab) }
    case .close where pane == .list, .leave where pane == .list:
      if !clearSearch(), command == .leave, case .other = views[app]?.comparison {
        views[app]?.comparison = .previous
      }
    case .leave: leaveDetail(app)
    case .close:
      if scroll(by: -1) { break }
      if views[app]?.detail.close(in: tab) != true { leaveDetail(app) }
    default: views[app]?.detail.fold(command == .foldAll, in: tab)
    }
  }

  /// Scrolls the detail pane sideways by half its width: to the right if the cursor's line opens no
  /// further and continues there.
  ///
  /// - Returns: false if there is nothing to scroll.
  private mutating func scroll(by direction: Int) -> Bool {
    let half = max(1, layout.detail.width / 2)
    guard let app, let detail = views[app]?.detail else { return false }
    let shift = detail.shift
    if direction < 0 {
      views[app]?.detail.shift = max(0, shift - half)
      return shift > 0
    }
    guard !wraps, let line = detail.outline(in: tab)?.cursor, line.fold == .leaf, !line.isText,
      2 * line.depth + line.label.count + line.text.count + 4 > layout.detail.width + shift
    else { return false }
    views[app]?.detail.shift = shift + half
    return true
  }

  /// How far to the left the hit under the cursor needs the lines of the detail pane.
  func shiftToHit(in detail: DetailView) -> Int {
    let (width, half) = (layout.detail.width, max(1, layout.detail.width / 2))
    let end = detail.hit(in: tab).map { setting.textWidth.columns(escaped($0)) } ?? 0
    // The last column may have the sign that the line is cut.
    return wraps ? 0 : max(0, end - width + half) / half * half
  }

  private mutating func scrollBack() {
    if let app { views[app]?.detail.shift = 0 }
  }

  /// Clears the search first.
  private mutating func leaveDetail(_ app: SessionID) {
    guard views[app]?.detail.search != nil else {
      pane = .list
      return
    }
    views[app]?.detail.search = nil
    scrollBack()
  }

  /// Whether `/`, `n` and `N` are for the detail pane, and not for the rows.
  var searchesDetail: Bool {
    guard pane == .detail, page != .values, let detail = app.flatMap({ views[$0] })?.detail
    else { return false }
    return detail.outline(in: tab) != nil || detail.isReading && tab != .facts
  }

  private mutating func turnHits(isNext: Bool, _ instance: Instance) {
    guard searchesDetail, let search = views[instance.session]?.detail.search else {
      return turnRowHits(isNext: isNext, instance)
    }
    let tab = tab
    if views[instance.session]?.detail.turnHits(isNext: isNext, in: tab) == true {
      let shift = views[instance.session].map { shiftToHit(in: $0.detail) }
      views[instance.session]?.detail.shift = shift ?? 0
      return
    }
    let isOn = views[instance.session]?.detail.isReading == true || !search.search.isDone
    tell("nothing found \(isOn ? "yet " : "")for \(search.search.text)")
  }

  /// Esc in the list first clears the search, then the filter.
  ///
  /// - Returns: false if there was neither.
  private mutating func clearSearch() -> Bool {
    guard let app, let view = views[app] else { return false }
    if view.find != nil {
      views[app]?.find = nil
    } else if page == .logs, view.filter?.text.isEmpty == true {
      page = .rows
    } else if view.filter != nil {
      views[app]?.filter = nil
    } else {
      return false
    }
    return true
  }

  /// - Returns: whether the command applies to values.
  private mutating func lookAtValues(_ command: ViewerCommand, _ app: SessionID) -> Bool {
    switch command {
    case .open: views[app]?.values.change { $0.open() }
    case .close:
      let isAtRoot = (views[app]?.values.outline?.index ?? 0) == 0
      if isAtRoot { leaveValues(app) } else { views[app]?.values.change { $0.close() } }
    case .leave: leaveValues(app)
    case .foldAll: views[app]?.values.change { $0.foldAll() }
    case .unfoldAll: views[app]?.values.change { $0.unfoldAll() }
    case .first: views[app]?.values.change { $0.move(by: .min) }
    case .newest: views[app]?.values.change { $0.move(by: .max) }
    default: return false
    }
    return true
  }

  /// Esc clears the filter first.
  private mutating func leaveValues(_ app: SessionID) {
    if views[app]?.values.filter.isEmpty == false {
      views[app]?.values.filter = ""
    } else {
      page = .rows
    }
  }

  private mutating func mark(_ command: ViewerCommand, _ instance: Instance) {
    guard let app, let view = views[app] else { return }
    let timeline = instance.timeline
    let place = view.selection.place.number
    switch command {
    case .mark: view.row(in: timeline).map { views[app]?.marks.toggle($0) }
    case .nextMark, .previousMark:
      let isSeen = { !timeline.isHidden($0) }
      let marks = view.marks
      seek("all marked rows are deleted from this view", instance) {
        command == .nextMark
          ? marks.next(after: place, where: isSeen) : marks.next(before: place, where: isSeen)
      }
    case .pin:
      views[app]?.base = view.base == place ? nil : place
      views[app]?.comparison = view.base == place ? .previous : .base
    case .compare: compare(view, app)
    case .cause:
      seek("the row that caused this one is deleted from this view", instance) {
        timeline.row(place).flatMap { timeline.shownCause(of: $0) }
      }
    case .effect:
      seek("no row here was caused by this one", instance) {
        timeline.shownEffect(of: place)
      }
    case .nextProblem:
      seek("no error or warning after this row", instance) {
        timeline.rows[timeline.firstIndex(from: place.next)...].first(
          where: \.isProblem)?.number
      }
    case .previousProblem:
      seek("no error or warning before this row", instance) {
        timeline.rows[..<timeline.firstIndex(from: place)].last(
          where: \.isProblem)?.number
      }
    default: break
    }
  }

  private mutating func askForNote(in catalog: Catalog) {
    guard let app, let view = views[app], let timeline = catalog[app]?.timeline,
      let row = view.row(in: timeline)
    else { return }
    ask(.note(row), view.marks.note(at: row) ?? "")
  }

  /// Remembers the row now: the cursor may move before the person has typed a name.
  private mutating func askToSave(in catalog: Catalog) {
    guard let app, let instance = catalog[app] else { return }
    // The prompt names the row: it has the state in force, or the nearest state before it.
    let timeline = instance.timeline
    guard let place = views[app]?.row(in: timeline),
      let row = timeline.rowInForce(at: place)
        ?? timeline.target(before: place.next, skipsHoles: true).target?.row
    else { return tell(CommandNeed.state.whyNot, while: atCursor) }
    let isJSON = instance.heartbeat.contentType == "application/json"
    let name = Self.fileName(for: "\(row)", of: instance)
    ask(.save(row), proposal: name + (isJSON ? ".json" : ""))
  }

  private mutating func askToExport(in catalog: Catalog) {
    guard let app, let instance = catalog[app] else { return }
    ask(.exportHistory, proposal: Self.fileName(for: "history", of: instance) + ".json")
  }

  /// A name such as `PrimeTime-12`. Anybody can name an app, so it leads into no folder.
  private static func fileName(for part: String, of instance: Instance) -> String {
    let letters = instance.name.unicodeScalars.filter {
      "a"..."z" ~= $0 || "A"..."Z" ~= $0 || "0"..."9" ~= $0 || $0 == "_"
    }
    let name = String(String.UnicodeScalarView(letters.prefix(40)))
    return "\(name.isEmpty ? "state" : name)-\(part)"
  }

  mutating func turnOrder() {
    order = order.other
    for session in views.keys { views[session]?.order = order }
  }

  /// Lists the actions in the order in force, or all rows by their numbers again.
  private mutating func turnArrangement(in catalog: Catalog) {
    guard let app, let timeline = catalog[app]?.timeline else { return }
    page = .rows
    let isShown = views[app]?.arrangement != nil
    views[app]?.arrangement = isShown ? nil : Arrangement(timeline)
  }

  private mutating func compare(_ view: AppView, _ app: SessionID) {
    switch view.comparison {
    case .previous: views[app]?.comparison = view.base == nil ? .app : .base
    case .base: views[app]?.comparison = .app
    case .app, .other: views[app]?.comparison = .previous
    }
  }

  private mutating func seek(
    _ complaint: String, _ instance: Instance, _ find: () -> SequenceNumber?
  ) {
    if let row = find() { go(to: row, instance) } else { tell(complaint, while: atCursor) }
  }
}

extension Row {
  /// A visible error or warning in the app's log.
  var isProblem: Bool {
    switch record.kind {
    case .log(.error), .log(.warning): !isHidden
    default: false
    }
  }
}
