import SurfReceiving
import SurfSeal
import SurfTransport
import SurfWire
import TestSupport
import Testing

private let document = ProtocolDocument.shared

/// Tests/Vectors/sealed.txt.
@Suite struct SealedVectorTests {
  private static let drive = GroupKey(.drive, Octets32(0..<32)!)
  private static let session = SessionID(rawValue: 0x1122_3344_5566_7788)
  private static let app = SenderID(rawValue: 0x1112_1314_1516_1718)
  private static let viewer = ViewerID(rawValue: 0xa1a2_a3a4_a5a6_a7a8)
  /// Another viewer: what its own one sends would be its own, come back.
  private static let onlooker = ViewerID(rawValue: 7)

  private static let sealed = TestVector.sealed.filter { $0.name.hasPrefix("sealed-") }
  private static let refused = TestVector.sealed.filter(\.isRefused)

  @Test func `the keys are those of the file`() throws {
    let watch = Self.drive.watchKey
    let id = watch.id.rawValue
    let senders: [(SealingRole, SenderID)] = [
      (.app, Self.app), (.viewer, SenderID(Self.viewer)), (.driver, SenderID(Self.viewer)),
    ]
    var keys = ["key-watch": watch.octets.octets, "key-id": [id]]
    keys["key-fingerprint"] = octets(watch.fingerprint.description)
    for (role, sender) in senders {
      let place = SealedSender(role, session: Self.session, sender: sender)
      keys["key-\(role)"] = Self.drive.senderKey(for: place)?.octets.octets
    }
    let expected = TestVector.sealed.filter { $0.name.hasPrefix("key-") }
    #expect(Set(expected.map(\.name)) == Set(keys.keys))
    for vector in expected { #expect(keys[vector.name] == vector.bytes, "\(vector)") }
  }

  @Test func `each type has a vector, and each reason one that is refused for it`() {
    let codes = Set(Self.sealed.map { $0.bytes[3] })
    let types: Set<UInt8> = Set(1...19)
    #expect(codes == types)
    // `busy` takes 1,024 senders (ReplayTests).
    let reasons: Set<String> = ["unknown key", "does not open", "not sealed", "replayed"]
    #expect(reasons.isSubset(of: Set(Self.refused.map(\.reason))))
    let rows = document.rows(section: "15").map { $0[0] }
    for vector in Self.refused { #expect(rows.contains(vector.reason), "\(vector)") }
  }

  @Test func `a sealed vector opens to the vector of its name`() throws {
    var ends = Ends()
    for vector in Self.sealed {
      let opened = ends.open(vector.bytes)
      #expect(opened == .success(try Self.open(vector)), "\(vector)")
    }
  }

  @Test func `what the vectors say is sealed as they say`() throws {
    var app = AppSeal(
      Self.drive, session: Self.session, sender: Self.app, makeCipher: ChaChaPoly.init)
    var viewer = ViewerSeal(
      KeyRing(Self.drive), viewer: Self.viewer, makeCipher: ChaChaPoly.init)
    for vector in Self.sealed {
      let transmission = Transmission(to: .group, [try Self.open(vector)])
      let isApp = SealingRole(code: vector.bytes[3]) == .app
      let sent = isApp ? app.seal(transmission) : viewer.seal(transmission)
      // An open probe goes beside the sealed one.
      #expect(sent.last?.datagrams == [vector.bytes], "\(vector)")
      if vector.name == "sealed-heartbeat" { _ = viewer.opened(vector.bytes) }
    }
  }

  @Test func `what is refused is refused for the reason that it names`() {
    var ends = Ends()
    for vector in Self.sealed { _ = ends.open(vector.bytes) }
    for vector in Self.refused {
      #expect(ends.open(vector.bytes) == .failure(Refusal(reason: vector.reason)), "\(vector)")
    }
  }

  /// At the app, at a viewer that holds packets for others, and back at the viewer that sent it.
  @Test func `with one bit flipped, nothing opens but a packet with other flags, and all count`() {
    let heartbeat = Self.sealed[0].bytes
    for vector in Self.sealed {
      var ends = Everybody()
      _ = ends.openings(of: heartbeat)
      for bit in 0..<vector.bytes.count * 8 {
        var bytes = vector.bytes
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        var copy = ends
        let isFlag = bytes[3] == 1 && (6..<8).contains(bit / 8)
        // Of a session that nobody has heard of: its heartbeat may come (§10.8). A probe is of none.
        let isUnheard = (8..<16).contains(bit / 8) || SealedHeader.isProbe(code: vector.bytes[3])
        let openings = copy.openings(of: bytes)
        #expect(openings.app.isCounted, "\(vector), bit \(bit)")
        let atOthers = isFlag ? openings.others == .opened : openings.others != .opened
        #expect(atOthers, "\(vector), bit \(bit)")
        #expect(openings.others != .unseen || isUnheard, "\(vector), bit \(bit)")
        let atSender = openings.sender == .opened
        #expect(atSender == isFlag, "\(vector), bit \(bit)")
      }
    }
  }

  @Test func `who has the watch key opens all but what moves an app, and seals none of it`() throws
  {
    let watch = Self.drive.watchKey
    var app = AppSeal(watch, session: Self.session, sender: Self.app, makeCipher: ChaChaPoly.init)
    var viewer = ViewerSeal(KeyRing(watch), viewer: Self.viewer, makeCipher: ChaChaPoly.init)
    for vector in Self.sealed {
      let role = SealingRole(code: vector.bytes[3])
      let opened = role == .app ? viewer.opened(vector.bytes) : app.opened(vector.bytes)
      let hasOpened = if case .success = opened { true } else { false }
      #expect(hasOpened == (role != .driver), "\(vector)")
      guard role == .driver else { continue }
      #expect(viewer.seal(Transmission(to: .group, [try Self.open(vector)])).isEmpty, "\(vector)")
    }
  }

  private static func open(_ vector: TestVector) throws -> [UInt8] {
    let name = vector.name.dropFirst("sealed-".count)
    return try #require(TestVector.open.first { $0.name == name }).bytes
  }

  fileprivate static var everybody: (any DatagramSeal, any DatagramSeal, any DatagramSeal) {
    (
      AppSeal(drive, session: session, sender: app, makeCipher: ChaChaPoly.init),
      ViewerSeal(KeyRing(drive), viewer: onlooker, makeCipher: ChaChaPoly.init),
      ViewerSeal(KeyRing(drive), viewer: viewer, makeCipher: ChaChaPoly.init)
    )
  }

  fileprivate struct Refusal: Error, Equatable { let reason: String }

  /// The app, and a viewer that hears it. Each gets the datagrams addressed to it.
  private struct Ends {
    private var app = AppSeal(
      drive, session: session, sender: SealedVectorTests.app, makeCipher: ChaChaPoly.init)
    private var viewer = ViewerSeal(
      KeyRing(drive), viewer: onlooker, makeCipher: ChaChaPoly.init)

    mutating func open(_ datagram: [UInt8]) -> Result<[UInt8], Refusal> {
      SealingRole(code: datagram[3]) == .app ? viewer.opened(datagram) : app.opened(datagram)
    }
  }
}

/// The app, a viewer that holds its packets for others, and the one whose questions these are.
private struct Everybody {
  enum Opening: Equatable {
    case opened
    case dropped(String)
    /// It meant nothing.
    case unseen

    /// For a reason of Protocol.md §15, or as something that is for the others.
    var isCounted: Bool { if case .dropped = self { true } else { false } }
  }

  private var app: any DatagramSeal
  private var others: any DatagramSeal
  private var sender: any DatagramSeal
  private var reader = RunReader()

  init() {
    (app, others, sender) = SealedVectorTests.everybody
  }

  mutating func openings(
    of bytes: [UInt8]
  ) -> (app: Opening, others: Opening, sender: Opening) {
    (
      Self.opening(of: bytes, &app, &reader), Self.opening(of: bytes, &others, &reader),
      Self.opening(of: bytes, &sender, &reader)
    )
  }

  private static func opening(
    of bytes: [UInt8], _ seal: inout any DatagramSeal, _ reader: inout RunReader
  ) -> Opening {
    var opening = Opening.unseen
    bytes.withUnsafeBytes { bytes in
      reader.read(
        bytes, segmentSize: bytes.count, through: &seal, from: Endpoint(rawValue: 0), at: .zero
      ) { result, _ in
        switch result {
        case .success: opening = .opened
        case .failure(let drop): opening = .dropped(drop.reason)
        }
      }
    }
    return opening
  }
}

extension DatagramSeal {
  fileprivate mutating func opened(
    _ datagram: [UInt8]
  ) -> Result<[UInt8], SealedVectorTests.Refusal> {
    var room = [UInt8](repeating: 0, count: Limits.datagramSizeMax)
    let opening = datagram.withUnsafeBytes { datagram in
      room.withUnsafeMutableBytes {
        open(datagram, into: $0, from: Endpoint(rawValue: 0), at: .zero)
      }
    }
    return switch opening {
    case .opened(let size): .success(Array(room.prefix(size)))
    case .asItIs: .failure(.init(reason: "open"))
    case .passed: .failure(.init(reason: "passed"))
    case .dropped(let reason): .failure(.init(reason: reason))
    }
  }
}
