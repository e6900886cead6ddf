import SurfDebugger
import SurfTimeline
import SurfWire
import TestSupport
import Testing

@Suite struct RowListTests {
  /// All places from the first, by steps.
  private func places(_ list: RowList) -> [ListPlace] {
    var places = list.first.map { [$0] } ?? []
    while let last = places.last, let next = list.place(after: last), places.count < 1_000 {
      places.append(next)
    }
    return places
  }

  /// An independent statement of the list: all rows and gaps of a timeline, in order.
  private func numbers(_ timeline: Timeline) -> [SequenceNumber] {
    timeline.items.compactMap { item in
      if case .marker = item { nil } else { item.place.number }
    }
  }

  @Test(arguments: 0..<300)
  func `steps go through what a timeline has, in order and back`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let timeline = Timeline.random(using: &random)
    let list = RowList(timeline)
    let places = places(list)
    let markers = places.filter { $0.marker != nil }
    let rows = places.filter { $0.marker == nil }
    #expect(rows.map(\.number) == numbers(timeline))
    // Moves behind the same row are one line.
    #expect(markers.map(\.number) == Set(timeline.markers.map(\.afterRow)).sorted())
    #expect(markers.flatMap(list.moves).count == timeline.markers.count)
    #expect(places == places.sorted())
    #expect(places.last == list.last)
    for (before, after) in zip(places, places.dropFirst()) {
      #expect(list.place(before: after) == before)
    }
    #expect(list.place(before: .initial) == nil)
    for place in places { #expect(list.item(at: place)?.place == place) }
  }

  @Test(arguments: 0..<100)
  func `a filtered list has the rows that pass, and no others`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let timeline = Timeline.random(using: &random)
    let hits = (1...60).map { SequenceNumber(UInt64($0)) }
      .filter { _ in Bool.random(using: &random) }
    let shown = timeline.rows.filter { !$0.isHidden && hits.contains($0.number) }
    let list = RowList(timeline, hits: hits)
    #expect(places(list).map(\.number) == shown.map(\.number))
    #expect(list.last?.number == shown.last?.number)
  }

  @Test(arguments: 0..<200)
  func `a window is as full as the list allows, and holds the cursor`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let list = RowList(Timeline.random(using: &random))
    let all = places(list)
    let place = all.randomElement(using: &random) ?? .initial
    let height = Int.random(in: 0...30, using: &random)
    let line = Int.random(in: 0...40, using: &random)
    let window = list.window(around: place, line: line, height: height)
    #expect(window.places.count == min(height, all.count))
    if height > 0 { #expect(window.places[window.line] == place) }
    if let first = window.places.first, let start = all.firstIndex(of: first) {
      #expect(Array(all[start...].prefix(window.places.count)) == window.places)
    }
  }

  @Test func `moves that the app refused stand alone, behind the tip`() {
    var timeline = Timeline()
    for number in 1...3 { timeline.append(.action(SequenceNumber(UInt64(number)))) }
    for request in 1...200 as ClosedRange<UInt64> {
      var refused = restored(newest: SequenceNumber(request % 3 + 1), request: request)
      refused.outcome = .busy
      timeline.note(refused)
    }
    let list = RowList(timeline)
    let moves = places(list).map { list.moves(at: $0).map(\.request) }
    #expect(moves.count == 204 && moves.flatMap(\.self).sorted() == Array(1...200))
    #expect(moves.allSatisfy { $0.count <= 1 })
    let last = ListPlace(3)
    #expect(list.tip == last && list.moves(at: last).isEmpty)
  }

  @Test func `a cursor that follows does not stand on a row that only tells of a lock`() {
    var timeline = Timeline()
    for number in 1...3 { timeline.append(.action(SequenceNumber(UInt64(number)))) }
    timeline.append(Record(sequence: 4, kind: .revision, name: "locked by eve@hut"))
    #expect(RowList(timeline).tip == ListPlace(3))
    var skip = revision(5, order: [(1, false), (2, true), (3, false)])
    skip.state = .givenUp
    timeline.append(skip)
    #expect(RowList(timeline).tip == ListPlace(5))
  }

  @Test func `a place that is gone gives way to the nearest before it`() {
    var timeline = Timeline()
    for number in 1...5 { timeline.append(.action(SequenceNumber(UInt64(number)))) }
    timeline.hide(4)
    let list = RowList(timeline)
    let gone = ListPlace(4)
    let before = ListPlace(3)
    #expect(list.nearest(to: gone) == before)
    #expect(list.nearest(to: before) == before)
    let none = RowList(timeline, hits: [])
    #expect(none.nearest(to: before) == nil && none.last == nil && none.first == nil)
  }
}

/// The list with its newest row at the top.
@Suite struct NewestFirstTests {
  @Test(arguments: 0..<40)
  func `a window is that of the other order, upside down`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let timeline = Timeline.random(using: &random)
    let list = RowList(timeline)
    let reversed = RowList(timeline, order: .newestFirst)
    var places: [ListPlace] = []
    var next = list.first
    while let place = next {
      places.append(place)
      next = list.place(after: place)
    }
    let place = try #require(places.randomElement(using: &random))
    let height = Int.random(in: 1...12, using: &random)
    let line = Int.random(in: 0..<height, using: &random)
    let window = list.window(around: place, line: line, height: height)
    let other = reversed.window(around: place, line: height - 1 - line, height: height)
    #expect(places.count < height || other.places.reversed() == window.places)
    #expect(other.places[other.line] == place)
  }
}
