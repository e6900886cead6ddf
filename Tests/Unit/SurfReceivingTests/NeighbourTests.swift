import SurfWire
import TestSupport
import Testing

/// A viewer that joins a session late, when others hold it, on virtual time.
@Suite struct NeighbourTests {
  @Test func `with honest holders and no loss, the app sends next to no history`() {
    var tally = Tally()
    for seed in stride(from: 0, to: 300, by: 3) {
      var simulation = Simulation.neighbours(seed: UInt64(seed), loss: 0)
      simulation.run(until: simulation.lastSend + .seconds(5))
      #expect(simulation.check(allowsLoss: false).isEmpty, "seed \(seed)")
      #expect(simulation.impostorCount == 0, "seed \(seed)")
      tally.add(simulation)
    }
    // The newest state, and the record that was the newest.
    #expect(tally.counters.historySent * 5 < tally.fromViewers, "\(tally)")
    #expect(tally.served == tally.fromViewers, "\(tally)")
    #expect(tally.failedChecks == 0)
    #expect(tally.counters.proofsSent == 100)
    // A second until it comes.
    #expect(tally.meanDelay < .milliseconds(1_040), "\(tally)")
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `whoever deceives and whatever is lost, nothing but the app's own is shown`(chunk: UInt64) {
    var tally = Tally()
    for seed in chunk * 150..<(chunk + 1) * 150 {
      // One seed in five has a backlog of several blocks, and some of these may be right.
      var simulation = Simulation.neighbours(
        seed: seed, loss: seed % 2 == 0 ? 0 : 0.2, count: seed % 5 == 0 ? 300 : 60)
      simulation.run(until: simulation.lastSend + .seconds(8))
      #expect(simulation.check(allowsLoss: false).isEmpty, "seed \(seed)")
      tally.add(simulation)
    }
    #expect(tally.failedChecks > 20, "\(tally)")
    #expect(tally.fromViewers > 2_500, "\(tally)")
    #expect(tally.counters.unprovenRequests == 0)
  }

  @Test(arguments: SimulatedViewer.Deceit.allCases)
  func `of what deceivers send nothing is shown, and the app sends it`(
    deceit: SimulatedViewer.Deceit
  ) {
    var tally = Tally()
    for seed in 0..<20 as Range<UInt64> {
      var simulation = Simulation.neighbours(seed: seed, loss: 0, deceit: deceit)
      simulation.run(until: simulation.lastSend + .seconds(5))
      #expect(simulation.check(allowsLoss: false).isEmpty, "seed \(seed)")
      tally.add(simulation)
    }
    #expect(tally.served > 300, "\(tally)")
    switch deceit {
    case .fallsSilent: #expect(tally.failedChecks == 0, "\(tally)")
    // The packets that it has are right.
    case .promisesTooMuch, .flipsSeldom: #expect(tally.fromViewers > 500, "\(tally)")
    default:
      #expect(tally.failedChecks > 10, "\(tally)")
      #expect(tally.fromViewers == 0, "\(tally)")
      #expect(tally.counters.historySent > 700, "\(tally)")
    }
  }

  @Test func `where nobody holds anything, the app is asked a moment later`() {
    for seed in 0..<20 as Range<UInt64> {
      var simulation = Simulation.neighbours(seed: seed, loss: 0, heldSizeMax: 0)
      simulation.run(until: simulation.lastSend + .seconds(5))
      #expect(simulation.check(allowsLoss: false).isEmpty, "seed \(seed)")
      let log = simulation.viewers[2].logs.values.first
      let delay = (log?.lastDelivery ?? .zero) - (log?.joinedAt ?? .zero)
      #expect(delay < .milliseconds(40), "seed \(seed): \(delay)")
      #expect(simulation.servedCount == 0)
    }
  }

  @Test func `holders that have dropped the beginning leave it to the app`() {
    var tally = Tally()
    for seed in stride(from: 0, to: 150, by: 3) {
      var simulation = Simulation.neighbours(seed: UInt64(seed), loss: 0, heldSizeMax: 60_000)
      simulation.run(until: simulation.lastSend + .seconds(5))
      #expect(simulation.check(allowsLoss: false).isEmpty, "seed \(seed)")
      tally.add(simulation)
    }
    #expect(tally.fromViewers > 500, "\(tally)")
    #expect(tally.counters.historySent > 500, "\(tally)")
  }
}
