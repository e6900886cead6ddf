import SurfDelta
import SurfObserver
import SurfTerminal
import SurfWire
import Testing

@Suite struct EventQueueTests {
  /// States of 10,000 octets that differ in one, each but the first a difference from the one
  /// before, as an observer hands them over.
  private func stream(_ session: SessionID, _ count: UInt64) -> [UnmadeRecord] {
    var state = [UInt8](repeating: 0x20, count: 10_000)
    return (1...count).map { number in
      let base = state
      state[Int(number)] = 0x21
      let difference = Difference.between(base, state, baseRecord: number - 1, sizeMax: 1_000)
      let content = Content(type: "text/plain", bytes: difference?.encoded() ?? [])
      let form: RecordState =
        number == 1 ? .whole(Content(type: "text/plain", bytes: state)) : .difference(content)
      return UnmadeRecord(
        session: session,
        record: Record(sequence: SequenceNumber(number), kind: .action, name: "", state: form))
    }
  }

  private func queue(count: Int = 1_000, bytes: Int = 1_000_000) throws -> EventQueue {
    var bounds = EventQueue.Bounds()
    bounds.countMax = count
    bounds.byteCountMax = bytes
    return try EventQueue(bounds: bounds)
  }

  /// What comes out, in short; and the states are made, as the command does.
  private func take(_ queue: EventQueue, _ makers: inout StateMakers) -> [String] {
    queue.takeAll().map { event in
      switch event {
      case .record(var unmade):
        makers.make(&unmade)
        let number = unmade.record.sequence
        // Every state up to its row's has left its trace.
        let bytes = unmade.record.state.content?.bytes ?? []
        let isRight = bytes.count == 10_000 && bytes.count { $0 == 0x21 } == Int(number)
        return isRight ? "\(number)" : "\(number)?"
      case .dropped(_, let range, let count):
        return "dropped \(count) in \(range.lowerBound)-\(range.upperBound)"
      case .observer(.heartbeat): return "heartbeat"
      case .answer: return "answer"
      default: return "other"
      }
    }
  }

  @Test func statesThatAreDifferencesTakeNoMoreRoomThanThat() throws {
    let queue = try queue()
    for unmade in stream(a, 900) { queue.push(part: .record(unmade)) }
    var makers = StateMakers()
    let taken = take(queue, &makers)
    #expect(queue.overflows == 0)
    let isRight = taken == (1...900).map { "\($0)" }
    #expect(isRight)
  }

  @Test func whatHadNoRoomIsToldInItsPlaceAndTheNextStateIsWhole() throws {
    let queue = try queue(count: 4)
    let records = stream(a, 12)
    for unmade in records[..<7] { queue.push(part: .record(unmade)) }
    var makers = StateMakers()
    #expect(take(queue, &makers) == ["1", "2", "3", "4", "dropped 3 in 5-7"])
    for unmade in records[7...] { queue.push(part: .record(unmade)) }
    #expect(take(queue, &makers) == ["8", "9", "10", "11", "dropped 1 in 12-12"])
    #expect(queue.overflows == 4)
    #expect(makers.failureCount == 0)
  }

  @Test func theBytesThatWaitAreBounded() throws {
    let queue = try queue(bytes: 25_000)
    for session in [a, b] {
      for unmade in stream(session, 1) { queue.push(part: .record(unmade)) }
    }
    // A third whole state has no room, nor has what is small and comes after it.
    queue.push(part: .record(stream(SessionID(rawValue: 3), 1)[0]))
    queue.push(part: .record(stream(b, 2)[1]))
    var makers = StateMakers()
    #expect(take(queue, &makers) == ["1", "1", "dropped 1 in 1-1", "dropped 1 in 2-2"])
  }

  @Test func aBaseThatNobodyAskedForIsNoLoss() throws {
    let queue = try queue(count: 1)
    var records = stream(a, 3)
    records[1] = UnmadeRecord(session: a, record: records[1].record, isTold: false)
    for unmade in records[..<2] { queue.push(part: .record(unmade)) }
    var makers = StateMakers()
    #expect(take(queue, &makers) == ["1"])
    queue.push(part: .record(records[2]))
    #expect(take(queue, &makers) == ["3"])
    #expect(queue.overflows == 0)
  }

  @Test func aFullQueueHasRoomForAnswersAndNotForHeartbeats() throws {
    let queue = try queue(count: 1)
    for unmade in stream(a, 2) { queue.push(part: .record(unmade)) }
    queue.push(part: .event(.heartbeat(a, heartbeat())))
    queue.push(.answer(.timedOut))
    queue.push(.line(Line("too much")))
    var makers = StateMakers()
    #expect(take(queue, &makers) == ["1", "answer", "dropped 1 in 2-2"])
    #expect(queue.overflows == 2)
  }
}
