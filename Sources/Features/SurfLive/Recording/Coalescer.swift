package import SurfWire

/// Tells equal actions in a row as one, as the app wants it (Protocol.md §12).
///
/// The first one leaves at once. Those behind it leave as one record, with the newest state, when
/// something else comes, or the time is over in which no more than one may leave.
package struct Coalescer {
  /// What is told by one record.
  package struct Telling {
    /// The last of them.
    package var entry: Entry
    package var id: RecordID
    var detail: RecordWriter.Detail?
    package var firstTicket: UInt64
    /// Apart from the tickets, because those of records in between are none of its own.
    package var count: WireCount = 1

    package init(_ entry: Entry, _ id: RecordID, _ detail: RecordWriter.Detail?) {
      self.entry = entry
      self.id = id
      self.detail = detail
      firstTicket = id.ticket
    }

    fileprivate mutating func add(_ other: Telling) {
      (entry, id) = (other.entry, other.id)
      count.add(1)
    }
  }

  /// Equal actions behind one another.
  private struct Run {
    let detail: RecordWriter.Detail
    let parent: RecordID?
    /// Whether the app comes to a state by them.
    let isNews: Bool
    /// When one of them left, by the entries' uptime.
    var toldAt: UInt64

    func goesOn(with next: Telling) -> Bool {
      next.detail == detail && next.entry.parent == parent && next.entry.state.isNews == isNews
    }
  }

  private let patterns: [NamePattern]
  private let interval: ThinningInterval
  private var run: Run?
  private var held: Telling?

  /// - Parameters:
  ///   - patterns: Names of the actions that it is about.
  ///   - interval: In which one record of equal actions leaves at most.
  package init(_ patterns: [String], every interval: Duration) {
    self.patterns = patterns.map(NamePattern.init)
    self.interval = ThinningInterval(interval)
  }

  /// Whether an entry's detail must be known before `add`.
  func concerns(_ entry: Entry) -> Bool {
    !patterns.isEmpty && entry.kind == .action && !entry.isForReplay
  }

  /// When `expire` must come, by the entries' uptime; nil while nothing is held back.
  package var deadline: UInt64? { held == nil ? nil : end }

  private var end: UInt64? { run.map { interval.end(from: $0.toldAt) } }

  /// What is to be told now, in this order.
  package mutating func add(_ next: Telling) -> [Telling] {
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

  private func begin(_ first: Telling, at now: UInt64) -> Run? {
    // What cannot be told whole may be anything.
    guard let detail = first.detail, detail.isWhole,
      patterns.contains(where: { $0.matches(detail.name) })
    else { return nil }
    return Run(
      detail: detail, parent: first.entry.parent, isNews: first.entry.state.isNews, toldAt: now)
  }

  /// What is to be told before something else comes.
  package mutating func interrupt() -> Telling? {
    defer { (run, held) = (nil, nil) }
    return held
  }

  /// What is to be told because its time has come, or because somebody waits for it.
  package mutating func expire(at now: UInt64) -> Telling? {
    run?.toldAt = now
    defer { held = nil }
    return held
  }
}
