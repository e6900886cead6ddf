import StateSurf
import SurfLive
import SurfNetwork
import SurfWire
import TestSupport
import Testing

@Suite("What waits, and what is given up")
struct RecordQueueTests {
  private let bench = Bench()

  private func queue(
    records: Int = 4, size: Int = 2, details: Int = 1_000, guess: Int = 0
  ) -> RecordQueue {
    var bounds = RecordQueue.Bounds()
    bounds.recordCountMax = records
    bounds.stateSizeMax = size
    bounds.detailSizeMax = details
    bounds.stateSizeGuess = guess
    return RecordQueue(bounds: bounds)
  }

  /// The names of the records that wait, in order; a state that was given up shows as `-`.
  private func drain(_ queue: inout RecordQueue) -> [String] {
    var writer = RecordWriter()
    var names: [String] = []
    while let item = queue.take() {
      guard case .record(let tickets, let entry) = item else { continue }
      for record in writer.records(for: entry, of: tickets) {
        names.append(record.name + (record.state == .givenUp ? "-" : ""))
      }
    }
    return names
  }

  private func fill(_ queue: inout RecordQueue, _ count: Int, size: Int? = 1) -> [RecordID?] {
    (1...count).map { number in
      let state = size.map { [UInt8](repeating: 0, count: $0) }
      return queue.add(Entry(action: "\(number)", state: state), at: Moment())
    }
  }

  @Test func givesUpIntermediateStatesFirstAndNeverTheNewest() {
    var queue = queue()
    _ = fill(&queue, 4)
    #expect(drain(&queue) == ["1", "2-", "3-", "4"])
    #expect(queue.counters.stateGivenUpCount == 2)
    #expect(queue.counters.recordGivenUpCount == 0)
  }

