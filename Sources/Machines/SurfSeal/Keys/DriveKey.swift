/// Seals and opens all that there is.
package struct DriveKey: Secret, Sendable {
  package let octets: Octets32
  /// What somebody gets who may look and not touch: no way leads back from it.
  package let watchKey: WatchKey
  private let root: HMACSHA256

  /// - Parameter octets: of a source that nobody can foresee.
  package init(_ octets: Octets32) {
    self.octets = octets
    root = HMACSHA256(
      key: HKDF.extract(salt: Array("statesurf drive 1".utf8), secret: octets.octets).octets)
    watchKey = WatchKey(HKDF.expand(root, info: Array("watch".utf8)))
  }

  /// The fingerprint, and what the key is for.
  package var description: String { "drive key \(watchKey.fingerprint)" }

  func senderKey(for sender: SealedSender) -> SenderKey {
    switch sender.role {
    case .app, .viewer: watchKey.senderKey(for: sender)
    case .driver: SenderKey(root, sender)
    }
  }
}

extension DriveKey: Equatable {
  package static func == (left: DriveKey, right: DriveKey) -> Bool { left.octets == right.octets }
}
