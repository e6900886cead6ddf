/// A key that a group of people and processes share, and what it allows.
package enum GroupKey: Secret, Sendable, Equatable {
  case drive(DriveKey)
  case watch(WatchKey)

  /// Of itself, or of what can be derived from it.
  package var watchKey: WatchKey {
    switch self {
    case .drive(let key): key.watchKey
    case .watch(let key): key
    }
  }

  package var id: KeyID { watchKey.id }
  package var fingerprint: KeyFingerprint { watchKey.fingerprint }

  /// Whether who has it can move apps.
  package var drives: Bool {
    switch self {
    case .drive: true
    case .watch: false
    }
  }

  /// Nil for a driver's under a watch key.
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
