import SurfObserver
import SurfQuery
import SurfTimeline
import SurfViewer
import SurfWire

extension Subcommand {
  static let watch = Self(
    "watch", in: .see, "Show actions as they happen", positionals: [.instance],
    options: [
      .instance, .since, .last, .filter, .columns, .json, .states, .payloads, .duration,
      .untilRecords, .observe,
    ],
    examples: [
      ("watch", "all instances: the row of each one's newest state, and what is new"),
      ("watch PrimeTime --since 1", "one, with all that is available of its past"),
      ("watch --json --payloads | jq .payload", "what comes with the actions"),
      ("watch --where 'user.name changed'", "only who writes the user's name"),
      ("watch Todo --columns filter,todos.@count", "two places of the state beside the actions"),
    ],
    notes: [
      "On a terminal, q or Ctrl-C ends it.",
      "--where hides no lost rows and no restores. --until-records counts the rows that are shown,"
        + " but not those that were there before, unless you asked for them.",
      "`statesurf help query` explains queries.",
    ] + ViewerCount.notes, makes: WatchOptions.init)
}

package struct WatchOptions: Command {
  package var wish = HistoryRequest.newestState
  package var json = false
  package var duration: Duration?
  package var recordCount: UInt64?
  /// Prints only rows that match the query.
  package var query: Query?
  /// Shows these places of each row's state.
  package var columns: [QueryPlace] = []
  /// What else the JSON of a row contains.
  package var contents: Set<RowContent> = []

  package init() {}

  init(_ words: Words) throws(Failure) {
    try words.exclude(.since, .last)
    // Row 0 has no record: records begin with 1.
    if let row = words.number(.since) { wish = .since(SequenceNumber(max(1, row))) }
    if let count = words.count(.last) { wish = .last(WireCount(count)) }
    json = words.has(.json)
    let all: [(OptionName, RowContent)] = [(.states, .state), (.payloads, .payload)]
    for (option, content) in all where words.has(option) {
      guard json else { throw words.misuse("'--\(option.word)' needs '--json'") }
      contents.insert(content)
    }
    duration = words.duration(.duration)
    recordCount = words.number(.untilRecords)
    for path in words.text(.columns)?.split(separator: ",") ?? [] {
      columns.append(try QueryWords.place(String(path)))
    }
    if let text = words.text(.filter) { query = try QueryWords.query([text]) }
  }

  package func run(on stage: Stage) throws(Failure) -> Int32 {
    let session = WatchSession(
      name: stage.common.instance, options: self, layout: stage.layout,
      showsStatus: stage.output.terminal.isTerminal)
    return try stage.run(session, endsByKey: true)
  }
}

/// Content that the JSON of a row may include.
package enum RowContent: Sendable {
  case state, payload
}

