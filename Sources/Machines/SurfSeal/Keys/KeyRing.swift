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
