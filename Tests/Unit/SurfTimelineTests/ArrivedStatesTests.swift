import SurfTimeline
import SurfWire
import TestSupport
import Testing

/// States that come as deltas, in two runs.
@Suite struct ArrivedStatesTests {
  /// A run of records as an app sends them: each state whole, or as a delta from the one
  /// before.
  private struct Run {
    let origin: RecordOrigin
    var number: SequenceNumber
    private var state: [UInt8]
    private var base: SequenceNumber?

    init(_ origin: RecordOrigin, from number: SequenceNumber, seed: UInt64) {
      (self.origin, self.number) = (origin, number)
      state = unrelated(seed, 3_000).bytes
    }

    /// The next record, as it is sent, and its state.
    mutating func next(
      whole: Bool, isBase: Bool = false, using random: inout SeededGenerator
    ) -> (ArrivedRecord, Content) {
      let before = state
      change(using: &random)
      let content = Content(type: "application/json", bytes: state)
      var form = RecordState.keyframe(content)
      if let base, !whole,
        let delta = Delta.between(before, state, baseRecord: base, sizeMax: .max)
      {
        form = .delta(Content(type: content.type, bytes: delta.encoded()))
      }
      let record = Record(sequence: number, kind: .action, name: "", state: form)
      (base, number) = (number, number.next)
      return (ArrivedRecord(record, from: origin, isBase: isBase), content)
    }

    private mutating func change(using random: inout SeededGenerator) {
      let place = Int.random(in: 0..<state.count, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: state.insert(contentsOf: [1, 2, 3], at: place)
      case 1 where state.count > 100: state.remove(at: place)
      case 2: break
      default: state[place] ^= 0x55
      }
    }
  }

  /// Two runs interleaved, at bounds from generous to none at all; duplicates and bases between.
  @Test(arguments: 0..<60) func everyStateIsMadeOnceAndComesBackByteForByte(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bounds = Timeline.Bounds()
    bounds.byteCountMax = [.max, 60_000, 9_000, 0][Int(seed % 4)]
    bounds.rowCountMax = seed % 3 == 0 ? 90 : 1_000
    var timeline = Timeline(bounds: bounds)
    var runs = [Run(.live, from: 500, seed: seed), Run(.backlog, from: 1, seed: seed + 1)]
    var states: [SequenceNumber: Content] = [:]
    for step in 0..<400 {
      let index = step < 2 || Int.random(in: 0..<3, using: &random) > 0 ? 0 : 1
      let isBase = Int.random(in: 0..<12, using: &random) == 0
      let (arrived, state) = runs[index].next(
        whole: step > 1 && Int.random(in: 0..<40, using: &random) == 0, isBase: isBase,
        using: &random)
      let addition = timeline.add(arrived)
      let number = arrived.record.sequence
      if isBase {
        #expect(addition == .none && timeline.row(number) == nil)
      } else {
        states[number] = state
        guard case .row(let record) = addition else {
          Issue.record("row \(number) did not come")
          continue
        }
        #expect(record.state == .none)
      }
      #expect(timeline.byteCount == timeline.recountedByteCount)
      #expect(timeline.byteCount <= bounds.byteCountMax)
      if seed % 2 == 1, Int.random(in: 0..<4, using: &random) == 0 {
        timeline.restHeads(all: false)
        if bounds.byteCountMax == .max, bounds.rowCountMax == 1_000, !isBase, step > 1 {
          #expect(timeline.headByteCount <= 3_500)
        }
      }
      if step % 80 == 79 { check(timeline, states) }
    }
    check(timeline, states)
    #expect(timeline.unmadeCount == 0)
    #expect(timeline.comparisonCount == 0)
  }

  private func check(_ timeline: Timeline, _ states: [SequenceNumber: Content]) {
    for row in timeline.rows {
      let expected = states[row.number]
      #expect(row.stateSize == expected?.bytes.count)
      guard case .whole = row.state else { continue }
      let isSame = timeline.state(of: row.number) == expected
      #expect(isSame, "row \(row.number)")
    }
  }

  @Test func whatCannotBeMadeIsToldAndTheNextWholeStateMends() {
    var random = SeededGenerator(seed: 1)
    var run = Run(.live, from: 1, seed: 1)
    var timeline = Timeline()
    timeline.add(run.next(whole: true, using: &random).0)
    _ = run.next(whole: false, using: &random)
    timeline.add(run.next(whole: false, using: &random).0)
    #expect(timeline.row(3)?.state == .unmade)
    #expect(timeline.unmadeCount == 1)
    let (mended, state) = run.next(whole: true, using: &random)
    timeline.add(mended)
    let (next, last) = run.next(whole: false, using: &random)
    timeline.add(next)
    let isRight = timeline.state(of: 4) == state && timeline.state(of: 5) == last
    #expect(isRight)
    #expect(timeline.unmadeCount == 1)
  }

