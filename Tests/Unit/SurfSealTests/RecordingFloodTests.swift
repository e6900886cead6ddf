import SurfReceiving
import SurfSeal
import SurfTransport
import SurfWire
import TestSupport
import Testing

/// A stranger who has no key, and has recorded for months what others sealed under it, keeps nobody
/// out with that.
@Suite struct RecordingFloodTests {
  private static let key = GroupKey(.drive, Octets32(0..<32)!)

  private static func app(_ session: UInt64) -> AppSeal {
    AppSeal(
      key, session: SessionID(rawValue: session), sender: SenderID(rawValue: session &+ 7),
      makeCipher: ChaChaPoly.init)
  }

  private static func viewer(_ id: UInt64) -> ViewerSeal {
    ViewerSeal(KeyRing(key), viewer: ViewerID(rawValue: id), makeCipher: ChaChaPoly.init)
  }

  private static func hello(of viewer: UInt64, to session: UInt64) -> Datagram {
    Datagram(
      session: SessionID(rawValue: session),
      body: .hello(Hello(viewer: ViewerID(rawValue: viewer), viewerName: "v", since: .max)))
  }

  private static func probe(of viewer: UInt64) -> Datagram {
    Datagram(session: .none, body: .probe(Probe(viewer: ViewerID(rawValue: viewer))))
  }

  @Test func `probes of former viewers keep no viewer out`() throws {
    var app = Self.app(1)
    for former in 1_000..<2_100 as Range<UInt64> {
      var seal = Self.viewer(former)
      // The open one goes first.
      let recorded = try #require(seal.sealed(Self.probe(of: former)).last)
      _ = app.opening(recorded, at: .zero)
      #expect(app.opening(recorded, at: .zero) == .dropped(former < 2_024 ? "replayed" : "busy"))
    }
    var viewer = Self.viewer(9)
    #expect(viewer.hears(&app, 1, at: .zero))
    let hello = try #require(viewer.sealed(Self.hello(of: 9, to: 1)).first)
    #expect(app.opening(hello, at: .seconds(1)).isOpened)
    #expect(app.opening(hello, at: .seconds(1)) == .dropped("replayed"))
  }

  @Test func `heartbeats of former apps keep no app out`() throws {
    var viewer = Self.viewer(9)
    // One that is here, has answered, and is believed.
    var old = Self.app(1)
    #expect(viewer.hears(&old, 1, at: .zero))
    let welcome = Datagram(
      session: SessionID(rawValue: 1),
      body: .welcome(
        Welcome(
          viewer: ViewerID(rawValue: 9), cookie: Cookie(rawValue: 1), progress: StreamProgress(),
          wanted: .max, since: 0, sincePacket: 0)))
    let answer = try #require(old.sealed(welcome).first)
    #expect(viewer.opening(answer, at: .zero).isOpened)
    for former in 1_000..<3_100 as Range<UInt64> {
      var recorded = Self.app(former)
      _ = viewer.hears(&recorded, former, at: .milliseconds(former))
    }
    var new = Self.app(2)
    #expect(viewer.hears(&new, 2, at: .seconds(4)))
    #expect(viewer.key(of: SessionID(rawValue: 1)) == Self.key)
    #expect(viewer.opening(answer, at: .seconds(4)) == .dropped("replayed"))
  }
}

extension Opening {
  fileprivate var isOpened: Bool { if case .opened = self { true } else { false } }
}

extension DatagramSeal {
  fileprivate mutating func sealed(_ datagram: Datagram) -> [[UInt8]] {
    seal(Transmission(to: .group, [datagram.encoded()])).flatMap(\.datagrams)
  }

  fileprivate mutating func opening(_ datagram: [UInt8], at now: Duration) -> Opening {
    var room = [UInt8](repeating: 0, count: Limits.datagramSizeMax)
    return datagram.withUnsafeBytes { datagram in
      room.withUnsafeMutableBytes {
        open(datagram, into: $0, from: Endpoint(rawValue: 1), at: now)
      }
    }
  }
}

extension ViewerSeal {
  fileprivate mutating func hears(
    _ app: inout AppSeal, _ session: UInt64, at now: Duration
  ) -> Bool {
    let heartbeat = Datagram(
      session: SessionID(rawValue: session),
      body: .heartbeat(
        Heartbeat(
          instance: InstanceID(high: 1, low: session), app: "app", host: "h", processID: 3,
          contentType: "", acceptsResets: true, datagramSize: 1_472)))
    return app.sealed(heartbeat).map { opening($0, at: now).isOpened } == [true]
  }
}
