import SurfTimeline
import SurfWire

/// The row that a person looks at, and whether it follows the newest. Moving it moves no app.
package struct RowSelection: Equatable, Sendable {
  package private(set) var place = ListPlace.initial
  /// The line of the list on which it stands, if there is enough above it.
  package private(set) var line = 0
  private var tail = Tail.followed

  private enum Tail: Equatable, Sendable {
    case followed
    /// It was held when this row was the newest.
    case heldAt(SequenceNumber)
  }

  package init() {}

  package var follows: Bool { tail == .followed }

  /// Rows that came since it stopped following.
  package func newCount(in list: RowList) -> WireCount {
    if case .heldAt(let newest) = tail {
      newest.distance(to: list.timeline.newestNumber)
    } else {
      0
    }
  }

  /// A step away from the newest ends following; one towards it does not begin it.
  package mutating func move(by count: Int, in list: RowList, height: Int) {
    settle(in: list, height: height)
    let goesUp = count < 0
    // No list is longer than all rows: a wild count ends at an end.
    for _ in 0..<min(abs(count.clamped), 1 << 20) {
      guard let next = goesUp ? list.place(above: place) : list.place(below: place) else { break }
      place = next
      line += goesUp ? -1 : 1
      if goesUp == (list.order == .oldestFirst) { hold(in: list) }
    }
    fit(height)
  }

  /// Goes to a place, or to the nearest that there is. Any but the last ends following.
  package mutating func go(to wanted: ListPlace, in list: RowList, height: Int) {
    guard let found = list.nearest(to: wanted) else { return }
    place = found
    if place != list.last { hold(in: list) }
    line = height / 2
    fit(height)
  }

  /// Goes to the newest, and stays with it.
  package mutating func follow(in list: RowList, height: Int) {
    tail = .followed
    settle(in: list, height: height)
  }

  mutating func hold(in list: RowList) {
    if follows { tail = .heldAt(list.timeline.newestNumber) }
  }

  /// After news: it goes with the newest, or stays; a place that is gone gives way to the nearest.
  package mutating func settle(in list: RowList, height: Int) {
    if follows {
      place = list.last ?? place
      line = list.order == .oldestFirst ? max(0, height - 1) : 0
    } else {
      place = list.nearest(to: place) ?? place
    }
    fit(height)
  }

  private mutating func fit(_ height: Int) { line = max(0, min(line, height - 1)) }
}
