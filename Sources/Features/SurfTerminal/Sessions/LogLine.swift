import SurfTimeline
import SurfWire

/// Something to print of a log: a line, or that some are missing here.
struct LogLine {
  enum Statement {
    case record(Record)
    case lost(ClosedRange<SequenceNumber>)
    case dropped(MissedRows)
  }

  let session: SessionID
  let statement: Statement

  var row: SequenceNumber {
    switch statement {
    case .record(let record): record.sequence
    case .lost(let range): range.lowerBound
    case .dropped(let rows): rows.range.lowerBound
    }
  }

  /// What to print.
  func action(of instance: Instance, _ layout: Layout, json: Bool) -> CommandAction? {
    switch statement {
    case .record(let record):
      json
        ? EventJSON.line(log: record, of: instance).map(CommandAction.printBytes)
        : layout.line(log: record, of: instance).map(CommandAction.print)
    case .lost(let range):
      json
        ? .printBytes(EventJSON.line(lost: range, of: instance))
        : .print(layout.line(lost: range, of: instance))
    case .dropped(let rows):
      json
        ? .printBytes(
          EventJSON.line(dropped: rows.count.clamped(to: .max), in: rows.range, of: instance))
        : .print(layout.line(dropped: rows.count.clamped(to: .max), in: rows.range, of: instance))
    }
  }

  fileprivate var wallTime: Int64? {
    if case .record(let record) = statement { record.wallTime } else { nil }
  }
}

extension [LogLine] {
  /// The oldest first. The lines of one app stay in its own order, even if its clock was set back,
  /// and what is missing stands behind the line before it.
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

/// Rows that came and are not shown, because this end was too slow; one line tells of them.
struct MissedRows {
  private(set) var range: ClosedRange<SequenceNumber>
  private(set) var count: WireCount

  init(_ rows: ClosedRange<SequenceNumber>) { (range, count) = (rows, rows.length) }

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
