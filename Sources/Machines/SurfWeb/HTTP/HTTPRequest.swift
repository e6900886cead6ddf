/// A request, from `HTTPRequestParser` with its whole body, or to send (RFC 9112 §3).
package struct HTTPRequest: Equatable, Sendable {
  /// A member of the query, decoded from percent-encoding and `+` for a space.
  package struct QueryItem: Equatable, Sendable {
    package let name: String
    package let value: String
  }

  package let method: String
  /// The target exactly as in the request line.
  package let target: String
  /// The target before `?`, not percent-decoded.
  package let path: String
  /// The members of the target after `?`, in order. A member that cannot be decoded is left as it
  /// is; parsers refuse such a target.
  package let query: [QueryItem]
  package let version: HTTPVersion
  package var headers: HTTPHeaders
  package var body: [UInt8]

  package init(
    method: String = "GET", target: String, version: HTTPVersion = .http11,
    headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []
  ) {
    let parts = RequestTarget(target)
    self.method = method
    self.target = target
    self.version = version
    self.headers = headers
    self.body = body
    path = parts.path
    query = parts.query
  }

  /// The value of the query's first member with the name.
  package func queryValue(_ name: String) -> String? {
    query.first { $0.name == name }?.value
  }

  /// Whether the head announces a body (RFC 9112 §6.3).
  package var announcesBody: Bool {
    headers["Transfer-Encoding"] != nil || (headers["Content-Length"] ?? "0") != "0"
  }

  /// The bytes to send. Sets `Content-Length` to the length of the body, but omits it if the body
  /// is empty and none is expected. Invalid bytes in the target are percent-encoded, and control
  /// characters in values become spaces. Fields whose names are not tokens are omitted.
  package func encoded() -> [UInt8] {
    let expectsBody = ["POST", "PUT", "PATCH"].contains(method)
    var encoder = HeadEncoder()
    encoder.addRequestLine(method: method, target: target, version: version)
    encoder.add(headers, contentLength: body.isEmpty && !expectsBody ? nil : body.count)
    return encoder.finished(body: body)
  }
}

extension HTTPRequest {
  /// The sending program's name: the first product of `User-Agent` (RFC 9110 §10.1.5), if any. It
  /// is percent-decoded, because Apple's systems so encode names with spaces.
  package var product: String? {
    let name = (headers["User-Agent"] ?? "").utf8.prefix {
      $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: " ")
    }
    return name.isEmpty ? nil : RequestTarget.percentDecoded(name) ?? String(Substring(name))
  }
}

/// The parts of a request target (RFC 9112 §3.2).
struct RequestTarget {
  /// The host and port of an absolute-form target.
  var authority: Substring?
  var path: String
  var query: [HTTPRequest.QueryItem]

  init(_ target: String) {
    let (authority, rest) = Self.splittingAuthority(target)
    self.authority = authority
    let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = parts.first.map(String.init) ?? ""
    query = parts.count > 1 ? Self.items(of: parts[1]) : []
    if authority != nil && path.isEmpty { path = "/" }
  }

  /// Whether a server accepts these bytes as the target of a request with this method. A target is
  /// visible ASCII without a fragment, with two hexadecimal digits after each percent sign. It is
  /// in origin-form, absolute-form or, for `OPTIONS`, `*`.
  static func isAcceptable(_ bytes: ArraySlice<UInt8>, method: String) -> Bool {
    guard bytes.allSatisfy({ Octet.isVisible($0) && $0 != UInt8(ascii: "#") }),
      percentDecoded(bytes) != nil
    else { return false }
    if bytes.first == UInt8(ascii: "/") { return true }
    if bytes.count == 1 { return bytes.elementsEqual("*".utf8) && method == "OPTIONS" }
    let target = RequestTarget(String(decoding: bytes, as: UTF8.self))
    return target.authority.map { !$0.isEmpty } ?? false
  }

  /// Returns nil if a percent sign starts no triplet, or the result is not UTF-8 (RFC 3986 §2.1).
  static func percentDecoded(_ bytes: some Collection<UInt8>) -> String? {
    var decoded: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        decoded.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(Octet.hexValue),
        let low = rest.popFirst().flatMap(Octet.hexValue)
      else { return nil }
      decoded.append(high << 4 | low)
    }
    return String(validating: decoded, as: UTF8.self)
  }

  private static func splittingAuthority(_ target: String) -> (Substring?, Substring) {
    let scheme = "http://"
    guard target.utf8.prefix(scheme.utf8.count).equalsIgnoringCase(scheme.utf8) else {
      return (nil, target[...])
    }
    let rest = target.dropFirst(scheme.count)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    return (authority, rest[authority.endIndex...])
  }

  private static func items(of query: Substring) -> [HTTPRequest.QueryItem] {
    query.utf8.split(separator: UInt8(ascii: "&")).map { item in
      let parts = item.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return HTTPRequest.QueryItem(
        name: parts.first.map(decoded) ?? "", value: parts.count > 1 ? decoded(parts[1]) : "")
    }
  }

  private static func decoded(_ part: Substring.UTF8View) -> String {
    let spaced = part.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    return percentDecoded(spaced) ?? String(Substring(part))
  }
}
