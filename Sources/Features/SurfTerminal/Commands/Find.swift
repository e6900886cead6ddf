import JSONTree
import SurfQuery
import SurfTimeline
import SurfViewer
import SurfWire

extension Subcommand {
  static let find = Self(
    "find", in: .ask, "Show the rows that match a query", positionals: [.query],
    options: [.instance, .first, .last, .count, .shown, .follow, .duration, .json],
    examples: [
      ("find becomes count over 10 --first", "when count first passed 10"),
      ("find user.name changed --last --show user", "who wrote the user's name last"),
      ("find kind:action not changed --count", "how many actions changed nothing"),
      ("find level:error.. --follow", "errors, and those to come"),
    ],
    notes: [
      "Exits with 0 if there was such a row, and with 1 if there was none.",
      "`statesurf help query` explains the language.",
    ], makes: FindOptions.init)
}

package struct FindOptions: HistoryQuestion {
  package let query: Query
  var picks = Picks.all
  var shown: [QueryPlace] = []
  let json: Bool
  let follows: Bool
  package let end: Duration?

  /// Which of the found rows to print.
  enum Picks: Equatable {
    case all
    case first(Int)
    case last(Int)
    /// Only their number.
    case count

    /// How many rows are enough.
    var limit: Int {
      switch self {
      case .all, .count: .max
      case .first(let count), .last(let count): count
      }
    }

    var isLast: Bool { if case .last = self { true } else { false } }
  }

  init(_ words: Words) throws(Failure) {
    query = try QueryWords.query(words.positionals)
    try words.exclude(.first, .last, .count)
    try words.exclude(.first, .follow)
    try words.exclude(.count, .follow)
    if let count = words.count(.first) { picks = .first(Int(count)) }
    if let count = words.count(.last) { picks = .last(Int(count)) }
    if words.has(.count) { picks = .count }
    for path in words.text(.shown)?.split(separator: ",") ?? [] {
      shown.append(try QueryWords.place(String(path)))
    }
    json = words.has(.json)
    follows = words.has(.follow)
    end = try words.end()
  }

  package func task(_ layout: Layout) -> any HistoryTask { FindTask(self, layout) }
}

/// `statesurf find`: prints the rows that match a query.
struct FindTask: HistoryTask {
  private let options: FindOptions
  private let layout: Layout
  private var find: Find
  private var count = 0
  /// What `--last` has found, in the order of time. It is printed at the end.
  private var newest: [CommandAction] = []
  /// Looks at the rows from `next` on, which arrived after the search, if `--follow` is given.
  private var filter: LiveFilter
  private var next: SequenceNumber = 0

  init(_ options: FindOptions, _ layout: Layout) {
    self.options = options
    self.layout = layout
    find = Find(
      options.query, order: options.picks.isLast ? .newestFirst : .oldestFirst,
      wantsStates: !options.shown.isEmpty, secondsFromGMT: layout.secondsFromGMT)
    filter = LiveFilter(options.query, secondsFromGMT: layout.secondsFromGMT)
  }

  var follows: Bool { options.follows }

  /// A chain must be read from its first row on. With `--follow`, a new row may grow from any row.
  var isNewestFirst: Bool { isLast && !follows && options.query.chains.isEmpty }

  private var isLast: Bool { options.picks.isLast }

  mutating func work(on instance: Instance, _ settled: SettledRows) -> HistoryWork {
    var work = HistoryWork()
    // Read backwards while rows arrive, the hits would be out of order.
    if isLast, !isNewestFirst, !settled.isAll { return work }
    find.extend(to: settled.range, in: instance.timeline)
    let hits = find.step(in: instance).prefix(options.picks.limit - count)
    if settled.mayAskInitialState, find.limits.contains(.initialState),
      count + hits.count < options.picks.limit || !isLast
    {
      find.takeBackStep()
      return HistoryWork(needsInitialState: true)
    }
    count += hits.count
    let shown = hits.map { show($0.row, $0.subject, of: instance) }
    switch options.picks {
    case .count: break
    // In the order of time, as everywhere.
    case .last: newest = shown.reversed().flatMap(\.self) + newest
    case .all, .first: work.actions = shown.flatMap(\.self)
    }
    work.visitedCount = find.visitedCount
    work.leftCount = find.leftCount(in: instance.timeline)
    if count >= options.picks.limit, let hit = hits.last {
      work.answered = isLast ? hit.row..<settled.range.upperBound : 1..<hit.row.next
      work.visitedCount = find.visitedCount(upTo: hit)
      end(&work, on: instance, before: settled.range.upperBound)
    } else if find.isDone, settled.isAll {
      end(&work, on: instance, before: settled.range.upperBound)
    }
    return work
  }

