internal import SurfDiscovery
internal import SurfThreads

/// Browses by the system's DNS-SD. Its `DiscoveryAgent` survives restarts of the daemon.
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

  /// The handle of a browse that could not start.
  private final class Nothing: Sendable {}
}

extension RelaySighting {
  /// A service on several interfaces counts as one. When one interface loses it, it is removed, and
  /// found again if another interface still sees it.
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

/// An event of a `RelayBrowser`.
package enum RelaySighting: Equatable, Sendable {
  /// A service appeared, was resolved, or changed.
  case found(DiscoveredService)
  case removed(DiscoveredService)
  /// Browsing failed for the given reason. It goes on trying.
  case failed(String)
}

/// Browses for relays: `SystemRelayBrowser`, or a fake in tests.
package protocol RelayBrowser: Sendable {
  /// Browses for services of `type` until the caller releases the result. Calls `handler` on a
  /// thread of its own, or before it returns if browsing cannot start.
  func browse(
    _ type: String, _ handler: @escaping @Sendable (RelaySighting) -> Void
  ) -> any Sendable & AnyObject
}

/// A relay found by DNS-SD, for an app to list and connect to.
public struct DiscoveredService: Codable, Hashable, Sendable, Identifiable {
  /// The name of the service instance, for people.
  public var name: String
  /// The service type, `_reduxdevtools._tcp.`.
  public var type: String
  /// The domain, `local.`.
  public var domain: String
  /// The `key=value` pairs of the TXT record.
  public var txt: [String: String]
  /// The host name or address. Nil until the service is resolved.
  public var host: String?
  /// Nil until the service is resolved.
  public var port: UInt16?

  /// A service, resolved if `host` and `port` are given.
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

  /// Stays the same when the host, port or TXT record changes.
  public var id: String { "\(name).\(type)\(domain)" }

  /// The service's WebSocket URL, with an IPv6 address in brackets (RFC 3986 §3.2.2). Nil until the
  /// service is resolved.
  public func webSocketURL(path: String = "/", secure: Bool = false) -> String? {
    guard let host, let port else { return nil }
    let authority = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    return "\(secure ? "wss" : "ws")://\(authority):\(port)\(path)"
  }
}
