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
