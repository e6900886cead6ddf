import SurfTimeline
import SurfWire

/// A line that `logs` prints: a log record, or a note that rows are missing.
struct LogLine {
  enum Statement {
    case record(Record)
    case missing(EventLine)
  }

  let session: SessionID
  let statement: Statement

  var row: SequenceNumber {
    switch statement {
    case .record(let record): record.sequence
    case .missing(let event): event.place.newestRecord
    }
  }

  func actions(of instance: Instance, _ layout: Layout, json: Bool) -> [CommandAction] {
    switch statement {
    case .record(let record):
      let action =
        json
        ? EventJSON.line(log: record, of: instance).map(CommandAction.printBytes)
        : layout.line(log: record, of: instance).map(CommandAction.print)
      return action.map { [$0] } ?? []
    case .missing(let event): return event.actions(of: instance, layout, json: json)
    }
  }

  fileprivate var wallTime: Int64? {
    if case .record(let record) = statement { record.wallTime } else { nil }
  }
}

extension [LogLine] {
  /// Sorted by time. The lines of one app stay in its own order, even if its clock was set back,
  /// and notes of missing rows follow the line before them.
  var inOrder: [LogLine] {
    var times: [SessionID: Int64] = [:]
    let timed = sorted { ($0.session, $0.row) < ($1.session, $1.row) }.map { line in
      let time = Swift.max(line.wallTime ?? .min, times[line.session] ?? .min)
      times[line.session] = time
      return (time, line)
    }
    return timed.sorted {
      ($0.0, $0.1.session, $0.1.row) < ($1.0, $1.1.session, $1.1.row)
    }.map(\.1)
  }
}
