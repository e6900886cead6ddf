import SurfTimeline
import SurfViewer
import SurfWire

// The table of all apps.
extension Debugger {
  mutating func press(_ key: CommandKey, _ table: AppTable, in catalog: Catalog) {
    var table = table
    let lines = table.arranged(appLines(in: catalog))
    switch table.isTyping ? typingCommand(key) : appCommand(key) {
    case .close where table.isTyping: table.endTyping()
    case .close, .leave, .quit, .apps:
      overlay = nil
      return
    case .open:
      overlay = nil
      if lines.indices.contains(table.index(in: lines)) {
        choose(lines[table.index(in: lines)].session)
      }
      return
    case .up: table.move(by: -1, in: lines)
    case .down: table.move(by: 1, in: lines)
    case .pageUp: table.move(by: -appTableHeight, in: lines)
    case .pageDown: table.move(by: appTableHeight, in: lines)
    case .first: table.move(by: -lines.count, in: lines)
    case .newest: table.move(by: lines.count, in: lines)
    case nil where table.isTyping: _ = table.field.press(key)
    case .find: table.isTyping = true
    default: arrange(&table, by: key)
    }
    overlay = .apps(table)
  }

  private func typingCommand(_ key: CommandKey) -> ViewerCommand? {
    ["Left", "Right", "Home", "End"].contains(key) ? nil : Self.paneCommand(key)
  }

  /// A key's command while nothing is typed. The letters of the columns take precedence.
  private func appCommand(_ key: CommandKey) -> ViewerCommand? {
    if key == "/" { return .find }
    if column(of: key) != nil || key == "s" || key == "S" { return nil }
    return Self.paneCommand(key) ?? personal.keys.command(of: key)
  }

  private func column(of key: CommandKey) -> AppTable.Column? {
    AppTable.Column.allCases.first { $0.key == key.character }
  }

  private func arrange(_ table: inout AppTable, by key: CommandKey) {
    if key == "s" { return table.sortByNext() }
    if key == "S" { return table.isReversed.toggle() }
    if let column = column(of: key) { table.sort(by: column) }
  }

  /// The lines of the table that fit on the screen, without its head.
  var appTableHeight: Int { max(1, layout.bottomRule - 4) }

  // MARK: Lines

  /// All apps in the order of the tabs.
  func appLines(in catalog: Catalog) -> [AppLine] { catalog.ordered.map(line) }

  private func line(_ instance: Instance) -> AppLine {
    typealias Cell = AppLine.Cell
    let timeline = instance.timeline
    let newest = timeline.newestNumber.rawValue
    var cells: [AppTable.Column: Cell] = [
      .name: Cell(instance.label(seenFrom: setting.host)), .life: Cell(instance.life),
      .rows: Cell("\(newest)", Double(newest)), .host: Cell(instance.host),
    ]
    cells[.rate] =
      instance.status == .live
      ? rates.perSecond(instance.session, at: now).map { Cell(Self.rateText($0), $0) } : nil
    if followed.contains(instance.session) {
      cells[.errors] = Cell("\(timeline.errorCount)", Double(timeline.errorCount))
      cells[.action] = timeline.lastAction.map { Cell($0) }
    }
    let movers = otherMovers(of: instance)
    cells[.viewers] = movers.first.map {
      Cell(movers.count == 1 ? $0 : "\($0) +\(movers.count - 1)")
    }
    cells[.driver] = instance.driver.map {
      Cell($0.viewer == setting.viewer ? "you" : $0.title)
    }
    if instance.standing != .plain { cells[.trust] = Cell(instance.standing.rawValue) }
    cells[.realm] = instance.realm.map { Cell($0.name) }
    return AppLine(session: instance.session, isLive: instance.status == .live, cells: cells)
  }

  /// `12/s`; with a digit after the point below ten.
  private static func rateText(_ rate: Double) -> String {
    // An app may claim any number of rows.
    let tenths = Int(min(rate * 10, 1e15).rounded(.up))
    if tenths >= 100 || tenths.isMultiple(of: 10) { return "\(tenths / 10)/s" }
    return "\(tenths / 10).\(tenths % 10)/s"
  }
}

extension Instance {
  /// A sign and a word for whether it lives, and how.
  fileprivate var life: String {
    switch status {
    case .gone(saidGoodbye: true): "○ gone"
    case .gone: "○ gone, silent"
    case .live where heartbeat.control.contains(.locked): "● locked"
    case .live where heartbeat.control.contains(.paused): "● paused"
    case .live: "● live"
    }
  }
}

extension Timeline {
  /// The name of the newest action among the latest rows.
  fileprivate var lastAction: String? {
    rows.suffix(Self.lookBack).last { $0.record.kind == .action && !$0.isHidden }?.record.name
  }

  /// Far enough past a burst of log lines, and soon looked through.
  private static let lookBack = 64
}
