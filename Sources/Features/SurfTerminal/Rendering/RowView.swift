import SurfControl
import SurfQuery
import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen

/// Formats rows and events as lines for people.
package struct Layout: Equatable, Sendable {
  package var secondsFromGMT = 0
  /// The terminal's width. Nil in a pipe, where nothing is cut.
  package var columns: Int?
  /// Nil while there is only one instance.
  package var instance: InstanceColumn?

  package init() {}

  /// - Parameter cellCount: the number of watched places, whose cells take columns, too.
  private func rowColumns(besides cellCount: Int) -> RowColumns {
    guard let columns else { return RowColumns() }
    let whose = instance.map { 1 + $0.width(on: columns) } ?? 0
    return RowColumns(terminal: columns, whose: whose + cellCount * WatchedCells.width)
  }
}

extension Layout {
  /// `14:03:59.123   12  action  increment ←11      1.2 kB +12 B  Counter.swift:7`
  package func line(_ row: Row, of instance: Instance, _ cells: [Span] = []) -> Line {
    let record = row.record
    let widths = rowColumns(besides: cells.count)
    let whose = self.instance.map { " " + $0.text(instance, on: columns) } ?? ""
    let number = " " + rightAligned("\(row.number)", widths.number)
    let kind = "  " + padded(record.kind.text + " ", RowColumns.kind)
    var spans = [
      Span(clockText(record.wallTime, secondsFromGMT: secondsFromGMT), .dim), Span(whose),
      Span(number, .bold), Span(kind, record.kind.style),
    ]
    // A longer number or kind takes its columns from the name, so that the rest stays in place.
    let excess =
      SurfTerminal.columns(number) + SurfTerminal.columns(kind) - widths.number - RowColumns.kind
      - 3
    let room = widths.name - excess
    let sizes = sizes(row, in: instance.timeline, widths)
    if sizes.isEmpty, record.source.isEmpty, cells.isEmpty, columns != nil {
      // Nothing follows, as in a log line, so the name may use the rest of the line.
      return finished(spans + name(record, .max))
    }
    let isAlone = sizes.isEmpty && cells.isEmpty
    spans += name(record, isAlone ? room + widths.size + widths.change : room)
    spans += cells
    spans += sizes
    spans.append(Span(source(record.source, widths.source), .dim))
    return finished(spans)
  }

  /// The paths of watched places above their cells.
  func titles(of places: [QueryPlace]) -> Line {
    let widths = rowColumns(besides: places.count)
    let whose = instance.map { 1 + $0.width(on: columns) } ?? 0
    let left = RowColumns.clock + whose + 1 + widths.number + 2 + RowColumns.kind + widths.name
    return finished([Span(padded("", left))] + WatchedCells.titles(of: places))
  }

  /// The name, followed by its cause.
  private func name(_ record: Record, _ room: Int) -> [Span] {
    let name = escaped(record.name)
    let origin = origin(of: record, room == .max ? .max : room - SurfTerminal.columns(name))
    let width = room - SurfTerminal.columns(origin)
    let shown = columns == nil || room == .max ? name : fitted(name, width)
    let blanks = room == .max ? 0 : width - SurfTerminal.columns(shown)
    return [
      Span(shown, record.kind.nameStyle), Span(origin, .dim),
      Span(String(repeating: " ", count: max(0, blanks))),
    ]
  }

  /// ` ×12` for equal actions in one record. ` ←11` for the cause. ` from row 3` for the row that
  /// it grew from, if that is not the row before. ` after a restore` if one led to it, or ` ⤺` if
  /// that does not fit.
  func origin(of record: Record, _ room: Int = .max) -> String {
    let cause = record.countText + (record.parent == 0 ? "" : " ←\(record.parent)")
    guard let grownFrom = record.grownFrom else { return cause }
    // The marker above says who moved the app, and where to.
    guard grownFrom.move.isZero else {
      let long = cause + " after a restore"
      return columns == nil || SurfTerminal.columns(long) <= room ? long : cause + " ⤺"
    }
    return switch grownFrom.origin {
    case .initial: cause + " from row 0"
    case .record(let row): cause + " from row \(row)"
    case .elsewhere: cause + " from no row"
    }
  }

  private func source(_ source: String, _ width: Int?) -> String {
    guard !source.isEmpty, width != 0 else { return "" }
    return "  " + (width.map { fittedSource(escaped(source), $0 - 2) } ?? source)
  }

  /// Drops a remark in parentheses first, then the beginning of the place.
  private func fittedSource(_ source: String, _ width: Int) -> String {
    guard SurfTerminal.columns(source) > width, let remark = source.firstRange(of: " (") else {
      return fittedToEnd(source, width)
    }
    return fittedToEnd(String(source[..<remark.lowerBound]), width)
  }

  /// `              in force: 2, 1, 4–12; left out: 3`, below the row of the revision.
  func line(_ order: StagedOrder, in timeline: Timeline) -> Line {
    let text = order.text(hasFutures: order.hasFutures(in: timeline))
    return finished([Span(padded("", RowColumns.clock + 2) + text, .dim)])
  }

  /// - Parameter why: why these rows are missing here.
  func line(
    missing count: WireCount, in range: ClosedRange<SequenceNumber>, _ why: String,
    of instance: Instance
  ) -> Line {
    let whose = self.instance == nil ? "" : " of \(instance.label)"
    let text = "⋯ \(countText(count, "record")) \(why)\(whose)"
    let rows = " (rows \(range.lowerBound)–\(range.upperBound))"
    return finished([Span(text, .caution), Span(rows, .dim)])
  }