  @Test(arguments: 0..<200)
  func `what there is no time for is counted, and nothing else is lost`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var queue = queue(records: 8, size: 1_000)
    var writer = RecordWriter()
    var (offered, told, givenUp) = (0, 0, 0)
    var numbers: [SequenceNumber] = []
    func read(_ item: RecordQueue.Item) {
      let records: [Record]
      switch item {
      case .record(let tickets, let entry):
        records = writer.records(for: entry, of: tickets)
      default: return
      }
      for record in records {
        numbers.append(record.sequence)
        let word = record.name.split(separator: " ").first.flatMap { Int($0) }
        if record.kind == .mark { givenUp += word ?? 0 } else { told += 1 }
      }
    }
    for round in 0..<40 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0: queue.giveUpRest()
      case 1: _ = queue.add(.leftRecords)
      case 2...4: if let item = queue.take() { read(item) }
      default:
        offered += 1
        _ = queue.add(Entry(action: "a\(round)", state: [1]), at: Moment())
      }
    }
    if Bool.random(using: &random) { queue.giveUpRest() }
    while let item = queue.take() { read(item) }
    #expect(told + givenUp == offered && queue.counters.recordGivenUpCount == givenUp)
    #expect(numbers == (0..<UInt64(numbers.count)).map { SequenceNumber($0 + 1) })
  }

  @Test func manySmallStatesHaveRoom() {
    var queue = RecordQueue()
    for _ in 1...60_000 { _ = queue.add(Entry(action: "a", state: [1, 2, 3, 4]), at: Moment()) }
    #expect(queue.counters.stateGivenUpCount == 0)
  }

  @Test func valuesCountAGuessUntilOneIsEncoded() {
    var queue = queue(records: 1_000, size: 1_000, guess: 10)
    let value = Entry(action: "a", stateValue: 7)
    for _ in 1...101 { _ = queue.add(value, at: Moment()) }
    #expect(queue.counters.stateGivenUpCount == 1)
    var sizes = EncodedSizes()
    sizes.states.add(30)
    queue.learn(sizes)
    // The guess counts as one of two: 20 octets each.
    for _ in 1...60 { _ = queue.take() }
    for _ in 1...11 { _ = queue.add(value, at: Moment()) }
    #expect(queue.counters.stateGivenUpCount == 2)
  }

  @Test func boundsStatesByTheirSize() {
    var queue = queue(size: 100)
    _ = fill(&queue, 3, size: 50)
    #expect(drain(&queue) == ["1", "2-", "3"])
  }

  @Test func keepsTheNewestStateHoweverLargeItIs() {
    var queue = queue(size: 100)
    #expect(queue.hasRoom(for: Entry(action: "", state: [UInt8](repeating: 0, count: 200))))
    _ = fill(&queue, 2, size: 200)
    #expect(!queue.hasRoom(for: Entry(action: "", state: [0])))
    #expect(drain(&queue) == ["1-", "2"])
    #expect(queue.hasRoom(for: Entry(action: "", state: [0])))
  }

  @Test func aProgramThatIsAlwaysTooFastStillShowsStates() {
    var queue = queue(records: 100)
    var names: [String] = []
    for _ in 0..<20 {
      _ = fill(&queue, 3)
      for _ in 0..<3 {
        guard case .record(_, let entry) = queue.take() else { continue }
        names.append(entry.isStateGivenUp ? "-" : "+")
      }
    }
    #expect(names.count { $0 == "+" } == 40)
    #expect(queue.counters.stateGivenUpCount == 20)
  }

  @Test func boundsNamesAndPayloadsByTheirSize() {
    var queue = queue(records: 100, details: 10)
    for name in ["1234", "5678", "901"] {
      _ = queue.add(Entry(action: name, state: nil), at: Moment())
    }
    #expect(drain(&queue) == ["1234", "5678", "1 action given up"])
    let long = String(repeating: "x", count: 20)
    #expect(queue.hasRoom(for: Entry(action: long, state: nil)))
  }

  @Test func takesAValueToBeAsLargeAsOthersTurnedOutToBe() {
    var queue = queue(records: 1_000, size: 100_000)
    var writer = RecordWriter()
    let value = Entry(action: "a", stateValue: String(repeating: "x", count: 998))
    for _ in 0..<600 { _ = queue.add(value, at: Moment()) }
    #expect(queue.counters.stateGivenUpCount == 0)
    for _ in 0..<500 {
      guard case .record(let tickets, let entry) = queue.take() else { continue }
      _ = writer.records(for: entry, of: tickets)
      queue.learn(writer.takeSizes())
    }
    for _ in 0..<100 { _ = queue.add(value, at: Moment()) }
    // 100 of 1,000 octets have room, and 100 wait already.
    #expect(queue.counters.stateGivenUpCount >= 95)
    #expect(queue.counters.recordGivenUpCount == 0)
  }

  @Test func keepsStatesAgainWhenOthersHaveLeft() {
    var queue = queue()
    _ = fill(&queue, 4)
    _ = drain(&queue)
    _ = fill(&queue, 2)
    #expect(drain(&queue) == ["1", "2"])
  }

  @Test func aRecordWithoutStateNeedsNoRoomForOne() {
    var queue = queue()
    _ = fill(&queue, 2)
    #expect(!queue.hasRoom(for: Entry(action: "", state: [0])))
    #expect(queue.hasRoom(for: Entry(action: "", state: nil)))
  }

  @Test func whoWaitsNeedsNoLongQueue() {
    var bounds = RecordQueue.Bounds()
    bounds.awaitedStateSizeMax = 100
    bounds.awaitedRecordCountMax = 3
    var queue = RecordQueue(bounds: bounds)
    let large = Entry(action: "", state: [UInt8](repeating: 0, count: 1_000))
    // One may always wait, else a large one would wait for ever.
    #expect(queue.hasRoom(for: large))
    _ = fill(&queue, 1, size: 60)
    #expect(!queue.hasRoom(for: large))
    #expect(queue.hasRoom(for: Entry(action: "", state: [UInt8](repeating: 0, count: 40))))
    _ = fill(&queue, 2, size: nil)
    #expect(!queue.hasRoom(for: Entry(action: "", state: nil)))
    // Who does not wait is not bound by it.
    #expect(fill(&queue, 1, size: 1_000) != [nil])
    #expect(queue.counters.stateGivenUpCount == 0)
  }

  @Test func aRecordThatIsGivenUpGetsNoTicket() {
    var queue = queue()
    let tickets = fill(&queue, 6).map { $0?.ticket }
    #expect(tickets == [1, 2, 3, 4, nil, nil])
  }

  @Test func oneMarkTellsOfAllThatAreMissingInARow() {
    var queue = queue()
    _ = fill(&queue, 6, size: nil)
    _ = queue.take()
    // Room for the mark alone is none.
    #expect(queue.add(Entry(action: "late", state: nil), at: Moment()) == nil)
    _ = queue.take()
    #expect(queue.add(Entry(action: "in time", state: nil), at: Moment()) != nil)
    #expect(queue.add(Entry(action: "too late", state: nil), at: Moment()) == nil)
    #expect(
      drain(&queue) == ["3", "4", "3 actions given up", "in time", "1 action given up"])
    #expect(queue.counters.recordGivenUpCount == 4)
  }

  @Test func theMarkSaysHowManyOfWhat() {
    let transceiver = bench.transceiver()
    transceiver.resume()
    bench.sink.block()
    transceiver.mark("in the way")
    #expect(bench.sink.waitForSend())
    for _ in 1...65_536 { transceiver.mark("") }
    transceiver.record(action: "a", state: 1)
    transceiver.record(action: "b", state: 2)
    transceiver.log("c")
    transceiver.inspect("d", 4)
    transceiver.mark("e")
    bench.sink.unblock()
    #expect(transceiver.flush(timeout: .seconds(60)))
    let mark = bench.sink.records.dropLast().last
    #expect(mark?.name == "5 records (2 actions, 1 update, 1 log line, 1 mark) given up")
    #expect(mark?.state.text == "2")
    // The last word on a value holds until more is told.
    #expect(bench.sink.records.last?.name == "d")
  }

  @Test func aRevisionIsGivenUpLast() {
    var queue = queue()
    _ = fill(&queue, 5, size: nil)
    let revision = Entry(revision: "lock")
    #expect(queue.add(revision, at: Moment()) != nil)
    #expect(drain(&queue) == ["1", "2", "3", "4", "1 action given up", "lock"])
    let count = (1...2_000).count { _ in queue.add(revision, at: Moment()) != nil }
    #expect(count == 4 + 1_024)
  }

  @Test func theMarkBearsTheTimeOfTheLastRecordGivenUp() {
    var queue = queue(records: 1)
    for time in 1...3 {
      _ = queue.add(Entry(action: "", state: nil), at: Moment(wallTime: Int64(time)))
    }
    _ = queue.take()
    let item = queue.take()
    guard case .record(let tickets, let entry) = item else {
      Issue.record("no mark")
      return
    }
    var writer = RecordWriter()
    #expect(writer.records(for: entry, of: tickets).map(\.wallTime) == [3])
    #expect(queue.isEmpty)
  }

  @Test func aRecordBehindNoneOfTheAppsHasNoParent() {
    var writer = RecordWriter()
    let records = writer.records(for: Entry(action: "", state: nil), of: 0...0)
    #expect(records.map(\.parent) == [0])
  }

  @Test func answersKeepTheirPlaceAndAreBounded() {
    var queue = queue()
    let request = IncomingReset(viewerName: "", state: nil)
    _ = fill(&queue, 1)
    let isAdded = queue.add(.answer(request, .applied))
    #expect(isAdded)
    guard case .record = queue.take() else {
      Issue.record("record first")
      return
    }
    guard case .notice(.answer) = queue.take() else {
      Issue.record("answer second")
      return
    }
    let added = (1...2_000).count { _ in queue.add(.answer(request, .busy)) }
    #expect(added == 1_024)
  }

  @Test func keepsItsOrderWhileItGrowsAndWraps() {
    var queue = queue(records: 1_000)
    var next = 1
    var expected = 1
    var isInOrder = true
    for round in 1...40 {
      for _ in 0..<round {
        _ = queue.add(Entry(action: "", state: nil), at: Moment(wallTime: Int64(next)))
        next += 1
      }
      for _ in 0..<(round / 2) {
        guard case .record(let tickets, _) = queue.take() else { continue }
        isInOrder = isInOrder && tickets.upperBound == UInt64(expected)
        expected += 1
      }
    }
    #expect(isInOrder)
    #expect(expected > 300)
  }
}
