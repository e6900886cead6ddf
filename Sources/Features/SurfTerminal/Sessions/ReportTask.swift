import SurfTimeline
import SurfViewer

/// `statesurf report`: tells what the actions did, once it has looked at all rows.
struct ReportTask: HistoryTask {
  private let json: Bool
  private let layout: Layout
  private var report = HistoryReport()

  init(json: Bool, _ layout: Layout) {
    self.json = json
    self.layout = layout
  }

  mutating func work(on instance: Instance) -> HistoryWork {
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
