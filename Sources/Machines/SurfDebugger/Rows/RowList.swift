import SurfBasics
import SurfTimeline
import SurfWire

/// The debugger's list: rows, gaps and markers. It is computed on demand, and looks only at the
/// rows it is asked for.
package struct RowList {
  /// From the top of the screen.
  package enum Order: Sendable {
    case oldestFirst, newestFirst

    package var other: Order { self == .oldestFirst ? .newestFirst : .oldestFirst }
  }

  let timeline: Timeline
  let order: Order
  /// The rows that pass the filter, ascending; nil without a filter.
  let hits: [SequenceNumber]?
  /// The actions in the order in force; nil for all rows by their numbers.
  private let arrangement: Arrangement?
  /// Ascending. Moves with no row between them share a line.
  private let markers: [(place: ListPlace, moves: [Marker])]
  private let looks: LookCount?

  /// - Parameters:
  ///   - hits: the only rows to show, ascending; nil for all rows, gaps and markers.
  ///   - arrangement: the order in force, to show its actions only.
  ///   - looks: counts row look-ups.
  package init(
    _ timeline: Timeline, hits: [SequenceNumber]? = nil, arrangement: Arrangement? = nil,
    order: Order = .oldestFirst, looks: LookCount? = nil
  ) {
    self.timeline = timeline
    self.order = order
    self.hits = hits
    self.looks = looks
    self.arrangement = arrangement
    markers = hits == nil && arrangement == nil ? Self.folded(timeline.markers) : []
  }

  private static func folded(_ markers: [Marker]) -> [(place: ListPlace, moves: [Marker])] {
    var lines: [(place: ListPlace, moves: [Marker])] = []
    for (place, marker) in markers.map({ (ListPlace($0), $0) }).sorted(by: { $0.0 < $1.0 }) {
      if let before = lines.last?.moves.last, before.afterRow == marker.afterRow,
        before.outcome == .applied, marker.outcome == .applied
      {
        lines[lines.count - 1].moves.append(marker)
      } else {
        lines.append((place, [marker]))
      }
    }
    return lines
  }

  /// The moves at a place, in order; none if it is a row's.
  package func moves(at place: ListPlace) -> [Marker] {
    let index = markers.partitionPoint { $0.place >= place }
    return index < markers.count && markers[index].place == place ? markers[index].moves : []
  }

  /// Whether it shows only some rows.
  var isSieve: Bool { hits != nil || arrangement != nil }

  /// Nil if there is nothing at the place any more.
  package func item(at place: ListPlace) -> TimelineItem? {
    if place == .restart { return restart == nil ? nil : .restarted }
    if place.marker != nil {
      let moves = moves(at: place)
      guard var marker = moves.first, let last = moves.last else { return nil }
      (marker.target, marker.viewerName) = (last.target, last.viewerName)
      return .marker(marker)
    }
    guard let item = covering(place.number), item.place == place else { return nil }
    switch item {
    case .row(let row): return shows(row) ? item : nil
    default: return isSieve ? nil : item
    }
  }

  /// The newest place, in either order; nil if a filter hides everything.
  package var last: ListPlace? { place(before: ListPlace(.max)) }

  /// The place of a cursor that follows: the newest, but no move, and no revision without a state,
  /// such as a row that only tells a lock. A person who follows wants to act on a state.
  package var tip: ListPlace? {
    var tip = last
    while let place = tip, isAside(place), let before = self.place(before: place) { tip = before }
    return tip
  }

  private func isAside(_ place: ListPlace) -> Bool {
    switch item(at: place) {
    case .row(let row): row.record.kind == .revision && row.state == .none
    case .marker: true
    default: false
    }
  }

  /// How many places are newer than `tip`, up to a limit.
  func countBehindTip(upTo limit: Int) -> Int {
    var count = 0
    var place = tip
    while count < limit, let next = place.flatMap({ self.place(after: $0) }) {
      (place, count) = (next, count + 1)
    }
    return count
  }

  package var first: ListPlace? { beginning ?? place(after: .initial) }

  /// The first place that no filter hides.
  private var beginning: ListPlace? {
    if timeline.previousRun != nil, arrangement == nil { return .restart }
    return isSieve ? nil : .initial
  }

  private var restart: ListPlace? { beginning == .restart ? .restart : nil }

  package func place(after place: ListPlace) -> ListPlace? {
    if place == .restart, !isSieve { return .initial }
    if let arrangement { return visible(arrangement.rows(after: place.number)) }
    if let hits { return visible(hits[hits.partitionPoint { $0 > place.number }...]) }
    let marker = markers[markers.partitionPoint { $0.place > place }...].first?.place
    let row = entry(from: covering(place.number)?.end.next ?? .max)
    return [marker, row].compactMap(\.self).min()
  }

  package func place(before place: ListPlace) -> ListPlace? {
    if place <= .initial { return place == .initial ? restart : nil }
    if let arrangement { return visible(arrangement.rows(before: place.number).reversed()) }
    if let hits {
      return visible(hits[..<hits.partitionPoint { $0 >= place.number }].reversed()) ?? restart
    }
    let marker = markers[..<markers.partitionPoint { $0.place >= place }].last?.place
    let start = place.marker == nil ? place.number.previous : place.number
    return [marker, entry(from: min(start, newest), \.previous)].compactMap(\.self).max()
  }

  /// The next place upwards on the screen.
  func place(above place: ListPlace) -> ListPlace? {
    order == .oldestFirst ? self.place(before: place) : self.place(after: place)
  }

  func place(below place: ListPlace) -> ListPlace? {
    order == .oldestFirst ? self.place(after: place) : self.place(before: place)
  }

  /// The place itself if it exists; else the nearest that passes the filter; without a filter, the
  /// one before it, or the first.
  package func nearest(to place: ListPlace) -> ListPlace? {
    if item(at: place) != nil { return place }
    if isAbsent(place), let item = covering(place.number) { return item.place }
    guard let before = self.place(before: place) else { return first }
    guard isSieve, let after = self.place(after: place) else { return before }
    // A line that says something about all rows is near none.
    if before == .restart { return after }
    let isBefore =
      before.number.distance(to: place.number) <= place.number.distance(to: after.number)
    return isBefore ? before : after
  }

  /// Whether it is the place of a row that is not loaded.
  func isAbsent(_ place: ListPlace) -> Bool {
    !isSieve && place.marker == nil && place > .initial && timeline.isAbsent(place.number)
  }

  /// Up to `height` places around one, which is on line `line` if there are enough above it.
  package func window(around place: ListPlace, line: Int, height: Int) -> ListWindow {
    var above: [ListPlace] = []
    var below: [ListPlace] = []
    func climb(to count: Int) {
      while above.count < count, let next = self.place(above: above.last ?? place) {
        above.append(next)
      }
    }
    climb(to: max(0, min(line, height - 1)))
    while below.count < height - 1 - above.count,
      let next = self.place(below: below.last ?? place)
    {
      below.append(next)
    }
    climb(to: height - 1 - below.count)
    return ListWindow(
      places: above.reversed() + (height > 0 ? [place] : []) + below, line: above.count)
  }

  private var newest: SequenceNumber { timeline.newestNumber }

  private func visible(_ numbers: some Sequence<SequenceNumber>) -> ListPlace? {
    numbers.first { look(at: $0).map(shows) == true }.map { ListPlace($0) }
  }

  private func look(at number: SequenceNumber) -> Row? {
    looks?.add()
    return timeline.row(number)
  }

  private func shows(_ row: Row) -> Bool {
    guard !row.isHidden, arrangement?.contains(row.number) != false else { return false }
    guard let hits else { return true }
    let index = hits.partitionPoint { $0 >= row.number }
    return index < hits.count && hits[index] == row.number
  }

  /// The first visible row or gap from a number on, or with `previous` the last up to it.
  private func entry(
    from number: SequenceNumber, _ step: (SequenceNumber) -> SequenceNumber = \.next
  ) -> ListPlace? {
    var number = number
    while let item = covering(number) {
      guard case .row(let row) = item, row.isHidden else { return item.place }
      number = step(row.number)
    }
    return nil
  }

  /// The row with a number, or the gap that contains it; nil after the newest.
  private func covering(_ number: SequenceNumber) -> TimelineItem? {
    looks?.add()
    guard number > 0 else { return .initial }
    guard number <= newest else { return nil }
    let rows = timeline.rows
    let index = timeline.firstIndex(from: number)
    if index < rows.count, rows[index].number == number { return .row(rows[index]) }
    let lower = index > 0 ? rows[index - 1].number.next : 1
    let upper = index < rows.count ? rows[index].number.previous : newest
    let range: ClosedRange<SequenceNumber> = lower...upper
    if timeline.lost.contains(number) {
      return timeline.lost.intersection(range).first { $0.contains(number) }.map { .gap($0) }
    }
    return timeline.lost.complement(in: range).first { $0.contains(number) }.map { .notLoaded($0) }
  }
}

