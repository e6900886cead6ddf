import SurfTimeline
import SurfWire

/// `512 B`, `1.5 kB`, `64.0 MB`: decimal and rounded down, for people to read.
package func byteText(_ count: Int) -> String {
  if count < 1_000 { return "\(count) B" }
  let units = ["kB", "MB", "GB", "TB"]
  var tenths = count / 100
  var unit = 0
  while tenths >= 10_000, unit < units.count - 1 {
    tenths /= 1_000
    unit += 1
  }
  return "\(tenths / 10).\(tenths % 10) \(units[unit])"
}

/// `1 record`, `3 records`.
package func countText<Count: Equatable & ExpressibleByIntegerLiteral>(
  _ count: Count, _ noun: String
) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// `+12 B`, `-1.5 kB`; empty for no change.
package func changeText(_ change: Int) -> String {
  change == 0 ? "" : (change > 0 ? "+" : "-") + byteText(abs(change))
}

extension Timeline {
  /// The difference in size between a row's state and the one it grew from, as `+12 B`; `?` if that
  /// is unknown.
  package func changeText(of row: Row, with size: Int) -> String {
    let before = parent(of: row).flatMap(stateSize(at:))
    return before.map { SurfViewer.changeText(size - $0) } ?? "?"
  }
}

/// `14:03:59.123`, in the time zone `secondsFromGMT` seconds east of Greenwich.
package func clockText(_ wallTime: Int64, secondsFromGMT: Int) -> String {
  let milliseconds = (wallTime / 1_000_000) &+ Int64(secondsFromGMT) * 1_000
  let day: Int64 = 86_400_000
  let time = ((milliseconds % day) + day) % day
  func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
  let fraction = String(1_000 + time % 1_000).dropFirst()
  return "\(two(time / 3_600_000)):\(two(time / 60_000 % 60)):\(two(time / 1_000 % 60)).\(fraction)"
}

/// `row 3`, `row 0 (initial)`, or a phrase for a state that no row carries.
package func positionText(_ position: Position) -> String {
  switch position {
  case .initial: "row 0 (initial)"
  case .record(let sequence): "row \(sequence)"
  case .elsewhere: "a state that is in no row"
  }
}

/// `row 7 has no state of its own; the state in force is that of row 5`; nil if it has one, or its
/// action led to a state that no row has.
package func inForceText(of row: Row, in timeline: Timeline) -> String? {
  guard row.state == .none, !row.leavesRecords else { return nil }
  let whose =
    switch timeline.inForce(at: row) {
    case .elsewhere: "is in no row"
    case let position?: "is that of \(positionText(position))"
    case nil: "is not known: rows or states before it are missing"
    }
  return "row \(row.number) has no state of its own; the state in force \(whose)"
}

extension Row {
  /// Why it lacks its state, in the column of sizes; nil if it has one, or never had.
  package var absenceText: String? {
    switch state {
    case .givenUp: "not sent"
    case .unmade: "not here"
    case .none, .whole, .dropped, .unreadable: nil
    }
  }
}

extension Record.Kind {
  /// One word: `action`, `update`, `mark`, or the level for a log line.
  package var text: String {
    switch self {
    case .action: "action"
    case .update: "update"
    case .log(let level): "\(level)"
    case .mark: "mark"
    case .revision: "revision"
    case .remove: "remove"
    case .restored: "restored"
    case .other(let number): "kind\(number)"
    }
  }
}

package func secondsText(_ nanoseconds: UInt64) -> String {
  let milliseconds = nanoseconds / 1_000_000
  let fraction = String(1_000 + milliseconds % 1_000).dropFirst()
  return "\(milliseconds / 1_000).\(fraction) s"
}

extension StringProtocol {
  /// A number as people write it: digits and perhaps a point. `Double.init` would also accept
  /// `0x10`, `1e3`, `inf` and `nan`.
  package var decimalNumber: Double? {
    utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E } ? Double(self) : nil
  }
}
