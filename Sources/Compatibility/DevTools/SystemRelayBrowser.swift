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

/// A relay that was found by DNS-SD.
public struct DiscoveredService: Codable, Hashable, Sendable, Identifiable {
  /// The instance's name, for people.
  public var name: String
  /// The service type, `_reduxdevtools._tcp.`.
  public var type: String
  /// The domain, `local.`.
  public var domain: String
  /// The `key=value` pairs beside the service.
  public var txt: [String: String]
  /// The machine's name or address; nil until the service was resolved.
  public var host: String?
  /// The port; nil until the service was resolved.
  public var port: UInt16?

  /// A service by its name, resolved if `host` and `port` are known.
  public init(
    name: String, type: String, domain: String = "local.", txt: [String: String] = [:],
    host: String? = nil, port: UInt16? = nil
  ) {
    self.name = name
    self.type = type
    self.domain = domain
    self.txt = txt
    self.host = host
    self.port = port
  }

  /// What stays the same while the rest is updated.
  public var id: String { "\(name).\(type)\(domain)" }

  /// The URL of a WebSocket at this service, with an IPv6 address in brackets (RFC 3986 §3.2.2);
  /// nil until the service was resolved.
  public func webSocketURL(path: String = "/", secure: Bool = false) -> String? {
    guard let host, let port else { return nil }
    let authority = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    return "\(secure ? "wss" : "ws")://\(authority):\(port)\(path)"
  }
}
