import JSONTools
import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen

extension DebuggerPicture {
  mutating func drawDetail() {
    guard let title = layout.detailTitle, let instance else { return }
    let row =
      view.row(in: instance.timeline, looks: looks)
      ?? view.moves(in: instance.timeline).last?.target.row
    drawDetailTitle(title, row, instance.timeline)
    var lines: [DetailLine]
    var index: Int?
    switch model.tab {
    case .changes: (lines, index) = changes(row, instance.timeline)
    case .state, .action:
      (lines, index) = outline(view.detail.outline(in: model.tab), row, instance.timeline)
    case .facts:
      lines = facts(row, instance)
      let rows = lines.reduce(0) { $0 + fitted($1, layout.detail.width).count }
      lines.removeFirst(min(view.detail.factsTop, max(0, rows - layout.detail.height)))
    }
    put(lines, cursor: index, in: layout.detail, hasKeys: model.pane == .detail)
    drawBreadcrumb()
  }

  /// The path of the line under the cursor, in the rule below the pane.
  private mutating func drawBreadcrumb() {
    guard !view.detail.isReading, let path = view.detail.outline(in: model.tab)?.path else {
      return
    }
    let room = layout.detail.width - 6
    let style: CellStyle = model.pane == .detail ? .bold : .dim
    write(
      " \(fittedToEnd("\(path)", room)) ", at: layout.bottomRule, layout.detail.column + 2, style,
      widthMax: room + 2)
  }

  /// Cut at the beginning, because the end of a path says more.
  func fittedToEnd(_ text: String, _ width: Int) -> String {
    // A path may be as long as a state.
    let end = String(text.unicodeScalars.suffix(width * 4 + 1))
    guard end.unicodeScalars.count < text.unicodeScalars.count || columns(end) > width else {
      return text
    }
    var shown = Substring(escaped(end))
    while columns(String(shown)) >= width, !shown.isEmpty { shown = shown.dropFirst() }
    return "…" + shown
  }

  private mutating func drawDetailTitle(
    _ row: Int, _ number: SequenceNumber?, _ timeline: Timeline
  ) {
    let tabs = DetailTab.allCases.map { $0 == model.tab ? "[\($0.rawValue)]" : " \($0.rawValue) " }
    let text = tabs.joined(separator: "")
    let end = layout.size.width - 1
    let column = end - columns(text)
    let start = layout.detail.column + 1
    let name = number.flatMap { self.row($0, in: timeline) }?.record.name ?? ""
    let isJump = view.selection.place.marker != nil
    let what = number.map { "\(isJump ? "jump to " : "")row \($0) \(name)" } ?? "no row"
    let style = titleStyle(of: .detail)
    let room = column - start - 1
    if room > 4 {
      write(" " + what + " ", at: row, start - 1, style, widthMax: room)
    }
    var place = max(start, column)
    for (tab, text) in zip(DetailTab.allCases, tabs) {
      let end = screen.put(text, at: row, place, style)
      addTarget(.tab(tab), at: row, place..<max(place, end))
      place = end
    }
  }

  // MARK: Diff

  private func changes(
    _ row: SequenceNumber?, _ timeline: Timeline
  ) -> ([DetailLine], Int?) {
    guard let row else { return (noRow(timeline), nil) }
    let moves = moveLines(timeline)
    guard let request = view.detail.shown, request.row == row else {
      return (moves + [DetailLine(reading(row), .dim)], nil)
    }
    guard let changes = view.detail.changes else {
      return (moves + incomparable(request, timeline), nil)
    }
    let count = countText(changes.count, "change")
    let none = changes.mayHideChanges ? "no change that can be seen" : "no change"
    let text = changes.count == 0 ? none : count
    let sides = otherSides(request, text)
    let base = sides ?? [DetailLine("\(baseText(request)) · \(text)", .dim)]
    let hint = sides == nil ? nil : model.personal.keys.hint(.compare, "ends the comparison")
    return window(
      of: changes.outline, below: moves + base + [DetailLine(hint ?? "", .dim)],
      height: layout.detail.height
    ) { line(changes.line($0), at: $0.place.path) }
  }

  /// The moves that share one line of the list; only the last few, if there are many.
  private func moveLines(_ timeline: Timeline) -> [DetailLine] {
    view.moves(in: timeline).suffix(4).map {
      DetailLine([($0.text(of: "the app"), .colour(.yellow))], wraps: true)
    }
  }

  private func baseText(_ request: InspectionRequest) -> String {
    let base = request.base.map(positionText) ?? "nothing"
    switch view.comparison {
    case .base where view.base == request.base?.row: return "from \(base) (base B)"
    case .app: return "from \(base) (where the app is)"
    case .base, .previous, .other: return "from \(base)"
    }
  }

  /// Names both sides when two apps are compared.
  private func otherSides(_ request: InspectionRequest, _ count: String) -> [DetailLine]? {
    guard case .other(let other) = view.comparison, request.baseSession == other,
      let base = request.base?.row, let instance
    else { return nil }
    let label = catalog[other]?.label ?? "an app that is gone"
    let isNewest = model.foreignRow(view.comparison, in: catalog)?.isNewest == true
    return [
      DetailLine("- \(label) row \(base)\(isNewest ? ", its newest" : "")", .colour(.red)),
      DetailLine("+ \(instance.label) row \(request.row) · \(count)", .colour(.green)),
    ]
  }

