import SurfTimeline
import SurfWire
import TestSupport
import Testing

@Suite struct TimelineTests {
  @Test func theFirstRecordYieldsRowsZeroAndOne() {
    #expect(sketch(timeline([action(1)])) == "0 1")
  }

  @Test func theNewestStateMayComeBeforeTheBacklog() {
    #expect(sketch(timeline([action(4), action(1), action(2), action(3)])) == "0 1 2 3 4")
  }

  @Test func aDuplicateChangesNothing() {
    var timeline = timeline([action(1), action(2)])
    #expect(timeline.append(action(1, size: 99)) == false)
    #expect(sketch(timeline) == "0 1 2")
    #expect(timeline.row(1)?.stateSize == 2)
  }

  @Test func aHoleThatNobodyReportedIsNotLoaded() {
    #expect(sketch(timeline([action(1), action(5)])) == "0 1 [2-4 ?] 5")
  }

  @Test func aReportedLossIsAGapWithACount() throws {
    var timeline = timeline([action(1), action(9)])
    timeline.lose(3...7)
    #expect(sketch(timeline) == "0 1 [2-2 ?] [3-7 lost] [8-8 ?] 9")
    #expect(timeline.lost.count == 5)
  }

  @Test func aRowThatArrivedIsNeverLost() {
    var timeline = timeline([action(3)])
    timeline.lose(1...5)
    #expect(sketch(timeline) == "0 [1-2 lost] 3 [4-5 lost]")
    timeline.append(action(4))
    #expect(sketch(timeline) == "0 [1-2 lost] 3 4 [5-5 lost]")
  }

  @Test func aLieAboutTheLossDoesNotTrap() {
    var timeline = timeline([action(1)])
    timeline.lose(0...SequenceNumber.max)
    timeline.lose(SequenceNumber.max...SequenceNumber.max)
    #expect(timeline.lost.count == WireCount(UInt64.max - 2))
    #expect(timeline.forward() == .end)
  }

  @Test(arguments: [0, SequenceNumber.max])
  func aRecordWithAnImpossibleSequenceIsNoRow(_ sequence: SequenceNumber) {
    var timeline = Timeline()
    #expect(timeline.append(action(sequence)) == false)
    #expect(sketch(timeline) == "0")
  }

  @Test func aRowKnowsWhatCausedIt() {
    let timeline = timeline([action(1), action(2, parent: 1)])
    #expect(timeline.row(1)?.parent == nil)
    #expect(timeline.row(2)?.parent == 1)
  }

  @Test func restoresAreMarkersAndNeverRows() {
    var timeline = timeline([action(1), action(2)])
    for request in 1...100 as ClosedRange<UInt64> {
      timeline.note(
        restored(to: .record(1), newest: 2, request: request, moves: WireCount(request)))
    }
    timeline.note(restored(to: .record(1), newest: 2, request: 100))
    timeline.append(action(3))
    #expect(timeline.rows.count == 3)
    #expect(timeline.markers.count == 100)
    #expect(sketch(timeline).hasPrefix("0 1 2 <ada@host>"))
    #expect(sketch(timeline).hasSuffix("<ada@host> 3"))
  }

  @Test func aMarkerSaysWhoMovedTheAppFromWhereAndTo() throws {
    var timeline = timeline([action(1), action(2)])
    let noted = timeline.note(restored(to: .initial, newest: 2))
    let marker = try #require(noted)
    #expect(marker.origin == .record(2))
    #expect(marker.target == .initial)
    #expect(marker.viewerName == "ada@host")
    let overtaken = timeline.note(restored(to: .elsewhere, newest: 1, request: 2))
    let stale = try #require(overtaken)
    #expect(stale.origin == .record(1))
    #expect(timeline.position == .initial)
  }
}

@Suite struct TimelineBoundsTests {
  @Test func theOldestStatesGoFirstAndTheirRowsStay() {
    var bounds = Timeline.Bounds()
    bounds.byteCountMax = 1_000
    let timeline = timeline(
      (1...10).map { action($0, unrelated($0.rawValue, 300)) }, bounds: bounds)
    #expect(sketch(timeline) == "0 1 2 3 4 5 6 7 8 9 10")
    #expect(timeline.byteCount <= 1_000)
    #expect(timeline.row(7)?.state == .dropped(size: 300))
    #expect(timeline.row(7)?.stateSize == 300)
    #expect(timeline.state(of: 7) == nil)
    #expect(timeline.state(of: 10) == unrelated(10, 300))
  }

