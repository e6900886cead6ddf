import SurfReceiving
import SurfTransport
import SurfWire
import TestSupport
import Testing

/// A viewer that had to drop states, and fetches those that somebody looks at from the app again.
@Suite struct RefetchTests {
  /// Over links that lose up to 30 %, and while another viewer follows the same session.
  @Test func `records that were dropped come again, as they were, and no others`() {
    var refetchedCount = 0
    for seed in 0..<400 as Range<UInt64> {
      var simulation = Simulation.everyday(seed: seed)
      simulation.run(until: simulation.lastSend + .seconds(5))
      let before = simulation.log(of: 0)
      let others = simulation.log(of: 1).records.count
      var random = SeededGenerator(seed: seed)
      let first = SequenceNumber(
        UInt64.random(in: before.first.rawValue...UInt64(before.records.count), using: &random))
      let last = min(first.advanced(by: 3), SequenceNumber(before.records.count))
      simulation.refetch(first...last)
      simulation.idle(until: simulation.now + .seconds(3))
      let after = simulation.log(of: 0)
      let refetched = Array(after.records.dropFirst(before.records.count))
      #expect(
        refetched == simulation.present.filter { (first...last).contains($0.sequence) },
        "seed \(seed)")
      #expect(after.lost.isEmpty, "seed \(seed)")
      #expect(after.caughtUpCount == 1, "seed \(seed)")
      #expect(simulation.log(of: 1).records.count == others, "seed \(seed)")
      refetchedCount += refetched.count
    }
    #expect(refetchedCount > 1_000)
  }

  @Test func `what the app no longer has is reported as lost, once for each look`() {
    for seed in 0..<100 as Range<UInt64> {
      var simulation = Simulation.forgetful(seed: seed)
      simulation.run(until: simulation.lastSend + .seconds(5))
      let before = simulation.log(of: 0)
      simulation.refetch(1...2)
      simulation.idle(until: simulation.now + .seconds(3))
      let after = simulation.log(of: 0)
      #expect(after.records.count == before.records.count, "seed \(seed)")
      #expect(after.lost.dropFirst(before.lost.count).flatMap { Array($0) } == [1, 2])
      #expect(
        after.receiver.counters.recordsLost == before.receiver.counters.recordsLost,
        "what was here once is no loss")
    }
  }

  @Test func `what an outage interrupts comes when the app is back`() {
    for seed in 0..<100 as Range<UInt64> {
      var simulation = Simulation.everyday(seed: seed)
      simulation.run(until: simulation.lastSend + .seconds(5))
      let before = simulation.log(of: 0)
      let last = SequenceNumber(before.records.count)
      simulation.network.blackout = simulation.now..<simulation.now + .seconds(15)
      simulation.refetch(before.first...last)
      simulation.idle(until: simulation.now + .seconds(25))
      let after = simulation.log(of: 0)
      let refetched = Array(after.records.dropFirst(before.records.count))
      #expect(
        refetched == simulation.present.filter { (before.first...last).contains($0.sequence) },
        "seed \(seed)")
      #expect(after.lost.isEmpty, "seed \(seed)")
    }
  }

  @Test func `one record costs no more than its chain and the packets of a moment`() {
    var script = Script()
    let noise = SeededGenerator(seed: 1)
    for sequence in (1...500 as ClosedRange<SequenceNumber>) {
      script.lastSend += .milliseconds(1)
      var random = noise
      let bytes = (0..<6_000).map { _ in
        UInt8(truncatingIfNeeded: random.next() ^ sequence.rawValue)
      }
      script.acts.append((script.lastSend, .send([.state(bytes, sequence)])))
    }
    var simulation = Simulation.quiet(script)
    simulation.idle(until: simulation.lastSend + .seconds(2))
    let sent = simulation.totals.historySent
    simulation.refetch(10...10)
    simulation.idle(until: simulation.now + .seconds(2))
    #expect(simulation.log(of: 0).records.last?.sequence == 10)
    // Out of 2,500 packets.
    #expect(simulation.totals.historySent - sent < 250)
    #expect(simulation.totals.historySent > sent)
  }

  @Test
  func `a new look takes the place of the one before, and an absent app is asked for nothing`() {
    var simulation = Simulation.everyday(seed: 1)
    simulation.run(until: simulation.lastSend + .seconds(5))
    let before = simulation.log(of: 0)
    simulation.refetch(3...3)
    simulation.refetch(5...5)
    simulation.idle(until: simulation.now + .seconds(3))
    let after = simulation.log(of: 0)
    #expect(after.lost == [3...3])
    #expect(after.records.dropFirst(before.records.count).map(\.sequence) == [5])
    simulation.refetch(SequenceNumber.max...SequenceNumber.max)
    #expect(simulation.log(of: 0).lost == [3...3, .max ... .max])
  }
}

extension Simulation {
  /// The records of the session that is there.
  fileprivate var present: [Record] { sent[sender.session] ?? [] }

  fileprivate func log(of viewer: Int) -> SimulatedViewer.Log {
    guard let log = viewers[viewer].logs[sender.session] else {
      preconditionFailure("viewer \(viewer) follows the session")
    }
    return log
  }

  fileprivate mutating func refetch(_ records: ClosedRange<SequenceNumber>) {
    viewers[0].refetch(records, of: sender.session, at: now)
  }

  /// Nothing is lost, and the viewer's socket has room for all of history.
  fileprivate static func quiet(_ script: Script) -> Simulation {
    var viewer = SimulatedViewer(id: 1, wish: .since(1), joinsAt: .zero, seed: 1)
    viewer.repairWindow = 4_096
    return Simulation(
      script: script, network: SimulatedNetwork(viewerCount: 1, seed: 1), viewers: [viewer],
      configuration: Sender.Configuration(), seed: 1)
  }
}

extension Record {
  fileprivate static func state(_ bytes: [UInt8], _ sequence: SequenceNumber) -> Record {
    Record(
      sequence: sequence, kind: .action, name: "step",
      state: .keyframe(Content(type: "application/octet-stream", bytes: bytes)))
  }
}
