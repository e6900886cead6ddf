extension KeyRing {
  /// Ids that several of its keys have, which are all tried: a drive key and its own watch key, or,
  /// by chance, two that have nothing to do with each other.
  package var sharedIDs: [KeyID] {
    Dictionary(grouping: keys, by: \.id).filter { $0.value.count > 1 }.keys
      .sorted { $0.rawValue < $1.rawValue }
  }
}
