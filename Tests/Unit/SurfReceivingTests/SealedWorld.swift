import SurfNetwork
import SurfObserver
import SurfSeal
import SurfTransport
import SurfWire
import TestSupport

/// Two apps under two keys, and three viewers that do all that the protocol has: follow, reset,
/// command, ask for values, repair for each other, come late. The network between them loses,
/// repeats and reorders datagrams. Everything follows from the seed.
struct SealedWorld {
  /// A datagram on its way, or one that somebody has recorded.
  struct Post {
    let bytes: [UInt8]
    let from: Endpoint
    let to: Endpoint
    /// Whom else it was meant for.
    var targets: [Endpoint] = []
  }

  static let viewersEndpoint = Endpoint(rawValue: 999)
  static let turnTime = Duration.milliseconds(2)

  var apps: [SealedWorldApp]
  var viewers: [SealedWorldViewer]
  var random: SeededGenerator
  private(set) var now = Duration.seconds(1)
  let recorder: NonceRecorder
  /// All that has reached anybody.
  private(set) var heard: [Post] = []
  /// Whom each has reached who could tell what it is.
  private var receivers: [[UInt8]: Set<Endpoint>] = [:]
  /// Types of datagrams that were sent.
  private(set) var codes: Set<UInt8> = []
  /// Packets that were sent again with other octets than flags.
  private(set) var changedCount = 0
  private(set) var repeatedCount = 0
  /// Nothing arrives before.
  var deafUntil = Duration.zero
  private let loss: Double
  private var network = EventQueue<Post>()
  private var first: [PacketName: [UInt8]] = [:]
  private var reader = RunReader()