  private mutating func end(
    _ work: inout HistoryWork, on instance: Instance, before end: SequenceNumber
  ) {
    next = end
    work.actions += newest
    if options.picks == .count { work.actions.append(printCount()) }
    work.actions += find.limits.warnings
    work.actions +=
      count > 0
      ? EmptyAnswer.doubts(about: options.query, in: instance.timeline)
      : EmptyAnswer.notes(on: options.query, in: instance.timeline, continues: follows)
    work.exitCode = exitCode
  }

  private var exitCode: Int32 { count > 0 ? ExitCode.done : ExitCode.failed }

  mutating func goOn(with instance: Instance) -> HistoryWork {
    var work = HistoryWork()
    let rows = instance.timeline.rows
    for row in rows[instance.timeline.firstIndex(from: next)...] {
      next = row.number.next
      guard let subject = filter.subject(row, of: instance) else { continue }
      count += 1
      work.actions += show(row.number, subject, of: instance)
    }
    work.exitCode = exitCode
    return work
  }

  private func printCount() -> CommandAction {
    options.json
      ? .printBytes(EventJSON.object(["count": .number(count)])) : .print(Line("\(count)"))
  }

  private func show(
    _ number: SequenceNumber, _ subject: QuerySubject, of instance: Instance
  ) -> [CommandAction] {
    guard let row = instance.timeline.row(number) else { return [] }
    let shown = ShownPlaces(options.shown, in: subject)
    if options.json {
      return [.printBytes(EventJSON.line(row, of: instance, adding: shown.members))]
    }
    return [.print(layout.line(row, of: instance))]
      + shown.lines.map { .print(layout.shown($0)) }
  }
}

/// The values at the places of `--show`, for one row.
struct ShownPlaces {
  private let findings: [QueryFinding]
  /// Places in a state that is not here.
  private let unknown: [QueryPlace]
  private let hasPlaces: Bool

  init(_ places: [QueryPlace], in subject: QuerySubject) {
    hasPlaces = !places.isEmpty
    unknown = places.filter { !subject.knows($0.root) }
    findings = places.flatMap(subject.values(at:))
  }

  /// `    user.name: "Ada"`; nothing for a place that does not exist, and `?` for an unknown state.
  var lines: [Line] {
    findings.map { Line([Span("    \($0.place)", .accent), Span(": \($0.value.text())")]) }
      + unknown.map { Line([Span("    \($0)", .accent), Span(": ?")]) }
  }

  /// `shown`, an object of the values by path; empty without places.
  var members: JSONObject {
    guard hasPlaces else { return [:] }
    let values = findings.map { JSONObject.Member(key: "\($0.place)", value: $0.value) }
    return ["shown": .object(JSONObject(values))]
  }
}

extension Set<QueryEvaluator.Limit> {
  /// Warnings that rows may be missing from the result.
  var warnings: [CommandAction] {
    let texts: KeyValuePairs<QueryEvaluator.Limit, String> = [
      .pattern: "some texts are too long for the pattern: they count as not found",
      .places: "a path leads to too many places: some were not looked at",
      .redacted: "some rows were left out: their states differ in what the app redacts, or not",
      .states: "some rows were left out: a state that the query asks about is not here",
      .initialState: "rows right after the initial state were left out: that state is not here",
    ]
    return texts.filter { contains($0.key) }.map { .complain($0.value) }
  }
}
