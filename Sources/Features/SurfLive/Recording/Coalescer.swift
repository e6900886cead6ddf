package import SurfValues
package import SurfWire

/// Combines equal actions in a row into one record, if the app asks for it (Protocol.md §12).
/// `RecordPipeline` uses it, on the encoding thread.
///
/// The first action leaves at once. Those after it leave as one record with the newest state, when
/// a different entry arrives or the interval is over.
package struct Coalescer {
  /// Equal actions that become one record. A class, because it is handed on.
  package final class Row {
    /// The last of the actions.
    package var entry: Entry
    package var tickets: ClosedRange<UInt64>
    var detail: RecordWriter.Detail?
    /// Not the number of tickets: some of those may belong to other records in between.
    package var count: WireCount = 1

    package init(
      _ entry: Entry, _ tickets: ClosedRange<UInt64>, _ detail: RecordWriter.Detail?
    ) {
      self.entry = entry
      self.tickets = tickets
      self.detail = detail
    }

    fileprivate func add(_ other: Row) {
      entry = other.entry
      tickets = tickets.lowerBound...other.tickets.upperBound
      count.add(1)
    }
  }

  /// The current sequence of equal actions.
  private struct Run {
    let detail: RecordWriter.Detail
    let parent: RecordID?
    /// Whether these actions come with a state.
    let isNews: Bool
    /// When a record of them last left, by the entries' uptime.
    var toldAt: UInt64

    func goesOn(with next: Row) -> Bool {
      next.detail == detail && next.entry.parent == parent
        && next.entry.facts.state.isNews == isNews
    }
  }

  private let patterns: [NamePattern]
  private let interval: ThinningInterval
  private var run: Run?
  private var held: Row?

  /// - Parameter thinning: Between two records of equal actions lies at least its interval.
  package init(_ thinning: TransceiverConfiguration.Thinning) {
    patterns = thinning.coalesced.map(NamePattern.init)
    interval = ThinningInterval(thinning.interval)
  }

  /// Whether the entry may be combined. If so, `add` needs its detail.
  func concerns(_ entry: Entry) -> Bool {
    !patterns.isEmpty && entry.kind == .action && !entry.isForReplay
  }

  /// When to call `expire`, by the entries' uptime; nil while nothing is held back.
  package var deadline: UInt64? { held == nil ? nil : end }

  private var end: UInt64? { run.map { interval.end(from: $0.toldAt) } }

  /// The rows to send now, in this order.
  package mutating func add(_ next: Row) -> [Row] {
    let now = next.entry.moment.uptime
    guard let end, run?.goesOn(with: next) == true else {
      let due = interrupt()
      run = begin(next, at: now)
      return due.map { [$0, next] } ?? [next]
    }
    guard now >= end else {
      if held == nil { held = next } else { held?.add(next) }
      return []
    }
    run?.toldAt = now
    guard let due = held else { return [next] }
    held = next
    return [due]
  }

  private func begin(_ first: Row, at now: UInt64) -> Run? {
    // An incomplete detail cannot be compared.
    guard let detail = first.detail, detail.isWhole,
      patterns.contains(where: { $0.matches(detail.name) })
    else { return nil }
    return Run(
      detail: detail, parent: first.entry.parent, isNews: first.entry.facts.state.isNews,
      toldAt: now)
  }

  /// The row to send before a different entry.
  package mutating func interrupt() -> Row? {
    defer { (run, held) = (nil, nil) }
    return held
  }

  /// The row to send because its time is over, or because somebody waits for it.
  package mutating func expire(at now: UInt64) -> Row? {
    run?.toldAt = now
    defer { held = nil }
    return held
  }
}

/// A pattern for names of actions. `*` matches any text. A pattern without a parenthesis ignores
/// the values in a name: `add` matches `add(2)`.
package struct NamePattern: Equatable, Sendable {
  private let octets: [UInt8]
  private let seesValues: Bool

  package init(_ text: String) {
    octets = Array(text.utf8)
    seesValues = text.utf8.contains(UInt8(ascii: "("))
  }

  package func matches(_ name: String) -> Bool {
    let name = Array(name.utf8)
    let end = seesValues ? nil : name.firstIndex(of: UInt8(ascii: "("))
    return Self.matches(name[..<(end ?? name.count)], octets[...])
  }

  /// Backtracks only to the last `*`, so the time is bounded by the product of the lengths.
  private static func matches(_ name: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
    var (at, next) = (name.startIndex, pattern.startIndex)
    var retry: (name: Int, pattern: Int)?
    while at < name.endIndex {
      if next < pattern.endIndex, pattern[next] == UInt8(ascii: "*") {
        next += 1
        retry = (at, next)
      } else if next < pattern.endIndex, pattern[next] == name[at] {
        (at, next) = (at + 1, next + 1)
      } else if let (begin, behind) = retry {
        retry = (begin + 1, behind)
        (at, next) = (begin + 1, behind)
      } else {
        return false
      }
    }
    return pattern[next...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}

/// How long a record or a state may be held back.
struct ThinningInterval: Sendable {
  private let nanoseconds: UInt64

  /// Nobody waits longer than this for the next row.
  private static let durationMax = Duration.seconds(3_600)

  init(_ duration: Duration) {
    let (seconds, attoseconds) = min(max(duration, .zero), Self.durationMax).components
    nanoseconds = UInt64(clamping: seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
  }

  /// The end of an interval that begins at this uptime.
  func end(from start: UInt64) -> UInt64 {
    let (end, passes) = start.addingReportingOverflow(nanoseconds)
    return passes ? .max : end
  }
}