  private struct PacketName: Hashable {
    let session: ArraySlice<UInt8>
    let sequence: ArraySlice<UInt8>
  }

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let recorder = NonceRecorder()
    self.recorder = recorder
    let keys = (0..<2).map { number in
      GroupKey(.drive, Octets32((0..<32).map { UInt8($0 + number) })!)
    }
    let ring = KeyRing(keys[0], [keys[1]])
    let watching = KeyRing(keys[0].watchKey, [keys[1].watchKey])
    // In one app of four, every viewer has only the watch key.
    let second = seed % 4 == 1 ? keys[1].watchKey : keys[1]
    apps = [keys[0], second].enumerated().map { number, key in
      SealedWorldApp(key, at: Endpoint(rawValue: UInt64(100 + number)), recorder, &random)
    }
    viewers = [ring, ring, seed % 4 == 2 ? watching : ring].enumerated().map { number, ring in
      SealedWorldViewer(
        ring, at: Endpoint(rawValue: UInt64(200 + number)),
        joinsAt: number == 2 ? .milliseconds(1_500) : .zero, recorder, &random)
    }
    loss = Double.random(in: 0...0.15, using: &random)
    self.random = random
  }

  // MARK: Time

  /// Each end does what is due.
  mutating func turn(isSettling: Bool = false) {
    now += Self.turnTime
    if !isSettling { act() }
    while let post = network.pop(upTo: now) { deliver(post) }
    for index in viewers.indices where now >= viewers[index].joinsAt { turnViewer(index) }
    for index in apps.indices where !apps[index].hasCrashed { turnApp(index) }
  }

  /// Lets everything that is missing arrive.
  mutating func settle() {
    for _ in 0..<600 { turn(isSettling: true) }
    while network.nextTime != nil { turn(isSettling: true) }
  }

  private mutating func turnViewer(_ index: Int) {
    viewers[index].machine.advance(to: now)
    note(index)
    for transmission in viewers[index].machine.takeTransmissions() {
      send(transmission, fromViewer: index)
    }
    for _ in 0..<4 {
      guard let served = viewers[index].machine.nextServed(at: now) else { break }
      send(served, fromViewer: index)
    }
  }

  /// Takes the viewer's events, and reacts to them.
  private mutating func note(_ index: Int) {
    for session in viewers[index].listen() {
      let past: HistoryRequest = index == 1 ? .newestState : .since(1)
      viewers[index].machine.perform(.follow(session, past), at: now)
      viewers[index].machine.perform(.values(session), at: now)
    }
  }

  private mutating func turnApp(_ index: Int) {
    let resets = apps[index].machine.takeResets()
    apps[index].moves += resets
    let answers = resets.map { reset in
      BroadcastMachine.Command.answer(
        reset, reset.request % 5 == 0 ? .rejected(reason: "no") : .applied)
    }
    apps[index].machine.perform(answers, at: now)
    for _ in 0..<16 {
      guard let next = apps[index].machine.nextTransmission(at: now) else { break }
      send(next, fromApp: index)
    }
  }

  /// Goodbye, and a new session at the same address.
  mutating func restart(_ index: Int) {
    let goodbye = Transmission(to: .group, [apps[index].machine.goodbye.encoded()])
    send(goodbye, fromApp: index)
    let endpoint = apps[index].endpoint
    apps[index] = SealedWorldApp(apps[index].key, at: endpoint, recorder, &random)
    // It is a new end now, so it answers an earlier probe again, with a heartbeat and no more.
    for bytes in receivers.keys { receivers[bytes]?.remove(endpoint) }
  }

  // MARK: The network

  private mutating func send(_ transmission: Transmission, fromApp index: Int) {
    let sealed = apps[index].seal.seal(transmission)
    for transmission in sealed {
      let targets =
        switch transmission.destination {
        case .group: viewers.map(\.endpoint)
        case .peer(let endpoint): [endpoint]
        }
      for bytes in transmission.datagrams { send(bytes, from: apps[index].endpoint, to: targets) }
    }
  }

  private mutating func send(_ transmission: Transmission, fromViewer index: Int) {
    let sealed = viewers[index].seal.seal(transmission)
    for transmission in sealed {
      let targets =
        switch transmission.destination {
        case .group: apps.map(\.endpoint)
        case .peer(Self.viewersEndpoint): viewers.map(\.endpoint)
        case .peer(let endpoint): [endpoint]
        }
      for bytes in transmission.datagrams {
        send(bytes, from: viewers[index].endpoint, to: targets)
      }
    }
  }

  private mutating func send(_ bytes: [UInt8], from: Endpoint, to targets: [Endpoint]) {
    codes.insert(bytes[3])
    if SealedHeader.isData(code: bytes[3]) { compare(bytes) }
    guard now >= deafUntil else { return }
    for target in targets {
      for _ in 0..<(random.isChance(0.03) ? 2 : 1) where !random.isChance(loss) {
        let delay = Duration.microseconds(Int.random(in: 100...3_000, using: &random))
        let post = Post(bytes: bytes, from: from, to: target, targets: targets)
        network.push(post, at: now + delay)
      }
    }
  }

  /// A repeated packet has the octets of its first sending, except for its flags, whoever sends it.
  private mutating func compare(_ bytes: [UInt8]) {
    var bytes = bytes
    bytes.replaceSubrange(6..<8, with: [0, 0])
    let name = PacketName(session: bytes[8..<16], sequence: bytes[16..<24])
    guard let earlier = first[name] else {
      first[name] = bytes
      return
    }
    repeatedCount += 1
    if earlier != bytes { changedCount += 1 }
  }

  private mutating func deliver(_ post: Post) {
    heard.append(post)
    if receive(post) { receivers[post.bytes, default: []].insert(post.to) }
  }

  /// The relation of a datagram to an end that may have received it.
  enum Relation { case received, missed, others }

  func relation(of post: Post, to end: Endpoint) -> Relation {
    if receivers[post.bytes]?.contains(end) == true { return .received }
    return post.targets.contains(end) ? .missed : .others
  }

  /// Delivers the datagram to the end at `post.to`, whoever it was meant for.
  ///
  /// - Returns: whether the end could tell what it is.
  @discardableResult
  mutating func receive(_ post: Post) -> Bool {
    var reader = RunReader()
    swap(&reader, &self.reader)
    defer { self.reader = reader }
    if let index = apps.firstIndex(where: { $0.endpoint == post.to }) {
      return apps[index].receive(post, through: &reader, at: now)
    }
    guard let index = viewers.firstIndex(where: { $0.endpoint == post.to }),
      now >= viewers[index].joinsAt
    else { return false }
    return viewers[index].receive(post, through: &reader, at: now)
  }
}

extension SeededGenerator {
  mutating func isChance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &self) < probability
  }
}
