import SurfBasics
import SurfControl
import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen

extension DebuggerPicture {
  mutating func drawList() {
    guard let title = layout.listTitle else { return }
    drawListTitle(title)
    guard let instance else { return drawWaiting() }
    if model.page == .values { return drawValues(of: instance) }
    let list = list(of: instance.timeline)
    guard list.item(at: view.selection.place) != nil else {
      let text = view.filter == nil && view.arrangement == nil ? "" : emptyText
      write(text, at: layout.list.row, 4, .dim, widthMax: layout.list.width - 4)
      return
    }
    let window = list.window(
      around: view.selection.place, line: view.selection.line, height: layout.list.height)
    // With the newest row first, the graph would run the wrong way.
    let hasGraph =
      view.filter == nil && view.arrangement == nil && view.order == .oldestFirst
    let columns = ListColumns(
      width: layout.list.width, gutter: hasGraph ? view.branches.width : 0,
      newest: instance.timeline.newestNumber,
      watchCount: model.page == .rows ? view.watched.places.count : 0)
    drawWatchedTitles(columns, window)
    let before = valuesBefore(window)
    for (line, place) in window.places.enumerated() {
      guard let item = list.item(at: place) else { continue }
      let row = layout.list.row + line
      draw(item, of: list, at: row, columns, instance)
      switch item {
      case .row(let shown) where shown.mayHaveState:
        drawWatched(shown.number, shown.holdsState, at: row, columns, before)
      case .initial where columns.watchCount > 0 && instance.timeline.holdsState(at: .initial):
        drawWatched(0, true, at: row, columns, before)
      default: break
      }
      if line == window.line { highlight(row) }
    }
  }

  /// For each row on screen, the watched values in the row before it on screen.
  private func valuesBefore(_ window: ListWindow) -> [SequenceNumber: [WatchedValue]] {
    guard !view.watched.places.isEmpty else { return [:] }
    var before: [SequenceNumber: [WatchedValue]] = [:]
    var last: [WatchedValue]?
    for number in window.numbers {
      before[number] = last
      last = view.watched[number] ?? last
    }
    return before
  }

  private var emptyText: String {
    guard model.page == .logs else {
      if view.filter == nil { return "the history has no action" }
      return view.filter?.mayLackHits == true
        ? "no row is known to pass the filter" : "no row passes the filter"
    }
    guard view.filter?.text.isEmpty == true else { return "no line of the log passes the filter" }
    return "the log has no lines" + (model.level == .trace ? "" : " from \(model.level) on")
  }

  /// A new user sees this first: what the debugger waits for, and what may be missing.
  private mutating func drawWaiting() {
    let setting = model.setting
    let next = model.personal.keys.keys(of: .nextApp).first?.label ?? "the palette"
    let absent = model.forgotten.map { forgotten in
      [
        "\(forgotten.label) is no longer here", "",
        "It was gone, and its history had to make", "room for newer apps.",
        "\(next) leads to the next app.",
      ]
    }
    let lines =
      absent ?? setting.wanted.flatMap { candidates(for: $0, next) } ?? [
        "waiting for \(setting.wanted ?? "apps") on \(setting.interface)", "",
        "Is an instrumented app running?", "`statesurf doctor` checks this machine;",
        "`--interface eth0` looks on a LAN.",
      ]
    for (line, text) in lines.prefix(layout.list.height).enumerated() {
      write(text, at: layout.list.row + line, 2, .dim, widthMax: layout.list.width - 3)
    }
  }

