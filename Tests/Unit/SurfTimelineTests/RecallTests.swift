import SurfTimeline
import SurfWire
import TestSupport
import Testing

/// Rows that a viewer requests again after it has evicted them.
@Suite struct RecallTests {
  private static func bounds(rows: Int = 1_000, bytes: Int = 1 << 20) -> Timeline.Bounds {
    var bounds = Timeline.Bounds()
    (bounds.rowCountMax, bounds.byteCountMax) = (rows, bytes)
    return bounds
  }

  private static func record(_ number: SequenceNumber) -> Record {
    action(number, unrelated(number.rawValue, 100))
  }

  private static func full(_ bounds: Timeline.Bounds, newest: SequenceNumber) -> Timeline {
    timeline((1...newest).map(record), bounds: bounds)
  }

  private static func answer(
    _ rows: ClosedRange<SequenceNumber>, to timeline: inout Timeline
  ) {
    for number in rows {
      timeline.add(ArrivedRecord(record(number), from: .backlog))
    }
  }

  @Test func `recalled rows stay while newer ones are evicted`() {
    var timeline = Self.full(Self.bounds(rows: 100), newest: 500)
    #expect(timeline.row(40) == nil)
    timeline.recall(40...60)
    Self.answer(40...60, to: &timeline)
    for number in 501...900 as ClosedRange<SequenceNumber> { timeline.append(Self.record(number)) }
    #expect(timeline.rows.count <= 100 && timeline.row(900) != nil)
    #expect((40...60).allSatisfy { timeline.state(of: $0) == unrelated($0.rawValue, 100) })
    timeline.recall(10...12)
    Self.answer(10...12, to: &timeline)
    for number in 901...1_100 as ClosedRange<SequenceNumber> {
      timeline.append(Self.record(number))
    }
    #expect(timeline.rows.prefix(4).map(\.number).dropLast() == [10, 11, 12])
    #expect(!(40...60).contains { timeline.row($0) != nil })
  }

  @Test func `a recalled row gets its contents back`() {
    var timeline = Self.full(Self.bounds(bytes: 5_000), newest: 200)
    #expect(timeline.row(20)?.isDropped == true && timeline.row(20)?.state == .dropped(size: 100))
    timeline.recall(15...25)
    Self.answer(15...25, to: &timeline)
    #expect(timeline.row(20)?.isDropped == false)
    #expect(timeline.state(of: 20) == unrelated(20, 100))
    // Not asked for: it does not stay.
    Self.answer(26...26, to: &timeline)
    #expect(timeline.state(of: 26) == nil)
  }

  /// The forms of a row without a state, and how a timeline shows them.
  private static let stateless: [(RecordState, Row.State)] = [
    (.none, .none), (.givenUp, .givenUp),
    (.delta(Content(type: "x", bytes: [250, 1, 1, 5, 0x62])), .unmade),
    (.reserved(form: 9, Content(type: "x", bytes: [1, 2, 3])), .unreadable(form: 9)),
  ]

  @Test(arguments: stateless.indices)
  func `a payload without a state comes back, too`(index: Int) {
    let (state, shown) = Self.stateless[index]
    func logged(_ number: SequenceNumber) -> Record {
      Record(
        sequence: number, kind: .action, name: "log", payload: unrelated(number.rawValue, 100),
        state: state)
    }
    var timeline = timeline((1...200).map(logged), bounds: Self.bounds(bytes: 5_000))
    #expect(timeline.row(20)?.isDropped == true && timeline.row(20)?.state == shown)
    timeline.recall(20...20)
    let addition = timeline.add(ArrivedRecord(logged(20), from: .backlog))
    guard case .again(_, state: nil, isCompleted: true) = addition else {
      Issue.record("\(addition)")
      return
    }
    #expect(timeline.row(20)?.record.payload == unrelated(20, 100))
    #expect(timeline.row(20)?.isDropped == false && timeline.row(20)?.state == shown)
    if case .reserved = state { #expect(timeline.row(20)?.record.state == state) }
  }

  @Test func `recalled rows that alone are too much are evicted as well`() {
    var timeline = Self.full(Self.bounds(rows: 50, bytes: 5_000), newest: 300)
    timeline.recall(1...300)
    Self.answer(1...300, to: &timeline)
    #expect(timeline.rows.count <= 50 && timeline.byteCount <= 5_000)
    timeline.append(Self.record(301))
    #expect(timeline.row(301) != nil)
    timeline.recall(0...(.max))
    timeline.recall(.max ... .max)
    timeline.append(Self.record(302))
    #expect(timeline.rows.count <= 50 && timeline.row(302) != nil)
  }

  @Test(arguments: 0..<60)
  func `whatever is recalled, the bounds hold and nothing else is evicted first`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bounds = Self.bounds(
      rows: Int.random(in: 20...80, using: &random),
      bytes: Int.random(in: 2_000...8_000, using: &random))
    var timeline = Timeline(bounds: bounds)
    var newest: SequenceNumber = 0
    var recalled: ClosedRange<SequenceNumber> = 0...0
    for _ in 0..<120 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0 where newest > 0:
        let first = SequenceNumber(UInt64.random(in: 1...newest.rawValue, using: &random))
        let rows = first...min(newest, first.advanced(by: 5))
        timeline.recall(rows)
        Self.answer(rows, to: &timeline)
        recalled = rows
      case 1 where newest > 0:
        // An answer without a request changes no recalled state.
        let row = SequenceNumber(UInt64.random(in: 1...newest.rawValue, using: &random))
        Self.answer(row...row, to: &timeline)
      default:
        for _ in 0..<Int.random(in: 1...30, using: &random) {
          newest = newest.next
          timeline.append(Self.record(newest))
        }
      }
      let numbers = timeline.rows.map(\.number)
      #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
      #expect(numbers.count <= bounds.rowCountMax && timeline.byteCount <= bounds.byteCountMax)
      #expect(newest == 0 || timeline.row(newest) != nil)
      let held = timeline.rows.reduce(0) { $0 + $1.record.name.utf8.count }
      // The states have nothing in common, so the archive holds each whole.
      let states = timeline.rows.count { $0.holdsState } * 100
      #expect(timeline.byteCount == held + states)
      // They are few: they stay until others are recalled.
      for row in recalled where row > 0 {
        #expect(timeline.row(row)?.holdsState == true, "row \(row) of \(recalled)")
      }
      for row in timeline.rows where row.holdsState {
        #expect(timeline.state(of: row.number) == unrelated(row.number.rawValue, 100))
      }
    }
  }
}
