import SurfWire

extension Record {
  /// Whether it reports an action that changed nothing because a validator rejected it or the app
  /// was locked. SurfLive writes these texts.
  package var isRefusal: Bool {
    kind == .log(.warning)
      && (name.hasPrefix("rejected: ") || name.hasPrefix("refused while locked: "))
  }
}