/// The part of a list that fits on the screen.
package struct ListWindow: Equatable, Sendable {
  package let places: [ListPlace]
  /// The cursor's index in `places`.
  package let line: Int

  /// The numbers of the rows, and of gaps, ascending.
  var numbers: [SequenceNumber] { places.filter { $0.marker == nil }.map(\.number).sorted() }
}

extension TimelineItem {
  package var place: ListPlace {
    switch self {
    case .restarted: .restart
    case .initial: .initial
    case .row(let row): ListPlace(row.number)
    case .gap(let range), .notLoaded(let range): ListPlace(range.lowerBound)
    case .marker(let marker): ListPlace(marker)
    }
  }

  /// The last number that the item covers.
  fileprivate var end: SequenceNumber {
    switch self {
    case .restarted, .initial: 0
    case .row(let row): row.number
    case .gap(let range), .notLoaded(let range): range.upperBound
    case .marker(let marker): marker.afterRow
    }
  }
}

/// Counts the rows that a picture looks at. A test checks that these are only the visible ones.
package final class LookCount {
  package private(set) var value = 0

  package func add() { value += 1 }
}

/// A place in a timeline's list. It is not an index, so rows that arrive late or are evicted do not
/// move the cursor.
package struct ListPlace: Hashable, Comparable, Sendable {
  /// The row's number, that of a gap's first row, or that of the row before a marker.
  package let number: SequenceNumber
  /// Nil for a row or a gap.
  package let marker: Mark?
  /// Whether it is before row 0.
  private let isRestart: Bool

  package init(_ number: SequenceNumber) { self.init(number, isRestart: false) }

  private init(_ number: SequenceNumber, isRestart: Bool) {
    self.number = number
    self.isRestart = isRestart
    marker = nil
  }

  init(_ marker: Marker) {
    number = marker.afterRow
    isRestart = false
    self.marker = Mark(
      moveCount: marker.stamp.moveCount, viewer: marker.viewer, request: marker.request)
  }

  package static let initial = ListPlace(0)
  /// The line before row 0 that says that the program started again.
  package static let restart = ListPlace(0, isRestart: true)

  /// A marker's identity, and its order among those after the same row.
  package struct Mark: Hashable, Comparable, Sendable {
    let moveCount: WireCount
    let viewer: ViewerID
    let request: UInt64

    package static func < (left: Mark, right: Mark) -> Bool {
      (left.moveCount, left.viewer.rawValue, left.request)
        < (right.moveCount, right.viewer.rawValue, right.request)
    }
  }

  package static func < (left: ListPlace, right: ListPlace) -> Bool {
    guard left.number == right.number else { return left.number < right.number }
    guard left.isRestart == right.isRestart else { return left.isRestart }
    guard let before = left.marker else { return right.marker != nil }
    guard let after = right.marker else { return false }
    return before < after
  }
}
