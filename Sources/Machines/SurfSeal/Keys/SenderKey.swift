package import SurfWire

/// Names the stream that a key seals: one role of one sender in one session. No two streams share a
/// key.
package struct SealedSender: Hashable, Sendable {
  package var role: SealingRole
  package var session: SessionID
  package var sender: SenderID

  package init(_ role: SealingRole, session: SessionID, sender: SenderID) {
    (self.role, self.session, self.sender) = (role, session, sender)
  }

  /// The purpose that HKDF derives the key for. Unique, because the role is the only part whose
  /// length varies, and no two roles agree.
  var info: [UInt8] {
    var info = Array(role.rawValue.utf8)
    for number in [session.rawValue, sender.rawValue] {
      withUnsafeBytes(of: number.bigEndian) { info += $0 }
    }
    return info
  }
}

/// 64 random bits: a viewer's id, or a number that an app draws with each session id.
package struct SenderID: Hashable, Sendable, RawRepresentable {
  package let rawValue: UInt64
  package init(rawValue: UInt64) { self.rawValue = rawValue }
  package init(_ viewer: ViewerID) { rawValue = viewer.rawValue }
}

/// The key under which one sender seals in one session.
package struct SenderKey: Secret, Sendable, Equatable {
  package let octets: Octets32

  /// A key not derived from a group key, for tests of ciphers.
  package init(_ octets: Octets32) { self.octets = octets }

  init(_ root: HMACSHA256, _ sender: SealedSender) {
    octets = HKDF.expand(root, info: sender.info)
  }
}

/// 32 octets, stored inline: a SHA-256 hash, or a key.
package struct Octets32: Secret, Sendable {
  /// In the order of the octets; each word is big-endian, as in SHA-256.
  let words: SIMD8<UInt32>

  init(words: SIMD8<UInt32>) { self.words = words }

  /// Nil unless there are exactly 32 octets.
  package init?(_ octets: some Collection<UInt8>) {
    guard octets.count == Self.count else { return nil }
    var words = SIMD8<UInt32>.zero
    for (index, octet) in octets.enumerated() {
      words[index / 4] = words[index / 4] << 8 | UInt32(octet)
    }
    self.words = words
  }

  package static let count = 32

  /// A copy, for code that encodes the octets or passes them to a library.
  package var octets: [UInt8] {
    // In two steps, because Swift took half a second to check the types of one.
    (0..<Self.count).map { (index: Int) -> UInt8 in
      let shift = UInt32(24 - index % 4 * 8)
      return UInt8(truncatingIfNeeded: words[index / 4] >> shift)
    }
  }
}

extension Octets32: Equatable {
  /// Takes the same time wherever the values differ.
  package static func == (left: Octets32, right: Octets32) -> Bool {
    let difference = left.words ^ right.words
    return (0..<8).reduce(UInt32(0)) { $0 | difference[$1] } == 0
  }
}
