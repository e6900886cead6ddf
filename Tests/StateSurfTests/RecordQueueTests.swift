import StateSurf
import SurfWire
import Testing

@Suite("What waits, and what is given up")
struct RecordQueueTests {
  private func queue(records: Int = 4, states: Int = 2, size: Int = 100) -> RecordQueue {
    var bounds = RecordQueue.Bounds()
    bounds.recordCountMax = records
    bounds.stateCountMax = states
    bounds.stateSizeMax = size
    return RecordQueue(bounds: bounds)
  }

  /// The names of the records that wait, in order; a state that was given up shows as `-`.
  private func drain(_ queue: inout RecordQueue) -> [String] {
    var writer = RecordWriter()
    var names: [String] = []
    while let item = queue.take() {
      guard case .record(let id, let entry) = item else { continue }
      for record in writer.records(for: entry, id: id) {
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

  @Test func givesUpTheStatesOfNewRecordsFirst() {
    var queue = queue()
    _ = fill(&queue, 4)
    #expect(drain(&queue) == ["1", "2", "3-", "4-"])
    #expect(queue.counters.stateGivenUpCount == 2)
    #expect(queue.counters.recordGivenUpCount == 0)
  }

  @Test func boundsStatesByTheirSizeToo() {
    var queue = queue(states: 4)
    _ = fill(&queue, 3, size: 50)
    #expect(drain(&queue) == ["1", "2", "3-"])
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
    #expect(!queue.hasRoom(for: Entry(action: "", state: [])))
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

  @Test func marksWhereRecordsAreMissingAsSoonAsThereIsRoom() {
    var queue = queue()
    _ = fill(&queue, 6, size: nil)
    _ = queue.take()
    #expect(queue.add(Entry(action: "late", state: nil), at: Moment()) == nil)
    #expect(drain(&queue) == ["2", "3", "4", "2 records given up", "1 record given up"])
  }

  @Test func theMarkBearsTheTimeOfTheLastRecordGivenUp() {
    var queue = queue(records: 1)
    for time in 1...3 {
      _ = queue.add(Entry(action: "", state: nil), at: Moment(wallTime: Int64(time)))
    }
    _ = queue.take()
    let item = queue.take()
    guard case .record(let id, let entry) = item else {
      Issue.record("no mark")
      return
    }
    var writer = RecordWriter()
    #expect(writer.records(for: entry, id: id).map(\.wallTime) == [3])
    #expect(queue.isEmpty)
  }

  @Test func answersKeepTheirPlaceAndAreBounded() {
    var queue = queue()
    let request = ResetRequest(viewerName: "", state: nil) { _ in }
    _ = fill(&queue, 1)
    let isAdded = queue.add(answer: .applied, to: request)
    #expect(isAdded)
    guard case .record = queue.take() else {
      Issue.record("record first")
      return
    }
    guard case .answer = queue.take() else {
      Issue.record("answer second")
      return
    }
    let added = (1...2_000).count { _ in queue.add(answer: .busy, to: request) }
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
        guard case .record(let id, _) = queue.take() else { continue }
        isInOrder = isInOrder && id.ticket == UInt64(expected)
        expected += 1
      }
    }
    #expect(isInOrder)
    #expect(expected > 300)
  }
}