  @Test func aLateBacklogGivesWayToNewerStates() {
    var bounds = Timeline.Bounds()
    bounds.byteCountMax = 1_000
    let timeline = timeline(
      [9, 10, 1, 2, 3].map { action($0, unrelated($0.rawValue, 400)) }, bounds: bounds)
    #expect(timeline.row(3)?.state == .dropped(size: 400))
    #expect(timeline.row(9)?.state == .whole(type: "application/octet-stream", size: 400))
    #expect(timeline.state(of: 9) == unrelated(9, 400))
    #expect(timeline.byteCount <= 1_000)
  }

  @Test(arguments: 0..<200)
  func `the nearest hole is the one that a look at each row finds`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bounds = Timeline.Bounds()
    bounds.byteCountMax = Int.random(in: 200...5_000, using: &random)
    var timeline = Timeline(bounds: bounds)
    for number in 1...30 as ClosedRange<SequenceNumber> {
      switch Int.random(in: 0..<4, using: &random) {
      case 0, 1: timeline.append(action(number, unrelated(number.rawValue, 100)))
      case 2: timeline.lose(number...number)
      default: timeline.note(heartbeat(newest: number))
      }
    }
    for _ in 0..<20 {
      var wanted = SequenceRanges()
      let first = SequenceNumber(UInt64.random(in: 1...30, using: &random))
      wanted.insert(first...first.advanced(by: 10))
      func isAbsent(_ number: SequenceNumber) -> Bool {
        guard let row = timeline.row(number) else { return !timeline.lost.contains(number) }
        return wanted.contains(number) && row.isDropped
      }
      let number = SequenceNumber(UInt64.random(in: 0...31, using: &random))
      let limit = SequenceNumber(UInt64.random(in: 1...30, using: &random))
      let after = (number < limit ? Array(number.next...limit) : [])
        .drop { !isAbsent($0) }.prefix(while: isAbsent)
      func hole(_ side: Timeline.Side) -> [SequenceNumber] {
        let hole = timeline.hole(side, number, through: limit, wantingContentsOf: wanted)
        return hole.map { Array($0) } ?? []
      }
      #expect(hole(.after) == Array(after))
      let before = (limit < number ? Array(limit...number.previous).reversed() : [])
        .drop { !isAbsent($0) }.prefix(while: isAbsent).reversed()
      #expect(hole(.before) == Array(before))
    }
  }

  @Test func rowsAreEvictedOnlyBeyondTheirCount() {
    var bounds = Timeline.Bounds()
    bounds.rowCountMax = 4
    let timeline = timeline((1...6).map { action($0) }, bounds: bounds)
    #expect(sketch(timeline) == "0 [1-2 ?] 3 4 5 6")
  }

  @Test func trimmingToNothingLeavesNothing() {
    var timeline = timeline((1...200).map { action($0) })
    timeline.trim(toBytes: 0)
    #expect(timeline.byteCount == 0)
    #expect(timeline.rows.isEmpty)
    #expect(timeline.append(action(201)) == true)
  }

  @Test func `what was lost, or came without its state, is filled when it comes`() {
    var timeline = Timeline()
    let state = RecordState.keyframe(Content(type: "x", bytes: [1, 2, 3]))
    func record(_ sequence: SequenceNumber, _ state: RecordState) -> Record {
      Record(sequence: sequence, kind: .action, name: "step", state: state)
    }
    timeline.append(record(1, state))
    timeline.lose(2...3)
    let unmade = RecordState.delta(Content(type: "x", bytes: []))
    timeline.append(record(4, unmade))
    let areNew = ([2, 3] as [SequenceNumber]).map { timeline.append(record($0, state)) }
    #expect(areNew == [true, true])
    // The row is there: nothing new, but whole.
    let isNew = timeline.append(record(4, state)) || timeline.append(record(4, unmade))
    #expect(!isNew)
    #expect(timeline.row(4)?.state == .whole(type: "x", size: 3))
    #expect(timeline.rows.map(\.number) == [1, 2, 3, 4])
    #expect(timeline.lost == SequenceRanges())
  }
}
