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
