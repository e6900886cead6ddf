import SurfObserver
import SurfQuery
import SurfTimeline
import SurfWire

extension Subcommand {
  static let logs = Self(
    "logs", in: .see, "Show the apps' log lines, oldest first",
    positionals: [.instance], options: [.instance, .level, .grep, .follow, .duration, .json],
    examples: [
      ("logs", "all instances, all that is available"),
      ("logs Todo --level warning --grep milk", "one, what is wrong with milk"),
      ("logs --follow --json | jq .message", "from the past into the future"),
    ],
    notes: [
      "Exits with 0 if there was a line, and with 1 if there was none. A text without capitals is",
      "found in any case. Lines that the app no longer has are reported as lost.",
    ], makes: LogOptions.init)
}

package struct LogOptions: SessionCommand {
  package var filter = LogFilter()
  package var json = false
  package var follows = false
  package var end: Duration?

  package init() {}

  init(_ words: Words) throws(Failure) {
    end = try words.end()
    if let name = words.text(.level) {
      let word = name.lowercased() == "warn" ? "warning" : name.lowercased()
      guard let level = LogLevel.allCases.first(where: { "\($0)" == word }) else {
        throw words.misuse(
          "there is no level '\(name)'", meaning: "Levels are \(OptionName.levelNames).")
      }
      filter.level = level
    }
    filter.pattern = words.text(.grep)
    json = words.has(.json)
    follows = words.has(.follow)
  }

  package func session(on stage: Stage) -> any CommandSession {
    LogsSession(self, stage.common, stage.layout)
  }
}

