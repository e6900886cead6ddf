import ReduxDevTools
import SurfNetwork
import SurfObserver
import SurfReceiving
import SurfTimeline
import SurfTransport
import SurfWire
import TestSupport

/// An app, a viewer that repairs for others, what shows its history, and strangers who send all of
/// them what they like, from few addresses and about few sessions.
struct World: ~Copyable {
  var numbers: Numbers
  private(set) var now = Duration.seconds(1)
  private var names = Names()
  private var app: BroadcastMachine
  private var viewer: ObserverMachine
  private var screen = Screen()
  /// To show a long history takes a thousand times as long as a message does.
  private let turnsPerLook: Int
  private var sessions: [SessionID]
  /// Messages that a machine was given.
  private(set) var messageCount = 0
  private var written: SequenceNumber = 0

  private static let appEndpoint = Endpoint(rawValue: 1)
  private static let viewerEndpoint = Endpoint(rawValue: 2)
  private static let group = Endpoint(rawValue: 9)
  private static let strangers = [3, 4].map(Endpoint.init)

  init(seed: UInt64, turnsPerLook: Int = 1) {
    self.turnsPerLook = turnsPerLook
    numbers = Numbers(seed: seed)
    var configuration = Broadcaster.Configuration(
      instance: InstanceID(high: 1, low: 2), app: "app")
    configuration.historySizeMax = 60_000
    configuration.control = .allCommands
    app = BroadcastMachine(
      configuration: configuration, datagramSize: 1_472, random: SeededGenerator(seed: seed &+ 1))
    viewer = ObserverMachine(
      viewerName: "v", repairWindow: 128, heldSizeMax: 1 << 18, viewers: Self.group,
      random: SeededGenerator(seed: seed &+ 2))
    sessions = [app.goodbye.session] + (5...8).map(SessionID.init)
  }

  mutating func step() {
    switch numbers.below(16) {
    case 0: appActs()
    case 1: viewerActs()
    case 2: if numbers.isChance(oneIn: turnsPerLook) { screen.act(&numbers) }
    case 3: pass()
    case 4...6: stranger(toApp: true)
    default: stranger(toApp: false)
    }
    settle()
  }

  /// Time, from no more than a packet takes to more than anybody waits.
  private mutating func pass() {
    let steps: [Duration] = [
      .zero, .microseconds(100), .milliseconds(3), .milliseconds(30), .milliseconds(700),
      .seconds(3), .seconds(11), .seconds(70),
    ]
    now += numbers.one(of: steps)
    viewer.advance(to: now)
  }

  private mutating func stranger(toApp: Bool) {
    let names = names
    let body = toApp ? numbers.messageToApp(names) : numbers.messageToViewer(names)
    let session = numbers.one(of: sessions)
    let own = session == sessions[0] ? Self.appEndpoint : Self.strangers[0]
    let from = numbers.isChance(oneIn: 4) ? numbers.one(of: Self.strangers) : own
    deliver(
      Datagram(session: session, body: body).encoded(), toApp: toApp,
      from: toApp && from == own ? Self.viewerEndpoint : from)
  }

  private mutating func deliver(_ bytes: [UInt8], toApp: Bool, from: Endpoint) {
    bytes.withUnsafeBytes { bytes in
      var datagrams = IncomingDatagrams(bytes, segmentSize: bytes.count)
      while let next = datagrams.next() {
        guard case .success(let incoming) = next else { continue }
        messageCount += 1
        if toApp {
          app.receive(incoming, from: from, at: now)
        } else {
          viewer.receive(incoming, from: from, at: now)
        }
      }
    }
  }

  private mutating func appActs() {
    var commands: [BroadcastMachine.Command] = app.takeResets().map {
      .answer($0, numbers.outcome())
    }
    written = written.next
    let state = Content(type: "application/json", bytes: Array("{\"n\":\(written)}".utf8))
    let record = Record(sequence: written, kind: .action, name: "add", state: .keyframe(state))
    commands.append(.records([record]))
    written = written.next
    let value = Record(
      sequence: written, kind: numbers.isChance(oneIn: 4) ? .remove : .update,
      name: numbers.one(of: ["a", "a/b", "c"]),
      payload: Content(
        type: "text/plain", bytes: [UInt8](repeating: 1, count: numbers.below(4_000))))
    commands.append(.records([value]))
    app.perform(commands, at: now)
  }

  private mutating func viewerActs() {
    let session = numbers.one(of: sessions)
    switch numbers.below(6) {
    case 0:
      let state = Content(type: "application/json", bytes: [0x31])
      let request = ObserverRequest(
        session: session, target: numbers.position(),
        content: numbers.isChance(oneIn: 2) ? nil : state, isCommand: false,
        timeout: .seconds(2)
      ) { _ in }
      viewer.perform(.request(request), at: now)
    case 1: viewer.perform(.follow(session, .last(numbers.count())), at: now)
    case 4: viewer.perform(.values(session), at: now)
    case 2: viewer.perform(.follow(session, .since(numbers.sequence())), at: now)
    case 3:
      let (one, other) = (numbers.sequence(), numbers.sequence())
      viewer.perform(.refetch(session, min(one, other)...max(one, other)), at: now)
    default: viewer.perform(.follow(session, .newestState), at: now)
    }
  }

  /// What the machines say to each other arrives half of the time; what happens is shown.
  private mutating func settle() {
    var sent = viewer.takeTransmissions()
    if let served = viewer.nextServed(at: now) { sent.append(served) }
    for datagram in sent.flatMap(\.datagrams) {
      learn(datagram)
      if numbers.isChance(oneIn: 2) {
        deliver(datagram, toApp: true, from: Self.viewerEndpoint)
      }
    }
    for _ in 0..<4 {
      guard let transmission = app.nextTransmission(at: now) else { break }
      for datagram in transmission.datagrams {
        learn(datagram)
        if numbers.isChance(oneIn: 2) {
          deliver(datagram, toApp: false, from: Self.appEndpoint)
        }
      }
    }
    if viewer.deadline.map({ $0 <= now }) == true { viewer.advance(to: now) }
    viewer.deliverEvents { screen.receive($0, at: now) }
    for session in screen.takeNewcomers() { viewer.perform(.follow(session, .since(1)), at: now) }
    _ = viewer.takeAnswers()
  }

  private mutating func learn(_ bytes: [UInt8]) {
    guard let datagram = try? Datagram(decoding: bytes) else { return }
    names.learn(datagram.body)
    switch datagram.body {
    case .data(let packet): numbers.learn(packet.sequence)
    case .heartbeat(let heartbeat): numbers.learn(heartbeat.progress.newestRecord)
    case .nak(let nak): nak.ranges.first.map { numbers.learn($0.end) }
    case .seek(let seek): numbers.learn(seek.wanted.upperBound)
    case .windowUpdate(let update): numbers.learn(update.newestPacket)
    default: break
    }
  }

  var counters: NetworkCounters {
    var counters = NetworkCounters()
    viewer.addCounters(to: &counters)
    return counters
  }
}
