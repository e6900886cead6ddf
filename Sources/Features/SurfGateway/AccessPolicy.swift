import SurfStreams
import SurfWeb

/// Decides who may talk to the gateway (Protocol.md §B.1): who knows the token; where none is
/// needed, this machine alone. A stranger's page must not reach an app's state through the browser
/// of a person who merely looks at it (RFC 6455 §10.2; DNS rebinding).
package struct AccessPolicy: Sendable {
  package enum Verdict: Equatable, Sendable {
    case admitted
    /// The page at `/` is for all: there is nothing in it but how to connect.
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
  ///   - request: its head, and nothing of its body.
  ///   - address: where the request came in, which the client cannot choose.
  package func verdict(on request: HTTPRequest, at address: TCPAddress) -> Verdict {
    let origins = request.headers.values(of: "Origin")
    // Another reader of the same request might look at the other (RFC 9110 §5.3).
    guard origins.count < 2 else { return .refused(.origins) }
    if let origin = origins.first, !isAllowed(origin) { return .refused(.origin(origin)) }
    guard needsToken(address) else { return judgeHost(of: request, at: address) }
    let texts = AccessToken.texts(in: request)
    // No page that somebody rebound to our address knows the token: any `Host` will do.
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
    // A name can be made to mean any address; a literal address means itself.
    let isOwn = host.isLocal && host.port == address.port
    return isOwn || hosts.contains(host.name) ? .admitted : .refused(.host(text))
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
    return Authority(String(origin.dropFirst(scheme.count))).isLocal
  }
}

/// `host:port` or `[address]:port`, as clients write it.
private struct Authority {
  /// In small letters; an IPv6 address in brackets.
  let name: String
  /// HTTP's own if it says none; nil if it is not a number.
  let port: UInt16?

  init(_ text: String) {
    let end = text.hasPrefix("[") ? text.firstIndex(of: "]") : nil
    let colon = text[(end ?? text.startIndex)...].firstIndex(of: ":") ?? text.endIndex
    name = text[..<colon].lowercased()
    let digits = text[colon...].dropFirst()
    // `UInt16` would take a sign.
    let isNumber = digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
    port = colon == text.endIndex ? 80 : isNumber ? UInt16(digits) : nil
  }

  var isLocal: Bool {
    name == "localhost" || TCPAddress(parsing: name, port: 0)?.isLoopback == true
  }
}
