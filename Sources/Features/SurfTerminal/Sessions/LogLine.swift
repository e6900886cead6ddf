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

/// New rows that this viewer was too slow to show, to be reported in one line.
struct MissedRows {
  private(set) var range: ClosedRange<SequenceNumber>
  private(set) var count: WireCount

  init(_ rows: ClosedRange<SequenceNumber>) { (range, count) = (rows, rows.length) }

  var event: EventLine { .dropped(count.clamped(to: .max), range) }

  mutating func add(_ rows: ClosedRange<SequenceNumber>) {
    range = min(range.lowerBound, rows.lowerBound)...max(range.upperBound, rows.upperBound)
    count.add(rows.length)
  }
}

extension [SessionID: MissedRows] {
  mutating func add(_ rows: ClosedRange<SequenceNumber>, of session: SessionID) {
    if self[session]?.add(rows) == nil { self[session] = MissedRows(rows) }
  }
}