  private func line(_ line: ChangeLine, at place: JSONPath) -> DetailLine {
    switch line {
    case .change(let kind, let path, let values, let fold):
      var line = DetailLine([
        ("\(kind.rawValue) ", style(kind)), (fold == .leaf ? "" : mark(fold), .dim),
        ("\(path): ", .plain), (values, style(kind)),
      ])
      line.label = .path(place, isChanged: kind == .changed)
      return line
    case .further(let count): return DetailLine("… \(countText(count, "more change"))", .dim)
    case .unchanged(let count, let isOpen):
      return DetailLine("\(isOpen ? "▾" : "▸") unchanged \(count)", .dim)
    case .part(let part, let kind): return self.line(part, kind.map(style) ?? .dim)
    }
  }

  private func style(_ kind: DiffLine.Kind) -> CellStyle {
    switch kind {
    case .added: .colour(.green)
    case .removed: .colour(.red)
    case .changed: .colour(.yellow)
    case .moved: .colour(.cyan)
    }
  }

  private func incomparable(_ request: InspectionRequest, _ timeline: Timeline) -> [DetailLine] {
    guard request.isOwn, request.hasState else { return noState(request.row, timeline) }
    if request.row > 0, case .other(let other) = view.comparison {
      let text = catalog[other].map { "\($0.label) has no state to compare with" }
      return [DetailLine(text ?? "the other app is no longer here", .dim)]
    }
    let why =
      request.row == 0 ? "the app began in this state" : whyNotCompared(request.base, timeline)
    let hint = model.personal.keys.hint(.nextTab, "shows this row's state")
    return [DetailLine(why, .dim), DetailLine("")] + (hint.map { [DetailLine($0, .dim)] } ?? [])
  }

  private func whyNotCompared(_ base: Position?, _ timeline: Timeline) -> String {
    switch base {
    case .initial: return "from row 0 (initial), whose state no row carries"
    case .record(let number):
      switch timeline.row(number)?.state {
      case .givenUp?: return "from row \(number), whose state was not sent"
      case .unreadable?: return "from row \(number), whose state this version cannot read"
      case .whole?, .dropped?, .unmade?, .some(.none), nil:
        return "from row \(number), whose state is not here"
      }
    case .elsewhere: return "from a state that is in no row"
    case nil: return "rows before it are missing: nobody knows what it grew from"
    }
  }

  // MARK: Trees

  private func outline(
    _ outline: Outline?, _ row: SequenceNumber?, _ timeline: Timeline
  ) -> ([DetailLine], Int?) {
    guard let row else { return (noRow(timeline), nil) }
    guard view.detail.shown?.row == row || row == 0 else {
      return ([DetailLine(reading(row), .dim)], nil)
    }
    if model.tab == .state, outline == nil { return (noState(row, timeline), nil) }
    let isLent = model.tab == .state && view.detail.shown?.isOwn == false
    let message =
      isLent ? noState(row, timeline) : model.tab == .action ? message(row, timeline) : []
    guard let outline else { return (message + [DetailLine("no payload", .dim)], nil) }
    return window(of: outline, below: message, height: layout.detail.height) { line($0) }
  }

  /// The whole text of a log line, which the list may cut.
  private func message(_ row: SequenceNumber, _ timeline: Timeline) -> [DetailLine] {
    guard let record = self.row(row, in: timeline)?.record, case .log = record.kind else {
      return []
    }
    return [DetailLine([(record.name, style(record))], wraps: true), DetailLine("")]
  }

  func line(_ line: OutlineLine, _ leaf: CellStyle = .colour(.cyan)) -> DetailLine {
    let value: CellStyle = line.fold == .leaf ? leaf : .dim
    let label = line.label.isEmpty || line.text.isEmpty ? line.label : line.label + ": "
    var shown = DetailLine(
      [(mark(line.fold), .dim), (label, .plain), (line.text, value)], indent: 2 * line.depth,
      wraps: line.isText)
    if label != line.label { shown.label = .key }
    return shown
  }

  private func mark(_ fold: OutlineLine.Fold) -> String {
    switch fold {
    case .leaf: "  "
    case .folded: "▸ "
    case .unfolded: "▾ "
    }
  }

  // MARK: Nothing to show

  private func reading(_ row: SequenceNumber) -> String {
    row == 0 ? "the state at the start: no row carries it" : "reading row \(row) …"
  }

  private func noState(_ row: SequenceNumber, _ timeline: Timeline) -> [DetailLine] {
    let shown = self.row(row, in: timeline)
    let text =
      switch shown?.state {
      case .givenUp:
        "the app did not send this state: it was too busy, say, or nobody watched, or it samples"
      case .unmade: "the app sent this state as a change of another, which is not here"
      case .dropped(let size): "this state (\(byteText(size))) was evicted for newer ones"
      case .unreadable: "this state is in a form that this version does not read"
      case .whole, .some(.none), nil:
        shown.flatMap { inForceText(of: $0, in: timeline) } ?? "this row has no state"
      }
    return [DetailLine([(row == 0 ? reading(0) : text, .dim)], wraps: true)]
  }

  private func noRow(_ timeline: Timeline) -> [DetailLine] {
    switch list(of: timeline).item(at: view.selection.place) {
    case .gap: [DetailLine("the app no longer has these rows, and no viewer had them", .dim)]
    case .notLoaded(let range) where areComing(range):
      [DetailLine("these rows are on the way", .dim)]
    case .notLoaded where model.setting.observes:
      [DetailLine("an observer requests no rows; these may never arrive", .dim)]
    case .notLoaded: [DetailLine("these rows were not loaded, or were evicted", .dim)]
    case .marker(let marker): [DetailLine([(marker.text(of: "the app"), .dim)], wraps: true)]
    case .restarted:
      (instance.map(lastRunFacts) ?? []).map { DetailLine([($0, .dim)], wraps: true) }
    case .row, .initial, nil: []
    }
  }
}
