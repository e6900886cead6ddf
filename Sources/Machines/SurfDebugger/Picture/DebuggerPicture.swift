import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen

/// Draws a `Debugger` as a `Screen`. It reads only the rows it shows, and decodes nothing.
package struct DebuggerPicture {
  var screen: Screen
  let model: Debugger
  let catalog: Catalog
  let layout: ScreenLayout
  let instance: Instance?
  let view: AppView
  let looks = LookCount()
  var targets: [(area: ScreenArea, target: ClickTarget)] = []

  /// Deterministic: the same model and catalog give the same screen.
  package static func screen(of model: Debugger, in catalog: Catalog) -> Screen {
    DebuggerPicture(model, catalog).screen
  }

  /// The number of row look-ups for the same screen, for tests.
  package static func lookCount(of model: Debugger, in catalog: Catalog) -> Int {
    DebuggerPicture(model, catalog).looks.value
  }

  /// The effect of a click at a place; nil if it only selects a row or a pane.
  static func target(
    at place: ScreenPlace, of model: Debugger, in catalog: Catalog
  ) -> ClickTarget? {
    DebuggerPicture(model, catalog).targets.last { $0.area.contains(place) }?.target
  }

  /// The pane that gets the keys as plain text, taller than the screen and alone.
  static func plainText(of model: Debugger, in catalog: Catalog) -> [String] {
    var model = model
    model.overlay = nil
    model.zoom = model.pane == .list ? .list : .detail
    model.size = ScreenSize(
      width: model.size.width, height: max(plainHeight, model.size.height))
    let picture = DebuggerPicture(model, catalog)
    let area = model.pane == .list ? picture.layout.list : picture.layout.detail
    let lines = picture.screen.lines.dropFirst(area.row).prefix(area.height)
    let trimmed = lines.map { String($0.reversed().drop { $0 == " " }.reversed()) }
    return trimmed.reversed().drop { $0.isEmpty }.reversed()
  }

  /// Lines for a person to scroll back through.
  private static let plainHeight = 200

  private init(_ model: Debugger, _ catalog: Catalog) {
    self.model = model
    self.catalog = catalog
    let setting = model.setting
    screen = Screen(model.size, textWidth: setting.textWidth, isASCII: setting.isASCII)
    layout = model.layout
    instance = model.app.flatMap { catalog[$0] }
    view = model.app.flatMap { model.views[$0] } ?? AppView()
    draw()
  }

  private mutating func draw() {
    guard !layout.isTooSmall else {
      let size = model.size
      let text =
        "\(size.width)×\(size.height) is too small: \(ScreenLayout.widthMin)×"
        + "\(ScreenLayout.heightMin) at least"
      screen.put(text, at: 0, 0)
      let keys = model.blindCommands.map(\.key.label).joined(separator: " ")
      screen.put("only these keys work: \(keys)", at: 1, 0)
      return
    }
    drawHeader()
    drawRules()
    drawList()
    drawDetail()
    drawStrip()
    drawStatus()
    drawMessage()
    drawFooter()
    drawMenu()
    drawApps()
    drawPrefix()
    drawCandidates()
    drawConsent()
    drawSettings()
    paint()
  }

  /// Applies the person's colours.
  private mutating func paint() {
    let theme = model.personal.theme
    let isLight = model.setting.isLight
    guard theme != Theme() || isLight else { return }
    let all = ScreenArea(row: 0, column: 0, width: model.size.width, height: model.size.height)
    screen.restyle(all) { style in
      style.colour = style.colour.map { theme.colour(for: $0, isLight: isLight) }
    }
  }

  private mutating func drawRules() {
    let width = layout.size.width
    screen.putHorizontalRule(at: 2, 0, width: width, .dim)
    screen.putHorizontalRule(at: layout.bottomRule, 0, width: width, .dim)
    if let title = layout.detailTitle, title > 2 {
      screen.putHorizontalRule(at: title, 0, width: width, .dim)
    }
    if let divider = layout.divider {
      screen.putVerticalRule(at: 1, divider, height: layout.bottomRule, .dim)
    }
    let focused = model.pane == .list ? layout.list : layout.detail
    screen.putHeavyRule(
      at: focused.row - 1, focused.column, width: focused.width, .colour(.green))
  }

  /// The cursor's line has one look from edge to edge. Its colours would make spots.
  mutating func drawCursor(_ area: ScreenArea, hasKeys: Bool) {
    screen.restyle(area) { style in
      style = CellStyle(style.traits.intersection(.strike).union(hasKeys ? .reverse : .bold))
    }
  }

  func titleStyle(of pane: Pane, _ usual: CellStyle = .dim) -> CellStyle {
    guard model.pane == pane else { return usual }
    return CellStyle(.bold, usual.colour)
  }

  // MARK: Header

  private mutating func drawHeader() {
    let isWide = layout.size.width >= ScreenLayout.sideBySideMin
    let who = isWide ? model.setting.viewerName + "  " : ""
    let follow = followText
    let end = layout.size.width - columns(who + follow) - 1
    var column = 1
    let tabs = self.tabs
    let first = firstTab(of: tabs, end)
    if first > 0 { screen.put("‹", at: 0, 0, .dim) }
    for (index, tab) in tabs.enumerated().dropFirst(first) {
      guard column < end - 4 else {
        screen.put("›", at: 0, end - 2, .dim)
        break
      }
      let start = column
      // The last tab needs no room for the sign of further tabs.
      let room = end - column - (index + 1 < tabs.count ? 2 : 1)
      column = write(tab.text, at: 0, column, tab.style, widthMax: room)
      addTarget(tab.target, at: 0, start..<max(start, column))
    }
    if catalog.instances.isEmpty { screen.put("no app is here yet", at: 0, 1, .dim) }
    screen.put(who, at: 0, end, .dim)
    screen.put(follow, at: 0, end + columns(who), follows ? .plain : .colour(.yellow))
  }

  private struct Tab {
    let text: String
    let style: CellStyle
    let target: ClickTarget
    let isShown: Bool
  }

  /// One for each live app, and one for all others that are gone. Tabs have no numbers, because a
  /// digit starts a row number.
  private var tabs: [Tab] {
    let live = catalog.ordered.filter { $0.status == .live || $0.session == model.app }
    let apps = live.map { app in
      let label = app.label(seenFrom: model.setting.host)
      let name = "\(label) \(app.status == .live ? "●" : "○ gone")"
      let isShown = app.session == model.app
      return Tab(
        text: isShown ? "[\(name)]" : " \(name) ", style: isShown ? .bold : .plain,
        target: .app(app.session), isShown: isShown)
    }
    let goneCount = catalog.instances.count - live.count
    guard goneCount > 0 else { return apps }
    let gone = Tab(
      text: " ○ \(goneCount) gone ", style: .dim, target: .command(.apps), isShown: false)
    return apps + [gone]
  }

  /// The first tab to draw so that the shown app's tab fits.
  private func firstTab(of tabs: [Tab], _ end: Int) -> Int {
    var first = tabs.firstIndex(where: \.isShown) ?? 0
    var room = end - 2 - (tabs.isEmpty ? 0 : columns(tabs[first].text))
    while first > 0 {
      room -= columns(tabs[first - 1].text)
      guard room > 0 else { break }
      first -= 1
    }
    return first
  }

  private var follows: Bool { view.selection.follows }

  private var followText: String {
    let count = instance.map { view.selection.newCount(in: list(of: $0.timeline)) } ?? 0
    let new = count.isZero ? "" : " +\(count)"
    return "FOLLOW \(follows ? "on" : "off\(new)")"
  }

  mutating func addTarget(_ target: ClickTarget, at row: Int, _ columns: Range<Int>) {
    targets.append((ScreenArea(row: row, column: columns.lowerBound, width: columns.count), target))
  }

  func list(of timeline: Timeline) -> RowList { view.list(of: timeline, looks: looks) }

  func row(_ number: SequenceNumber, in timeline: Timeline) -> Row? {
    looks.add()
    return timeline.row(number)
  }

  func columns(_ text: String) -> Int { screen.textWidth.columns(escaped(text)) }

  /// Writes a text, cut at `widthMax` and not padded; returns the column after it.
  @discardableResult
  mutating func write(
    _ text: String, at row: Int, _ column: Int, _ style: CellStyle = .plain, widthMax: Int
  ) -> Int {
    // Measure only the beginning of a long text.
    let beginning = Excerpt.text(text, limit: max(1, widthMax) * 4)
    let width = min(columns(beginning), widthMax)
    return screen.put(beginning, at: row, column, style, width: width)
  }
}

