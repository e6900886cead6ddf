/// A request with its whole body (RFC 9112 §3).
package struct HTTPRequest: Equatable, Sendable {
  /// A member of the query, with percent-encoding and `+` for a space undone.
  package struct QueryItem: Equatable, Sendable {
    package let name: String
    package let value: String
  }

  package let method: String
  /// The target as it stands in the request line.
  package let target: String
  /// The target's part before `?`, not percent-decoded.
  package let path: String
  /// The members of the target's part after `?`, in order. A member that cannot be decoded, which
  /// no parser lets through, stands as it is.
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

  /// The value of the first member of the query with the name.
  package func queryValue(_ name: String) -> String? {
    query.first { $0.name == name }?.value
  }

  /// Whether the connection stays open after the answer (RFC 9112 §9.3).
  package var keepsConnection: Bool {
    version == .http11
      ? !headers.contains("Connection", token: "close")
      : headers.contains("Connection", token: "keep-alive")
  }

  /// Whether the head says that a body follows (RFC 9112 §6.3).
  package var announcesBody: Bool {
    headers["Transfer-Encoding"] != nil || (headers["Content-Length"] ?? "0") != "0"
  }

  /// The bytes to send. This function sets `Content-Length` to the body's length, or leaves it out
  /// where there is no body and none is expected. Parts that cannot stand in a head (a line ending
  /// in a value, a field name that is not a token) are blanked out or left out.
  package func encoded() -> [UInt8] {
    let expectsBody = ["POST", "PUT", "PATCH"].contains(method)
    var encoder = HeadEncoder()
    encoder.addRequestLine(method: method, target: target, version: version)
    encoder.add(headers, contentLength: body.isEmpty && !expectsBody ? nil : body.count)
    return encoder.finished(body: body)
  }
}
