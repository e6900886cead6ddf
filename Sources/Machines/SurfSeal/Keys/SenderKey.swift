package import SurfWire

/// Whose key it is that seals a datagram: no two streams share one.
package struct SealedSender: Hashable, Sendable {
  package enum Role: String, Hashable, Sendable {
    /// Everything that an app sends.
    case app
    /// What a viewer sends, but for what moves the app.
    case viewer
    /// What moves the app: a reset, a command.
    case driver
  }

  package var role: Role
  package var session: SessionID
  package var sender: SenderID

  package init(_ role: Role, session: SessionID, sender: SenderID) {
    (self.role, self.session, self.sender) = (role, session, sender)
  }

  /// Labels are of different lengths or letters, and numbers of one length: two senders never have
  /// the same octets.
  var info: [UInt8] {
    var info = Array(role.rawValue.utf8)
    for number in [session.rawValue, sender.rawValue] {
      withUnsafeBytes(of: number.bigEndian) { info += $0 }
    }
    return info
  }
}

/// 64 random bits: a viewer's id, or a number that an app draws with each session's.
package struct SenderID: Hashable, Sendable, RawRepresentable {
  package let rawValue: UInt64
  package init(rawValue: UInt64) { self.rawValue = rawValue }
  package init(_ viewer: ViewerID) { rawValue = viewer.rawValue }
}

/// The key under which one sender seals in one session.
package struct SenderKey: Secret, Sendable, Equatable {
  package let octets: Octets32

  /// One that no group key leads to, for tests of ciphers.
  package init(_ octets: Octets32) { self.octets = octets }

  init(_ root: HMACSHA256, _ sender: SealedSender) {
    octets = HKDF.expand(root, info: sender.info)
  }
}
