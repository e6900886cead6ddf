import SurfTimeline
import SurfWire

/// The cursor in a row list, and whether it follows the newest row.
package struct RowSelection: Equatable, Sendable {
  package private(set) var place = ListPlace.initial
  /// Where the person put it. The cursor is at the nearest place while a filter hides this one.
  private(set) var wanted = ListPlace.initial
  /// The cursor's line on the screen, if enough rows are above it.
  package private(set) var line = 0
  private var tail = Tail.followed

  private enum Tail: Equatable, Sendable {
    case followed
    /// It stopped following, and this is the newest row that was there then or that the cursor has
    /// reached since.
    case heldAt(SequenceNumber)
  }

  package init() {}

  package var follows: Bool { tail == .followed }

  /// Rows that arrived since it stopped following, and that the cursor has not reached.
  package func newCount(in list: RowList) -> WireCount {
    guard case .heldAt(let newest) = tail else { return 0 }
    return newest.distance(to: list.timeline.newestNumber)
  }

  /// Moves the cursor. A step away from the newest row stops following; a step towards it does not
  /// start it.
  package mutating func move(by count: Int, in list: RowList, height: Int) {
    settle(in: list, height: height)
    let goesUp = count < 0
    // Longer than any list: a wild count stops at an end.
    for _ in 0..<min(abs(count.clamped), 1 << 20) {
      guard let next = goesUp ? list.place(above: place) : list.place(below: place) else { break }
      let goesBack = goesUp == (list.order == .oldestFirst)
      (place, wanted) = (next, next)
      line += goesUp ? -1 : 1
      if goesBack { hold(in: list) }
      if case .notLoaded(let range) = list.item(at: next) {
        // They may arrive, and then the next one of them is meant.
        wanted = ListPlace(goesBack ? range.upperBound : range.lowerBound)
        break
      }
    }
    if let tip = list.tip, place != tip { hold(in: list) }
    fit(height)
  }

  /// Goes to a place, or the nearest one. Any place but the newest stops following.
  package mutating func go(to wanted: ListPlace, in list: RowList, height: Int) {
    guard let found = list.nearest(to: wanted) else { return }
    (place, self.wanted) = (found, list.isAbsent(wanted) ? wanted : found)
    if place != list.tip { hold(in: list) }
    line = height / 2
    fit(height)
  }

  /// Goes to the newest row and follows it.
  package mutating func follow(in list: RowList, height: Int) {
    tail = .followed
    settle(in: list, height: height)
  }

  mutating func hold(in list: RowList) {
    if follows { tail = .heldAt(list.timeline.newestNumber) }
  }

  /// Call this after changes: moves to the newest row if it follows, else to where the person put
  /// it, or to the nearest place.
  package mutating func settle(in list: RowList, height: Int) {
    if follows {
      place = list.tip ?? place
      wanted = place
      // The list shows newer lines, too.
      let count = list.countBehindTip(upTo: max(0, height - 1))
      line = list.order == .oldestFirst ? max(0, height - 1) - count : count
    } else {
      place = list.nearest(to: wanted) ?? place
      if !list.isSieve, !list.isAbsent(wanted) { wanted = place }
      reach(in: list)
    }
    fit(height)
  }

  /// At the end of the list, the cursor has reached the rows that are not listed as well.
  private mutating func reach(in list: RowList) {
    guard case .heldAt(let newest) = tail, place.number > newest || place == list.tip else {
      return
    }
    let reached = place == list.tip ? list.timeline.newestNumber : place.number
    tail = .heldAt(max(newest, min(reached, list.timeline.newestNumber)))
  }

  private mutating func fit(_ height: Int) { line = max(0, min(line, height - 1)) }
}

/// The places that the cursor jumped from, to go back to and forward again.
package struct JumpList: Equatable, Sendable {
  private var behind: [ListPlace] = []
  private var ahead: [ListPlace] = []

  /// More than a person goes back through.
  static let countMax = 100

  package init() {}

  /// Call it before a jump.
  package mutating func leave(_ place: ListPlace) {
    ahead = []
    guard behind.last != place else { return }
    behind.append(place)
    if behind.count > Self.countMax { behind.removeFirst() }
  }

  /// The place to go back to, if any.
  package mutating func back(from place: ListPlace) -> ListPlace? {
    Self.step(from: place, through: &behind, to: &ahead)
  }

  package mutating func forward(from place: ListPlace) -> ListPlace? {
    Self.step(from: place, through: &ahead, to: &behind)
  }

  /// Passes over the place where the cursor is already.
  private static func step(
    from place: ListPlace, through places: inout [ListPlace], to others: inout [ListPlace]
  ) -> ListPlace? {
    while places.last == place { places.removeLast() }
    guard let next = places.popLast() else { return nil }
    others.append(place)
    return next
  }
}
