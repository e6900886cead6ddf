import SurfReceiving
import SurfTransport
import SurfWire
import Testing

/// A late joiner's requests over a link that loses a fifth each way (Protocol.md §10.4, §10.7).
@Suite struct LossyJoinTests {
  /// The app sends 5,700 packets a second; the past is 10,000, the newest state 500.
  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `the newest state does not wait for the past, and the query is empty for in vain`(
    seed: UInt64
  ) {
    var join = LossyJoin(backlog: 10_000, stateSize: 700_000, loss: 0.2, rateMax: 8e6, seed: seed)
    join.run(until: .seconds(30))
    #expect(join.stateAt.map { $0 < .milliseconds(1_600) } == true, "\(join)")
    #expect(join.caughtUpAt.map { $0 < .seconds(5) } == true, "\(join)")
    #expect(join.vainCount * 100 < join.askedCount, "\(join)")
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `packets that overtake each other are seldom asked for in vain`(seed: UInt64) {
    var join = LossyJoin(
      backlog: 3_000, stateSize: 700_000, loss: 0.2, jitter: .milliseconds(1), seed: seed)
    join.run(until: .seconds(30))
    #expect(join.caughtUpAt.map { $0 < .seconds(2) } == true, "\(join)")
    #expect(join.vainCount * 20 < join.askedCount, "\(join)")
  }

  @Test func `an app that is busy is not asked again before it can have answered`() {
    var join = LossyJoin(
      backlog: 100, stateSize: 100_000, loss: 0, busyFor: .milliseconds(20), seed: 1)
    join.run(until: .seconds(30))
    #expect(join.caughtUpAt != nil)
    #expect(WireCount(UInt64(join.askedCount)) == join.packetCount)
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func `a newest state of 10,725 packets is always brought`(seed: UInt64) {
    var join = LossyJoin(
      backlog: 10, stateSize: 15_272_500, wish: .newestState, loss: 0.2, seed: seed)
    #expect(join.statePacketCount >= 10_725)
    join.run(until: .seconds(30))
    #expect(join.stateAt != nil, "\(join)")
  }
}

extension LossyJoin: CustomStringConvertible {
  var description: String {
    """
    state after \(stateAt as Duration?), all after \(caughtUpAt as Duration?); \(askedCount) packets \
    asked for, \(vainCount) of them in vain
    """
  }
}
