import SurfReceiving
import SurfTransport
import SurfWire
import TestSupport

extension Simulation {
  /// 20 to 60 records in bursts and pauses, and links that lose up to 30 %. One of two viewers may
  /// come late. In one of eight, the app restarts in between. In one of four, the first viewer
  /// holds packets for the other, and in half of these it deceives.
  static func everyday(seed: UInt64) -> Simulation {
    var random = SeededGenerator(seed: seed)
    var script = Script()
    let count = Int.random(in: 20...60, using: &random)
    var restartsAt = Duration.zero
    if UInt64.random(in: 0..<8, using: &random) == 0 {
      script.send(count / 2, using: &random)
      // Time for repairs, so that no loss need be final.
      script.lastSend += .seconds(5)
      restartsAt = script.lastSend
      script.acts.append((restartsAt, .restart))
    }
    script.send(count, using: &random)
    var joinsAt = script.lastSend * Double.random(in: -1..<1, using: &random)
    // A viewer that joins just before the app leaves cannot get everything.
    if (restartsAt - .seconds(4)..<restartsAt).contains(joinsAt) { joinsAt = restartsAt }
    let holds = seed % 4 == 0
    let repair = PeerRepairOptions(heldSizeMax: holds ? 1 << 20 : 0, seeks: holds)
    let deceit = seed % 8 == 0 ? SimulatedViewer.Deceit.numbered(seed / 8) : nil
    return Simulation(
      script: script, network: .everyday(using: &random),
      viewers: [
        SimulatedViewer(
          id: 1, wish: .since(1), joinsAt: .zero, repair: repair, deceit: deceit,
          seed: random.next()),
        SimulatedViewer(
          id: 2, wish: .any(using: &random), joinsAt: max(joinsAt, .zero), repair: repair,
          seed: random.next()),
      ],
      configuration: Sender.Configuration(), seed: random.next())
  }

  /// The sender keeps 20 KB only, and for a while nothing comes down.
  static func forgetful(seed: UInt64) -> Simulation {
    var random = SeededGenerator(seed: seed)
    var script = Script()
    script.send(40, using: &random)
    var network = SimulatedNetwork.everyday(using: &random)
    network.blackout = script.lastSend / 4..<script.lastSend / 2
    script.lastSend += .seconds(4)
    script.send(20, from: 41, using: &random)
    var configuration = Sender.Configuration()
    configuration.historySizeMax = 20_000
    return Simulation(
      script: script, network: network,
      viewers: [
        SimulatedViewer(id: 1, wish: .since(1), joinsAt: .zero, seed: random.next()),
        SimulatedViewer(
          id: 2, wish: .any(using: &random), joinsAt: script.lastSend / 8, seed: random.next()),
      ],
      configuration: configuration, seed: random.next())
  }

  /// For longer than a viewer waits nothing comes down; before, meanwhile and afterwards there is
  /// something to tell. The second viewer may be joining when it begins.
  ///
  /// - Parameter joinsBefore: how long before the outage the second viewer joins; nil for any time.
  static func outage(
    seed: UInt64, wish: HistoryRequest = .since(1), joinsBefore: Duration? = nil
  ) -> Simulation {
    var random = SeededGenerator(seed: seed)
    var script = Script()
    script.send(40, using: &random)
    let begin = script.lastSend * Double.random(in: 0.1..<1, using: &random)
    let end = begin + .seconds(Int64.random(in: 13...70, using: &random))
    script.lastSend = end - .seconds(1)
    script.send(20, from: 41, using: &random)
    script.lastSend = max(script.lastSend, end + .seconds(2))
    script.send(20, from: 61, using: &random)
    var network = SimulatedNetwork.everyday(using: &random)
    network.blackout = begin..<end
    let joinsAt = begin * Double.random(in: 0.5..<1, using: &random)
    return Simulation(
      script: script, network: network,
      viewers: [
        SimulatedViewer(id: 1, wish: .since(1), joinsAt: .zero, seed: random.next()),
        SimulatedViewer(
          id: 2, wish: wish, joinsAt: joinsBefore.map { begin - $0 } ?? joinsAt,
          seed: random.next()),
      ],
      configuration: Sender.Configuration(), seed: random.next())
  }

  /// Two viewers that hold packets, and one that comes when all is said. Of three simulations all
  /// are honest in one, and in one all deceive; if `deceit` is given, in all.
  static func neighbours(
    seed: UInt64, loss: Double, count: Int = 60, heldSizeMax: Int = 1 << 20,
    deceit: SimulatedViewer.Deceit? = nil
  ) -> Simulation {
    var random = SeededGenerator(seed: seed)
    var script = Script()
    script.send(count, using: &random)
    var network = SimulatedNetwork(viewerCount: 3, seed: random.next())
    for viewer in 0..<3 {
      network.down[viewer].loss = loss
      network.down[viewer].jitter = .microseconds(500)
      network.up[viewer].loss = loss
    }
    let repair = PeerRepairOptions(heldSizeMax: heldSizeMax, seeks: true)
    return Simulation(
      script: script, network: network,
      viewers: (0..<3).map { number in
        SimulatedViewer(
          id: UInt64(number + 1), wish: .since(1),
          joinsAt: number < 2 ? .zero : script.lastSend + .seconds(1), repair: repair,
          deceit: deceit ?? (number < seed % 3 ? .numbered(seed / 3 + UInt64(number)) : nil),
          seed: random.next())
      },
      configuration: Sender.Configuration(), seed: random.next())
  }

