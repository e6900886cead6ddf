import SurfTimeline
import SurfWire

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
