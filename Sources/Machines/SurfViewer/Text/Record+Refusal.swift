import SurfWire

extension Record {
  /// Whether it tells of an action that changed nothing: a validator objected, or the app was
  /// locked. SurfLive writes these words.
  package var isRefusal: Bool {
    kind == .log(.warning)
      && (name.hasPrefix("rejected: ") || name.hasPrefix("refused while locked: "))
  }
}
