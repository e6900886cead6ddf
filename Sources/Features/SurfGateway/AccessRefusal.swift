import SurfWeb

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

  /// What is wrong, and how to fix it. Never contains any part of a token.
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
