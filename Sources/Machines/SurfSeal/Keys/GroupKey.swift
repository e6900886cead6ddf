/// A key that a group of people and processes share (Protocol.md §18.1).
package struct GroupKey: Secret, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    /// Seals and opens everything.
    case drive
    /// Opens everything that apps and viewers send, and seals everything except what moves an app:
    /// for people who may look and not touch. The drive key cannot be derived from it.
    case watch
  }

  package let kind: Kind
  package let octets: Octets32
  package let id: KeyID
  package let fingerprint: KeyFingerprint
  /// The octets of the watch key: its own, or those derived from a drive key's.
  let watchOctets: Octets32
  private let watchRoot: HMACSHA256
  /// Nil for a watch key.
  private let driveRoot: HMACSHA256?

  /// - Parameter octets: from an unpredictable source.
  package init(_ kind: Kind, _ octets: Octets32) {
    (self.kind, self.octets) = (kind, octets)
    driveRoot = kind == .drive ? Self.root(octets, "statesurf drive 1") : nil
    watchOctets = driveRoot.map { HKDF.expand($0, info: Array("watch".utf8)) } ?? octets
    watchRoot = Self.root(watchOctets, "statesurf sealed 1")
    id = KeyID(derivedFrom: HKDF.expand(watchRoot, info: Array("key id".utf8), count: 1)[0])
    fingerprint = KeyFingerprint(
      rawValue: HKDF.expand(watchRoot, info: Array("fingerprint".utf8), count: 4)
        .reduce(0) { $0 << 8 | UInt32($1) })
  }

  private static func root(_ octets: Octets32, _ salt: String) -> HMACSHA256 {
    HMACSHA256(key: HKDF.extract(salt: Array(salt.utf8), secret: octets.octets).octets)
  }

  /// The watch key itself, or the one derived from the drive key.
  package var watchKey: GroupKey { kind == .watch ? self : GroupKey(.watch, watchOctets) }

  /// Whether its holder can move apps.
  package var drives: Bool { kind == .drive }

  /// Nil if a watch key is asked for a driver's key.
  package func senderKey(for sender: SealedSender) -> SenderKey? {
    (sender.role == .driver ? driveRoot : watchRoot).map { SenderKey($0, sender) }
  }

  package var description: String { "\(kind.rawValue) key \(fingerprint)" }
}

extension GroupKey: Equatable {
  package static func == (left: GroupKey, right: GroupKey) -> Bool {
    left.kind == right.kind && left.octets == right.octets
  }
}

/// A value that is never shown: not as text, not by a debugger's `po`, not by `dump`.
package protocol Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Secret {
  package var description: String { "(secret)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
