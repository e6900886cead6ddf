import SurfReceiving
import SurfTransport
import SurfWire
import TestSupport
import Testing

/// A viewer that transmits nothing (Protocol.md §10.7).
private struct Overhearer {
  var receiver = Receiver(
    session: SessionID(rawValue: 1), viewer: ViewerID(rawValue: 2), viewerName: "v",
    repairWindow: 64, isSilent: true, seed: 1, at: .zero)
  var outputs: [ObserverEvent] = []
  var now = Duration.zero

  init(joiningAt newest: SequenceNumber = 0) {
    hear(newest)
    receiver.follow(.since(1), at: now)
    collect()
  }

  /// A heartbeat; each record is a packet of its own.
  mutating func hear(_ newest: SequenceNumber) {
    let progress = StreamProgress(
      newestPacket: newest, oldestPacket: 1, newestRecord: newest, newestRecordPacket: newest,
      newestStatePacket: newest, newestStatePacketCount: newest > 0 ? 1 : 0)
    receiver.receive(.sample(progress), at: now)
    collect()
  }

  mutating func hear(_ record: Record) {
    var frames: [UInt8] = []
    Frame.record(record.encoded()).append(to: &frames)
    receiver.receive(
      DataPacket(sequence: record.sequence, oldestPacket: 1, frames: frames), at: now)
    collect()
  }

  mutating func wait(_ time: Duration) {
    let end = now + time
    var turnCount = 0
    while let deadline = receiver.deadline, deadline <= end {
      turnCount += 1
      guard turnCount < 1_000 else {
        Issue.record("it wakes for nothing")
        break
      }
      now = max(now, deadline)
      receiver.advance(to: now)
      collect()
    }
    now = end
    receiver.advance(to: now)
    collect()
  }

  private mutating func collect() {
    #expect(receiver.takeRequests() == [])
    outputs += receiver.takeEvents()
  }

  var delivered: [SequenceNumber] {
    outputs.compactMap { $0.shown?.sequence }
  }

  var lost: [SequenceNumber] {
    outputs.flatMap { output -> [SequenceNumber] in
      guard case .lost(_, let range) = output else { return [] }
      return Array(range.halfOpen.numbers)
    }
  }
}

@Suite struct ObserverTests {
  private func record(_ sequence: SequenceNumber, _ state: RecordState? = nil) -> Record {
    Record(
      sequence: sequence, kind: .action, name: "step",
      state: state ?? .keyframe(Content(type: "text/plain", bytes: [1, 2, 3])))
  }

  private func delta(_ sequence: SequenceNumber) -> Record {
    let delta = Delta.between(
      [1, 2, 3], [1, 2, 3], baseRecord: sequence.previous, sizeMax: 100)
    return record(sequence, .delta(Content(type: "text/plain", bytes: delta?.encoded() ?? [])))
  }

  @Test func `an observer begins with what comes next, and has no past`() {
    var viewer = Overhearer(joiningAt: 7)
    #expect(viewer.outputs.map { $0.isCaughtUp } == [true])
    for sequence in 8...10 as ClosedRange<SequenceNumber> { viewer.hear(record(sequence)) }
    #expect(viewer.delivered == [8, 9, 10])
    #expect(viewer.lost == [])
    viewer.receiver.follow(.since(1), at: viewer.now)
    viewer.wait(.seconds(1))
    #expect(viewer.outputs.count { $0.isCaughtUp } == 2)
  }

  @Test func `what it misses is a gap after a while, and what a repair brings is none`() {
    var viewer = Overhearer()
    viewer.hear(record(1))
    viewer.hear(record(3))
    #expect(viewer.delivered == [1])
    viewer.wait(Timers.observerWait / 2)
    viewer.hear(record(5))
    viewer.hear(record(2))
    #expect(viewer.delivered == [1, 2, 3])
    viewer.wait(Timers.observerWait * 2)
    #expect(viewer.delivered == [1, 2, 3, 5])
    #expect(viewer.lost == [4])
    // Only heartbeats report the end of the stream.
    viewer.hear(7)
    viewer.wait(Timers.observerWait * 2)
    #expect(viewer.lost == [4, 6, 7])
  }

  @Test func `it looks again at the time at which it gives up, and not all the time`() throws {
    var viewer = Overhearer()
    viewer.hear(record(1))
    viewer.hear(record(3))
    let due = try #require(viewer.receiver.deadline) - viewer.now
    #expect(due >= Timers.observerWait && due < Timers.observerWait + .milliseconds(20))
  }

  @Test func `a state whose base it missed is told without it, and at once`() {
    var viewer = Overhearer(joiningAt: 4)
    viewer.hear(delta(5))
    viewer.hear(record(6))
    viewer.hear(delta(7))
    #expect(viewer.delivered == [5, 6, 7])
    var decoder = RecordDecoder()
    let states = viewer.outputs.compactMap { output -> Bool? in
      guard case .record(_, let arrived) = output, !arrived.isBase else { return nil }
      var record = arrived.record
      decoder.resolve(&record, from: arrived.origin)
      return record.state.content != nil
    }
    #expect(states == [false, true, true])
  }

  @Test func `it asks nobody for records that it has dropped`() {
    var viewer = Overhearer()
    viewer.hear(record(1))
    viewer.receiver.refetch(1...1, at: viewer.now)
    viewer.wait(.seconds(1))
    #expect(viewer.lost == [1])
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func `each record since it came is told once or lost, and it never asks`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let joined = SequenceNumber(UInt64.random(in: 0...5, using: &random))
    var viewer = Overhearer(joiningAt: joined)
    let loss = Int.random(in: 0...60, using: &random)
    var held: [SequenceNumber] = []
    let end: SequenceNumber = 80
    for sequence in (joined.next...end) {
      held.append(sequence)
      while !held.isEmpty, Bool.random(using: &random) {
        let next = held.remove(at: Int.random(in: 0..<min(3, held.count), using: &random))
        let arrived = next.rawValue % 9 == 0 ? record(next) : delta(next)
        if Int.random(in: 0..<100, using: &random) >= loss { viewer.hear(arrived) }
        if Int.random(in: 0..<10, using: &random) == 0 { viewer.hear(arrived) }
      }
      if Int.random(in: 0..<6, using: &random) == 0 { viewer.hear(sequence) }
      if Int.random(in: 0..<20, using: &random) == 0 { viewer.wait(.milliseconds(300)) }
    }
    viewer.hear(end)
    viewer.wait(.seconds(1))
    let told = viewer.delivered
    #expect(told == told.sorted())
    #expect((told + viewer.lost).sorted() == Array((joined.next...end).halfOpen.numbers))
  }

  @Test func `an app that was gone and comes back goes on, with a gap`() {
    var viewer = Overhearer()
    viewer.hear(record(1))
    viewer.wait(.seconds(30))
    viewer.hear(3)
    viewer.wait(.seconds(1))
    viewer.hear(record(4))
    #expect(viewer.delivered == [1, 4])
    #expect(viewer.lost == [2, 3])
  }
}