  /// Shown when several apps have the wanted name, or none has it but others are here. Nil if there
  /// is nothing to do but wait.
  private func candidates(for wanted: String, _ next: String) -> [String]? {
    switch catalog.find(wanted) {
    case .ambiguous(let instances):
      let names = instances.map { "  \($0.label) on \($0.host), id \($0.id.description.prefix(8))" }
      return ["\(instances.count) apps are named \(wanted):"] + names
        + ["", "\(next) leads to the next app; or name one:"]
        + ["statesurf surf \(instances[0].label)"]
    case .none(let suggestions):
      let live = catalog.live.map(\.name).counted
      guard !suggestions.isEmpty || !live.isEmpty else { return nil }
      let meant = suggestions.first.map { " Did you mean \($0)?" } ?? ""
      return ["waiting for \(wanted) on \(model.setting.interface)"]
        + (live.isEmpty ? [] : ["live: \(live.joined(separator: ", "))"])
        + ["", "No app has that name.\(meant)", "\(next) leads to the next app."]
    case .one: return nil
    }
  }

  private mutating func highlight(_ row: Int) {
    screen.put("▸", at: row, layout.list.column)
    let area = ScreenArea(row: row, column: layout.list.column, width: layout.list.width)
    drawCursor(area, hasKeys: model.pane == .list && model.overlay == nil)
  }

  private mutating func drawListTitle(_ row: Int) {
    let width = layout.divider ?? layout.size.width
    if model.page == .values { return drawValuesTitle(row) }
    let order = model.page == .rows ? view.arrangement?.order : nil
    let total = order?.steps.count ?? instance?.timeline.rows.count ?? 0
    let unit = order == nil ? "row" : "action"
    var parts: [String] = []
    if model.page == .logs { parts.append("log from \(model.level) on") }
    if order != nil {
      parts.append(view.branches.width > 0 ? "order in force, all futures" : "order in force")
    }
    let text = view.filter?.text ?? ""
    if !text.isEmpty { parts.append("filter: \(Excerpt.text(text, limit: 40))") }
    if parts.isEmpty { parts.append("no filter") }
    let passing = view.filter.map { "\(hitCount($0)) of " } ?? ""
    parts.append("\(passing)\(total) \(unit)\(total == 1 ? "" : "s")")
    if let order {
      if order.leftOutCount > 0 { parts.append("\(order.leftOutCount) left out") }
      if let row = order.unknownUpTo { parts.append("not known before row \(row)") }
    }
    let hidden = instance?.timeline.hiddenCount ?? 0
    if hidden > 0 { parts.append("\(hidden) deleted") }
    let style: CellStyle = text.isEmpty && order == nil ? .dim : .colour(.yellow)
    write(
      parts.joined(separator: " · "), at: row, 1, titleStyle(of: .list, style),
      widthMax: width - 2)
  }

  private mutating func draw(
    _ item: TimelineItem, of list: RowList, at row: Int, _ columns: ListColumns,
    _ instance: Instance
  ) {
    drawBranches(item, at: row, columns)
    func note(_ text: String, at column: Int, _ style: CellStyle) {
      write(text, at: row, column, style, widthMax: layout.list.width - column)
    }
    switch item {
    case .restarted:
      note("⟲ \(catalog.restartText(of: instance) ?? "")", at: columns.text, .colour(.yellow))
    case .initial:
      drawMarks(of: 0, at: row, instance)
      putNumber(0, at: row, columns)
      note("(initial)", at: columns.name, .dim)
    case .row(let record): draw(record, at: row, columns, instance)
    case .gap(let range):
      note(
        "░░ \(rows(range)) lost: no longer available ░░", at: columns.text, .colour(.yellow))
    case .notLoaded(let range):
      let what = areComing(range) ? "on the way" : "not loaded"
      note("░░ \(rows(range)) \(what) ░░", at: columns.text, .dim)
    case .marker(let marker):
      let colour: CellStyle.Colour = marker.outcome == .applied ? .yellow : .red
      note(movesText(list.moves(at: item.place), marker), at: columns.text, .colour(colour))
    }
  }

  /// Whether these rows, or some of them, will probably arrive. Large states take seconds on a slow
  /// network.
  func areComing(_ range: ClosedRange<SequenceNumber>) -> Bool {
    guard let instance, instance.status == .live, !model.setting.observes else { return false }
    if let fetch = view.fetch, fetch.rows.overlaps(range), fetch.isUnderWay { return true }
    return instance.timeline.isComing(range)
  }

