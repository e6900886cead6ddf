import SurfObserver
import SurfTerminal
import SurfWire
import Testing

@Suite struct EventQueueTests {
  /// The queue's output, in short.
  private func take(_ queue: EventQueue) -> [String] {
    queue.takeAll().map { event in
      switch event {
      case .change(.rows(let app, let rows)):
        "\(app.rawValue): \(rows.lowerBound)-\(rows.upperBound)"
      case .change(.heard(let app)): "\(app.rawValue) heard"
      case .change(.caughtUp(let app)): "\(app.rawValue) caught up"
      case .dropped(let app, let range, let count):
        "\(app.rawValue): dropped \(count) in \(range.lowerBound)-\(range.upperBound)"
      case .answer: "answer"
      default: "other"
      }
    }
  }

  private func push(_ queue: EventQueue, _ app: SessionID, _ rows: [SequenceNumber]) {
    for row in rows { queue.push(.change(.rows(app, row...row))) }
  }

  @Test func rowsInARowAreOneEvent() throws {
    let queue = try EventQueue(countMax: 3)
    for row in 1...100_000 as ClosedRange<SequenceNumber> {
      queue.push(.change(.rows(a, row...row)))
    }
    #expect(take(queue) == ["1: 1-100000"])
    #expect(take(queue) == [])
    #expect(queue.overflows == 0)
  }

  @Test func whatLiesBetweenKeepsItsPlace() throws {
    let queue = try EventQueue()
    push(queue, a, [7, 8])
    push(queue, b, [1])
    push(queue, a, [9, 1, 2])
    queue.push(.change(.caughtUp(a)))
    push(queue, a, [3])
    #expect(take(queue) == ["1: 7-8", "2: 1-1", "1: 9-9", "1: 1-2", "1 caught up", "1: 3-3"])
  }

  @Test func whatHadNoRoomIsToldBehindTheRest() throws {
    let queue = try EventQueue(countMax: 2)
    push(queue, a, [1, 3, 5, 6])
    push(queue, b, [9])
    #expect(take(queue) == ["1: 1-1", "1: 3-3", "1: dropped 2 in 5-6", "2: dropped 1 in 9-9"])
    push(queue, a, [7])
    #expect(take(queue) == ["1: 7-7"])
    #expect(queue.overflows == 3)
  }

  @Test func anAppIsToldOnceToHaveBeenHeard() throws {
    let queue = try EventQueue()
    for app in [a, b, a, a, b] { queue.push(.change(.heard(app))) }
    #expect(take(queue) == ["1 heard", "2 heard"])
    queue.push(.change(.heard(a)))
    #expect(take(queue) == ["1 heard"])
  }

  @Test func aFullQueueHasRoomForAnswersAndNotForHeartbeats() throws {
    let queue = try EventQueue(countMax: 1)
    push(queue, a, [1, 3])
    queue.push(.change(.heard(a)))
    queue.push(.answer(.timedOut))
    queue.push(.line(Line("too much")))
    queue.push(.change(.caughtUp(a)))
    #expect(take(queue) == ["1: 1-1", "answer", "1 caught up", "1: dropped 1 in 3-3"])
    #expect(queue.overflows == 2)
  }
}
