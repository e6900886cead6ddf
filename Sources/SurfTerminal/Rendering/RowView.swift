import SurfTimeline
import SurfWire

/// How rows are laid out.
package struct Layout: Equatable, Sendable {
  /// Where the reader's clock is.
  package var secondsFromGMT = 0
  /// The terminal's width; nil in a pipe, where nothing is cut.
  package var columns: Int?
  /// More than one instance is shown, so that each line must say whose it is.
  package var showsInstance = false

  package init() {}

  static let instanceWidth = 18
  /// What stands before and after the name: time, row, kind, cause, size, change.
  static let fixedWidth = 12 + 1 + 6 + 2 + kindWidth + 1 + 7 + 9 + 11
  private static let kindWidth = 8

  /// Columns for the name: what is left, within reason.
  var nameWidth: Int {
    guard let columns else { return 32 }
    let left = columns - Self.fixedWidth - (showsInstance ? Self.instanceWidth + 1 : 0)
    return min(40, max(12, left - 20))
  }
}

extension Layout {
  /// `14:03:59.123     12  action  increment   ←11      1.2 kB +12 B  Counter.swift:7`
  package func line(_ row: Row, of instance: Instance) -> Line {
    let record = row.record
    var spans = [Span(clockText(record.wallTime, secondsFromGMT: secondsFromGMT), .dim)]
    if showsInstance { spans.append(Span(" " + cell(instance.label, Self.instanceWidth))) }
    spans.append(Span(" " + rightAligned("\(row.number)", 6), .bold))
    // A longer word takes its blank from the name, so that the columns stay where they are.
    let kind = padded(record.kind.text + " ", Self.kindWidth)
    let width = nameWidth - (SurfTerminal.columns(kind) - Self.kindWidth)
    spans.append(Span("  " + kind, record.kind.style))
    spans.append(Span(name(record.name, width), record.kind.nameStyle))
    spans.append(Span(" " + padded(row.parent.map { "←\($0)" } ?? "", 7), .dim))
    spans += sizes(row, in: instance.timeline)
    if !record.source.isEmpty { spans.append(Span("  " + record.source, .dim)) }
    return finished(spans)
  }

  package func line(lost range: ClosedRange<UInt64>, of instance: Instance) -> Line {
    let count = SequenceRanges.count(range)
    let text = "⋯ \(count) \(count == 1 ? "record" : "records") lost"
    return note(text, .caution, "rows \(range.lowerBound)–\(range.upperBound)", instance)
  }

  package func line(
    dropped count: Int, in range: ClosedRange<UInt64>, of instance: Instance
  ) -> Line {
    let text = "⋯ \(count) \(count == 1 ? "record" : "records") not shown, too fast for this output"
    return note(text, .caution, "rows \(range.lowerBound)–\(range.upperBound)", instance)
  }

  /// `⤺ ada@host moved PrimeTime#123 from row 5 to row 3`, or why not.
  package func line(_ marker: Marker, of instance: Instance) -> Line {
    let who = marker.viewerName.isEmpty ? "somebody" : marker.viewerName
    let origin = marker.origin.map { " from \(positionText($0))" } ?? ""
    let target = positionText(marker.target)
    return switch marker.outcome {
    case .applied:
      finished([Span("⤺ \(who) moved \(instance.label)\(origin) to \(target)", .caution)])
    case .rejected(let reason):
      finished([Span("⤺ \(instance.label) refused a state of \(who): \(reason)", .bad)])
    case .forbidden: finished([Span("⤺ \(instance.label) takes no states (\(who) tried)", .bad)])
    case .busy: finished([Span("⤺ \(instance.label) was too busy for \(who)", .bad)])
    }
  }

  package func line(appeared instance: Instance) -> Line {
    let id = instance.id.description.prefix(8)
    return finished([
      Span("● \(instance.label)", .good), Span(" on \(instance.host) (\(id))", .dim),
    ])
  }

  package func line(gone instance: Instance, saidGoodbye: Bool) -> Line {
    let why = saidGoodbye ? "said goodbye" : "fell silent"
    return finished([Span("○ \(instance.label) \(why)", .bad), Span("; its history stays", .dim)])
  }

  private func sizes(_ row: Row, in timeline: Timeline) -> [Span] {
    if case .givenUp = row.state { return [Span(padded("  state given up", 20), .caution)] }
    guard let size = row.stateSize else { return [Span(padded("", 20))] }
    let change = timeline.stateSize(before: row.number).map { changeText(size - $0) } ?? ""
    return [
      Span(rightAligned(byteText(size), 9)), Span(" " + padded(change, 10), .dim),
    ]
  }

  private func note(
    _ text: String, _ style: Style, _ detail: String, _ instance: Instance
  ) -> Line {
    let whose = showsInstance ? " of \(instance.label)" : ""
    return finished([Span(text + whose, style), Span(" (\(detail))", .dim)])
  }

  /// Escaped before it is measured, because an escape is wider than what it stands for.
  private func name(_ name: String, _ width: Int) -> String {
    columns == nil ? padded(escaped(name), width) : cell(name, width)
  }

  private func cell(_ text: String, _ width: Int) -> String {
    padded(fitted(escaped(text), width), width)
  }

  /// Blanks at the end are for nobody.
  private func finished(_ spans: [Span]) -> Line {
    var spans = spans
    while let last = spans.popLast() {
      let text = last.text.reversed().drop { $0 == " " }.reversed()
      guard text.isEmpty else {
        spans.append(Span(String(text), last.style))
        break
      }
    }
    let line = Line(spans)
    return columns.map { line.fitted(columns: $0) } ?? line
  }
}

extension Timeline {
  /// The size of the state before this row: of the nearest row before it, if nothing between is
  /// missing.
  func stateSize(before number: UInt64) -> Int? {
    guard case .row(let before) = target(before: number) else { return nil }
    return row(before)?.stateSize
  }
}