  /// Many viewers behind one lossy link: a loss hits all of them.
  static func crowd(of viewerCount: Int, seed: UInt64) -> Simulation {
    var random = SeededGenerator(seed: seed)
    var script = Script()
    script.send(40, using: &random)
    var network = SimulatedNetwork(viewerCount: viewerCount, seed: random.next())
    network.sharedLoss = 0.2
    for viewer in 0..<viewerCount {
      network.down[viewer].jitter = .milliseconds(1)
      network.up[viewer].duplication = 0.2
    }
    return Simulation(
      script: script, network: network,
      viewers: (0..<viewerCount).map {
        SimulatedViewer(
          id: UInt64($0 + 1), wish: .since(1), joinsAt: .zero, seed: random.next())
      },
      configuration: Sender.Configuration(), seed: random.next())
  }
}

extension SimulatedViewer.Deceit {
  fileprivate static func numbered(_ number: UInt64) -> Self {
    allCases[Int(number % UInt64(allCases.count))]
  }
}

extension Script {
  /// Appends bursts of one to eight records with pauses between them.
  mutating func send(
    _ count: Int, from first: SequenceNumber = 1, using random: inout SeededGenerator
  ) {
    var sequence = first
    while sequence < first + count {
      // Half of the pauses are shorter than a round trip, half let heartbeats come in between.
      let pause = Int64.random(
        in: 0...(Bool.random(using: &random) ? 1_000 : 80_000), using: &random)
      lastSend += .microseconds(pause)
      let end = min(sequence + Int.random(in: 1...8, using: &random), first + count)
      let records = (sequence..<end).map { Record.random($0, using: &random) }
      acts.append((lastSend, .send(records)))
      if UInt64.random(in: 0..<8, using: &random) == 0 {
        acts.append((lastSend, .restored(end.rawValue)))
      }
      if UInt64.random(in: 0..<8, using: &random) == 0 {
        acts.append((lastSend, .probe(viewer: Int(end.rawValue % 2))))
      }
      sequence = end
    }
  }
}

extension Script.Act {
  fileprivate static func restored(_ request: UInt64) -> Self {
    .restored(
      Restored(
        request: request, viewer: ViewerID(rawValue: 1), viewerName: "v",
        position: .record(SequenceNumber(request - 1)), newestRecord: SequenceNumber(request - 1),
        moveCount: WireCount(request),
        outcome: .applied))
  }
}

extension SimulatedNetwork {
  fileprivate static func everyday(using random: inout SeededGenerator) -> SimulatedNetwork {
    var network = SimulatedNetwork(viewerCount: 2, seed: random.next())
    for viewer in 0..<2 {
      network.down[viewer] = .everyday(using: &random)
      network.up[viewer] = .everyday(using: &random)
    }
    return network
  }
}

extension SimulatedNetwork.Link {
  fileprivate static func everyday(using random: inout SeededGenerator) -> Self {
    Self(
      loss: .random(in: 0...0.3, using: &random),
      duplication: .random(in: 0...0.1, using: &random),
      delay: .microseconds(Int64.random(in: 50...2_000, using: &random)),
      jitter: .microseconds(Int64.random(in: 0...4_000, using: &random)))
  }
}

extension HistoryRequest {
  fileprivate static func any(using random: inout SeededGenerator) -> HistoryRequest {
    switch UInt64.random(in: 0..<3, using: &random) {
    case 0: .newestState
    case 1: .last(WireCount(UInt64.random(in: 0...30, using: &random)))
    default: .since(SequenceNumber(UInt64.random(in: 1...40, using: &random)))
    }
  }
}

extension Record {
  /// 10 octets to 6 KB of state, small ones more often; one of eight has none.
  static func random(_ sequence: SequenceNumber, using random: inout SeededGenerator) -> Record {
    let scale = [10, 100, 1_000, 6_000][Int.random(in: 0..<4, using: &random)]
    var noise = SeededGenerator(seed: random.next())
    let bytes = (0..<Int.random(in: 10...scale, using: &random)).map { _ in
      UInt8(truncatingIfNeeded: noise.next())
    }
    let hasState = UInt64.random(in: 0..<8, using: &random) > 0
    // Some say much the same as one before.
    let payload =
      sequence.rawValue % 5 == 0
      ? Array("\(String(repeating: "step", count: 9)) \(sequence)".utf8) : nil
    return Record(
      sequence: sequence, kind: .action, uptime: sequence.rawValue, name: "record \(sequence)",
      payload: payload.map { Content(type: "text/plain", bytes: $0) },
      state: hasState ? .keyframe(Content(type: "application/octet-stream", bytes: bytes)) : .none)
  }
}
