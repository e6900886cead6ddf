import SurfNetwork
import SurfObserver
import SurfReceiving
import SurfSeal
import SurfThreads
import SurfTransport
import SurfWire
import TestSupport

/// An app under a key, and viewers that have it, without sockets. Every datagram arrives, and a
/// step is a millisecond. A stranger may send anything from any address.
struct SealedWorld {
  static let key = GroupKey(.drive, Octets32(0..<32)!)
  static let home = Endpoint(rawValue: 1)
  private static let group = Endpoint(rawValue: 2)

  /// A viewer, and the events that it got.
  final class Viewer {
    let endpoint: Endpoint
    var machine: ObserverMachine
    var seal: any DatagramSeal
    var reader = RunReader()
    var events: [ObserverEvent] = []
    var drops: [String: Int] = [:]
    var isHere = true

    init(endpoint: Endpoint, machine: consuming ObserverMachine, seal: any DatagramSeal) {
      self.endpoint = endpoint
      self.machine = machine
      self.seal = seal
    }
  }

  private(set) var now = Duration.zero
  private var app: BroadcastMachine
  private var seal: any DatagramSeal
  private var reader = RunReader()
  private(set) var viewers: [Viewer] = []
  let count = DataSealCount()
  /// All that the app has sent, as it left.
  private(set) var sent: [[UInt8]] = []
  /// Packets that viewers have sent each other, as they left.
  private(set) var served: [[UInt8]] = []
  var isAppHere = true

  init(realm: Realm? = nil, historySizeMax: Int = 64 << 20) {
    var configuration = Broadcaster.Configuration(instance: InstanceID(high: 1, low: 2), app: "app")
    configuration.sealing = Sealing(KeyRing(Self.key), makeCipher: ChaChaPoly.init)
    configuration.realm = realm
    configuration.historySizeMax = historySizeMax
    app = BroadcastMachine(configuration: configuration, datagramSize: Limits.datagramSizeMax)
    seal = AppSeal(
      Self.key, session: app.session, sender: SenderID(rawValue: 7), makeCipher: ChaChaPoly.init)
  }

  var session: SessionID { app.session }

  mutating func addViewer() {
    let machine = ObserverMachine(
      viewerName: "v", repairWindow: 128, heldSizeMax: 1 << 20, hasKeys: true,
      viewers: Self.group, random: SeededGenerator(seed: UInt64(viewers.count + 1)))
    let seal = ViewerSeal(
      KeyRing(Self.key), viewer: machine.viewer, makeCipher: count.cipher)
    viewers.append(
      Viewer(endpoint: Endpoint(rawValue: UInt64(10 + viewers.count)), machine: machine, seal: seal)
    )
  }

  mutating func send(_ sequences: ClosedRange<SequenceNumber>) {
    let records = sequences.map { Record.sample($0, size: 1_000) }
    app.perform([.records(records)], at: now)
  }

  mutating func follow(by viewer: Int) {
    viewers[viewer].machine.perform(.follow(session, .since(1)), at: now)
  }

  mutating func perform(_ command: ObserverCommand, by viewer: Int) {
    viewers[viewer].machine.perform(command, at: now)
  }

  mutating func leave(_ viewer: Int) { viewers[viewer].isHere = false }

  /// Milliseconds.
  mutating func run(for count: Int) {
    for _ in 0..<count {
      now += .milliseconds(1)
      step()
    }
  }

  private mutating func step() {
    while isAppHere, let transmission = app.nextTransmission(at: now) {
      for sealed in seal.seal(transmission) {
        sent += sealed.datagrams
        for bytes in sealed.datagrams { deliver(bytes, to: sealed.destination, from: Self.home) }
      }
    }
    for index in viewers.indices where viewers[index].isHere {
      viewers[index].machine.advance(to: now)
      transmit(viewers[index].machine.takeTransmissions(), from: index)
      while let next = viewers[index].machine.nextServed(at: now) { transmit([next], from: index) }
      viewers[index].tell()
    }
  }

