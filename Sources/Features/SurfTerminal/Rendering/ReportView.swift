import SurfViewer
import SurfWire
import TerminalScreen

/// What `report` prints for people: a table of the actions, the odd sequences, and what is unknown.
struct ReportView {
  private let report: HistoryReport
  /// The terminal's width. Nil in a pipe, which gets everything.
  private let columns: Int?

  /// Limits for a terminal.
  private static let nameCountMax = 30
  private static let sequenceCountMax = 10
  private static let nameWidthMin = 12

  init(_ report: HistoryReport, columns: Int?) {
    (self.report, self.columns) = (report, columns)
  }

  var lines: [Line] {
    let tallies = report.tallies
    let sequences = report.sequences
    let lines =
      table(shown(tallies, Self.nameCountMax)) + rest(tallies, Self.nameCountMax, "names")
      + (sequences.isEmpty ? [] : [Line(), Line("IN A ROW", .dim)])
      + shown(sequences, Self.sequenceCountMax).map(line)
      + rest(sequences, Self.sequenceCountMax, "sequences") + notes(tallies)
    return lines.map { line in columns.map { line.fitted(columns: $0) } ?? line }
  }

  private func shown<Item>(_ items: [Item], _ countMax: Int) -> ArraySlice<Item> {
    columns == nil ? items[...] : items.prefix(countMax)
  }

  private func rest<Item>(_ items: [Item], _ countMax: Int, _ what: String) -> [Line] {
    let count = columns == nil ? 0 : items.count - countMax
    return count > 0 ? [Line("… and \(count) more \(what); a pipe has all", .dim)] : []
  }

  private func table(_ tallies: ArraySlice<ActionTally>) -> [Line] {
    let cells = Column.fitting(columns.map { $0 - Self.nameWidthMin })
    let room = columns.map { $0 - cells.map(\.width).reduce(0, +) } ?? .max
    let widest = tallies.map { SurfTerminal.columns(escaped($0.name)) }.max() ?? 0
    let width = min(max(widest, Self.nameWidthMin), room)
    func line(_ name: String, _ style: Style, _ text: (Column) -> String) -> Line {
      let shown = padded(fitted(escaped(name), width), width)
      return Line([
        Span(shown, style),
        Span(cells.map { rightAligned(text($0), $0.width) }.joined(), style),
      ])
    }
    return [line("ACTION", .dim, \.title)]
      + tallies.map { tally in line(tally.name, .plain) { $0.text(tally) } }
  }

  /// `  3 × done(1)  rows 3–5, 2 changed nothing`
  private func line(_ tally: SequenceTally) -> Line {
    let names = tally.sequence.actions.map(\.name).joined(separator: " ⇄ ")
    let rows = tally.longest.rows
    let facts = [
      "rows \(rows.lowerBound)–\(rows.upperBound)",
      tally.runCount > 1 ? "the longest of \(tally.runCount)" : nil,
      tally.unchangedCount > 0 ? "\(tally.unchangedCount) changed nothing" : nil,
    ].compactMap(\.self)
    let tail = "  " + facts.joined(separator: ", ")
    let head = rightAligned("\(tally.longest.count)", 4) + " × "
    let room = columns.map { $0 - SurfTerminal.columns(head + tail) } ?? .max
    return Line([
      Span(head, .bold), Span(fitted(escaped(names), max(Self.nameWidthMin, room))),
      Span(tail, .dim),
    ])
  }

  private func notes(_ tallies: [ActionTally]) -> [Line] {
    let unknown = tallies.map(\.unknownCount).reduce(0, +)
    let notes = [
      report.missingCount.isZero ? nil : "rows missing: \(report.missingCount)",
      unknown == 0
        ? nil
        : "not known whether \(unknown == 1 ? "it" : "they") changed the state: "
          + countText(unknown, "action"),
      tallies.isEmpty ? "no actions" : nil,
    ].compactMap(\.self)
    return notes.isEmpty ? [] : [Line(), Line(notes.joined(separator: "; "), .dim)]
  }
}

extension ReportView {
  /// The columns of the table. A narrow terminal drops the last ones.
  private struct Column {
    let title: String
    /// Including the blanks before the column.
    let width: Int
    let text: @Sendable (ActionTally) -> String

    private static let all = [
      Column(title: "COUNT", width: 8) { "\($0.count)" },
      Column(title: "NO CHANGE", width: 11) { "\($0.unchangedCount)" },
      Column(title: "ERRORS", width: 8) { "\($0.errorCount)" },
      Column(title: "GROWTH", width: 12) { $0.growth == 0 ? "0 B" : changeText($0.growth) },
      Column(title: "PAYLOADS", width: 10) { byteText($0.payloadSize) },
      Column(title: "AFTER", width: 10) { $0.medianInterval.map(intervalText) ?? "–" },
    ]

    /// The columns that fit into this width.
    static func fitting(_ room: Int?) -> [Column] {
      guard let room else { return all }
      var used = 0
      return all.prefix { column in
        used += column.width
        return used <= room
      }
    }
  }
}

/// `950 ns`, `12.3 µs`, `1.2 ms`, `3.4 s`: about three digits, for people.
func intervalText(_ nanoseconds: UInt64) -> String {
  if nanoseconds < 1_000 { return "\(nanoseconds) ns" }
  let units: [(name: String, size: UInt64)] = [
    ("µs", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000),
  ]
  let unit = units.last { nanoseconds >= $0.size } ?? units[0]
  let tenths = nanoseconds / (unit.size / 10)
  return "\(tenths / 10).\(tenths % 10) \(unit.name)"
}
