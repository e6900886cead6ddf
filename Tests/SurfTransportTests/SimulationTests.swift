import SurfTransport
import SurfWire
import Testing

/// Ten thousand worlds on virtual time. Each bound is some way above what is seen, and below what
/// is seen without the mechanism that it watches.
@Suite struct SimulationTests {
  /// A chunk is one test argument, so that chunks run beside each other.
  static let chunkCount = 20

  @Test(arguments: 0..<chunkCount)
  func `every record that was wished for comes once, soon, and at little cost`(chunk: Int) {
    var tally = Tally()
    for seed in UInt64(chunk * 500)..<UInt64(chunk * 500 + 500) {
      var simulation = Simulation.everyday(seed: seed)
      simulation.run(until: simulation.lastSend + .seconds(20))
      let problems = simulation.check(allowsLoss: false)
      #expect(problems.isEmpty, "seed \(seed): \(problems)")
      tally.add(simulation)
    }
    #expect(tally.meanDelay < .milliseconds(120), "\(tally)")
    #expect(tally.counters.repairsSent * 100 < tally.droppedDown * 72, "\(tally)")
    #expect(tally.naks * 100 < tally.droppedDown * 65, "\(tally)")
  }

  @Test func `what the app no longer has is counted, and then it is live again`() {
    var tally = Tally()
    for seed in UInt64(0)..<500 {
      var simulation = Simulation.forgetful(seed: seed)
      simulation.run(until: simulation.lastSend + .seconds(20))
      let problems = simulation.check(allowsLoss: true)
      #expect(problems.isEmpty, "seed \(seed): \(problems)")
      tally.add(simulation)
    }
    #expect(tally.lost > 0, "\(tally)")
  }

  @Test func `a crowd that misses the same packet costs few repairs`() {
    var tally = Tally()
    for seed in UInt64(0)..<200 {
      var simulation = Simulation.crowd(of: 8, seed: seed)
      simulation.run(until: simulation.lastSend + .seconds(20))
      let problems = simulation.check(allowsLoss: false)
      #expect(problems.isEmpty, "seed \(seed): \(problems)")
      tally.add(simulation)
    }
    #expect(tally.counters.repairsSent < tally.droppedDown * 2, "\(tally)")
  }
}