  package func line(_ marker: Marker, of instance: Instance) -> Line {
    let style: Style = marker.outcome == .applied ? .caution : .bad
    return finished([Span(marker.text(of: instance.label), style)])
  }

  package func line(appeared instance: Instance) -> Line {
    let id = instance.id.description.prefix(8)
    let note = instance.standing.note.map { [Span(", \($0)", .caution)] } ?? []
    return finished(
      [Span("● \(instance.label)", .good), Span(" on \(instance.host) (\(id))", .dim)] + note)
  }

  package func line(restart text: String) -> Line { finished([Span("⟲ \(text)", .caution)]) }

  package func line(gone instance: Instance, saidGoodbye: Bool) -> Line {
    let why = saidGoodbye ? "said goodbye" : "fell silent"
    let rest = "; only viewers that are open still have its history"
    return finished([Span("○ \(instance.label) \(why)", .bad), Span(rest, .dim)])
  }

  /// The size of the state and its change.
  private func sizes(_ row: Row, in timeline: Timeline, _ widths: RowColumns) -> [Span] {
    let room = widths.size + widths.change
    if let absence = row.absenceText {
      let text = room < 16 ? absence : "  state \(absence)"
      return widths.size == 0 ? [] : [Span(padded(" " + text, room), .caution)]
    }
    guard widths.size > 0, let size = row.stateSize else {
      return columns == nil ? [Span(padded("", room))] : []
    }
    let bytes = Span(rightAligned(byteText(size), widths.size))
    guard widths.change > 0 else { return [bytes] }
    let change = timeline.changeText(of: row, with: size)
    return [bytes, Span(" " + padded(change, widths.change - 1), .dim)]
  }

  /// Drops trailing blanks and fits the line to the terminal.
  private func finished(_ spans: [Span]) -> Line {
    var spans = spans
    while let last = spans.popLast() {
      guard let rest = last.withoutBlanksAtEnd else { continue }
      spans.append(rest)
      break
    }
    return shown(Line(spans))
  }

  /// Cut to the terminal's width. A pipe gets all of it.
  func shown(_ line: Line) -> Line { columns.map { line.fitted(columns: $0) } ?? line }
}

extension Record {
  fileprivate var isMove: Bool { name.hasPrefix("move row ") }
}

/// The order of actions that a revision put in force, and the actions that it leaves out.
struct StagedOrder: Equatable {
  /// Rows before this one are unchanged.
  let oldest: UInt64
  let inForce: [UInt64]
  let leftOut: [UInt64]
  /// Why its states may differ from those that the app itself would have reached.
  let doubt: String?

  /// Nil if the record is not a revision, or has no order.
  init?(_ record: Record) {
    guard let revision = record.revision else { return nil }
    self.init(revision)
  }

  init?(_ revision: Revision) {
    guard let staging = revision.staging else { return nil }
    // `approximate` only means that the command ran no action again.
    doubt = revision.replay == .approximate ? nil : revision.replay.doubt
    oldest = staging.oldest
    inForce = staging.items.filter { !$0.isSkipped }.map(\.row)
    leftOut = staging.items.filter(\.isSkipped).map(\.row)
  }

  /// Whether one of these actions grew from another state than the one before it. The app's state
  /// has the actions of one future only, and the order does not say which.
  func hasFutures(in timeline: Timeline) -> Bool {
    // A move puts all actions before it in one line. Its row is named so.
    let move = timeline.rows.last { $0.record.kind == .revision && $0.record.isMove }?.number ?? 0
    func isFuture(_ row: UInt64) -> Bool {
      let row = SequenceNumber(row)
      guard row > move, let origin = timeline.row(row)?.record.grownFrom?.origin,
        let before = timeline.recorded(before: row)
      else { return false }
      return origin != before && origin != .elsewhere
    }
    return inForce.contains(where: isFuture) || leftOut.contains(where: isFuture)
  }

  /// `in force: 2, 1, 4–12; left out: 3`
  func text(hasFutures: Bool) -> String {
    let earlier = oldest > 1 ? ["all before \(oldest)"] : []
    let rows = (earlier + Self.runs(inForce)).joined(separator: ", ")
    let without = leftOut.isEmpty ? "" : "; left out: " + Self.text(leftOut)
    let note = doubt.map { "; \($0)" } ?? ""
    let title = hasFutures ? "in force, in all futures: " : "in force: "
    return title + (rows.isEmpty ? "nothing" : rows) + without + note
  }

  /// `2, 1, 4–12`
  static func text(_ rows: [UInt64]) -> String { runs(rows).joined(separator: ", ") }

  private static let runCountMax = 50

  /// Writes each run of consecutive rows as two numbers.
  private static func runs(_ rows: [UInt64]) -> [String] {
    var runs: [ClosedRange<SequenceNumber>] = []
    for row in rows.map({ SequenceNumber($0) }) {
      if let last = runs.last, last.upperBound.next == row {
        runs[runs.count - 1] = last.lowerBound...row
      } else {
        runs.append(row...row)
      }
    }
    let texts = runs.prefix(runCountMax).map {
      $0.lowerBound == $0.upperBound ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)"
    }
    return texts + (runs.count > runCountMax ? ["…"] : [])
  }
}
