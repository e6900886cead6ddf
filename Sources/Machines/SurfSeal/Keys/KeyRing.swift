import SurfBasics

/// The keys of a key file: the first seals, all open (a ring of one is the common case).
package struct KeyRing: Secret, Sendable {
  /// The key under which a session that begins now is sealed.
  package let sealingKey: GroupKey
  /// All, in the order of the file, each once.
  package let keys: [GroupKey]

  package init(_ first: GroupKey, _ others: [GroupKey] = []) {
    sealingKey = first
    keys = others.reduce(into: [first]) { keys, key in
      if !keys.contains(key) { keys.append(key) }
    }
  }

  /// Whether there are keys to try on a datagram that bears `id`.
  func has(_ id: KeyID) -> Bool { keys.contains { $0.id == id } }

  /// Those to try on a datagram that bears `id`: mostly one, none if it was sealed by strangers. Of
  /// a drive key and its own watch key only the first, which opens as much, and moves apps besides.
  package func keys(with id: KeyID) -> [GroupKey] {
    keys.filter { key in
      guard key.id == id, !key.drives else { return key.id == id }
      return !keys.contains { $0.drives && $0.watchKey == key.watchKey }
    }
  }

  package var description: String { keys.map(\.description).joined(separator: ", ") }
}

extension KeyRing {
  /// Ids that keys have which have nothing to do with each other; all of them are tried.
  package var ambiguousIDs: [KeyID] {
    Dictionary(grouping: keys, by: \.id).filter { _, keys in
      keys.contains { $0.watchKey != keys[0].watchKey }
    }.keys.sorted { $0.rawValue < $1.rawValue }
  }

  /// Watch keys whose drive keys are here, too: those open as much, and move apps besides.
  package var needlessWatchKeys: [GroupKey] {
    keys.filter { key in
      !key.drives && keys.contains { $0.drives && $0.watchKey == key.watchKey }
    }
  }
}

/// Which key of a ring sealed a datagram, in the clear; another key has the same one by a chance
/// of 1 in 255.
package struct KeyID: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
  package let rawValue: UInt8

  /// Nil for 0, which says that a datagram is not sealed.
  package init?(rawValue: UInt8) {
    guard rawValue > 0 else { return nil }
    self.rawValue = rawValue
  }

  /// Of all 255 ids, each as likely as any other, nearly.
  init(derivedFrom octet: UInt8) { rawValue = octet % 255 + 1 }

  /// Two hexadecimal digits.
  package var description: String { rawValue.digits(2, radix: 16) }
}

/// What people compare to learn whether they have the same key; of a drive key and its watch key,
/// the same.
package struct KeyFingerprint: Hashable, Sendable, CustomStringConvertible {
  package let rawValue: UInt32

  /// Eight hexadecimal digits.
  package var description: String { rawValue.digits(8, radix: 16) }
}