// Live values, and the boxes over the panes that are not menus.
extension DebuggerPicture {
  mutating func drawValuesTitle(_ row: Int) {
    let values = view.values
    let text = Excerpt.text(values.filter, limit: 40)
    let filter = values.filter.isEmpty ? "" : "filter: \(text) · \(values.shownCount) of "
    let leftOut = instance?.values.leftOut ?? 0
    let rest = leftOut.isZero ? "" : " · \(leftOut) over the limit"
    let count = countText(values.count, "value")
    write(
      "live values · \(filter)\(count)\(rest)", at: row, 1,
      values.filter.isEmpty ? .dim : .colour(.yellow), widthMax: layout.size.width - 2)
  }

  mutating func drawValues(of instance: Instance) {
    guard let outline = view.values.outline, view.values.count > 0 else {
      let text =
        instance.values.isComplete
        ? "\(instance.label) shows no values" : "asking \(instance.label) for its values …"
      return put([DetailLine(text, .dim)], cursor: nil, in: layout.list, hasKeys: true)
    }
    let (lines, cursor) = window(of: outline, height: layout.list.height) { line($0) }
    put(lines, cursor: cursor, in: layout.list, hasKeys: true)
  }

  /// The question over the panes: what will be done, what is lost, who sees it.
  mutating func drawConsent() {
    guard case .consent(let consent) = model.overlay else { return }
    let width = min(64, layout.size.width - 4)
    let heightMax = layout.bottomRule - 1
    // The frame holds the question, unless that is longer.
    let isFramed = columns(consent.question) + 2 <= width - 4
    let question = isFramed ? [] : folded(consent.question, width: width - 4)
    var lines = question + consent.facts.flatMap { [""] + folded($0, width: width - 4) }
    // Drop the blank lines before cutting facts.
    if lines.count + 4 > heightMax { lines.removeAll { $0.isEmpty } }
    let height = min(lines.count + 4, heightMax)
    // A low box has no room for a blank line at its end.
    let room = lines.count > height - 3 ? height - 2 : height - 3
    if lines.count > room, room > 0 { lines[room - 1] += " …" }
    let area = putBox(
      at: max(1, (layout.size.height - height) / 3), width: width, height: height, .colour(.yellow))
    if isFramed {
      write(" \(consent.question) ", at: area.row, area.column + 2, .bold, widthMax: width - 4)
    }
    for (offset, line) in lines.prefix(room).enumerated() {
      let style: CellStyle = offset < question.count ? .bold : .plain
      write(line, at: area.row + 1 + offset, area.column + 2, style, widthMax: width - 4)
    }
  }

