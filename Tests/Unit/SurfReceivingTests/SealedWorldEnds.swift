import SurfNetwork
import SurfObserver
import SurfReceiving
import SurfSeal
import SurfTransport
import SurfWire
import TestSupport

/// An app's end, with its seal.
struct SealedWorldApp {
  var machine: BroadcastMachine
  var seal: any DatagramSeal
  let key: GroupKey
  let endpoint: Endpoint
  var written: SequenceNumber = 0
  var newestState = Content(type: "x", bytes: [])
  var newestStateRecord: SequenceNumber = 0
  /// The requests of viewers.
  var moves: [IncomingReset] = []
  var hasCrashed = false
  private(set) var drops: [String: Int] = [:]
  private(set) var openedCount = 0

  init(
    _ key: GroupKey, at endpoint: Endpoint, _ recorder: NonceRecorder,
    _ random: inout SeededGenerator
  ) {
    var configuration = Broadcaster.Configuration(
      instance: InstanceID(high: endpoint.rawValue, low: 2), app: "app")
    configuration.sealing = Sealing(KeyRing(key), makeCipher: recorder.cipher)
    configuration.control = [.takesCommands]
    configuration.historySizeMax = random.isChance(0.3) ? 30_000 : 1 << 20
    let datagramSize = random.isChance(0.5) ? Limits.datagramSizeMin : Limits.datagramSizeMax
    machine = BroadcastMachine(
      configuration: configuration, datagramSize: datagramSize,
      random: SeededGenerator(seed: random.next()))
    seal = AppSeal(
      key, session: machine.session, sender: SenderID(rawValue: random.next()),
      makeCipher: recorder.cipher)
    (self.key, self.endpoint) = (key, endpoint)
  }

  /// - Returns: false if it means nothing here.
  mutating func receive(
    _ post: SealedWorld.Post, through reader: inout RunReader, at now: Duration
  ) -> Bool {
    var isKnown = false
    post.bytes.withUnsafeBytes { bytes in
      reader.read(bytes, segmentSize: bytes.count, through: &seal, from: post.from, at: now) {
        result, _ in
        isKnown = true
        switch result {
        case .success(let incoming):
          openedCount += 1
          machine.receive(incoming, from: post.from, at: now)
        case .failure(let drop): drops[drop.reason, default: 0] += 1
        }
      }
    }
    return isKnown
  }

  /// The facts that a repeated message must not change.
  var picture: SealedWorldPicture {
    var counters = NetworkCounters()
    machine.addCounters(to: &counters)
    return SealedWorldPicture(
      counters, openedCount: openedCount,
      ["moves": "\(moves.count)", "stream": "\(machine.goodbye)"])
  }
}

/// A viewer's end, with its seal.
final class SealedWorldViewer {
  var machine: ObserverMachine
  var seal: any DatagramSeal
  let endpoint: Endpoint
  let joinsAt: Duration
  private(set) var sessions: [SessionID] = []
  private(set) var records: [SessionID: [SequenceNumber]] = [:]
  private(set) var lostCount = 0
  private(set) var eventCount = 0
  /// Of one session since it was last gone.
  private(set) var heartbeatsSinceGone: [SessionID: Int] = [:]
  private(set) var drops: [String: Int] = [:]
  private(set) var openedCount = 0

  init(
    _ ring: KeyRing, at endpoint: Endpoint, joinsAt: Duration, _ recorder: NonceRecorder,
    _ random: inout SeededGenerator
  ) {
    machine = ObserverMachine(
      viewerName: "v", repairWindow: 128, heldSizeMax: 1 << 20, hasKeys: true,
      viewers: SealedWorld.viewersEndpoint, random: SeededGenerator(seed: random.next()))
    seal = ViewerSeal(ring, viewer: machine.viewer, makeCipher: recorder.cipher)
    (self.endpoint, self.joinsAt) = (endpoint, joinsAt)
  }

  /// - Returns: false if it means nothing here.
  func receive(
    _ post: SealedWorld.Post, through reader: inout RunReader, at now: Duration
  ) -> Bool {
    var isKnown = false
    post.bytes.withUnsafeBytes { bytes in
      reader.read(bytes, segmentSize: bytes.count, through: &seal, from: post.from, at: now) {
        result, seal in
        isKnown = true
        switch result {
        case .success(let incoming):
          if case .message(let datagram) = incoming, datagram.session != .none { openedCount += 1 }
          machine.receive(
            incoming, from: post.from, sealedUnder: seal.key(of: incoming.session), at: now)
        case .failure(let drop): drops[drop.reason, default: 0] += 1
        }
      }
    }
    return isKnown
  }

  /// Takes its events.
  ///
  /// - Returns: the sessions that are new.
  func listen() -> [SessionID] {
    var news: [SessionID] = []
    var events: [ObserverEvent] = []
    machine.deliverEvents { events.append($0) }
    for event in events {
      eventCount += 1
      switch event {
      case .appeared(let session, _, _): news.append(session)
      case .record(let session, let arrived) where !arrived.isBase:
        records[session, default: []].append(arrived.record.sequence)
      case .lost: lostCount += 1
      case .gone(let session, _): heartbeatsSinceGone[session] = 0
      case .heartbeat(let session, _): heartbeatsSinceGone[session]? += 1
      default: break
      }
    }
    sessions += news
    for (answer, completion) in machine.takeAnswers() { completion(answer) }
    return news
  }

  /// Leaves out the counts of duplicate packets, which have no limit, and of impostors'.
  var picture: SealedWorldPicture {
    var counters = NetworkCounters()
    machine.addCounters(to: &counters)
    counters.duplicates = 0
    counters.drops["impostor"] = nil
    return SealedWorldPicture(
      counters, openedCount: openedCount, ["events": "\(eventCount)", "records": "\(records)"])
  }
}

/// All of an end that can be seen, by names.
struct SealedWorldPicture {
  private let facts: [String: String]

  /// - Parameter openedCount: messages that its seal has opened.
  init(_ counters: NetworkCounters, openedCount: Int, _ others: [String: String]) {
    var facts = others
    facts["opened"] = "\(openedCount)"
    for (reason, count) in counters.drops { facts[reason] = "\(count)" }
    for (label, value) in Mirror(reflecting: counters).children where label != "drops" {
      if let label { facts[label] = "\(value)" }
    }
    self.facts = facts
  }

  /// The names of the facts that have changed.
  func changes(since old: SealedWorldPicture) -> [String] {
    facts.filter { old.facts[$0.key] != $0.value }.keys.sorted()
  }
}