  private mutating func transmit(_ transmissions: [Transmission], from index: Int) {
    for transmission in transmissions.flatMap({ viewers[index].seal.seal($0) }) {
      for bytes in transmission.datagrams {
        if SealedHeader.isData(code: bytes[3]) { served.append(bytes) }
        deliver(bytes, to: transmission.destination, from: viewers[index].endpoint)
      }
    }
  }

  /// To whom an address means; the group is that of the sender's other end.
  mutating func deliver(_ bytes: [UInt8], to destination: Destination, from origin: Endpoint) {
    let isFromViewer = viewers.contains { $0.endpoint == origin }
    if isAppHere, destination == .peer(Self.home) || destination == .group && isFromViewer {
      bytes.withUnsafeBytes { bytes in
        reader.read(bytes, segmentSize: bytes.count, through: &seal, from: origin, at: now) {
          result, _ in
          if case .success(let incoming) = result { app.receive(incoming, from: origin, at: now) }
        }
      }
    }
    for index in viewers.indices where viewers[index].isHere {
      let isMeant =
        destination == .peer(viewers[index].endpoint) || destination == .peer(Self.group)
        || destination == .group && !isFromViewer
      if isMeant { viewers[index].hear(bytes, from: origin, at: now) }
    }
  }

  /// Datagrams of a stranger, in the clear and in the app's name.
  mutating func forge(_ bodies: [Datagram.Body], from origin: Endpoint = home) {
    for body in bodies {
      deliver(Datagram(session: session, body: body).encoded(), to: .group, from: origin)
    }
  }
}

extension SealedWorld.Viewer {
  fileprivate func hear(_ bytes: [UInt8], from origin: Endpoint, at now: Duration) {
    bytes.withUnsafeBytes { bytes in
      reader.read(bytes, segmentSize: bytes.count, through: &seal, from: origin, at: now) {
        result, seal in
        switch result {
        case .success(let incoming):
          machine.receive(
            incoming, from: origin, sealedUnder: seal.key(of: incoming.session), at: now)
        case .failure(let drop): drops[drop.reason, default: 0] += 1
        }
      }
    }
  }

  fileprivate func tell() {
    var told: [ObserverEvent] = []
    machine.deliverEvents { told.append($0) }
    events += told
  }

  var counters: NetworkCounters {
    var counters = NetworkCounters()
    machine.addCounters(to: &counters)
    return counters
  }

  /// The names of the records that were reported and not retracted.
  var records: [String] {
    events.reduce(into: []) { names, event in
      switch event {
      case .record(_, let arrived) where !arrived.isBase: names.append(arrived.record.name)
      case .retracted: names = []
      default: break
      }
    }
  }

  /// The names of the apps that appeared.
  var apps: [String] {
    events.compactMap { if case .appeared(_, let heartbeat, _) = $0 { heartbeat.app } else { nil } }
  }
}

/// Counts the packets that its ciphers seal: a viewer must seal none.
final class DataSealCount: Sendable {
  private static let isData: [UInt8] = [1, 0, 0, 0]
  private let count = Monitor(0)

  var value: Int { count.withLock { $0 } }
  var cipher: CipherMaker { { [self] in CountedCipher(cipher: ChaChaPoly($0), count: self) } }

  fileprivate func note(_ nonce: SealNonce) {
    let type = nonce.withUnsafeBytes { Array($0.prefix(4)) }
    if type == Self.isData { count.withLock { $0 += 1 } }
  }
}

private struct CountedCipher: SealingCipher {
  let cipher: ChaChaPoly
  let count: DataSealCount

  func seal(
    _ room: UnsafeMutableRawBufferPointer, header: UnsafeRawBufferPointer, nonce: SealNonce
  ) -> Bool {
    count.note(nonce)
    return cipher.seal(room, header: header, nonce: nonce)
  }

  func open(
    _ sealed: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer,
    header: UnsafeRawBufferPointer, nonce: SealNonce
  ) -> Bool {
    cipher.open(sealed, into: room, header: header, nonce: nonce)
  }
}
