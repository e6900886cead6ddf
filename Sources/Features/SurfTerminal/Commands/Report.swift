import JSONTree
import SurfTimeline
import SurfViewer
import SurfWire

extension Subcommand {
  static let report = Self(
    "report", in: .ask, "Count what each action did, and show odd sequences",
    positionals: [.instance], options: [.instance, .follow, .duration, .json],
    examples: [
      ("report PrimeTime", "what changes nothing, or comes again"),
      ("report --json | jq 'select(.unchanged > 0)'", "for a script"),
      ("report --follow --for 60", "again, at most once a second, while rows come"),
    ],
    notes: [
      "Counts the actions of each name, without the values in it: how many are known to have",
      "changed nothing; errors in the log that they caused, or that came before the next action;",
      "octets by which the states grew, and of the payloads; and after the row before, in the",
      "median. IN A ROW are actions that came again with the same payload, and two actions in turn",
      "(⇄) whose states return. A terminal shows the first 30 names and 10 sequences.",
      "It counts rows as they arrive, however many. Later counts with --follow look at the newest",
      "100,000 at most. It exits with 0 if there was an action, and with 1 if there was none.",
    ]
  ) { words throws(Failure) in
    ReportOptions(
      json: words.has(.json), follows: words.has(.follow), end: try words.end())
  }
}

package struct ReportOptions: HistoryQuestion {
  private let json: Bool
  private let follows: Bool
  package let end: Duration?

  package init(json: Bool, follows: Bool = false, end: Duration? = nil) {
    (self.json, self.follows, self.end) = (json, follows, end)
  }

  package func task(_ layout: Layout) -> any HistoryTask {
    ReportTask(json: json, follows: follows, layout)
  }
}

/// `statesurf report`: examines all rows, then prints what the actions did.
struct ReportTask: HistoryTask {
  private let json: Bool
  let follows: Bool
  private let layout: Layout
  private var report = HistoryReport()
  /// The row after those that are counted.
  private var end: SequenceNumber = 0

  init(json: Bool, follows: Bool, _ layout: Layout) {
    (self.json, self.follows, self.layout) = (json, follows, layout)
  }

  let pause = Duration.seconds(1)

  /// Counts again: a sequence may continue in later rows.
  mutating func goOn(with instance: Instance) -> HistoryWork {
    if report.isDone {
      guard end != instance.timeline.newestNumber.next else {
        return HistoryWork(exitCode: exitCode)
      }
      (report, end) = (HistoryReport(), instance.timeline.newestNumber.next)
    }
    var work = work(on: instance, SettledRows(range: 0..<end, isAll: true))
    if !json, !work.actions.isEmpty { work.actions.insert(.print(Line("")), at: 0) }
    return work
  }

  mutating func work(on instance: Instance, _ settled: SettledRows) -> HistoryWork {
    var work = HistoryWork()
    end = settled.range.upperBound
    report.extend(to: settled.range)
    if settled.mayAskInitialState, report.lacksInitialState(in: instance.timeline) {
      return HistoryWork(needsInitialState: true)
    }
    report.step(in: instance.timeline)
    work.leftCount = report.leftCount(in: instance.timeline)
    work.visitedCount = report.rowCount
    guard report.isDone, settled.isAll else { return work }
    report.finish()
    work.actions =
      json
      ? ReportJSON.lines(report, of: instance).map { .printBytes($0) }
      : ReportView(report, columns: layout.columns).lines.map { .print($0) }
    work.exitCode = exitCode
    return work
  }

  private var exitCode: Int32 { report.tallies.isEmpty ? ExitCode.failed : ExitCode.done }
}

/// The output of `report --json`.
enum ReportJSON {
  /// A `tally` for each name, a `sequence` for each odd sequence, and last a `report` that says how
  /// many rows were examined.
  static func lines(_ report: HistoryReport, of instance: Instance) -> [[UInt8]] {
    report.tallies.map { EventJSON.line("tally", instance, members($0)) }
      + report.sequences.map { EventJSON.line("sequence", instance, members($0)) }
      + [
        EventJSON.line(
          "report", instance,
          ["rows": .number(report.rowCount), "missing": .number(report.missingCount)])
      ]
  }

  /// `name`, `count`, `unchanged`, `unknown`, `errors`, `growth` and `payloadSize` in octets; and
  /// `interval`, the median time since the row before, in nanoseconds, if there is one.
  private static func members(_ tally: ActionTally) -> JSONObject {
    var members: JSONObject = [
      "name": .string(tally.name), "count": .number(tally.count),
      "unchanged": .number(tally.unchangedCount), "unknown": .number(tally.unknownCount),
      "errors": .number(tally.errorCount), "growth": .number(tally.growth),
      "payloadSize": .number(tally.payloadSize),
    ]
    members["interval"] = tally.medianInterval.map { .number($0) }
    return members
  }

  /// `kind`, the `actions` in order, the number of `runs`, `unchanged` in all runs, and `count`,
  /// `from` and `to` of the longest run.
  private static func members(_ tally: SequenceTally) -> JSONObject {
    let kind: JSON =
      switch tally.sequence {
      case .repetition: "repetition"
      case .oscillation: "oscillation"
      }
    return [
      "kind": kind, "actions": .array(tally.sequence.actions.map(action)),
      "runs": .number(tally.runCount), "unchanged": .number(tally.unchangedCount),
      "count": .number(tally.longest.count),
      "from": .number(tally.longest.rows.lowerBound), "to": .number(tally.longest.rows.upperBound),
    ]
  }

  /// `name`, and `payload` if there is one.
  private static func action(_ action: ActionIdentity) -> JSON {
    var object = JSONObject()
    object["name"] = .string(action.name)
    object["payload"] = PayloadJSON(action.payload)?.json
    return .object(object)
  }
}
