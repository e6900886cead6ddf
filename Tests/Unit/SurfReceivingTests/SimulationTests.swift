import SurfTransport
import SurfWire
import TestSupport
import Testing

/// Whole sessions over bad networks, on virtual time. The bounds are just above the protocol's
/// needs. They do not hold without the repetition of NAKs, the suppression of repairs or the
/// trailing edge.
@Suite struct SimulationTests {
  /// A chunk is one test argument, so that chunks run beside each other.
  private static let chunkSize: UInt64 = 500

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `every record that was wished for comes once, soon, and at little cost`(chunk: UInt64) {
    var tally = Tally()
    for seed in chunk * Self.chunkSize..<(chunk + 1) * Self.chunkSize {
      var simulation = Simulation.everyday(seed: seed)
      let lastSend = simulation.lastSend
      // A third lost each way, so that every other request fails: 30 in a row are 3 s.
      simulation.run(until: lastSend + .seconds(5))
      #expect(simulation.check(allowsLoss: false).isEmpty, "seed \(seed)")
      #expect(simulation.totals.heartbeatsSent <= simulation.heartbeatCountMax, "seed \(seed)")
      tally.add(simulation)
    }
    #expect(tally.meanDelay < .milliseconds(110))
    // One group repair fixes the losses of two viewers, and history comes separately.
    #expect(tally.counters.repairsSent * 10 < tally.droppedDown * 7, "\(tally)")
    #expect(tally.naks * 10 < (tally.droppedDown + tally.droppedUp) * 6, "\(tally)")
    #expect(tally.counters.unavailablePackets == 0)
    #expect(tally.counters.unprovenRequests == 0)
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `what the sender has forgotten is reported as lost, and the stream goes on`(chunk: UInt64) {
    var tally = Tally()
    for seed in chunk * 250..<(chunk + 1) * 250 {
      var simulation = Simulation.forgetful(seed: seed)
      let lastSend = simulation.lastSend
      simulation.run(until: lastSend + .seconds(5))
      #expect(simulation.check(allowsLoss: true).isEmpty, "seed \(seed)")
      tally.add(simulation)
    }
    #expect(tally.lost > 200, "\(tally)")
    #expect(tally.meanDelay < .milliseconds(110), "\(tally)")
  }

  /// Data given up for lack of an app arrives, too, once the app is back.
  @Test func `an outage of any length leaves no gap of what the app still holds`() {
    var recoveredCount = 0
    // In the last five the window of the outage alone has what the next live state differs from.
    for seed in Array(0..<100) + [459, 1_503, 1_553, 2_246, 2_433] as [UInt64] {
      var simulation = Simulation.outage(seed: seed)
      simulation.idle(until: simulation.lastSend + .seconds(8))
      #expect(simulation.check(allowsLoss: false).isEmpty, "seed \(seed)")
      for log in simulation.viewers.flatMap(\.logs.values) {
        recoveredCount += log.recovered.count
        #expect(log.receiver.counters.recordsLost == 0, "seed \(seed)")
      }
    }
    #expect(recoveredCount > 100, "\(recoveredCount)")
  }

  /// Protocol.md §10.7: wherever in the outage, or behind it, the viewer wants all of the past.
  @Test func `more of the past costs nothing of what an outage took`() throws {
    var askedCount = 0
    for seed in 0..<200 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var simulation = Simulation.outage(
        seed: seed, wish: .last(WireCount(Int.random(in: 0...8, using: &random))))
      let outage = try #require(simulation.network.blackout)
      let past = Duration.seconds(Int64.random(in: 0...2, using: &random)) - .milliseconds(400)
      let time = [outage.lowerBound + .seconds(12), outage.upperBound + past]
      simulation.idle(until: time.randomElement(using: &random) ?? .zero)
      let session = simulation.sender.session
      guard simulation.viewers[1].logs[session] != nil else { continue }
      askedCount += 1
      simulation.viewers[1].wantAll(of: session, at: simulation.now)
      simulation.idle(until: simulation.lastSend + .seconds(8))
      let records = simulation.viewers[1].logs[session]?.records ?? []
      let made = Set(records.filter { $0.state != .unmade }.map(\.sequence))
      let sent = Set((simulation.sent[session] ?? []).map(\.sequence))
      #expect(sent.subtracting(made).isEmpty, "seed \(seed)")
    }
    #expect(askedCount > 100)
  }

  /// Protocol.md §10.9: the viewer joins when the first begins, wants all of the past when it is
  /// over, and has not all of that when the second begins.
  @Test func `two outages, and a wish for more between them, cost nothing`() {
    var askedCount = 0
    for seed in 0..<200 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var simulation = Simulation.outage(
        seed: seed, wish: .last(WireCount(Int.random(in: 4...30, using: &random))),
        joinsBefore: .milliseconds(Int64.random(in: 0...150, using: &random)))
      let session = simulation.sender.session
      let end = simulation.network.blackout?.upperBound ?? .zero
      simulation.idle(until: end + .milliseconds(Int64.random(in: 0...1_500, using: &random)))
      guard simulation.viewers[1].logs[session]?.goneCount == 1 else { continue }
      askedCount += 1
      simulation.viewers[1].wantAll(of: session, at: simulation.now)
      let begin = simulation.now + .milliseconds(Int64.random(in: 0...40, using: &random))
      simulation.network.blackout = begin..<begin + .seconds(15)
      simulation.idle(until: max(simulation.lastSend, begin + .seconds(15)) + .seconds(8))
      guard let log = simulation.viewers[1].logs[session] else { continue }
      let made = Set(log.records.filter { $0.state != .unmade }.map(\.sequence))
      let sent = Set((simulation.sent[session] ?? []).map(\.sequence))
      #expect(sent.subtracting(made).isEmpty, "seed \(seed)")
      #expect(log.lost.isEmpty && log.deniedCount == 0, "seed \(seed)")
      #expect(log.receiver.counters.recordsLost == 0, "seed \(seed)")
    }
    #expect(askedCount > 100, "\(askedCount)")
  }

  @Test(arguments: 0..<2 as Range<UInt64>)
  func `one repair to all mends what all have lost`(chunk: UInt64) {
    var tally = Tally()
    for seed in chunk * 50..<(chunk + 1) * 50 {
      var simulation = Simulation.crowd(of: 20, seed: seed)
      let lastSend = simulation.lastSend
      simulation.run(until: lastSend + .seconds(5))
      #expect(simulation.check(allowsLoss: false).isEmpty, "seed \(seed)")
      tally.add(simulation)
    }
    #expect(tally.counters.repairsSent < tally.droppedDown * 2, "\(tally)")
    #expect(tally.naks < tally.droppedDown * 6, "\(tally)")
  }
}
