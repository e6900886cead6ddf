import SurfTimeline
import SurfWire
import TestSupport
import Testing

@Suite struct StatesTests {
  /// Every state is compared with a copy that was put aside.
  @Test(arguments: 0..<40) func everyStateComesBackByteForByte(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bounds = Timeline.Bounds()
    bounds.byteCountMax = [.max, 60_000, 9_000][Int(seed % 3)]
    bounds.rowCountMax = seed % 4 == 0 ? 90 : 1_000
    if seed % 5 == 0 { bounds.wholeByteCountMax = 120_000 }
    var timeline = Timeline(bounds: bounds)
    var states: [SequenceNumber: Content] = [:]
    var walk = Walk(random: SeededGenerator(seed: seed &+ 100))
    var live: SequenceNumber = 200
    var backlog: SequenceNumber = 1
    for step in 0..<300 {
      let isLive = Int.random(in: 0..<3, using: &random) > 0
      let number = Int.random(in: 0..<20, using: &random) == 0 ? 600 : isLive ? live : backlog
      if isLive { live += 1 } else { backlog += 1 }
      let state = walk.next()
      let run = isLive ? RecordOrigin.live : .backlog
      if timeline.append(action(number, state), from: run) { states[number] = state }
      if step % 60 == 59 {
        timeline.trim(toBytes: timeline.byteCount * Int.random(in: 2...9, using: &random) / 10)
      }
      #expect(timeline.byteCount == timeline.recountedByteCount)
      #expect(timeline.byteCount <= bounds.byteCountMax)
      #expect(timeline.wholeByteCount <= bounds.wholeByteCountMax)
      if step % 50 == 49 { check(timeline, states) }
    }
    check(timeline, states)
    timeline.trim(toBytes: 0)
    #expect(timeline.byteCount == 0)
    #expect(timeline.recountedByteCount == 0)
  }

