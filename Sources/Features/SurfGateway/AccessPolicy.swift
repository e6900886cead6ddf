import SurfHTTP

/// Decides who may talk to the gateway: a stranger's page must not reach an app's state through the
/// browser of a person who merely looks at it (RFC 6455 §10.2; DNS rebinding).
package struct OriginPolicy: Sendable {
  let hosts: Set<String>
  let origins: Set<String>

  /// Lets these names and origins in, besides the safe ones.
  package init(hosts: Set<String> = [], origins: Set<String> = []) {
    self.hosts = hosts
    self.origins = origins
  }

  /// Why a request is turned away; nil if it may pass.
  package func rejectionReason(for request: HTTPRequest) -> String? {
    let host = Self.name(inAuthority: request.headers["Host"] ?? "")
    // A name can be made to mean any address; a literal address means itself.
    guard Self.isLocal(host) || Self.isLiteral(host) || hosts.contains(host) else {
      return "the Host '\(host)' is not the gateway's; --allow-host \(host) lets it in"
    }
    let origins = request.headers.values(of: "Origin")
    // Another reader of the same request might look at the other (RFC 9110 §5.3).
    guard origins.count < 2 else { return "there is more than one Origin" }
    guard let origin = origins.first, !isAllowed(origin) else { return nil }
    return "the Origin '\(origin)' may not connect; --allow-origin \(origin) lets it in"
  }

  private func isAllowed(_ origin: String) -> Bool {
    if origins.contains(origin) { return true }
    // One origin is meant, and not a list of them (RFC 6454 §7.1).
    if origin.contains(where: { $0 == " " || $0 == "," }) { return false }
    // The panel's own forms: a browser extension, and a page from a file.
    if origin.hasPrefix("chrome-extension://") || origin.hasPrefix("moz-extension://") {
      return true
    }
    guard let scheme = ["http://", "https://"].first(where: origin.hasPrefix) else {
      return origin == "file://"
    }
    return Self.isLocal(Self.name(inAuthority: String(origin.dropFirst(scheme.count))))
  }

  private static func isLocal(_ host: String) -> Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host == "::1"
      || (host.hasPrefix("127.") && isLiteral(host))
  }

  /// Four numbers, or an address in brackets.
  private static func isLiteral(_ host: String) -> Bool {
    if host.contains(":") { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }

  /// The host of `host:port` or `[address]:port`, in small letters.
  private static func name(inAuthority authority: String) -> String {
    if authority.hasPrefix("[") {
      return String(authority.dropFirst().prefix { $0 != "]" }).lowercased()
    }
    return String(authority.prefix { $0 != ":" }).lowercased()
  }
}