/// `statesurf logs`: loads the rows that the apps still have, and prints their log lines sorted by
/// time. Then it ends, or continues with new lines.
///
/// It prints nothing while the past of an app is still arriving, so that the lines are in order.
package struct LogsSession: CommandSession {
  private var finder: Finder
  private let options: LogOptions
  private var layout: Layout
  /// Apps whose past is still arriving.
  private var pasts: [SessionID: PastWait] = [:]
  /// All apps that were ever followed.
  private var followed: Set<SessionID> = []
  private var lines: [LogLine] = []
  /// Rows that the queue dropped, or that were evicted before they could be read.
  private var missed: [SessionID: MissedRows] = [:]
  private var hasPrinted = false
  private var hasEnded = false
  /// An app whose past did not arrive in time.
  private var silent: SessionID?

  package init(_ options: LogOptions, _ common: Invocation.Common, _ layout: Layout) {
    finder = Finder(common, allowsOtherHosts: true)
    self.options = options
    self.layout = layout
    // In a pipe, the columns must not depend on later instances.
    if layout.columns == nil, options.follows, finder.name == nil { self.layout.instance = .fixed }
  }

  package mutating func resize(columns: Int) { layout.columns = columns }

  package var deadline: Duration? {
    if hasEnded { return nil }
    let isFinding = !finder.isSettled || (followed.isEmpty && !options.follows)
    let ends = pasts.values.map(\.end) + [options.end].compactMap(\.self)
    return ((isFinding ? [finder.deadline] : []) + ends).min()
  }

  package mutating func receive(
    _ event: SessionEvent, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    guard !hasEnded else { return [] }
    var actions: [CommandAction] = []
    switch event {
    case .change(.appeared(let session)): actions = follow(session, in: catalog, at: now)
    case .change(.rows(let session, let rows)): read(rows, of: session, in: catalog, at: now)
    case .change(.lost(let session, let range)): add(.missing(.lost(range)), of: session)
    case .change(.caughtUp(let session)), .change(.gone(let session, _)): pasts[session] = nil
    case .dropped(let session, let range, _): missed.add(range, of: session)
    case .deadline:
      for (session, past) in pasts where past.end <= now {
        pasts[session] = nil
        silent = session
      }
    default: break
    }
    actions += goOn(in: catalog, at: now)
    guard case .deadline = event, let end = options.end, now >= end, !hasEnded else {
      return actions
    }
    return actions + takeLines(in: catalog) + [self.end(in: catalog)]
  }

  private mutating func follow(
    _ session: SessionID, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    guard let instance = catalog[session], finder.name.map(instance.isNamed) ?? true else {
      return []
    }
    followed.insert(session)
    pasts[session] = PastWait(at: now, patience: finder.patience)
    if layout.instance != .fixed {
      let shown = followed.sorted().compactMap { catalog[$0] }
      layout.instance = InstanceColumn(of: shown, before: layout.instance)
    }
    return [.follow(session, .all)]
  }

  private mutating func read(
    _ rows: ClosedRange<SequenceNumber>, of session: SessionID, in catalog: Catalog,
    at now: Duration
  ) {
    guard followed.contains(session), let timeline = catalog[session]?.timeline else { return }
    pasts[session]?.hear(rows, at: now)
    for number in rows.halfOpen.numbers {
      guard let record = timeline.row(number)?.record else {
        missed.add(number...number, of: session)
        continue
      }
      if options.filter.admits(record) { add(.record(record), of: session) }
    }
  }

  private mutating func add(_ statement: LogLine.Statement, of session: SessionID) {
    guard followed.contains(session) else { return }
    lines.append(LogLine(session: session, statement: statement))
  }

  /// Prints the lines once nothing older can arrive, and ends unless it follows.
  private mutating func goOn(in catalog: Catalog, at now: Duration) -> [CommandAction] {
    let finding = finder.look(in: catalog, at: now)
    guard finder.isSettled, pasts.isEmpty else { return [] }
    guard !followed.isEmpty else {
      guard !options.follows, case .failed(let failure) = finding else { return [] }
      hasEnded = true
      return [.fail(failure)]
    }
    let actions = takeLines(in: catalog)
    return options.follows ? actions : actions + nothing(in: catalog) + [end(in: catalog)]
  }

  private mutating func takeLines(in catalog: Catalog) -> [CommandAction] {
    for (session, rows) in missed { add(.missing(rows.event), of: session) }
    missed = [:]
    defer { lines = [] }
    hasPrinted =
      hasPrinted || lines.contains { if case .record = $0.statement { true } else { false } }
    return lines.inOrder.flatMap { line in
      catalog[line.session].map { line.actions(of: $0, layout, json: options.json) } ?? []
    }
  }

  /// Names the apps if none of them had a line.
  private func nothing(in catalog: Catalog) -> [CommandAction] {
    guard !hasPrinted, silent == nil else { return [] }
    let labels = followed.sorted().compactMap { catalog[$0]?.label }
    let (have, logs) = labels.count == 1 ? ("has", "log") : ("have", "logs")
    let what = options.filter == LogFilter() ? "no line" : "no such line"
    return [
      .complain("\(labels.joined(separator: ", ")) \(have) \(what) in the \(logs)")
    ]
  }

  private mutating func end(in catalog: Catalog) -> CommandAction {
    hasEnded = true
    guard let silent, let instance = catalog[silent] else {
      return .exit(hasPrinted ? ExitCode.done : ExitCode.failed)
    }
    return .fail(.rowsMissing(instance.label))
  }
}

/// Which log lines the user wants.
package struct LogFilter: Equatable, Sendable {
  /// The lowest level.
  package var level = LogLevel.trace
  /// Text that the message or the attributes must contain. Ignores case if it has no capital.
  package var pattern: String?

  /// Whether a record is a log line that passes the filter.
  func admits(_ record: Record) -> Bool {
    guard case .log(let level) = record.kind, level.rawValue >= self.level.rawValue else {
      return false
    }
    guard let search = pattern.map(TextSearch.init) else { return true }
    return search.finds(in: record.name)
      || PayloadJSON(record.payload).map { search.finds(in: $0.text) } ?? false
  }
}
