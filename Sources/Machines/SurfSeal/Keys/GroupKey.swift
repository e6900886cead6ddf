/// A key that a group of people and processes share: to drive apps, or only to watch them
/// (Protocol.md §18.1).
package enum GroupKey: Secret, Sendable, Equatable {
  case drive(DriveKey)
  case watch(WatchKey)

  /// The watch key itself, or the one derived from the drive key.
  package var watchKey: WatchKey {
    switch self {
    case .drive(let key): key.watchKey
    case .watch(let key): key
    }
  }

  package var id: KeyID { watchKey.id }
  package var fingerprint: KeyFingerprint { watchKey.fingerprint }

  /// Whether its holder can move apps.
  package var drives: Bool {
    switch self {
    case .drive: true
    case .watch: false
    }
  }

  /// Nil if a watch key is asked for a driver's key.
  package func senderKey(for sender: SealedSender) -> SenderKey? {
    switch (self, sender.role) {
    case (.drive(let key), _): key.senderKey(for: sender)
    case (.watch, .driver): nil
    case (.watch(let key), _): key.senderKey(for: sender)
    }
  }

  package var description: String {
    switch self {
    case .drive(let key): key.description
    case .watch(let key): key.description
    }
  }
}

/// Seals and opens everything.
package struct DriveKey: Secret, Sendable {
  package let octets: Octets32
  /// The key for people who may look and not touch. The drive key cannot be derived from it.
  package let watchKey: WatchKey
  private let root: HMACSHA256

  /// - Parameter octets: from an unpredictable source.
  package init(_ octets: Octets32) {
    self.octets = octets
    root = HMACSHA256(
      key: HKDF.extract(salt: Array("statesurf drive 1".utf8), secret: octets.octets).octets)
    watchKey = WatchKey(HKDF.expand(root, info: Array("watch".utf8)))
  }

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

/// Opens everything that apps and viewers send, and seals everything except what moves an app.
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

  package var description: String { "watch key \(fingerprint)" }

  func senderKey(for sender: SealedSender) -> SenderKey { SenderKey(root, sender) }
}

extension WatchKey: Equatable {
  package static func == (left: WatchKey, right: WatchKey) -> Bool { left.octets == right.octets }
}

/// A value that is never shown: not as text, not by a debugger's `po`, not by `dump`.
package protocol Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Secret {
  package var description: String { "(secret)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
