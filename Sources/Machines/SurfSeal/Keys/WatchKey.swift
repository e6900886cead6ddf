/// Opens all that apps and viewers send, and seals all but what moves an app.
package struct WatchKey: Secret, Sendable {
  package let octets: Octets32
  package let id: KeyID
  package let fingerprint: KeyFingerprint
  private let root: HMACSHA256

  package init(_ octets: Octets32) {
    self.octets = octets
    root = HMACSHA256(
      key: HKDF.extract(salt: Array("statesurf sealed 1".utf8), secret: octets.octets).octets)
    id = KeyID(derivedFrom: HKDF.expand(root, info: Array("key id".utf8), count: 1)[0])
    fingerprint = KeyFingerprint(
      rawValue: HKDF.expand(root, info: Array("fingerprint".utf8), count: 4)
        .reduce(0) { $0 << 8 | UInt32($1) })
  }

  /// The fingerprint, and what the key is for.
  package var description: String { "watch key \(fingerprint)" }

  func senderKey(for sender: SealedSender) -> SenderKey { SenderKey(root, sender) }
}

extension WatchKey: Equatable {
  package static func == (left: WatchKey, right: WatchKey) -> Bool { left.octets == right.octets }
}
