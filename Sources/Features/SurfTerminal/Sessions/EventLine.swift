import SurfTimeline
import SurfWire

/// An event of an instance that `watch` prints, as a line for people or as JSON for programs.
struct EventLine {
  private enum Subject {
    case row(SequenceNumber, contents: Set<RowContent>)
    case lost(ClosedRange<SequenceNumber>)
    case dropped(Int, ClosedRange<SequenceNumber>)
    case marker(Marker)
    case appeared
    case gone(saidGoodbye: Bool)
  }

  private let subject: Subject
  private let instance: Instance

  /// - Parameter contents: what else the JSON contains.
  init(row: SequenceNumber, with contents: Set<RowContent>, _ instance: Instance) {
    (subject, self.instance) = (.row(row, contents: contents), instance)
  }
  init(lost: ClosedRange<SequenceNumber>, _ instance: Instance) {
    (subject, self.instance) = (.lost(lost), instance)
  }
  init(dropped count: Int, in range: ClosedRange<SequenceNumber>, _ instance: Instance) {
    (subject, self.instance) = (.dropped(count, range), instance)
  }
  init(_ marker: Marker, _ instance: Instance) {
    (subject, self.instance) = (.marker(marker), instance)
  }
  init(appeared instance: Instance) { (subject, self.instance) = (.appeared, instance) }
  init(gone instance: Instance, _ saidGoodbye: Bool) {
    (subject, self.instance) = (.gone(saidGoodbye: saidGoodbye), instance)
  }

  /// Empty for a row that was evicted before it could be printed.
  func text(_ layout: Layout) -> [CommandAction] {
    lines(layout).map(CommandAction.print)
  }

  private func lines(_ layout: Layout) -> [Line] {
    switch subject {
    case .row(let number, _): row(number, layout)
    case .lost(let range): [layout.line(lost: range, of: instance)]
    case .dropped(let count, let range): [layout.line(dropped: count, in: range, of: instance)]
    case .marker(let marker): [layout.line(marker, of: instance)]
    case .appeared: [layout.line(appeared: instance)]
    case .gone(let goodbye): [layout.line(gone: instance, saidGoodbye: goodbye)]
    }
  }

  private func row(_ number: SequenceNumber, _ layout: Layout) -> [Line] {
    guard let row = instance.timeline.row(number) else { return [] }
    let order = StagedOrder(row.record).map { [layout.line($0)] } ?? []
    return [layout.line(row, of: instance)] + order
  }

  /// Nil if `text` is empty.
  func json() -> CommandAction? {
    switch subject {
    case .row(let number, let contents):
      instance.timeline.row(number).map {
        let more = EventJSON.members(contents, of: $0, in: instance.timeline)
        return .printBytes(EventJSON.line($0, of: instance, adding: more))
      }
    case .lost(let range): .printBytes(EventJSON.line(lost: range, of: instance))
    case .dropped(let count, let range):
      .printBytes(EventJSON.line(dropped: count, in: range, of: instance))
    case .marker(let marker): .printBytes(EventJSON.line(marker, of: instance))
    case .appeared: .printBytes(EventJSON.line(instance, event: "appeared"))
    case .gone(let goodbye): .printBytes(EventJSON.line(gone: instance, saidGoodbye: goodbye))
    }
  }
}

/// Items of an instance that `watch` holds back until the rows before them have arrived. The newest
/// state arrives before the past, and old restores in between; this puts them in order.
struct Hold {
  enum Item {
    case row(SequenceNumber)
    case lost(ClosedRange<SequenceNumber>)
    case dropped(Int, ClosedRange<SequenceNumber>)
    case marker(Marker)

    /// A marker follows the row that was the newest at its time.
    fileprivate var place: PositionStamp {
      switch self {
      case .row(let row): PositionStamp(newestRecord: row)
      case .lost(let range), .dropped(_, let range): PositionStamp(newestRecord: range.lowerBound)
      case .marker(let marker): marker.stamp
      }
    }
  }

  /// When to stop waiting.
  private(set) var end: Duration
  private let patience: Duration
  private var items: [Item] = []
  private var newestRow: SequenceNumber = 0

  init(at now: Duration, patience: Duration) {
    end = now + patience
    self.patience = patience
  }

  /// A row of the past extends the wait, because more may follow. A new row does not.
  mutating func add(_ item: Item, at now: Duration) {
    items.append(item)
    guard case .row(let row) = item else { return }
    if row < newestRow { end = now + patience }
    newestRow = max(newestRow, row)
  }

  var inOrder: [Item] { items.sorted { $0.place < $1.place } }
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
    // Removing from the front costs as much as what is left, so it waits until half can go.
    if first > moments.count / 2 || moments.count >= Self.momentCountMax {
      moments.removeFirst(max(first, moments.count - Self.momentCountMax / 2))
      first = 0
    }
    moments.append((moment, count))
  }
}