  @Test func aRowThatComesAgainGoesOnWithTheRunAndKeepsItsPlace() {
    var random = SeededGenerator(seed: 2)
    var run = Run(.backlog, from: 1, seed: 3)
    let arrived = (1...6).map { run.next(whole: $0 == 1, using: &random) }
    var timeline = Timeline()
    for (record, _) in arrived { timeline.add(record) }
    let before = timeline.byteCount
    for (record, state) in arrived {
      guard case .again(_, let again, _) = timeline.add(record) else {
        Issue.record("not known")
        continue
      }
      let isSame = again == state
      #expect(isSame)
    }
    #expect(timeline.byteCount == before)
    #expect(timeline.rows.count == 6)
  }

  @Test func payloadsAreMadeOfTheOnesBefore() throws {
    let old = Array("a long payload, of which little changes from one to the next".utf8)
    var new = old
    new[2] = 0x4C
    let delta = try #require(Delta.between(old, new, baseRecord: 1, sizeMax: 100))
    let state = Content(type: "text/plain", bytes: [7])
    func record(_ number: SequenceNumber, _ payload: [UInt8], _ state: RecordState) -> Record {
      Record(
        sequence: number, kind: .action, name: "",
        payload: Content(type: "text/plain", bytes: payload), payloadIsDelta: number > 1,
        state: state)
    }
    let same = try #require(Delta.between([7], [7], baseRecord: 1, sizeMax: 100))
    let content = Content(type: "text/plain", bytes: same.encoded())
    var timeline = Timeline()
    timeline.append(record(1, old, .keyframe(state)))
    timeline.append(record(2, delta.encoded(), .delta(content)))
    #expect(timeline.row(2)?.record.payload?.bytes == new)
    #expect(timeline.row(2)?.record.payloadIsDelta == false)
    #expect(timeline.state(of: 2) == state)
    #expect(timeline.unmadeCount == 0)
  }

  @Test func statesOfAnAppThatSendsNoDeltasAreCompared() {
    var state = unrelated(1, 10_000)
    var timeline = Timeline()
    for number in 1...100 as ClosedRange<SequenceNumber> {
      state.bytes[Int(number)] ^= 1
      timeline.append(action(number, state))
    }
    #expect(timeline.comparisonCount == 99)
    #expect(timeline.byteCount < 12_000)
  }

  /// Rows are gone or were never visited, and the walk begins anywhere.
  @Test(arguments: 0..<30) func `a walk makes each state, and tells what made it`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bounds = Timeline.Bounds()
    bounds.rowCountMax = seed % 3 == 0 ? 200 : 1_000
    var timeline = Timeline(bounds: bounds)
    var run = Run(.live, from: 1, seed: seed)
    for step in 0..<600 {
      let isWhole = step == 0 || Int.random(in: 0..<90, using: &random) == 0
      timeline.add(run.next(whole: isWhole, using: &random).0)
    }
    var cursor = StateCursor()
    var row = 0
    while row < timeline.rows.count {
      let before = cursor.bytes
      let step = cursor.step(to: timeline.rows[row], in: timeline)
      #expect(cursor.bytes == timeline.state(of: timeline.rows[row].number)?.bytes)
      switch step {
      case .edited(let edits): #expect(edited(before, cursor.bytes, edits) == cursor.bytes)
      case .same: #expect(before == cursor.bytes)
      case .other: break
      case .none: Issue.record("row \(timeline.rows[row].number) lost its state")
      }
      row += Int.random(in: 0..<40, using: &random) == 0 ? 9 : 1
      guard Int.random(in: 0..<20, using: &random) == 0 else { continue }
      // On to a state that is kept whole.
      let next = timeline.rows.dropFirst(row).firstIndex { !$0.hasDelta }
      row = next ?? row
    }
    #expect(timeline.byteCount == timeline.recountedByteCount)
  }

  private func edited(_ old: [UInt8], _ new: [UInt8], _ edits: [Delta.Edit]) -> [UInt8] {
    var result: [UInt8] = []
    var end = 0
    for edit in edits {
      result += old[end..<edit.old.lowerBound] + new[edit.new]
      end = edit.old.upperBound
    }
    return result + old[end...]
  }

  @Test func `of states that came as deltas none but the first is read whole`() {
    var random = SeededGenerator(seed: 1)
    var timeline = Timeline()
    var run = Run(.live, from: 1, seed: 1)
    for step in 0..<1_000 { timeline.add(run.next(whole: step == 0, using: &random).0) }
    var cursor = StateCursor()
    let wholeCount = timeline.rows.count { row in
      if case .other = cursor.step(to: row, in: timeline) { true } else { false }
    }
    #expect(wholeCount == 1)
    #expect(timeline.rows.count { !$0.hasDelta } > 4)
  }
}
