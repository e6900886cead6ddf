import SurfReceiving
import SurfSeal
import SurfThreads
import SurfTransport
import SurfWire
import TestSupport

/// The seals of one app and its viewers, all under one key, and a record of every nonce.
struct SimulatedSeals {
  let recorder = NonceRecorder()
  static let key = GroupKey(.drive, Octets32((0..<32).map { UInt8($0) })!)
  private var app: AppSeal
  private var viewers: [ViewerSeal]
  private(set) var drops: [String: Int] = [:]
  /// All that has reached anybody.
  private(set) var heard: [SimulatedNetwork.Arrival] = []
  private var opened: Set<Reading> = []
  /// Messages that one end has opened more than once.
  private(set) var againCount = 0

  /// A message that one end has opened.
  private struct Reading: Hashable {
    /// Nil for the app.
    let viewer: Int?
    /// An app that starts over is another end, and hears an old probe as a new one.
    let session: Int
    let bytes: [UInt8]
  }
  private var restartCount = 0

  /// - Parameter watching: the viewers that have the watch key alone.
  init(
    session: SessionID, viewers: [ViewerID], watching: Set<Int>, using random: inout SeededGenerator
  ) {
    let recorder = recorder
    app = AppSeal(
      Self.key, session: session, sender: SenderID(rawValue: random.next()),
      makeCipher: recorder.cipher)
    self.viewers = viewers.enumerated().map { index, viewer in
      let ring = KeyRing(watching.contains(index) ? Self.key.watchKey : Self.key)
      return ViewerSeal(ring, viewer: viewer, makeCipher: recorder.cipher)
    }
  }

  /// One app and one viewer. The viewer has heard of the app: it could not seal for it before.
  init(session: SessionID, viewer: ViewerID, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    self.init(session: session, viewers: [viewer], watching: [], using: &random)
    let heartbeat = Datagram(session: session, body: .heartbeat(.sample()))
    for bytes in seal(Transmission(to: .group, [heartbeat.encoded()])).flatMap(\.datagrams) {
      let arrival = SimulatedNetwork.Arrival(bytes: bytes, node: .viewer(0), viewer: 0)
      _ = open(arrival, at: .zero)
    }
  }

  mutating func restart(_ session: SessionID, using random: inout SeededGenerator) {
    restartCount += 1
    app = AppSeal(
      Self.key, session: session, sender: SenderID(rawValue: random.next()),
      makeCipher: recorder.cipher)
  }

  mutating func seal(_ transmission: Transmission) -> [Transmission] { app.seal(transmission) }

  mutating func seal(_ bytes: [UInt8], by viewer: Int) -> [[UInt8]] {
    viewers[viewer].seal(Transmission(to: .group, [bytes])).flatMap(\.datagrams)
  }

  /// The open form; nil if the datagram is dropped.
  mutating func open(_ arrival: SimulatedNetwork.Arrival, at now: Duration) -> [UInt8]? {
    heard.append(arrival)
    var result: [UInt8]? = arrival.bytes
    let room = [UInt8](unsafeUninitializedCapacity: Limits.datagramSizeMax) { room, count in
      let free = UnsafeMutableRawBufferPointer(
        start: room.baseAddress, count: Limits.datagramSizeMax)
      let opening = arrival.bytes.withUnsafeBytes {
        switch arrival.node {
        case .app: app.open($0, into: free, from: Endpoint(rawValue: 0), at: now)
        case .viewer(let viewer):
          viewers[viewer].open($0, into: free, from: Endpoint(rawValue: 0), at: now)
        }
      }
      switch opening {
      case .opened(let size):
        count = size
        note(arrival)
      case .asItIs: break
      case .passed: result = nil
      case .dropped(let reason):
        result = nil
        drops[reason, default: 0] += 1
      }
    }
    return room.isEmpty ? result : room
  }
}

extension SimulatedSeals {
  /// A packet may arrive any number of times, but its content counts once.
  private mutating func note(_ arrival: SimulatedNetwork.Arrival) {
    guard !SealedHeader.isData(code: arrival.bytes[3]) else { return }
    let viewer: Int? = if case .viewer(let viewer) = arrival.node { viewer } else { nil }
    let session = viewer == nil ? restartCount : 0
    let reading = Reading(viewer: viewer, session: session, bytes: arrival.bytes)
    if !opened.insert(reading).inserted { againCount += 1 }
  }
}

/// Without seals, all is as it was.
extension SimulatedSeals? {
  /// What the app sends, as it leaves.
  mutating func seal(_ transmission: Transmission) -> [[UInt8]] {
    (self?.seal(transmission) ?? [transmission]).flatMap(\.datagrams)
  }

  mutating func seal(_ datagram: Datagram) -> [[UInt8]] {
    seal(Transmission(to: .group, [datagram.encoded()]))
  }

  /// Seals a viewer's datagram.
  mutating func seal(_ bytes: [UInt8], by viewer: Int) -> [[UInt8]] {
    self?.seal(bytes, by: viewer) ?? [bytes]
  }

  /// The datagram that arrived; nil if it is dropped.
  mutating func open(_ arrival: SimulatedNetwork.Arrival, at now: Duration) -> [UInt8]? {
    self == nil ? arrival.bytes : self?.open(arrival, at: now)
  }

  static func == (left: Self, right: _OptionalNilComparisonType) -> Bool {
    if case .none = left { true } else { false }
  }
}

/// Ciphers that tell when a nonce comes again under the same key with anything else: then whoever
/// listens has both texts.
final class NonceRecorder: Sendable {
  private struct Use: Hashable {
    let key: [UInt8]
    let nonce: SealNonce
  }

  private let uses = Monitor<[Use: [UInt8]]>([:])
  private let faults = Monitor(0)

  /// Different contents under one nonce.
  var faultCount: Int { faults.withLock { $0 } }
  var useCount: Int { uses.withLock { $0.count } }

  var cipher: CipherMaker { { [self] in RecordingCipher(key: $0, recorder: self) } }

  fileprivate func note(_ key: [UInt8], _ nonce: SealNonce, _ contents: [UInt8]) {
    let isFault = uses.withLock { uses in
      let use = Use(key: key, nonce: nonce)
      guard let earlier = uses[use] else {
        uses[use] = contents
        return false
      }
      return earlier != contents
    }
    if isFault { faults.withLock { $0 += 1 } }
  }
}

private struct RecordingCipher: SealingCipher {
  let key: SenderKey
  let recorder: NonceRecorder

  func seal(
    _ room: UnsafeMutableRawBufferPointer, header: UnsafeRawBufferPointer, nonce: SealNonce
  ) -> Bool {
    recorder.note(key.octets.octets, nonce, Array(header) + Array(room.dropLast(Seal.tagSize)))
    return ChaChaPoly(key).seal(room, header: header, nonce: nonce)
  }

  func open(
    _ sealed: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer,
    header: UnsafeRawBufferPointer, nonce: SealNonce
  ) -> Bool {
    ChaChaPoly(key).open(sealed, into: room, header: header, nonce: nonce)
  }
}
