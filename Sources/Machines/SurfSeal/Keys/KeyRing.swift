import SurfBasics

/// The keys of a key file, often just one. The first seals new sessions; all of them open.
package struct KeyRing: Secret, Sendable {
  /// The key for sessions that begin now.
  package let sealingKey: GroupKey
  /// All keys in the order of the file, without duplicates.
  package let keys: [GroupKey]

  package init(_ first: GroupKey, _ others: [GroupKey] = []) {
    sealingKey = first
    keys = others.reduce(into: [first]) { keys, key in
      if !keys.contains(key) { keys.append(key) }
    }
  }

  /// Whether any key has this id.
  package func has(_ id: KeyID) -> Bool { keys.contains { $0.id == id } }

  /// The keys to try on a datagram with this id: usually one, and none if strangers sealed it. It
  /// leaves out a watch key whose drive key is here, which opens as much.
  package func keys(with id: KeyID) -> [GroupKey] {
    keys.filter { $0.id == id && !isNeedless($0) }
  }

  /// Whether the drive key of this watch key is here.
  private func isNeedless(_ key: GroupKey) -> Bool {
    !key.drives && keys.contains { $0.drives && $0.watchOctets == key.octets }
  }

  package var description: String { keys.map(\.description).joined(separator: ", ") }
}

extension KeyRing {
  /// Ids that several unrelated keys share. All those keys are tried.
  package var ambiguousIDs: [KeyID] {
    Dictionary(grouping: keys, by: \.id).filter { _, keys in
      keys.contains { $0.watchOctets != keys[0].watchOctets }
    }.keys.inOrder { $0.rawValue < $1.rawValue }
  }

  /// Watch keys whose drive keys are also here. Drive keys open as much, and also move apps.
  package var needlessWatchKeys: [GroupKey] {
    keys.filter(isNeedless)
  }
}

/// Identifies, in the clear, the key that sealed a datagram. Another key has the same id with
/// probability 1 in 255.
package struct KeyID: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
  package let rawValue: UInt8

  /// Nil for 0, which means that a datagram is not sealed.
  package init?(rawValue: UInt8) {
    guard rawValue > 0 else { return nil }
    self.rawValue = rawValue
  }

  /// Maps an octet to one of the 255 ids, almost evenly.
  init(derivedFrom octet: UInt8) { rawValue = octet % 255 + 1 }

  /// Two hexadecimal digits.
  package var description: String { rawValue.digits(2, radix: 16) }
}

/// What people compare to find out whether they have the same key. A drive key and its watch key
/// have the same.
package struct KeyFingerprint: Hashable, Sendable, CustomStringConvertible {
  package let rawValue: UInt32

  /// Eight hexadecimal digits.
  package var description: String { rawValue.digits(8, radix: 16) }
}