/// `statesurf watch`: follows one instance or all of them, and prints what happens.
package struct WatchSession: CommandSession {
  private let name: String?
  private let options: WatchOptions
  private let showsStatus: Bool
  private var layout: Layout
  private var holds: [SessionID: Hold] = [:]
  private var printedCount: UInt64 = 0
  private var meter = Meter()
  /// Rows that were evicted before they could be printed, to be reported in one line.
  private var missed: [SessionID: MissedRows] = [:]
  private var missedCount = 0
  private var filters: [SessionID: LiveFilter] = [:]
  /// The runs whose appearance was reported. The catalog may know more.
  private var reported: Set<SessionID> = []
  /// Those of them that the user named. `isNamed` makes a catalog, which is too slow for each row.
  private var named: Set<SessionID> = []
  /// Those of them that continue a run that the user named, perhaps by its process.
  private var nextRuns: Set<SessionID> = []
  /// The cells of each instance's last row.
  private var cells: [SessionID: WatchedCells] = [:]
  private var starts: [SessionID: Start] = [:]
  /// The apps whose states were checked for the columns.
  private var checked: Set<SessionID> = []
  private var hasTitles = false
  /// The limits that were already reported.
  private var limits: Set<QueryEvaluator.Limit> = []
  /// Whether an app was followed.
  private var hasBegun = false

  /// Which rows of an app are printed. The newest state comes with any request.
  private struct Start {
    /// Older rows are not printed.
    var first: SequenceNumber = 0
    /// Rows up to here are printed, and do not count as new.
    var past: SequenceNumber = 0

    private let wish: HistoryRequest

    /// Rows up to here come only if they have the newest state; nil if all come.
    var unasked: SequenceNumber? { if case .newestState = wish { past } else { nil } }

    init(_ wish: HistoryRequest, newest: SequenceNumber) {
      self.wish = wish
      switch wish {
      case .newestState: past = newest
      case .since(let row): first = row
      case .last(let count): first = newest.next.goingBack(by: count)
      }
    }

    /// The same if a false heartbeat had named a row that does not exist.
    func retracted(from row: SequenceNumber) -> Self { Self(wish, newest: row.previous) }
  }

  /// How long the newest state, which arrives before the backlog, waits for more of the backlog.
  /// Enough for a peer on loopback or the LAN to answer, but too short to notice.
  static let holdDuration = Duration.milliseconds(700)
  /// At most ten updates a second: more would only flicker.
  static let statusPeriod = Duration.milliseconds(100)

  /// - Parameter showsStatus: whether there is a terminal whose last line can be redrawn.
  package init(name: String?, options: WatchOptions, layout: Layout, showsStatus: Bool) {
    self.name = name
    self.options = options
    self.layout = layout
    self.showsStatus = showsStatus && !options.json
    // In a pipe, the columns must not depend on the instances.
    if layout.columns == nil, name == nil { self.layout.instance = .fixed }
  }

  /// Applies to later lines only.
  package mutating func resize(columns: Int) { layout.columns = columns }

  package var deadline: Duration? {
    let status = showsStatus ? meter.now + Self.statusPeriod : nil
    let missed = missed.isEmpty ? nil : meter.now
    return ([options.duration, status, missed] + holds.values.map(\.past.end)).compactMap(\.self)
      .min()
  }

  package mutating func receive(
    _ event: SessionEvent, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    meter.now = now
    switch event {
    case .change(let change): return receive(change, in: catalog)
    case .dropped(let session, let range, let count):
      return print(.dropped(count, range), session, catalog)
    case .deadline(var counters):
      counters.overflows += missedCount
      return advance(in: catalog, counters)
    case .answer, .reply: return []
    }
  }

  private mutating func receive(
    _ change: CatalogChange, in catalog: Catalog
  ) -> [CommandAction] {
    switch change {
    case .appeared(let session): return appeared(session, in: catalog)
    case .returned(let session): return welcome(session, in: catalog)
    case .rows(let session, let rows):
      meter.count(rows.length, at: meter.now)
      return rows.halfOpen.numbers.flatMap { print(.row($0), session, catalog) }
    case .lost(let session, let range): return print(.lost(range), session, catalog)
    case .moved(let session, let marker): return print(.marker(marker), session, catalog)
    case .caughtUp(let session): return release(session, catalog)
    case .gone(let session, let saidGoodbye):
      let rest = release(session, catalog)
      (filters[session], cells[session]) = (nil, nil)
      return rest + line(.gone(saidGoodbye: saidGoodbye), session, catalog)
        + goOn(after: session, in: catalog)
    case .retracted(let session, let row):
      starts[session] = starts[session]?.retracted(from: row)
      return []
    case .heard, .completed, .values: return []
    }
  }

  private mutating func advance(
    in catalog: Catalog, _ counters: ViewerCounters
  ) -> [CommandAction] {
    var actions: [CommandAction] = []
    for session in holds.filter({ $0.value.past.end <= meter.now }).keys.sorted() {
      actions += release(session, catalog)
    }
    for session in missed.keys.sorted() { actions += tellMissed(session, catalog) }
    if let duration = options.duration, meter.now >= duration {
      return actions + [.status(nil), hasBegun ? .exit(ExitCode.done) : .fail(nobody)]
    }
    if showsStatus { actions.append(.status(statusLine(catalog, counters))) }
    return actions
  }

  /// Nothing was printed, which could also mean that nothing happened.
  private var nobody: Failure {
    Failure(
      name.map { "no instance named '\($0)' was live" } ?? "no instance was live",
      meaning: "None was heard before the time of --for was over.",
      advice: "statesurf list, or statesurf doctor")
  }

  private mutating func appeared(_ session: SessionID, in catalog: Catalog) -> [CommandAction] {
    reported = reported.filter { catalog[$0] != nil }.union([session])
    named.formIntersection(reported)
    if let name, catalog[session]?.isNamed(name) == true { named.insert(session) }
    nextRuns.formIntersection(reported)
    starts = starts.filter { reported.contains($0.key) }
    let last = catalog[session]?.timeline.previousRun
    let restart = last.map { goOn(with: session, after: $0, in: catalog) } ?? []
    return begin(session, in: catalog, saying: restart)
  }

  private mutating func begin(
    _ session: SessionID, in catalog: Catalog, saying text: [CommandAction]
  ) -> [CommandAction] {
    let appearance = welcome(session, in: catalog) + text
    guard isWanted(session, catalog) else { return appearance }
    let doubts = hasBegun ? [] : EmptyAnswer.meant(by: options.query)
    hasBegun = true
    holds[session] = Hold(at: meter.now, patience: Self.holdDuration)
    let wish = wish(for: session, in: catalog)
    starts[session] = Start(wish, newest: catalog[session]?.timeline.newestNumber ?? 0)
    return appearance + doubts + [.follow(session, wish)]
  }

  /// The end of a killed run shows only after its next run has appeared.
  private mutating func goOn(after last: SessionID, in catalog: Catalog) -> [CommandAction] {
    guard let next = catalog[last]?.nextRun, reported.contains(next), isWanted(last, catalog)
    else { return [] }
    let wasWanted = isWanted(next, catalog)
    let restart = goOn(with: next, after: last, in: catalog)
    return wasWanted ? restart : begin(next, in: catalog, saying: restart)
  }

  private mutating func goOn(
    with next: SessionID, after last: SessionID, in catalog: Catalog
  ) -> [CommandAction] {
    guard isWanted(last, catalog), nextRuns.insert(next).inserted,
      let text = catalog[next].flatMap({ catalog.restartText(of: $0) })
    else { return [] }
    return line(.restarted(last: catalog[last], text: text), next, catalog)
  }

  /// Shows all rows of an app that started after this command: they are new, and its first ones may
  /// be older than the first heartbeat heard.
  private func wish(for session: SessionID, in catalog: Catalog) -> HistoryRequest {
    if case .last = options.wish { return options.wish }
    guard let uptime = catalog[session]?.heartbeat.uptime, uptime > 0,
      Duration.nanoseconds(Int64(clamping: uptime)) < meter.now
    else { return options.wish }
    return .since(1)
  }

  private mutating func welcome(_ session: SessionID, in catalog: Catalog) -> [CommandAction] {
    let shown = catalog.live.filter { isWanted($0.session, catalog) }
    layout.instance = InstanceColumn(of: shown, before: layout.instance)
    return line(.appeared, session, catalog)
  }

  /// Whether to print this instance: the user named it or none, or it is the next run of one that
  /// was named.
  private func isWanted(_ session: SessionID, _ catalog: Catalog) -> Bool {
    guard let name, let instance = catalog[session] else { return true }
    if named.contains(session) || nextRuns.contains(session) { return true }
    return !reported.contains(session) && instance.isNamed(name)
  }

  private mutating func print(
    _ event: EventLine, _ session: SessionID, _ catalog: Catalog
  ) -> [CommandAction] {
    if holds[session]?.add(event, at: meter.now) != nil { return [] }
    guard case .row(let row) = event else {
      return tellMissed(session, catalog) + line(event, session, catalog)
    }
    guard catalog[session]?.timeline.row(row) != nil else {
      missedCount += 1
      missed.add(row...row, of: session)
      return []
    }
    let before = tellMissed(session, catalog)
    var (passes, warnings) = filter(row, session, catalog)
    passes = passes && row >= starts[session]?.first ?? 0
    return before + warnings + (passes ? titles() + printRow(row, session, catalog) : [])
  }

  private mutating func tellMissed(_ session: SessionID, _ catalog: Catalog) -> [CommandAction] {
    guard let missed = missed.removeValue(forKey: session) else { return [] }
    return line(missed.event, session, catalog)
  }

  /// Prints the events held back, in order, and stops holding.
  private mutating func release(_ session: SessionID, _ catalog: Catalog) -> [CommandAction] {
    guard let hold = holds.removeValue(forKey: session) else { return [] }
    return hold.inOrder(upTo: starts[session]?.unasked).flatMap { print($0, session, catalog) }
  }

  private mutating func printRow(
    _ row: SequenceNumber, _ session: SessionID, _ catalog: Catalog
  ) -> [CommandAction] {
    guard let count = options.recordCount else { return line(.row(row), session, catalog) }
    guard printedCount < count else { return [] }
    if row > starts[session]?.past ?? 0 { printedCount += 1 }
    let line = line(.row(row), session, catalog)
    return printedCount >= count ? line + [.status(nil), .exit(ExitCode.done)] : line
  }

  /// The paths above their columns, once.
  private mutating func titles() -> [CommandAction] {
    if options.columns.isEmpty || options.json || hasTitles { return [] }
    hasTitles = true
    return [.print(layout.titles(of: options.columns))]
  }

  /// Whether a row matches the query, if any, and warnings about limits newly reached.
  private mutating func filter(
    _ row: SequenceNumber, _ session: SessionID, _ catalog: Catalog
  ) -> (passes: Bool, warnings: [CommandAction]) {
    if options.query == nil, options.columns.isEmpty { return (true, []) }
    guard isWanted(session, catalog), let instance = catalog[session],
      let row = instance.timeline.row(row)
    else { return (false, []) }
    // Removed from the dictionary while in use, so that its states are not copied.
    var filter =
      filters.removeValue(forKey: session)
      ?? LiveFilter(
        options.query, wantsStates: !options.columns.isEmpty,
        secondsFromGMT: layout.secondsFromGMT)
    let subject = filter.subject(row, of: instance)
    var warnings: [CommandAction] = []
    if let subject, !options.columns.isEmpty {
      cells[session] = WatchedCells(options.columns, in: subject, row, after: cells[session])
      warnings = checkColumns(of: instance)
    }
    let new = filter.limits.subtracting(limits)
    limits.formUnion(new)
    filters[session] = filter
    return (subject != nil, warnings + new.warnings)
  }

  /// Names the columns that the state does not have, once. Of all apps, some usually have none.
  private mutating func checkColumns(of instance: Instance) -> [CommandAction] {
    guard name != nil, !checked.contains(instance.session),
      let state = instance.timeline.newestJSON()
    else { return [] }
    checked.insert(instance.session)
    return EmptyAnswer.absent(options.columns, in: state)
  }

  private func line(
    _ event: EventLine, _ session: SessionID, _ catalog: Catalog
  ) -> [CommandAction] {
    guard isWanted(session, catalog), let instance = catalog[session] else { return [] }
    return event.actions(
      of: instance, layout, json: options.json, with: options.contents, cells[session])
  }

  private func statusLine(_ catalog: Catalog, _ counters: ViewerCounters) -> Line {
    let silent = catalog.live.filter { counters.network.unansweredTimes[$0.session] != nil }.map(
      \.label)
    let parts =
      silent.map { "repairs of \($0) do not arrive" } + [
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
  /// Whether `Catalog.find` would find this instance by the name, if there were no other.
  func isNamed(_ name: String) -> Bool {
    var catalog = Catalog()
    catalog.hear(session, heartbeat)
    if case .one = catalog.find(name) { return true }
    return false
  }
}
