/// Resolves one service by DNS-SD, for `DevToolsEnvironment.resolveService`.
enum Resolution {
  /// The service with its host and port. Nil if it did not answer within `patience`.
  static func find(
    _ service: DiscoveredService, with browser: any RelayBrowser, patience: Duration
  ) async -> DiscoveredService? {
    let (sightings, continuation) = AsyncStream.makeStream(of: RelaySighting.self)
    let browse = browser.browse(service.type) { continuation.yield($0) }
    defer { withExtendedLifetime(browse) {} }
    let timer = Task {
      // Only cancellation interrupts the sleep, and then nobody waits any more.
      do { try await Task.sleep(for: patience) } catch {}
      continuation.finish()
    }
    defer { timer.cancel() }
    for await sighting in sightings {
      if case .found(let found) = sighting, found.id == service.id, found.host != nil,
        found.port != nil
      {
        return found
      }
    }
    return nil
  }
}
