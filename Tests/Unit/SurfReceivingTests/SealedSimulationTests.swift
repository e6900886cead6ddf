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

  private static func seeds(_ short: UInt64, long: UInt64 = 10_000) -> Range<UInt64> {
    0..<(isLong ? long : short)
  }

  @Test func `sealed, every record that was wished for comes once, soon, and no nonce twice`() {
    var useCount = 0
    for seed in Self.seeds(80) {
      var simulation = Simulation.everyday(seed: seed)
      simulation.seal()
      simulation.run(until: simulation.lastSend + .seconds(5))
      #expect(simulation.check(allowsLoss: false).isEmpty, "seed \(seed)")
      // One in eight has a repairer that lies.
      useCount += judge(simulation.seals, seed, isDeceived: seed % 8 == 0)
    }
    #expect(useCount > 1_000)
  }

  /// A viewer with an incomplete log of a session that is over may get more of it, if that is the
  /// app's own and new.
  private func expectUnchanged(
    _ log: SimulatedViewer.Log, _ before: [Record], _ simulation: Simulation, _ comment: Comment
  ) {
    let session = log.receiver.session
    #expect(log.records.starts(with: before), comment)
    let isOver = session != simulation.sender.session
    #expect(isOver || log.records.count == before.count, comment)
    let sent = simulation.sent[session] ?? []
    #expect(isOver || log.problems(sent: sent, allowsLoss: false).isEmpty, comment)
    for record in log.records.dropFirst(before.count) {
      // A base may be lost.
      #expect(record.state == .unmade || sent.contains(record), comment)
    }
    #expect(Set(log.records.map(\.sequence)).count == log.records.count, comment)
  }

  @Test func `what is sent again, to anybody, in any order, changes nothing`() {
    var replayedCount = 0
    for seed in Self.seeds(20, long: 1_000) {
      var simulation = Simulation.everyday(seed: seed)
      simulation.seal()
      simulation.run(until: simulation.lastSend + .seconds(5))
      let before = simulation.viewers.map { $0.logs.mapValues(\.records) }
      simulation.replay(count: 2_000)
      #expect(simulation.seals?.againCount == 0, "seed \(seed)")
      for (viewer, before) in zip(simulation.viewers, before) {
        for (session, log) in viewer.logs {
          expectUnchanged(log, before[session] ?? [], simulation, "seed \(seed)")
        }
      }
      #expect(simulation.problems.isEmpty, "seed \(seed)")
      replayedCount += simulation.seals?.drops["replayed"] ?? 0
    }
    #expect(replayedCount > 1_000)
  }

  @Test func `sealed, an outage leaves no gap, and what is forgotten is told`() {
    // In 516 the newest state alone was given up, in 3,385 it brought what the backlog could not.
    for seed in Array(Self.seeds(8)) + [516, 3_385] {
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
    for seed in Self.seeds(6) {
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

  /// What holds for each session, whatever is sent in it.
  ///
  /// - Returns: how many nonces there were.
  private func judge(_ seals: SimulatedSeals?, _ seed: UInt64, isDeceived: Bool = false) -> Int {
    var expected: Set<String> = ["replayed", "other session"]
    if isDeceived { expected.insert("does not open") }
    let drops = seals?.drops.keys.sorted() ?? []
    #expect(Set(drops).isSubset(of: expected), "seed \(seed): \(drops)")
    #expect(seals?.recorder.faultCount == 0, "seed \(seed)")
    return seals?.recorder.useCount ?? 0
  }

  @Test func `sealed, whoever moves has every record, and no nonce comes twice`() {
    var useCount = 0
    for seed in Self.seeds(40) {
      var simulation = Simulation.moving(seed: seed)
      simulation.seal()
      simulation.idle(until: simulation.lastSend + .seconds(4))
      #expect(simulation.check(allowsLoss: false).isEmpty, "seed \(seed)")
      useCount += judge(simulation.seals, seed)
    }
    #expect(useCount > 1_000)
  }

  @Test func `sealed, a late viewer knows the live values, and no nonce comes twice`() throws {
    var useCount = 0
    for seed in Self.seeds(20) {
      var world = ValueWorld(seed: seed, isSealed: true)
      try world.run(for: .milliseconds(400), isViewed: false)
      try world.run(for: .milliseconds(300), isViewed: true)
      world.isDeaf = seed % 2 == 0
      try world.run(for: .milliseconds(100), isViewed: true)
      world.isDeaf = false
      try world.run(for: .milliseconds(200), isViewed: true)
      try world.settle()
      #expect(world.mistakes.isEmpty, "seed \(seed)")
      useCount += judge(world.seals, seed)
    }
    #expect(useCount > 1_000)
  }

  @Test func `sealed, the past comes over a lossy link, and no nonce comes twice`() {
    var useCount = 0
    for seed in Self.seeds(20) {
      var join = LossyJoin(
        backlog: 200, stateSize: 70_000, loss: 0.2, jitter: .milliseconds(1), isSealed: true,
        seed: seed)
      join.run(until: .seconds(30))
      #expect(join.stateAt != nil && join.caughtUpAt != nil, "seed \(seed): \(join)")
      useCount += judge(join.seals, seed)
    }
    #expect(useCount > 1_000)
  }

  @Test func `sealed, a state arrives as it was over any link, and no nonce comes twice`() {
    var useCount = 0
    for seed in Self.seeds(80) {
      var random = SeededGenerator(seed: seed)
      let size = [1, 1_277, 2_555, 40_000].randomElement(using: &random) ?? 1
      let state = (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let link = SimulatedNetwork.Link(
        loss: .random(in: 0...0.4, using: &random),
        duplication: .random(in: 0...0.2, using: &random),
        jitter: .microseconds(Int64.random(in: 0...4_000, using: &random)))
      var simulation = UploadSimulation(state: state, network: link, isSealed: true, seed: seed)
      simulation.isOldApp = seed % 3 == 0
      // Meanwhile others are forgotten, and start over.
      if seed % 3 == 1 { simulation.outage = .milliseconds(2)..<(.seconds(7)) }
      #expect(simulation.run() == .answered(.applied, .elsewhere), "seed \(seed)")
      #expect(simulation.taken.map(\.state?.bytes) == [state], "seed \(seed)")
      useCount += judge(simulation.seals, seed)
    }
    #expect(useCount > 1_000)
  }

  @Test func `sealed, a delta makes the state that is meant, and no nonce comes twice`() {
    var useCount = 0
    for seed in Self.seeds(20) {
      var world = DeltaWorld(seed: seed, isSealed: true)
      world.run()
      #expect(world.madeCount > 5, "seed \(seed)")
      useCount += judge(world.seals, seed)
    }
    #expect(useCount > 1_000)
  }

  @Test func `sealed, an app decides in the order in which it was asked, no nonce twice`() {
    var useCount = 0
    for seed in Self.seeds(10) {
      var pair = LossyPair(seed: seed, isSealed: true)
      pair.ask(12, seed: ~seed)
      #expect(pair.decided == pair.asked, "seed \(seed)")
      useCount += judge(pair.seals, seed)
    }
    #expect(useCount > 1_000)
  }

  /// Protocol.md §10.7: in an outage, or behind it, a viewer wants all of the past; and of what it
  /// had, something once more.
  @Test func `sealed, what is asked for again comes again, and no nonce comes twice`() {
    var useCount = 0
    for seed in Self.seeds(10) {
      var random = SeededGenerator(seed: seed)
      var simulation = Simulation.outage(seed: seed, wish: .last(3))
      simulation.seal()
      let session = simulation.sender.session
      let end = simulation.network.blackout?.upperBound ?? .zero
      simulation.idle(until: end + .milliseconds(Int64.random(in: -1_000...1_500, using: &random)))
      guard simulation.viewers[1].logs[session] != nil else { continue }
      simulation.viewers[1].wantAll(of: session, at: simulation.now)
      simulation.idle(until: simulation.lastSend + .seconds(8))
      simulation.viewers[0].refetch(3...6, of: session, at: simulation.now)
      // A hello is said twice a second, and may be lost nine times in a row.
      simulation.idle(until: simulation.now + .seconds(10))
      let sent = Set((simulation.sent[session] ?? []).map(\.sequence))
      for viewer in simulation.viewers {
        let records = viewer.logs[session]?.records ?? []
        let made = Set(records.filter { $0.state != .unmade }.map(\.sequence))
        #expect(sent.subtracting(made).isEmpty, "seed \(seed)")
      }
      let refetched = simulation.viewers[0].logs[session]?.records.suffix(4).map(\.sequence)
      #expect(refetched == [3, 4, 5, 6], "seed \(seed)")
      useCount += judge(simulation.seals, seed)
    }
    #expect(useCount > 1_000)
  }

  @Test func `sealed, whoever deceives, nothing but the app's own is shown, no nonce twice`() {
    var useCount = 0
    for seed in Self.seeds(20) {
      var simulation = Simulation.neighbours(seed: seed, loss: seed % 2 == 0 ? 0 : 0.2)
      simulation.seal()
      simulation.run(until: simulation.lastSend + .seconds(8))
      #expect(simulation.check(allowsLoss: false).isEmpty, "seed \(seed)")
      useCount += judge(simulation.seals, seed, isDeceived: true)
    }
    #expect(useCount > 1_000)
  }
}
