/// Waits for one service to be resolved.
enum Resolution {
  /// The service with its host and port; nil if it did not answer within `patience`.
  static func find(
    _ service: DiscoveredService, with browser: any RelayBrowser, patience: Duration
  ) async -> DiscoveredService? {
    let (sightings, continuation) = AsyncStream.makeStream(of: RelaySighting.self)
    let browse = browser.browse(service.type) { continuation.yield($0) }
    defer { withExtendedLifetime(browse) {} }
    let timer = Task {
      // Only cancellation ends it early, when no caller waits any more.
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
