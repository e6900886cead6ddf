import SurfDebugger
import SurfTimeline
import SurfWire
import TestSupport
import Testing

@Suite struct RowSelectionTests {
  private func timeline(_ count: UInt64) -> Timeline {
    var timeline = Timeline()
    for number in 1...count { timeline.append(.action(SequenceNumber(number))) }
    return timeline
  }

  @Test func `following goes with the newest, and a step up ends it`() {
    var timeline = timeline(5)
    var selection = RowSelection()
    selection.settle(in: RowList(timeline), height: 10)
    let fifth: SequenceNumber = 5
    #expect(selection.place.number == fifth)
    selection.move(by: -1, in: RowList(timeline), height: 10)
    #expect(!selection.follows)
    for number in 6...8 { timeline.append(.action(SequenceNumber(UInt64(number)))) }
    selection.settle(in: RowList(timeline), height: 10)
    let fourth: SequenceNumber = 4
    let three: WireCount = 3
    #expect(selection.place.number == fourth)
    #expect(selection.newCount(in: RowList(timeline)) == three)
    selection.move(by: 100, in: RowList(timeline), height: 10)
    let eighth: SequenceNumber = 8
    #expect(selection.place.number == eighth && !selection.follows)
    selection.follow(in: RowList(timeline), height: 10)
    #expect(selection.follows && selection.newCount(in: RowList(timeline)).isZero)
  }

  @Test func `rows that the cursor has reached are not new`() {
    var person = Person()
    person.start(one)
    for number in 1...4 as ClosedRange<UInt64> { person.record(action(number, "add", "1")) }
    person.press("Up", "Up")
    person.record(action(5, "add", "1"), action(6, "add", "1"))
    #expect(person.text.contains("FOLLOW off +2"))
    person.press("Down", "Down", "Down")
    #expect(person.rowText == "5" && person.text.contains("FOLLOW off +1"))
    person.press("Down")
    #expect(person.rowText == "6")
    #expect(person.text.contains("FOLLOW off") && !person.text.contains("off +"))
    // They stay known.
    person.press("Up", "Up", "Up")
    #expect(person.rowText == "3" && !person.text.contains("off +"))
    person.record(action(7, "add", "1"))
    #expect(person.text.contains("FOLLOW off +1"))
  }

  @Test func `a row that comes late or makes room moves no cursor`() {
    var timeline = Timeline()
    for number in [1, 2, 9, 10] as [SequenceNumber] { timeline.append(.action(number)) }
    var selection = RowSelection()
    selection.go(to: ListPlace(9), in: RowList(timeline), height: 4)
    for number in [4, 5, 3] as [SequenceNumber] {
      timeline.append(.action(number))
      selection.settle(in: RowList(timeline), height: 4)
    }
    let ninth = ListPlace(9)
    #expect(selection.place == ninth)
  }

  @Test(arguments: 0..<200)
  func `whatever happens, the cursor is at something that is there`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var timeline = Timeline.random(using: &random)
    var selection = RowSelection()
    for step in 0..<60 {
      let height = Int.random(in: 0...12, using: &random)
      let number = SequenceNumber(UInt64.random(in: 0...70, using: &random))
      switch Int.random(in: 0..<8, using: &random) {
      case 0: timeline.append(.action(number))
      case 1: timeline.lose(number...number.next)
      case 2: timeline.hide(number)
      case 3: timeline.note(restored(newest: number, request: UInt64(1_000 + step)))
      case 4: selection.go(to: ListPlace(number), in: RowList(timeline), height: height)
      case 5: selection.follow(in: RowList(timeline), height: height)
      default:
        let count = Int.random(in: -20...20, using: &random)
        selection.move(by: count, in: RowList(timeline), height: height)
      }
      let list = RowList(timeline)
      selection.settle(in: list, height: height)
      #expect(list.item(at: selection.place) != nil)
      #expect(!selection.follows || selection.place == newestRow(list))
      #expect((0...max(0, height - 1)).contains(selection.line))
    }
  }

  private func newestRow(_ list: RowList) -> ListPlace? {
    var places: [ListPlace] = []
    while let next = places.last.map(list.place(after:)) ?? list.first { places.append(next) }
    return places.last { $0.marker == nil }
  }

  @Test func `who follows stands on the newest row, and sees the moves after it`() {
    var timeline = timeline(5)
    for (request, row) in [(1, 5), (2, 2)] as [(UInt64, SequenceNumber)] {
      timeline.note(restored(newest: row, request: request))
    }
    var selection = RowSelection()
    selection.settle(in: RowList(timeline), height: 4)
    #expect(selection.place == ListPlace(5) && selection.line == 2)
    selection.settle(in: RowList(timeline, order: .newestFirst), height: 4)
    #expect(selection.place == ListPlace(5) && selection.line == 1)
    selection.move(by: 1, in: RowList(timeline), height: 4)
    #expect(selection.place.marker != nil && !selection.follows)
    timeline.append(.action(6))
    selection.follow(in: RowList(timeline), height: 4)
    #expect(selection.place == ListPlace(6) && selection.line == 3)
  }

  @Test func `marks are gone through in a circle`() {
    var marks = RowMarks()
    for row in [7, 3, 5] as [SequenceNumber] { marks.toggle(row) }
    marks.toggle(5)
    let rows: [SequenceNumber] = [3, 7]
    #expect(marks.rows == rows)
    func next(after row: SequenceNumber) -> SequenceNumber? { marks.next(after: row) { _ in true } }
    let before = marks.next(before: 3) { _ in true }
    let found = [next(after: 3), next(after: 7), before]
    let expected: [SequenceNumber?] = [7, 3, 7]
    #expect(found == expected)
  }

  @Test(arguments: ["-0x1s", "-1e1s", "-infs", "+nans", "12:00:0x1", "12:00:1e0", "-.s", "-s"])
  func `a time is written in digits`(text: String) {
    #expect(RowAddress(text) == nil)
    #expect(RowAddress("-1.5s") != nil && RowAddress("12:00:01.5") != nil)
  }

  /// As on the command line: the initial state comes before the first row.
  @Test(arguments: [("~0", 3), ("~2", 1), ("~3", 0), ("~4", nil)] as [(String, SequenceNumber?)])
  func `rows counted from the newest end at the initial state`(
    _ text: String, row: SequenceNumber?
  ) {
    var timeline = Timeline()
    for number in 1...3 as ClosedRange<UInt64> { timeline.append(action(number, "", "{}")) }
    let address = RowAddress(text)
    #expect(address?.row(in: timeline, from: 1, secondsFromGMT: 0) == row)
    #expect(address?.row(in: Timeline(), from: 0, secondsFromGMT: 0) == (text == "~0" ? 0 : nil))
  }
}
