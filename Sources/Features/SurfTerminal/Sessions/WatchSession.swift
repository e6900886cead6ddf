import SurfObserver
import SurfTimeline
import SurfWire

/// `statesurf watch`: follows one instance or all, and prints what happens.
package struct WatchSession: CommandSession {
  private let name: String?
  private let options: WatchOptions
  private let showsStatus: Bool
  private var layout: Layout
  private var catalog = Catalog()
  private var holds: [SessionID: Hold] = [:]
  private var printedCount: UInt64 = 0
  private var meter = Meter()
  private var counters = ViewerCounters()

  /// How long the newest state, which arrives before the backlog, waits for the next of it. Long
  /// enough for a loopback or LAN peer to answer, short enough not to be felt.
  static let holdDuration = Duration.milliseconds(700)
  /// At most ten pictures a second: more only flicker.
  static let statusPeriod = Duration.milliseconds(100)

  /// - Parameter showsStatus: whether there is a terminal whose last line may be redrawn.
  package init(name: String?, options: WatchOptions, layout: Layout, showsStatus: Bool) {
    self.name = name
    self.options = options
    self.layout = layout
    self.showsStatus = showsStatus && !options.json
    // In a pipe the columns are the same whoever comes.
    if layout.columns == nil, name == nil { self.layout.instance = .fixed }
  }

  /// Lines from now on; those that are there stay as they are.
  package mutating func resize(columns: Int) { layout.columns = columns }

  package var deadline: Duration? {
    let status = showsStatus ? meter.now + Self.statusPeriod : nil
    return ([options.duration, status] + holds.values.map(\.end)).compactMap(\.self).min()
  }

  package mutating func receive(_ event: ObserverEvent, at now: Duration) -> [CommandAction] {
    meter.now = now
    switch event {
    case .appeared(let session, let heartbeat): return heard(session, heartbeat, isNew: true)
    case .heartbeat(let session, let heartbeat): return heard(session, heartbeat)
    case .record(let session, let record):
      meter.count(at: now)
      guard catalog.append(record, to: session) else { return [] }
      return print(.row(record.sequence), session)
    case .lost(let session, let range):
      catalog.lose(range, of: session)
      return print(.lost(range), session)
    case .retracted(let session, let first):
      catalog.retract(from: first, of: session)
      return []
    case .caughtUp(let session): return release(session)
    case .restored(let session, let restored):
      guard let marker = catalog.note(restored, by: session) else { return [] }
      return print(.marker(marker), session)
    case .gone(let session, let saidGoodbye):
      catalog.leave(session, saidGoodbye: saidGoodbye)
      return release(session) + printing(session) { EventLine(gone: $0, saidGoodbye) }
    }
  }

  package mutating func receive(
    dropped count: Int, in range: ClosedRange<SequenceNumber>, of session: SessionID,
    at now: Duration
  ) -> [CommandAction] {
    meter.now = now
    return print(.dropped(count, range), session)
  }

  package mutating func advance(
    to now: Duration, counters: ViewerCounters
  ) -> [CommandAction] {
    meter.now = now
    self.counters = counters
    var actions: [CommandAction] = []
    for session in holds.filter({ $0.value.end <= now }).keys.sorted(by: {
      $0.rawValue < $1.rawValue
    }) {
      actions += release(session)
    }
    if let duration = options.duration, now >= duration {
      return actions + [.status(nil), .exit(ExitCode.done)]
    }
    if showsStatus { actions.append(.status(statusLine)) }
    return actions
  }

  /// - Parameter isNew: to the observer, which forgets who is gone for long; what it does not know
  ///   it does not follow.
  private mutating func heard(
    _ session: SessionID, _ heartbeat: Heartbeat, isNew: Bool = false
  ) -> [CommandAction] {
    let before = catalog[session]
    guard catalog.hear(session, heartbeat), before?.status != .live else { return [] }
    let shown = catalog.live.filter { isWanted($0.session) }
    layout.instance = InstanceColumn(of: shown, before: layout.instance)
    let appearance = printing(session) { EventLine(appeared: $0) }
    guard before == nil || isNew, isWanted(session) else { return appearance }
    holds[session] = Hold(at: meter.now, patience: Self.holdDuration)
    return appearance + [.follow(session, options.wish)]
  }

  /// Whether the name that was given, if any, stands for this instance too.
  private func isWanted(_ session: SessionID) -> Bool {
    guard let name, let instance = catalog[session] else { return true }
    return instance.isNamed(name)
  }

  private mutating func print(_ item: Hold.Item, _ session: SessionID) -> [CommandAction] {
    guard holds[session] == nil else {
      holds[session]?.add(item, at: meter.now)
      return []
    }
    switch item {
    case .row(let row): return printRow(row, session)
    case .lost(let range): return printing(session) { EventLine(lost: range, $0) }
    case .dropped(let count, let range):
      return printing(session) { EventLine(dropped: count, in: range, $0) }
    case .marker(let marker): return printing(session) { EventLine(marker, $0) }
    }
  }

  /// Prints what was held back, in order, and holds nothing more.
  private mutating func release(_ session: SessionID) -> [CommandAction] {
    guard let hold = holds.removeValue(forKey: session) else { return [] }
    return hold.inOrder.flatMap { print($0, session) }
  }

  private mutating func printRow(_ row: SequenceNumber, _ session: SessionID) -> [CommandAction] {
    guard let count = options.recordCount else {
      return printing(session) { EventLine(row: row, $0) }
    }
    guard printedCount < count else { return [] }
    printedCount += 1
    let line = printing(session) { EventLine(row: row, $0) }
    return printedCount == count ? line + [.status(nil), .exit(ExitCode.done)] : line
  }

  private func printing(
    _ session: SessionID, _ make: (Instance) -> EventLine
  ) -> [CommandAction] {
    guard isWanted(session), let instance = catalog[session] else { return [] }
    let line = make(instance)
    return options.json ? line.json().map { [$0] } ?? [] : line.text(layout)
  }

  private var statusLine: Line {
    let silent = catalog.live.filter { counters.network.standstills[$0.session] != nil }.map(
      \.label)
    let parts =
      silent.map { "repairs of \($0) do not come" } + [
        "\(catalog.live.count) live", "\(meter.perSecond) records/s",
        "\(counters.repairs) repairs", "\(counters.lost) lost",
        "\(counters.drops) drops" + (counters.drops == 0 ? "" : " (\(counters.dropReasons))"),
        "\(counters.allOverflows) overflows",
      ]
    let line = Line(parts.joined(separator: " · "), .dim)
    return layout.columns.map { line.fitted(columns: $0 - 1) } ?? line
  }
}

extension Instance {
  /// As `Catalog.find` compares: by name, by label, by the first four or more digits of the id.
  func isNamed(_ name: String) -> Bool {
    var catalog = Catalog()
    catalog.hear(session, heartbeat)
    if case .one = catalog.find(name) { return true }
    return false
  }
}
