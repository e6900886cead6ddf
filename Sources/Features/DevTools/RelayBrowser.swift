/// What browsing for relays has to tell.
package enum RelaySighting: Equatable, Sendable {
  /// A service is there; told again when it is resolved or says something new.
  case found(DiscoveredService)
  case removed(DiscoveredService)
  /// Browsing does not work; it goes on trying.
  case failed(String)
}

/// Looks for relays by DNS-SD.
package protocol RelayBrowser: Sendable {
  /// Looks for services of `type` until the result is released, and calls `handler` on a thread of
  /// its own.
  func browse(
    _ type: String, _ handler: @escaping @Sendable (RelaySighting) -> Void
  ) -> any Sendable & AnyObject
}