  private func rows(_ range: ClosedRange<SequenceNumber>) -> String {
    range.lowerBound == range.upperBound
      ? "row \(range.lowerBound)"
      : "rows \(range.lowerBound)–\(range.upperBound) (\(range.length))"
  }

  private mutating func draw(
    _ row: Row, at line: Int, _ columns: ListColumns, _ instance: Instance
  ) {
    let record = row.record
    drawMarks(of: row.number, at: line, instance)
    putNumber(row.number, at: line, columns)
    if columns.hasTime {
      // Times are aligned at their ends: those of a clock are as long as the column.
      let time = time(row, instance.timeline)
      let shift = max(0, ListColumns.timeWidth - self.columns(time))
      // No further than the column: the row's number comes after it.
      screen.put(
        time, at: line, columns.time + shift, .dim, width: ListColumns.timeWidth - shift)
    }
    let name = listed(record, instance.timeline)
    var nameStyle = style(record)
    // The state has the actions of one future only.
    if let order = view.arrangement?.order,
      !view.branches.leads(from: row.number, to: instance.timeline.position, in: order)
    {
      nameStyle = .dim
      screen.put("·", at: line, 1, .dim)
    }
    let isLeftOut = view.leftOut.contains(row.number, in: instance.timeline) == true
    let end = columns.end - 1
    // Text after a name gives way to it.
    var room = end - columns.name - self.columns(name)
    func fit(_ text: String) -> String {
      let width = self.columns(text)
      guard width <= room else { return "" }
      room -= width
      return text
    }
    let count = fit(record.countText)
    let cause = count + fit(record.parent == 0 ? "" : " ←\(record.parent)")
    let after = write(
      name, at: line, columns.name, isLeftOut ? nameStyle.adding(.strike) : nameStyle,
      widthMax: end - columns.name - self.columns(cause))
    let next = screen.put(cause, at: line, after, .dim)
    if let note = view.marks.note(at: row.number) {
      write("  " + note, at: line, next, .colour(.magenta), widthMax: end - next)
    } else if columns.hasTime, model.page != .logs {
      // A narrow list has no room for a size beside most names, and log lines have no states.
      let size = fit("  " + sizeText(row, instance.timeline).trimming { $0 == " " })
      screen.put(size, at: line, end - self.columns(size), .dim)
    }
  }

  /// The row's name. For a rewrite, its effect and the action. The log page puts the level before
  /// the name.
  private func listed(_ record: Record, _ timeline: Timeline) -> String {
    if record.kind == .revision,
      let (command, rest) = HistoryCommand<SequenceNumber>.told(by: record.name)
    {
      return "\(command.deed(in: timeline)) \(rest)"
    }
    guard model.page == .logs, case .log = record.kind else { return record.name }
    let level = record.kind.text
    return level + String(repeating: " ", count: max(1, 8 - level.utf8.count)) + record.name
  }

  private mutating func putNumber(_ number: SequenceNumber, at row: Int, _ columns: ListColumns) {
    let text = "\(number)"
    screen.put(text, at: row, columns.name - 2 - text.utf8.count, .bold)
  }

  /// `◆` for the app's position and `◇` for where it ended, `x` for an action that is left out,
  /// `B` for the base, `m` for a mark.
  private mutating func drawMarks(of number: SequenceNumber, at row: Int, _ instance: Instance) {
    if instance.timeline.position == Position(wire: number) {
      let isLive = instance.status == .live
      screen.put(isLive ? "◆" : "◇", at: row, 1, isLive ? .colour(.green) : .dim)
    } else if view.leftOut.contains(number, in: instance.timeline) == true {
      screen.put("x", at: row, 1, .colour(.red))
    }
    if view.base == number {
      screen.put("B", at: row, 2, .colour(.cyan))
    } else if view.marks.contains(number) {
      screen.put("m", at: row, 2, .colour(.magenta))
    }
  }

