import JSONTree
import SurfQuery
import SurfTimeline
import SurfViewer
import SurfWire

extension Subcommand {
  static let find = Self(
    "find", in: .ask, "Show the rows of which a query is true", positionals: [.query],
    options: [.instance, .firstRow, .lastRow, .count, .shown, .json],
    examples: [
      ("find becomes count over 10 --first", "when count first passed 10"),
      ("find user.name changed --last --show user", "who wrote the user's name last"),
      ("find kind:action not changed --count", "how many actions changed nothing"),
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

  /// Which of the found rows to print.
  enum Picks: Equatable {
    case all, first, last
    /// Only their number.
    case count
  }

  init(_ words: Words) throws(Failure) {
    query = try QueryWords.query(words.positionals)
    try words.exclude(.firstRow, .lastRow, .count)
    if words.has(.firstRow) { picks = .first }
    if words.has(.lastRow) { picks = .last }
    if words.has(.count) { picks = .count }
    for path in words.text(.shown)?.split(separator: ",") ?? [] {
      shown.append(try QueryWords.place(String(path)))
    }
    json = words.has(.json)
  }

  package func task(_ layout: Layout) -> any HistoryTask { FindTask(self, layout) }
}

/// `statesurf find`: prints the rows of which a query is true.
struct FindTask: HistoryTask {
  private let options: FindOptions
  private let layout: Layout
  private var find: Find
  private var count = 0

  init(_ options: FindOptions, _ layout: Layout) {
    self.options = options
    self.layout = layout
    find = Find(
      options.query, order: options.picks == .last ? .newestFirst : .oldestFirst,
      wantsStates: !options.shown.isEmpty, secondsFromGMT: layout.secondsFromGMT)
  }

  package mutating func work(on instance: Instance) -> HistoryWork {
    var work = HistoryWork()
    var hits = find.step(in: instance)[...]
    if options.picks == .first || options.picks == .last { hits = hits.prefix(1) }
    count += hits.count
    if options.picks != .count { work.actions = hits.flatMap { show($0, of: instance) } }
    let hasPicked = count > 0 && (options.picks == .first || options.picks == .last)
    if hasPicked || find.isDone {
      if options.picks == .count { work.actions.append(printCount()) }
      work.actions += find.limits.warnings
      if count == 0 {
        work.actions += EmptyAnswer.notes(
          on: options.query.places, in: instance.timeline, or: "no row matches")
      }
      work.exitCode = count > 0 ? ExitCode.done : ExitCode.failed
    }
    work.leftCount = find.leftCount(in: instance.timeline)
    return work
  }

  private func printCount() -> CommandAction {
    options.json
      ? .printBytes(EventJSON.object(["count": .number(count)])) : .print(Line("\(count)"))
  }

  private func show(_ hit: Find.Hit, of instance: Instance) -> [CommandAction] {
    guard let row = instance.timeline.row(hit.row) else { return [] }
    let shown = ShownPlaces(options.shown, in: hit.subject)
    if options.json {
      return [.printBytes(EventJSON.line(row, of: instance, adding: shown.members))]
    }
    return [.print(layout.line(row, of: instance))]
      + shown.lines.map { .print(layout.columns.map($0.fitted) ?? $0) }
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
    var actions: [CommandAction] = []
    if contains(.pattern) {
      actions.append(.complain("some texts are too long for the pattern: they count as not found"))
    }
    if contains(.places) {
      actions.append(.complain("a path leads to too many places: some were not looked at"))
    }
    if contains(.redacted) {
      actions.append(
        .complain("some rows were left out: their states differ in what the app redacts, or not"))
    }
    if contains(.states) {
      actions.append(
        .complain("some rows were left out: a state that the query asks about is not here"))
    }
    return actions
  }
}
