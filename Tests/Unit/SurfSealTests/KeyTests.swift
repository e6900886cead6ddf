import SurfSeal
import SurfWire
import TestSupport
import Testing

/// The keys derived from a group's key, and the parts of a key that may be shown.
@Suite struct KeyTests {
  static let drive = GroupKey(.drive, Octets32(0..<32)!)

  @Test func `the keys of 00 to 1f are as they were`() throws {
    #expect(
      hexadecimal(Self.drive.watchKey.octets.octets)
        == "17c62b76f6a0dc5af0ce463c986170ac9ecdb07b1e10859a1ba79b99efac4162")
    #expect(Self.drive.watchKey.id.description == "f6")
    #expect(Self.drive.watchKey.fingerprint.description == "a0941056")
    let known = [
      SealingRole.app: "17dfe3c5195475a9541d6e327fbebb238a24d0181a34e21f6375daeca740ac86",
      .viewer: "a1679b5f0317f36c90368286f4baf8237402c102f95ea4d1613cb685d84ace0e",
      .driver: "8f7e3cb343c14e545c9560d33baf71e65f3b9e03b86dd4b12b52858b97402590",
    ]
    for (role, octets) in known {
      let key = Self.drive.senderKey(for: Self.sender(role))
      #expect(key.map { hexadecimal($0.octets.octets) } == octets, "\(role)")
    }
  }

  @Test func `every role, session and sender has a key of its own`() throws {
    var keys: Set<String> = []
    var count = 0
    for role in [SealingRole.app, .viewer, .driver] {
      for session in [0, 1, 1 << 56, UInt64.max] {
        for sender in [0, 1, 1 << 56, UInt64.max] {
          let place = SealedSender(
            role, session: SessionID(rawValue: session), sender: SenderID(rawValue: sender))
          let key = try #require(Self.drive.senderKey(for: place))
          keys.insert(hexadecimal(key.octets.octets))
          count += 1
        }
      }
    }
    #expect(keys.count == count)
  }

  @Test func `a watch key is its drive key's, but for what moves an app`() {
    let drive = Self.drive
    let watch = Self.drive.watchKey
    #expect(watch.id == drive.id && watch.fingerprint == drive.fingerprint)
    #expect(drive.drives && !watch.drives)
    for role in [SealingRole.app, .viewer] {
      let sender = Self.sender(role)
      #expect(watch.senderKey(for: sender) == drive.senderKey(for: sender))
    }
    #expect(watch.senderKey(for: Self.sender(.driver)) == nil)
    #expect(drive.senderKey(for: Self.sender(.driver)) != nil)
    // Nor does a drive key of the watch key's octets move what the drive key moves.
    let forged = GroupKey(.drive, Self.drive.watchKey.octets)
    #expect(
      forged.senderKey(for: Self.sender(.driver)) != drive.senderKey(for: Self.sender(.driver)))
  }

  @Test func `key ids are 1 to 255, and all of them come`() throws {
    var random = SeededGenerator(seed: 14)
    var ids: Set<UInt8> = []
    for _ in 0..<3_000 { ids.insert(GroupKey.random(&random).id.rawValue) }
    #expect(ids == Set(1...255))
    #expect(KeyID(rawValue: 0) == nil)
    #expect(KeyID(rawValue: 9)?.description == "09")
  }

  @Test func `a key shows its fingerprint and nothing else`() throws {
    let drive = Self.drive
    let watch = Self.drive.watchKey
    let senderKey = try #require(drive.senderKey(for: Self.sender(.app)))
    let fingerprint = Self.drive.watchKey.fingerprint.description
    let values: [Any] = [
      Self.drive, Self.drive.watchKey, drive, watch, KeyRing(drive, [watch]), senderKey,
      Self.drive.octets, ChaChaPoly(senderKey), ChaCha20(senderKey.octets),
      HMACSHA256(key: [1, 2, 3]),
    ]
    for value in values {
      #expect(Mirror(reflecting: value).children.isEmpty)
      var dumped = ""
      dump(value, to: &dumped)
      for text in ["\(value)", String(reflecting: value), dumped] {
        // Words of the keys' octets, in each form that a default description would take.
        for part in ["0, 1", "66051", "00010203", "50462976", "SIMD", "octets", "words"] {
          #expect(!text.contains(part), "\(text)")
        }
      }
    }
    for value in values.prefix(5) { #expect("\(value)".contains(fingerprint)) }
    #expect("\(drive)" == "drive key \(fingerprint)" && "\(watch)" == "watch key \(fingerprint)")
    #expect("\([drive])" == "[drive key \(fingerprint)]" && "\(senderKey)" == "(secret)")
  }

  @Test func `octets are 32, and equal where each of them is`() throws {
    let count = Octets32.count
    for wrong in [0, 1, 31, 33, 64] {
      #expect(Octets32([UInt8](repeating: 0, count: wrong)) == nil)
    }
    let octets = try #require(Octets32(1...32))
    #expect(octets.octets == Array(1...32))
    for bit in 0..<count * 8 {
      var other = [UInt8](1...32)
      other[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(Octets32(other) != octets)
    }
  }

  private static func sender(_ role: SealingRole) -> SealedSender {
    SealedSender(
      role, session: SessionID(rawValue: 0x0102_0304_0506_0708),
      sender: SenderID(ViewerID(rawValue: 0x1112_1314_1516_1718)))
  }
}

extension GroupKey {
  static func random(_ random: inout SeededGenerator) -> GroupKey {
    let octets = Octets32((0..<32).map { _ in UInt8.random(in: 0...255, using: &random) })!
    return Bool.random(using: &random) ? GroupKey(.drive, octets) : GroupKey(.watch, octets)
  }
}