  private func sizeText(_ row: Row, _ timeline: Timeline) -> String {
    switch (row.record.kind, row.stateSize) {
    case (_, let size?): "\(byteText(size)) \(timeline.changeText(of: row, with: size))"
    case (.action, nil): row.absenceText ?? ""
    case (let kind, nil): kind.text
    }
  }

  func style(_ record: Record) -> CellStyle {
    switch record.kind {
    case .log(.error): .colour(.red)
    case .log(.warning) where record.isRefusal: .colour(.red)
    case .revision where record.isDescription: .dim
    case .log(.warning), .revision: .colour(.yellow)
    case .log: .dim
    case .action, .update, .remove, .mark, .restored, .other: .plain
    }
  }

  func time(_ row: Row, _ timeline: Timeline) -> String {
    switch model.times {
    case .clock:
      clockText(row.record.wallTime, secondsFromGMT: model.setting.secondsFromGMT)
    case .sinceStart: secondsText(row.record.uptime)
    case .sinceMark: timeSinceMark(row, timeline)
    case .sincePrevious:
      if case .row(let number) = timeline.target(before: row.number, skipsHoles: true),
        let before = self.row(number, in: timeline)
      {
        "+" + secondsText(row.record.uptime &- min(before.record.uptime, row.record.uptime))
      } else {
        secondsText(row.record.uptime)
      }
    }
  }

  /// Rows before the first mark show a negative time.
  private func timeSinceMark(_ row: Row, _ timeline: Timeline) -> String {
    guard let mark = view.marks.origin(of: row.number).flatMap({ self.row($0, in: timeline) })
    else { return secondsText(row.record.uptime) }
    let (time, start) = (row.record.uptime, mark.record.uptime)
    return time < start ? "-" + secondsText(start - time) : "+" + secondsText(time - start)
  }

  /// - Parameter folded: from where the first move began to where the last one ended.
  private func movesText(_ moves: [Marker], _ folded: Marker) -> String {
    guard moves.count > 1 else { return folded.text(of: "the app") }
    var names: [String] = []
    for name in moves.map(\.who) where !names.contains(name) { names.append(name) }
    let who = names.count > 2 ? "\(names.count) viewers" : names.joined(separator: " and ")
    let isBack = folded.origin == folded.target && moves.contains { $0.target != folded.target }
    let way = isBack ? " there and back to \(positionText(folded.target))" : folded.way
    return "⤺ \(who) moved the app\(way) (\(moves.count) moves)"
  }
}

/// The columns of the list. A narrow list omits the less important ones.
struct ListColumns {
  /// Where the branch lines begin.
  static let branches = 4

  /// The width of the branch lines; 0 for none.
  let gutter: Int
  /// Where the time begins.
  let time: Int
  /// Where the text of a gap or a marker begins.
  let text: Int
  /// Where the name begins. The number ends two columns before.
  let name: Int
  let hasTime: Bool
  /// How many watched places have a column.
  let watchCount: Int
  /// Where the columns of watched places begin, after all others.
  let end: Int

  static let timeWidth = 12
  /// Of a watched place, with a blank.
  static let watchWidth = 11
  private static let nameWidthMin = 12

  func watched(_ index: Int) -> Int { end + index * Self.watchWidth }

  init(width: Int, gutter: Int, newest: SequenceNumber, watchCount: Int) {
    let number = max(4, "\(newest)".utf8.count)
    let taken = gutter > 0 ? gutter + 1 : 0
    let room = width - Self.branches - taken - number - 2 - Self.nameWidthMin
    self.watchCount = max(0, min(watchCount, room / Self.watchWidth))
    let width = width - self.watchCount * Self.watchWidth
    end = width
    self.gutter = gutter
    time = Self.branches + taken
    text = gutter > 0 ? time : 2
    hasTime = width - taken >= 44
    name = time + (hasTime ? 13 : 0) + number + 2
  }
}
