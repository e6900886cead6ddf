internal import SurfDiscovery
internal import SurfThreads

/// DNS-SD of the system, by the agent that keeps a browse up through a daemon that comes and goes.
struct SystemRelayBrowser: RelayBrowser {
  func browse(
    _ type: String, _ handler: @escaping @Sendable (RelaySighting) -> Void
  ) -> any Sendable & AnyObject {
    do throws(ThreadError) {
      let agent = try DiscoveryAgent { event in
        if let sighting = RelaySighting(event) { handler(sighting) }
      }
      agent.pursue(
        .browse(interface: 0, type: type.hasSuffix(".") ? String(type.dropLast()) : type))
      return agent
    } catch {
      handler(.failed("discovery is not available here: \(error)"))
      return Nothing()
    }
  }

  /// Where there is nothing to be kept.
  private final class Nothing: Sendable {}
}

extension RelaySighting {
  /// A service seen on several interfaces counts as one. It is gone when it is gone from one of
  /// them, and found again if it is still seen on another.
  init?(_ event: DiscoveryEvent) {
    switch event {
    case .found(let service): self = .found(DiscoveredService(service))
    case .located(let located):
      var service = DiscoveredService(located.service)
      service.host = located.host
      service.txt = located.record.texts
      service.port = located.port
      self = .found(service)
    case .removed(let service): self = .removed(DiscoveredService(service))
    case .failed(_, let failure): self = .failed("\(failure)")
    case .daemon, .registered, .resolved, .malformed: return nil
    }
  }
}

extension DiscoveredService {
  init(_ service: Service) {
    self.init(name: service.name, type: service.type, domain: service.domain)
  }
}
