import SurfTimeline
import SurfWire

/// An event of an instance that `watch` prints, as lines for people or as JSON for programs.
enum EventLine {
  case appeared
  /// As the next run of `last`, which the catalog may have evicted.
  case restarted(last: Instance?, text: String)
  case row(SequenceNumber)
  case lost(ClosedRange<SequenceNumber>)
  /// Rows after the newest state, which were not asked for.
  case unasked(ClosedRange<SequenceNumber>)
  case dropped(Int, ClosedRange<SequenceNumber>)
  case marker(Marker)
  case gone(saidGoodbye: Bool)

  /// Where it belongs among the rows. A marker follows the row that was the newest at its time.
  var place: PositionStamp {
    switch self {
    case .appeared, .restarted: PositionStamp()
    case .row(let row): PositionStamp(newestRecord: row)
    case .lost(let range), .unasked(let range), .dropped(_, let range):
      PositionStamp(newestRecord: range.lowerBound)
    case .marker(let marker): marker.stamp
    case .gone: PositionStamp(newestRecord: .max)
    }
  }

  /// Empty for a row that was evicted before it could be printed.
  ///
  /// - Parameters:
  ///   - contents: what else the JSON of a row contains.
  ///   - cells: the watched values of a row.
  func actions(
    of instance: Instance, _ layout: Layout, json: Bool, with contents: Set<RowContent> = [],
    _ cells: WatchedCells? = nil
  ) -> [CommandAction] {
    guard json else { return lines(of: instance, layout, cells).map(CommandAction.print) }
    return self.json(of: instance, with: contents, cells).map { [.printBytes($0)] } ?? []
  }

  private func lines(
    of instance: Instance, _ layout: Layout, _ cells: WatchedCells?
  ) -> [Line] {
    switch self {
    case .appeared: return [layout.line(appeared: instance)]
    case .restarted(_, let text): return [layout.line(restart: text)]
    case .row(let number):
      guard let row = instance.timeline.row(number) else { return [] }
      let order = StagedOrder(row.record).map { [layout.line($0, in: instance.timeline)] } ?? []
      return [layout.line(row, of: instance, cells?.spans ?? [])] + order
    case .lost(let range):
      return [layout.line(missing: range.length, in: range, "lost", of: instance)]
    case .unasked(let range):
      return [layout.line(missing: range.length, in: range, "not asked for", of: instance)]
    case .dropped(let count, let range):
      let why = "not shown, too fast for this output"
      return [layout.line(missing: WireCount(count), in: range, why, of: instance)]
    case .marker(let marker): return [layout.line(marker, of: instance)]
    case .gone(let goodbye): return [layout.line(gone: instance, saidGoodbye: goodbye)]
    }
  }

  private func json(
    of instance: Instance, with contents: Set<RowContent>, _ cells: WatchedCells?
  ) -> [UInt8]? {
    switch self {
    case .appeared: EventJSON.line(instance, event: "appeared")
    case .restarted(let last, _): EventJSON.line(restarted: instance, after: last)
    case .row(let number):
      instance.timeline.row(number).map {
        let more = EventJSON.members(contents, of: $0, in: instance.timeline)
        return EventJSON.line($0, of: instance, adding: more.adding(cells?.members ?? [:]))
      }
    case .lost(let range):
      EventJSON.line("lost", .number(range.length), in: range, of: instance)
    // The numbers of the rows say the same.
    case .unasked: nil
    case .dropped(let count, let range):
      EventJSON.line("dropped", .number(count), in: range, of: instance)
    case .marker(let marker): EventJSON.line(marker, of: instance)
    case .gone(let goodbye): EventJSON.line(gone: instance, saidGoodbye: goodbye)
    }
  }
}

/// Events of an instance that `watch` holds back until the rows before them have arrived. The
/// newest state arrives before the past, and old restores in between; this puts them in order.
struct Hold {
  private(set) var past: PastWait
  private var events: [EventLine] = []

  init(at now: Duration, patience: Duration) { past = PastWait(at: now, patience: patience) }

  mutating func add(_ event: EventLine, at now: Duration) {
    events.append(event)
    if case .row(let row) = event { past.hear(row...row, at: now) }
  }

  /// - Parameter newest: the newest row when only the newest state was asked for, so that the rows
  ///   between the two are missing; nil if rows were asked for.
  func inOrder(upTo newest: SequenceNumber?) -> [EventLine] {
    let events = events.sorted { $0.place < $1.place }
    guard let newest else { return events }
    var known = SequenceRanges()
    for event in events {
      switch event {
      case .row(let row): known.insert(row...row)
      case .lost(let range), .dropped(_, let range): known.insert(range)
      default: break
      }
    }
    guard let first = known.runs.first?.lowerBound, first < newest else { return events }
    let unasked = known.complement(in: first...newest).map(EventLine.unasked)
    return (events + unasked).sorted { $0.place < $1.place }
  }
}

/// How long to wait for the past of an app.
struct PastWait {
  /// When to stop waiting.
  private(set) var end: Duration
  private let patience: Duration
  private var newestRow: SequenceNumber = 0

  init(at now: Duration, patience: Duration) {
    end = now + patience
    self.patience = patience
  }

  /// Rows of the past extend the wait, because more may follow. New rows do not.
  mutating func hear(_ rows: ClosedRange<SequenceNumber>, at now: Duration) {
    if rows.lowerBound < newestRow { end = now + patience }
    newestRow = max(newestRow, rows.upperBound)
  }
}

/// Counts the records of the last second, for the status line of `watch`.
struct Meter {
  /// The time of the last event.
  var now = Duration.zero
  private var moments: [(moment: Duration, count: WireCount)] = []
  private var first = 0

  /// Bounds the memory that a flood takes. Beyond it, the rate is a lower bound.
  private static let momentCountMax = 100_000

  var perSecond: WireCount {
    let start = now - .seconds(1)
    return moments[first...].reversed().prefix { $0.moment > start }
      .reduce(0) { $0.adding($1.count) }
  }

  mutating func count(_ count: WireCount, at moment: Duration) {
    let start = moment - .seconds(1)
    while first < moments.count, moments[first].moment <= start { first += 1 }
    // Removing from the front costs as much as the rest is long, so it waits until half can go.
    if first > moments.count / 2 || moments.count >= Self.momentCountMax {
      moments.removeFirst(max(first, moments.count - Self.momentCountMax / 2))
      first = 0
    }
    moments.append((moment, count))
  }
}
