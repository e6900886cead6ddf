import SurfStreams
import SurfWeb

/// Decides for `InboundStreams` whether to serve a request (Relay.md, HTTP and WebSocket):
/// it must carry the token or, where none is needed, name this machine as its `Host`. A stranger's
/// web page must not read an app's state through a visitor's browser (RFC 6455 §10.2; DNS
/// rebinding).
package struct AccessPolicy: Sendable {
  package enum Verdict: Equatable, Sendable {
    case admitted
    /// Serve the page at `/` without a token: it says only how to connect.
    case page
    case refused(AccessRefusal)
  }

  private let hosts: Set<String>
  private let origins: Set<String>
  private let token: AccessToken?
  private let needsToken: @Sendable (TCPAddress) -> Bool

  package init(_ configuration: GatewayConfiguration) {
    hosts = configuration.hosts
    origins = configuration.origins
    token = configuration.token
    needsToken = { configuration.needsToken(at: $0) }
  }

  /// - Parameters:
  ///   - request: the head of the request; its body has not been read.
  ///   - address: the local address that accepted the stream, which the client cannot forge.
  package func verdict(on request: HTTPRequest, at address: TCPAddress) -> Verdict {
    let origins = request.headers.values(of: "Origin")
    // With several, a proxy or a browser might trust one and we the other (RFC 9110 §5.3).
    guard origins.count < 2 else { return .refused(.origins) }
    if let origin = origins.first, !isAllowed(origin) { return .refused(.origin(origin)) }
    guard needsToken(address) else { return judgeHost(of: request, at: address) }
    let texts = AccessToken.texts(in: request)
    // A page that was rebound to our address does not know the token, so any `Host` will do.
    if texts.contains(where: isRight) { return .admitted }
    if GatewayPage.isWanted(by: request), !request.announcesBody { return .page }
    return .refused(texts.isEmpty ? .noToken : .wrongToken)
  }

  private func isRight(_ text: String) -> Bool {
    guard let token, let given = AccessToken(parsing: text) else { return false }
    return token.matches(given)
  }

  private func judgeHost(of request: HTTPRequest, at address: TCPAddress) -> Verdict {
    let text = request.headers["Host"] ?? ""
    let host = Authority(text)
    // DNS can map a name to any address. A literal address means only itself.
    let isOwn = host.isLocal && host.port == address.port
    return isOwn || hosts.contains(host.name) ? .admitted : .refused(.host(text))
  }

  private func isAllowed(_ origin: String) -> Bool {
    if origins.contains(origin) { return true }
    // A list of origins is not an origin (RFC 6454 §7.1).
    if origin.contains(where: { $0 == " " || $0 == "," }) { return false }
    // The panel runs in a browser extension or from a file.
    if origin.hasPrefix("chrome-extension://") || origin.hasPrefix("moz-extension://") {
      return true
    }
    guard let scheme = ["http://", "https://"].first(where: origin.hasPrefix) else {
      return origin == "file://"
    }
    return Authority(String(origin.dropFirst(scheme.count))).isLocal
  }
}

/// The `host:port` or `[address]:port` of a `Host` or `Origin` header.
private struct Authority {
  /// In lowercase; an IPv6 address keeps its brackets.
  let name: String
  /// 80 if the text has no port; nil if the port is not a number.
  let port: UInt16?

  init(_ text: String) {
    let end = text.hasPrefix("[") ? text.firstIndex(of: "]") : nil
    let colon = text[(end ?? text.startIndex)...].firstIndex(of: ":") ?? text.endIndex
    name = text[..<colon].lowercased()
    let digits = text[colon...].dropFirst()
    // `UInt16` would accept a sign.
    let isNumber = digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
    port = colon == text.endIndex ? 80 : isNumber ? UInt16(digits) : nil
  }

  var isLocal: Bool {
    name == "localhost" || TCPAddress(parsing: name, port: 0)?.isLoopback == true
  }
}

/// Why the gateway refuses a request.
package enum AccessRefusal: Equatable, Sendable {
  case host(String)
  case origin(String)
  /// The request has more than one `Origin`.
  case origins
  case noToken
  case wrongToken

  /// The name under which the gateway counts it.
  package var kind: String {
    switch self {
    case .host: "turned away: Host"
    case .origin, .origins: "turned away: Origin"
    case .noToken: "turned away: no token"
    case .wrongToken: "turned away: wrong token"
    }
  }

  var isOfOrigin: Bool {
    switch self {
    case .origin, .origins: true
    case .host, .noToken, .wrongToken: false
    }
  }

  /// The problem, and how to fix it. Never contains any part of a token.
  package var reason: String {
    switch self {
    case .host(let host):
      "the Host '\(host)' is not the gateway's; --allow-host \(Self.name(host)) lets it in"
    case .origin(let origin):
      "the Origin '\(origin)' may not connect; --allow-origin \(origin) lets it in"
    case .origins: "there is more than one Origin"
    case .noToken: "a token is needed, and the request has none; \(Self.advice)"
    case .wrongToken: "the token is wrong; \(Self.advice)"
    }
  }

  private static let advice =
    "the gateway prints it when it starts, and takes it as ?token=TOKEN, as the WebSocket "
    + "subprotocol statesurf.token.TOKEN, or as Authorization: Bearer TOKEN"

  private static func name(_ host: String) -> String {
    guard let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") else { return host }
    return String(host[..<colon])
  }

  package var response: HTTPResponse {
    switch self {
    case .host, .origin, .origins: return HTTPResponse(403, reason + "\n")
    case .noToken, .wrongToken:
      var response = HTTPResponse(401, reason + "\n")
      // RFC 9110 §15.5.2.
      response.headers["WWW-Authenticate"] = "Bearer realm=\"StateSurf\""
      return response
    }
  }
}
