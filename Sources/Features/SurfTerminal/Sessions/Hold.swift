import SurfTimeline
import SurfWire

/// Holds what must wait for the rows before it. So a past comes out in order though its newest
/// state arrives first, and restores of long ago in between.
struct Hold {
  enum Item {
    case row(SequenceNumber)
    case lost(ClosedRange<SequenceNumber>)
    case dropped(Int, ClosedRange<SequenceNumber>)
    case marker(Marker)

    /// A marker stands behind the row that was the newest then, and those before it.
    fileprivate var place: PositionStamp {
      switch self {
      case .row(let row): PositionStamp(newestRecord: row)
      case .lost(let range), .dropped(_, let range): PositionStamp(newestRecord: range.lowerBound)
      case .marker(let marker): marker.stamp
      }
    }
  }

  /// When it waits no longer.
  private(set) var end: Duration
  private let patience: Duration
  private var items: [Item] = []
  private var newestRow: SequenceNumber = 0

  init(at now: Duration, patience: Duration) {
    end = now + patience
    self.patience = patience
  }

  /// A row of the past shows that more of it may be on the way; new ones do not.
  mutating func add(_ item: Item, at now: Duration) {
    items.append(item)
    guard case .row(let row) = item else { return }
    if row < newestRow { end = now + patience }
    newestRow = max(newestRow, row)
  }

  var inOrder: [Item] { items.sorted { $0.place < $1.place } }
}
