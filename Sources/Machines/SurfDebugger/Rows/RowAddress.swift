import SurfBasics
import SurfTimeline
import SurfWire

/// A row as a person names it at the `goTo` prompt.
package enum RowAddress: Equatable, Sendable {
  /// 0 is the initial state.
  case number(SequenceNumber)
  /// The newest row.
  case newest
  /// Where the app is.
  case app
  /// This many rows with a state before the newest one, as on the command line.
  case beforeNewest(WireCount)
  /// The first row at or after a time of day, in nanoseconds since midnight.
  case clock(Int64)
  /// This many nanoseconds before the selected row.
  case earlier(UInt64)
  /// This many nanoseconds after the selected row.
  case later(UInt64)

  /// Parses `12`, `initial`, `app`, `tip`, `~1`, `tip~1`, `12:05`, `12:05:30.5`, `-2s`, `+500ms`
  /// and `-3m`.
  package init?(_ text: String) {
    let word = text.filter { $0 != " " }.lowercased()
    let tip = word.hasPrefix("tip") ? word.dropFirst(3) : word[...]
    if word == "initial" {
      self = .number(0)
    } else if word == "app" {
      self = .app
    } else if word == "tip" {
      self = .newest
    } else if tip.hasPrefix("~"), let count = UInt64(tip.dropFirst()) {
      self = .beforeNewest(WireCount(count))
    } else if let number = UInt64(word), number < .max {
      self = .number(SequenceNumber(number))
    } else if let time = Self.time(word) {
      self = .clock(time)
    } else if let first = word.first, let span = Self.span(word.dropFirst()) {
      guard first == "-" || first == "+" else { return nil }
      self = first == "-" ? .earlier(span) : .later(span)
    } else {
      return nil
    }
  }

  private static let units: [(name: String, nanoseconds: Double)] = [
    ("ms", 1e6), ("s", 1e9), ("m", 60e9), ("h", 3_600e9),
  ]

  private static func span(_ text: Substring) -> UInt64? {
    guard let unit = units.first(where: { text.hasSuffix($0.name) }),
      let count = text.dropLast(unit.name.count).decimalNumber, (0...1e6).contains(count)
    else { return nil }
    return UInt64(count * unit.nanoseconds)
  }

  private static func time(_ text: String) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard 2...3 ~= parts.count, let hours = Int64(parts[0]), 0..<24 ~= hours,
      let minutes = Int64(parts[1]), 0..<60 ~= minutes,
      let seconds = parts.count < 3 ? 0 : parts[2].decimalNumber, (0..<60).contains(seconds)
    else { return nil }
    return (hours * 3_600 + minutes * 60) * 1_000_000_000 + Int64(seconds * 1e9)
  }

  /// The row in a timeline, if any. A time finds visible rows only.
  ///
  /// - Parameters:
  ///   - origin: the selected row. A time of day is on the same day.
  ///   - secondsFromGMT: the person's time zone.
  package func row(
    in timeline: Timeline, from origin: SequenceNumber, secondsFromGMT: Int
  ) -> SequenceNumber? {
    let rows = timeline.rows
    let first = rows.first { !$0.isHidden }?.number
    let last = rows.last { !$0.isHidden }?.number
    let here = timeline.row(origin)?.record ?? rows.first?.record
    switch self {
    case .number(let number): return number
    case .newest: return timeline.newestNumber
    case .app: return timeline.position.row
    case .beforeNewest(let count): return Self.row(count, beforeNewestIn: timeline)
    case .clock(let time):
      let day: Int64 = 86_400_000_000_000
      let shift = Int64(secondsFromGMT) * 1_000_000_000
      let local = (here?.wallTime ?? 0) &+ shift
      let midnight = local &- ((local % day) + day) % day
      let wanted = midnight &+ time &- shift
      return rows.first { !$0.isHidden && $0.record.wallTime >= wanted }?.number ?? last
    case .earlier(let span):
      guard let here, here.uptime >= span else { return first }
      let wanted = here.uptime &- span
      let index = rows.partitionPoint { $0.record.uptime > wanted }
      return rows[..<index].last { !$0.isHidden }?.number ?? first
    case .later(let span):
      let (wanted, isOver) = (here?.uptime ?? 0).addingReportingOverflow(span)
      guard !isOver else { return last }
      let index = rows.partitionPoint { $0.record.uptime >= wanted }
      return rows[index...].first { !$0.isHidden }?.number ?? last
    }
  }

  /// Nil if there are fewer rows with a state. Rows that are not here are taken for such rows, and
  /// the debugger fetches them.
  private static func row(
    _ count: WireCount, beforeNewestIn timeline: Timeline
  ) -> SequenceNumber? {
    switch timeline.target(beforeNewest: count) {
    case (.row(let row), _): row
    case (.end, _): nil
    case (.notLoaded(let hole), let left): max(1, hole.upperBound.goingBack(by: left))
    }
  }
}