  @Test(arguments: [
    (#"{"a":1,"b":[2]}"#, 2), (#"{"b":[2],"a":1}"#, 2),
    ("{\n  \"b\" : [ 2 ],\n  \"a\" : 1\n}\n", 2), (#"{ "z":0, "a":1 }"#, 3),
    (#"{"a":1.0,"b":[2]}"#, nil), (#"{"a":1,"b":["2"]}"#, nil), (#"{"a":1,"b":[2]"#, nil),
    ("", nil), (#"{"type": "text/plain"}"#, 4), (#"{"type":"text\/plain"}"#, 4),
    (#"{ "z": "/", "a": ["\\/"] }"#, 5), (#"{ "z": "/", "a": ["\/"] }"#, nil),
  ])
  func `a state is found however its JSON is laid out`(file: String, row: SequenceNumber?) {
    func json(_ text: String) -> Content {
      Content(type: "application/json", bytes: Array(text.utf8))
    }
    // The keys of the third are in the order of an app's own writer.
    let states = [
      #"{"a":1,"b":[2]}"#, #"{"a":1,"b":[2]}"#, #"{"z":0,"a":1}"#, #"{"type":"text\/plain"}"#,
      #"{"a":["\\\/"],"z":"\/"}"#,
    ]
    let timeline = timeline(
      states.enumerated().map { action(SequenceNumber(UInt64($0) + 1), json($1)) })
    let found = timeline.row(holding: StateSpellings(of: json(file)))
    #expect(found?.number == row)
    #expect(found?.state == row.flatMap { timeline.state(of: $0) })
  }

  private func check(_ timeline: Timeline, _ states: [SequenceNumber: Content]) {
    var wholeByteCount = 0
    for row in timeline.rows {
      let state = timeline.state(of: row.number)
      let expected = states[row.number]
      #expect(row.stateSize == expected?.bytes.count)
      switch row.state {
      case .whole(let type, let size):
        let isSame = state == expected && timeline.record(row.number)?.state.content == expected
        #expect(isSame, "row \(row.number)")
        #expect(type == expected?.type && size == expected?.bytes.count)
        wholeByteCount += size
      case .dropped: #expect(state == nil)
      default: Issue.record("a row lost its state")
      }
    }
    #expect(timeline.wholeByteCount == wholeByteCount)
  }

  @Test func equalStatesAreKeptOnce() {
    let states = (1...3).map { unrelated($0, 5_000) }
    let first = states[0]
    let same = timeline((1...500).map { action($0, first) })
    #expect(same.byteCount == 5_000)
    let alternating = timeline((1...500).map { action(SequenceNumber($0), states[$0 % 3]) })
    #expect(alternating.byteCount == 15_000)
    let isSame = (1...500).allSatisfy {
      alternating.state(of: SequenceNumber($0)) == states[$0 % 3]
    }
    #expect(isSame)
  }

  @Test func theSameBytesOfAnotherTypeAreAnotherState() {
    let bytes = unrelated(1, 500).bytes
    let records = ["text/plain", "application/json", "text/plain"].enumerated().map {
      action(SequenceNumber($0 + 1), Content(type: $1, bytes: bytes))
    }
    let timeline = timeline(records)
    #expect((1...3).map { timeline.state(of: $0)?.type } == records.map { $0.state.content?.type })
    #expect(timeline.byteCount == 1_000)
  }

  @Test func aKeyframeStaysUntilNoRowNeedsIt() {
    var states: [Content] = []
    var state = unrelated(1, 10_000)
    for step in 0..<20 {
      state.bytes[step * 400] ^= 1
      states.append(state)
    }
    var bounds = Timeline.Bounds()
    bounds.rowCountMax = 10
    let timeline = timeline(
      states.enumerated().map { action(SequenceNumber($0 + 1), $1) }, bounds: bounds)
    let isSame = timeline.rows.allSatisfy {
      timeline.state(of: $0.number) == states[Int($0.number) - 1]
    }
    #expect(isSame)
    #expect(timeline.rows.count == 10)
    // The keyframe of a row that is gone, and some octets for each step.
    #expect((10_000...10_400).contains(timeline.byteCount))
  }

  @Test func theBacklogAndTheLiveStatesAreRunsOfTheirOwn() {
    var live = unrelated(1, 20_000)
    var past = unrelated(2, 20_000)
    var timeline = Timeline()
    for step in 1...100 as ClosedRange<SequenceNumber> {
      live.bytes[Int(step)] ^= 1
      past.bytes[Int(step) * 2] ^= 1
      timeline.append(action(step + 1_000, live))
      timeline.append(action(step, past), from: .backlog)
    }
    #expect(timeline.byteCount < 90_000)
    #expect(timeline.state(of: 1_100) == live)
    #expect(timeline.hasState(of: 50) && !timeline.hasState(of: 500))
  }

  @Test func aTightBoundIsForWhatTheRowsHold() {
    var bounds = Timeline.Bounds()
    bounds.byteCountMax = 15_000
    var state = unrelated(1, 10_000)
    var timeline = Timeline(bounds: bounds)
    for step in 1...300 as ClosedRange<SequenceNumber> {
      state.bytes[Int(step)] ^= 1
      timeline.append(action(step, state))
      let isNewest = timeline.state(of: step) == state
      #expect(isNewest)
      #expect(timeline.byteCount <= 15_000)
    }
  }

  @Test func tenThousandStatesFitInAHundredMegabytesAndNoneIsFar() {
    var state = unrelated(1, 100_000)
    var timeline = Timeline()
    var random = SeededGenerator(seed: 5)
    for number in 1...10_000 as ClosedRange<SequenceNumber> {
      state.bytes[Int.random(in: 0..<100_000, using: &random)] ^= 1
      timeline.append(action(number, state))
    }
    #expect(timeline.wholeByteCount == 1_000_000_000)
    // A keyframe for each 129 states, and some octets for each delta.
    #expect((7_800_000..<8_800_000).contains(timeline.byteCount))
    let isNewest = timeline.state(of: 10_000) == Content(type: state.type, bytes: state.bytes)
    #expect(isNewest)
  }

  @Test func statesThatMoveAreNotFarEither() {
    var state = unrelated(1, 1_000_000)
    var timeline = Timeline()
    for number in 1...100 as ClosedRange<SequenceNumber> {
      state.bytes.insert(7, at: 400_000 + Int(number))
      timeline.append(action(number, state))
    }
    // Deltas from one keyframe to the last state would move more than 64 MiB, so there are two.
    #expect((2_000_000..<4_000_000).contains(timeline.byteCount))
  }
}

/// States that change a little, much, not at all, or back.
private struct Walk {
  var random: SeededGenerator
  private var past = [unrelated(0, 3_000)]

  init(random: SeededGenerator) { self.random = random }

  mutating func next() -> Content {
    var state = past[past.count - 1]
    let place = Int.random(in: 0...state.bytes.count, using: &random)
    let size = Int.random(in: 0...min(40, state.bytes.count - place), using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0: state = unrelated(random.next(), Int.random(in: 0...5_000, using: &random))
    case 1: state = past[Int.random(in: past.indices, using: &random)]
    case 2: break
    case 3: state.type = state.type == "text/plain" ? "application/json" : "text/plain"
    case 4, 5: state.bytes.insert(contentsOf: unrelated(UInt64(place), 30).bytes, at: place)
    case 6: state.bytes.removeSubrange(place..<(place + size))
    default: for index in place..<(place + size) { state.bytes[index] ^= 0x55 }
    }
    past.append(state)
    return state
  }
}
