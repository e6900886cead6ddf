import SurfTimeline
import SurfViewer

extension Subcommand {
  static let report = Self(
    "report", in: .ask, "Count what each action did, and show odd sequences",
    positionals: [.instance], options: [.instance, .json],
    examples: [
      ("report PrimeTime", "what changes nothing, or comes again"),
      ("report --json | jq 'select(.unchanged > 0)'", "for a script"),
    ],
    notes: [
      "Counts the actions of each name, without the values in it: how many are known to have",
      "changed nothing; errors in the log that they caused, or that came before the next action;",
      "octets by which the states grew, and of the payloads; and after the row before, in the",
      "median. IN A ROW are actions that came again with the same payload, and two actions in turn",
      "(⇄) whose states return. A terminal shows the first 30 names and 10 sequences.",
      "It looks at the newest 100,000 rows at most, and exits with 0 if there was an action, and",
      "with 1 if there was none.",
    ]
  ) { ReportOptions(json: $0.has(.json)) }
}

package struct ReportOptions: HistoryQuestion {
  private let json: Bool

  package init(json: Bool) { self.json = json }

  package func task(_ layout: Layout) -> any HistoryTask { ReportTask(json: json, layout) }
}

/// `statesurf report`: tells what the actions did, once it has looked at all rows.
struct ReportTask: HistoryTask {
  private let json: Bool
  private let layout: Layout
  private var report = HistoryReport()

  init(json: Bool, _ layout: Layout) {
    self.json = json
    self.layout = layout
  }

  package mutating func work(on instance: Instance) -> HistoryWork {
    var work = HistoryWork()
    report.step(in: instance.timeline)
    work.leftCount = report.leftCount(in: instance.timeline)
    guard report.isDone else { return work }
    work.actions =
      json
      ? ReportJSON.lines(report, of: instance).map { .printBytes($0) }
      : ReportView(report, columns: layout.columns).lines.map { .print($0) }
    work.exitCode = report.tallies.isEmpty ? ExitCode.failed : ExitCode.done
    return work
  }
}