  /// Wraps a text at words. A word that is too long is cut when it is drawn.
  func folded(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, columns(last) + 1 + columns(String(word)) <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  mutating func drawSettings() {
    let index: Int
    switch model.overlay {
    case .settings(let line): index = line
    case .prompt(let prompt):
      guard let line = prompt.question.settingsLine else { return }
      index = line
    case .menu, .consent, .prefix, .plain, .apps, nil: return
    }
    let lines = model.personal.lines
    let width = min(90, layout.size.width - 4)
    let height = min(lines.count + 2, layout.bottomRule - 1)
    let area = putBox(at: 1, width: width, height: height)
    write(
      " settings · Enter edits, an empty text is the default ", at: area.row, area.column + 2,
      .bold, widthMax: width - 4)
    putLines(lines, chosen: index, in: area) { $0.draw($1, in: $2) }
  }

  private mutating func draw(_ line: PersonalSettings.Line, in area: ScreenArea) {
    let half = area.width * 2 / 5
    write(line.name, at: area.row, area.column + 1, widthMax: half - 2)
    let end = write(
      line.value.isEmpty ? "none" : line.value, at: area.row, area.column + half, .colour(.cyan),
      widthMax: area.width - half - 12)
    let style: CellStyle = line.isOverridden ? .colour(.yellow) : .dim
    write(
      "  (\(line.origin))", at: area.row, end, style, widthMax: area.column + area.width - end)
  }
}
