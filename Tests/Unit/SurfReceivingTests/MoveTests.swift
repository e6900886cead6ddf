import SurfReceiving
import SurfTransport
import SurfWire
import TestSupport
import Testing

/// Viewers whose addresses change while they follow.
@Suite struct MoveTests {
  @Test func `a viewer that moves has every record, soon, and so has its neighbour`() {
    // The last one requests the newest state in vain, from an address that has changed.
    for seed in Array(0..<100) + [2_480] as [UInt64] {
      var simulation = Simulation.moving(seed: seed)
      simulation.idle(until: simulation.lastSend + .seconds(4))
      #expect(simulation.check(allowsLoss: false).isEmpty, "seed \(seed)")
    }
  }

  @Test func `who asks in vain says hello ever more rarely`() {
    var unanswered = UnansweredRequests()
    var hellos: [Int] = []
    for millisecond in 0..<60_000 {
      // Records that the app drops meanwhile change nothing.
      let oldest = SequenceNumber(1 + millisecond / 100)
      if unanswered.asked(oldest: oldest, arrivals: 7, at: .milliseconds(millisecond)) {
        hellos.append(millisecond)
      }
    }
    #expect(hellos == [500, 1_500, 3_500, 7_500, 15_500, 23_500, 31_500, 39_500, 47_500, 55_500])
  }

  @Test func `what comes ends it`() {
    var unanswered = UnansweredRequests()
    for second in 0..<60 {
      let isStill = unanswered.asked(
        oldest: SequenceNumber(second + 1), arrivals: second, at: .seconds(second))
      #expect(!isStill)
    }
    #expect(unanswered.since == .seconds(59))
  }
}

extension Simulation {
  /// Two viewers behind lossy links. One or both get another address once or twice.
  static func moving(seed: UInt64) -> Simulation {
    var random = SeededGenerator(seed: seed)
    var script = Script()
    var first: SequenceNumber = 1
    for _ in 0...UInt64.random(in: 1...2, using: &random) {
      script.send(15, from: first, using: &random)
      first += 15
      for viewer in 0..<Int.random(in: 1...2, using: &random) {
        script.acts.append((script.lastSend, .move(viewer: viewer)))
      }
    }
    script.send(15, from: first, using: &random)
    var network = SimulatedNetwork(viewerCount: 2, seed: random.next())
    for viewer in 0..<2 {
      network.down[viewer].loss = 0.2
      network.up[viewer].loss = 0.1
    }
    return Simulation(
      script: script, network: network,
      viewers: (1...2).map {
        SimulatedViewer(id: $0, wish: .since(1), joinsAt: .zero, seed: random.next())
      },
      configuration: Sender.Configuration(), seed: random.next())
  }
}
