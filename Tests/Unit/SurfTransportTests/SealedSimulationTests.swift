import Foundation
import SurfSeal
import SurfTransport
import SurfWire
import TestSupport
import Testing

/// The simulations again, sealed: what holds for open sessions holds for them, and no nonce comes
/// twice with different contents (Protocol.md §18).
@Suite struct SealedSimulationTests {
  private static let isLong = ProcessInfo.processInfo.environment["STATESURF_LONG"] == "1"
  private static let seedCount: UInt64 = isLong ? 10_000 : 80

  @Test func `sealed, every record that was wished for comes once, soon, and no nonce twice`() {
    var useCount = 0
    // One in eight has a repairer that lies: with the key, that is a second writer under it.
    for seed in 0..<Self.seedCount where seed % 8 > 0 {
      var simulation = Simulation.everyday(seed: seed)
      simulation.seal()
      simulation.run(until: simulation.lastSend + .seconds(5))
      #expect(simulation.check(allowsLoss: false).isEmpty, "seed \(seed)")
      #expect(simulation.seals?.recorder.faultCount == 0, "seed \(seed)")
      let drops = simulation.seals?.drops.keys.sorted() ?? []
      #expect(Set(drops).isSubset(of: ["replayed", "other session"]), "seed \(seed): \(drops)")
      useCount += simulation.seals?.recorder.useCount ?? 0
    }
    #expect(useCount > 1_000)
  }

  @Test func `what is sent again, to anybody, in any order, changes nothing`() {
    var replayedCount = 0
    for seed in 0..<max(20, Self.seedCount / 10) where seed % 8 > 0 {
      var simulation = Simulation.everyday(seed: seed)
      simulation.seal()
      simulation.run(until: simulation.lastSend + .seconds(5))
      let records = simulation.viewers.map { $0.logs.mapValues { $0.records.map(\.sequence) } }
      simulation.replay(count: 2_000)
      #expect(simulation.seals?.againCount == 0, "seed \(seed)")
      let after = simulation.viewers.map { $0.logs.mapValues { $0.records.map(\.sequence) } }
      #expect(after == records, "seed \(seed)")
      #expect(simulation.check(allowsLoss: false).isEmpty, "seed \(seed)")
      replayedCount += simulation.seals?.drops["replayed"] ?? 0
    }
    #expect(replayedCount > 1_000)
  }

  @Test func `sealed, an outage leaves no gap, and what is forgotten is told`() {
    for seed in 0..<max(8, Self.seedCount / 10) {
      var simulation = Simulation.outage(seed: seed)
      simulation.seal()
      simulation.idle(until: simulation.lastSend + .seconds(8))
      #expect(simulation.check(allowsLoss: false).isEmpty, "seed \(seed)")
      #expect(simulation.seals?.recorder.faultCount == 0, "seed \(seed)")
      var forgetful = Simulation.forgetful(seed: seed)
      forgetful.seal()
      forgetful.run(until: forgetful.lastSend + .seconds(5))
      #expect(forgetful.check(allowsLoss: true).isEmpty, "seed \(seed)")
      #expect(forgetful.seals?.recorder.faultCount == 0, "seed \(seed)")
    }
  }

  @Test func `sealed, viewers repair for each other and share repairs, and no nonce comes twice`() {
    var servedCount = 0
    for seed in 0..<max(6, Self.seedCount / 10) {
      // Every third one is honest.
      var neighbours = Simulation.neighbours(seed: seed * 3, loss: seed % 2 == 0 ? 0 : 0.2)
      neighbours.seal(watching: [1])
      neighbours.run(until: neighbours.lastSend + .seconds(8))
      #expect(neighbours.check(allowsLoss: false).isEmpty, "seed \(seed)")
      #expect(neighbours.seals?.recorder.faultCount == 0, "seed \(seed)")
      servedCount += neighbours.servedCount
      var crowd = Simulation.crowd(of: 8, seed: seed)
      crowd.seal(watching: [2, 3])
      crowd.run(until: crowd.lastSend + .seconds(5))
      #expect(crowd.check(allowsLoss: false).isEmpty, "seed \(seed)")
      #expect(crowd.seals?.recorder.faultCount == 0, "seed \(seed)")
    }
    #expect(servedCount > 100)
  }
}
