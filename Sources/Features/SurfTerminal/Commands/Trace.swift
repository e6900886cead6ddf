import JSONTools
import JSONTree
import SurfQuery
import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen

extension Subcommand {
  static let trace = Self(
    "trace", in: .ask, "Show every write to a place in the state", positionals: [.path],
    options: [.instance, .last, .follow, .duration, .json],
    examples: [
      ("trace user.name", "each row that wrote it: old → new, name, source"),
      ("trace user.name --last", "who wrote it last"),
      ("trace count --follow", "and each write to come"),
      ("trace todos[id:7] --json", "for a script"),
    ],
    notes: [
      "Exits with 0 if there was a write, and with 1 if there was none. A `?` after the row says",
      "that rows before it are missing, which may have written this.",
    ], makes: TraceOptions.init)
}

struct TraceOptions: HistoryQuestion {
  let place: QueryPlace
  /// How many of the past writes to print; nil for all.
  let last: Int?
  let json: Bool
  let follows: Bool
  let end: Duration?

  init(_ words: Words) throws(Failure) {
    place = try QueryWords.place(words.positionals[0])
    last = words.count(.last).map { Int($0) }
    json = words.has(.json)
    follows = words.has(.follow)
    end = try words.end()
  }

  func task(_ layout: Layout) -> any HistoryTask { TraceTask(self, layout) }
}

extension Timeline {
  /// Whether only the initial state shows what the row wrote.
  fileprivate func followsInitialState(_ number: SequenceNumber) -> Bool {
    row(number).flatMap(parent) == .initial
  }
}

/// `statesurf trace`: prints every write to a place.
struct TraceTask: HistoryTask {
  private let options: TraceOptions
  private let layout: Layout
  let isNewestFirst: Bool
  private var trace: PathTrace
  private var hasPrinted = false
  /// With `--last`: the newest writes so far, in the order of time.
  private var newest: [(row: SequenceNumber, action: CommandAction)] = []

  init(_ options: TraceOptions, _ layout: Layout) {
    self.options = options
    self.layout = layout
    // A later row may have grown from any row.
    isNewestFirst = options.last != nil && !options.follows
    trace = PathTrace(options.place, newestFirst: isNewestFirst)
  }

  var follows: Bool { options.follows }

  private var place: QueryPlace { options.place }

  mutating func goOn(with instance: Instance) -> HistoryWork {
    if trace.isDone { trace.extend(to: 0..<(instance.timeline.rows.last?.number.next ?? 0)) }
    var work = HistoryWork(actions: show(trace.step(in: instance.timeline), of: instance))
    if trace.isDone { work.exitCode = exitCode }
    return work
  }

  mutating func work(on instance: Instance, _ settled: SettledRows) -> HistoryWork {
    let timeline = instance.timeline
    let last = options.last ?? .max
    trace.extend(to: settled.range)
    var writes = trace.step(in: timeline)
    if isNewestFirst { writes = writes.suffix(last - newest.count) }
    // A row may have grown from the initial state anywhere: after a jump to it.
    if settled.mayAskInitialState,
      writes.contains(where: { timeline.followsInitialState($0.record.sequence) })
    {
      trace.takeBackStep()
      return HistoryWork(needsInitialState: true)
    }
    var work = HistoryWork()
    let actions = show(writes, of: instance)
    let found = zip(writes.map(\.record.sequence), actions).map { (row: $0, action: $1) }
    if isNewestFirst {
      newest = found + newest
    } else if options.last != nil {
      newest = (newest + found).suffix(last)
    } else {
      work.actions = actions
    }
    work.leftCount = trace.leftCount(in: timeline)
    work.visitedCount = trace.visitedCount
    if isNewestFirst, newest.count == last, let first = newest.first?.row {
      let answered = first..<settled.range.upperBound
      work.answered = answered
      work.visitedCount =
        timeline.firstIndex(from: answered.upperBound)
        - timeline.firstIndex(from: answered.lowerBound)
      end(&work, on: timeline)
    } else if trace.isDone, settled.isAll {
      end(&work, on: timeline)
    }
    return work
  }

  private var exitCode: Int32 { hasPrinted ? ExitCode.done : ExitCode.failed }

  private mutating func end(_ work: inout HistoryWork, on timeline: Timeline) {
    work.actions += newest.map(\.action)
    work.exitCode = exitCode
    if follows { return }
    let json = timeline.newestJSON()
    work.actions +=
      hasPrinted
      ? EmptyAnswer.redactions(at: [place], in: json)
      : EmptyAnswer.notes(on: [place], in: json, or: "no row is known to have written \(place)")
  }

  private mutating func show(
    _ writes: [PathTrace.Write], of instance: Instance
  ) -> [CommandAction] {
    hasPrinted = hasPrinted || !writes.isEmpty
    return writes.map { write in
      options.json
        ? .printBytes(EventJSON.line(write, of: instance))
        : .print(layout.line(write, shows: write.change.place != place))
    }
  }
}

extension Layout {
  /// `    12  3 → 4  increment  Counter.swift:7`; `–` for no value, `?` for an unknown one.
  ///
  /// - Parameter shows: whether to show the place, because it is not the one in the command line.
  func line(_ write: PathTrace.Write, shows: Bool) -> Line {
    let values = members(of: write) ?? whole(write)
    let line = Line([
      Span(rightAligned("\(write.record.sequence)", 6) + " ", .bold),
      Span(shows ? " \(write.change.place):" : "", .accent), Span(" \(values)"),
      Span("  \(write.record.name)", write.record.kind.nameStyle),
      Span(origin(of: write.record), .dim),
      Span(write.record.source.isEmpty ? "" : "  \(write.record.source)", .dim),
    ])
    return shown(line)
  }

  private func whole(_ write: PathTrace.Write) -> String {
    "\(write.hasOld ? value(write.change.old) : "?") → \(value(write.change.new))"
  }

  /// On a terminal, cut so that the name and the source of the write fit beside it.
  private func value(_ json: JSON?) -> String {
    let text = escaped(json?.text() ?? "–")
    return valueWidth.map { fitted(text, $0) } ?? text
  }

  private var valueWidth: Int? { columns.map { max(8, ($0 - 40) / 2) } }

  /// On a terminal, the members that differ, if the values would be cut: their beginnings may be
  /// equal.
  private func members(of write: PathTrace.Write) -> String? {
    guard let width = valueWidth, write.hasOld, let old = write.change.old,
      let new = write.change.new, !old.isScalar, !new.isScalar,
      [old, new].contains(where: { SurfTerminal.columns(escaped($0.text())) > width })
    else { return nil }
    let changes = JSON.diff(old, new).map(\.line.description).joined(separator: ", ")
    return fitted(escaped(changes), 2 * width + 3)
  }
}

extension EventJSON {
  /// `event: "write"`, `row`, `path`, `name`, `time`, and if known `old`, `new` and `source`;
  /// `doubtful` if the value before the write is not known.
  static func line(_ write: PathTrace.Write, of instance: Instance) -> [UInt8] {
    var members: JSONObject = [
      "row": .number(write.record.sequence), "path": .string("\(write.change.place)"),
      "name": .string(write.record.name), "time": .number(write.record.wallTime),
    ]
    members["old"] = write.change.old
    members["new"] = write.change.new
    if !write.record.source.isEmpty { members["source"] = .string(write.record.source) }
    if !write.hasOld { members["doubtful"] = true }
    return line("write", instance, members)
  }
}
