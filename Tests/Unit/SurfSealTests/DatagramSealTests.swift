import SurfReceiving
import SurfSeal
import SurfTransport
import SurfWire
import Synchronization
import TestSupport
import Testing

/// What the two ends seal, and what they let in.
@Suite struct DatagramSealTests {
  private static let key = GroupKey(.drive, Octets32(0..<32)!)
  private static let session = SessionID(rawValue: 5)
  private static let viewer = ViewerID(rawValue: 9)

  private static func app(_ makeCipher: @escaping CipherMaker = ChaChaPoly.init) -> AppSeal {
    AppSeal(key, session: session, sender: SenderID(rawValue: 7), makeCipher: makeCipher)
  }

  private static func hello(of viewer: ViewerID) -> Transmission {
    let hello = Hello(viewer: viewer, viewerName: "v", since: .max)
    return Transmission(
      to: .group, [Datagram(session: session, body: .hello(hello)).encoded()])
  }

  private static let heartbeat = Transmission(
    to: .group,
    [
      Datagram(
        session: session,
        body: .heartbeat(
          Heartbeat(
            instance: InstanceID(high: 1, low: 2), app: "app", host: "h", processID: 3,
            contentType: "", acceptsResets: true, datagramSize: 1_472))
      ).encoded()
    ])

  private static let packet = Transmission(
    to: .group,
    [
      Datagram(
        session: session,
        body: .data(DataPacket(sequence: 1, oldestPacket: 1, frames: [1, 2, 3]))
      ).encoded()
    ])

  /// A viewer that has heard the app, if it may.
  private static func viewerSeal(
    _ ring: KeyRing = KeyRing(key), hearing app: inout AppSeal
  ) -> ViewerSeal {
    var seal = ViewerSeal(ring, viewer: viewer, makeCipher: ChaChaPoly.init)
    for bytes in app.seal(heartbeat).flatMap(\.datagrams) {
      #expect(seal.opening(bytes) != .dropped("does not open"))
    }
    return seal
  }

  @Test func `a viewer seals no packet, and passes on what the app has sealed`() {
    var app = Self.app()
    var viewer = Self.viewerSeal(hearing: &app)
    #expect(viewer.seal(Self.packet).isEmpty)
    let sealed = app.seal(Self.packet)
    #expect(sealed.flatMap { viewer.seal($0) } == sealed)
  }

  @Test func `of a large state each packet is sealed as a whole`() throws {
    var app = Self.app()
    var viewer = Self.viewerSeal(hearing: &app)
    var configuration = Sender.Configuration()
    configuration.isSealed = true
    var sender = Sender(
      session: Self.session, announcement: .sample(), configuration: configuration, seed: 1)
    _ = sender.nextTransmission(at: .zero)
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let state = Content(type: "application/json", bytes: bytes)
    sender.send(
      [Record(sequence: 1, kind: .action, name: "n", state: .keyframe(state))],
      at: .zero)
    var now = Duration.zero
    var isGathered = false
    while sender.unsentSize > 0 {
      now += .milliseconds(1)
      guard let next = sender.nextTransmission(at: now) else { continue }
      if case .run(let run) = next.payload, run.heads != nil { isGathered = true }
      let opened = app.seal(next).flatMap(\.datagrams).map { viewer.opened($0) }
      let isSame = opened == next.datagrams
      #expect(isSame)
    }
    #expect(isGathered)
  }

  @Test func `what belongs to a sealed session leaves sealed or not at all`() {
    var stranger = ViewerSeal(
      KeyRing(Self.key), viewer: Self.viewer, makeCipher: ChaChaPoly.init)
    var open = OpenSeal()
    var hello = Self.hello(of: Self.viewer)
    #expect(stranger.seal(hello) == [hello] && open.seal(hello) == [hello])
    hello.mustBeSealed = true
    #expect(stranger.seal(hello).isEmpty && open.seal(hello).isEmpty)
  }

  @Test func `senders that somebody makes up displace none that has the key`() {
    let made = CipherCount()
    var app = Self.app(made.cipher)
    var viewer = Self.viewerSeal(hearing: &app)
    func isHeard() -> Bool {
      let sealed = viewer.seal(Self.hello(of: Self.viewer)).flatMap(\.datagrams)
      return if case .opened = app.opening(sealed[0]) { true } else { false }
    }
    #expect(isHeard())
    var forged = viewer.seal(Self.hello(of: Self.viewer)).flatMap(\.datagrams)[0]
    for number in 1...1_000 {
      (forged[22], forged[23]) = (UInt8(number >> 8), UInt8(number & 0xFF))
      if number != Self.viewer.rawValue {
        #expect(app.opening(forged) == .dropped("does not open"))
      }
    }
    let before = made.value
    #expect(isHeard())
    #expect(made.value == before)
  }

  @Test func `an app's end makes no cipher before it seals`() {
    let made = CipherCount()
    var app = Self.app(made.cipher)
    #expect(made.value == 0)
    for _ in 0..<3 { #expect(app.seal(Self.heartbeat).count == 1) }
    #expect(made.value == 1)
  }

  @Test func `a viewer that speaks as another is not heard`() {
    var app = Self.app()
    var viewer = Self.viewerSeal(hearing: &app)
    let other = viewer.seal(Self.hello(of: ViewerID(rawValue: 10))).flatMap(\.datagrams)
    #expect(other.map { app.opening($0) } == [.dropped("does not open")])
  }

  @Test func `a sealed app, too, tells that there is another version`() {
    var app = Self.app()
    var later = Self.hello(of: Self.viewer).datagrams[0]
    later[2] = 9
    #expect(app.opening(later) == .asItIs)
    later[5] = Self.key.id.rawValue
    #expect(app.opening(later) == .asItIs)
  }

  @Test func `who has the drive key and its watch key drives, whichever stands first`() throws {
    let watch = Self.key.watchKey
    for ring in [KeyRing(watch, [Self.key]), KeyRing(Self.key, [watch])] {
      var app = Self.app()
      let viewer = Self.viewerSeal(ring, hearing: &app)
      #expect(try #require(viewer.key(of: Self.session)).drives)
      #expect(ring.keys(with: Self.key.id) == [Self.key])
    }
    #expect(KeyRing(watch).keys(with: watch.id) == [watch])
  }
}

extension DatagramSeal {
  fileprivate mutating func opening(_ datagram: [UInt8]) -> Opening {
    var room = [UInt8](repeating: 0, count: Limits.datagramSizeMax)
    return opening(datagram, into: &room)
  }

  /// The content of a sealed datagram, if it opens.
  fileprivate mutating func opened(_ datagram: [UInt8]) -> [UInt8]? {
    var room = [UInt8](repeating: 0, count: Limits.datagramSizeMax)
    guard case .opened(let size) = opening(datagram, into: &room) else { return nil }
    return Array(room[..<size])
  }

  private mutating func opening(_ datagram: [UInt8], into room: inout [UInt8]) -> Opening {
    datagram.withUnsafeBytes { datagram in
      room.withUnsafeMutableBytes {
        open(datagram, into: $0, from: Endpoint(rawValue: 1), at: .zero)
      }
    }
  }
}

/// How many ciphers were made.
private final class CipherCount: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }

  var cipher: CipherMaker {
    { [self] in
      count.add(1, ordering: .relaxed)
      return ChaChaPoly($0)
    }
  }
}
