/// A response with its whole body (RFC 9112 §4).
package struct HTTPResponse: Equatable, Sendable {
  /// The status code, 100 to 599.
  package var status: Int
  /// The reason phrase, which nothing depends on.
  package var reason: String
  package var headers: HTTPHeaders
  package var body: [UInt8]

  /// - Parameter reason: The registered phrase of the status, if nil.
  package init(
    status: Int, reason: String? = nil, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []
  ) {
    self.status = status
    self.reason = reason ?? Self.phrases[status] ?? ""
    self.headers = headers
    self.body = body
  }

  /// The answer to a request that a parser refused; the connection closes after it.
  package init(refusing error: HTTPError) {
    self.init(status: error.status, headers: ["Connection": "close"])
  }

  /// The bytes to send, always as HTTP/1.1. This function sets `Content-Length` to the body's
  /// length, and leaves it out with the body for 1xx, 204 and 304 (RFC 9110 §8.6). Parts that
  /// cannot stand in a head are blanked out or left out; a status out of bounds is sent as 500.
  /// - Parameter isAnswerToHead: Whether to leave the body out (RFC 9110 §9.3.2).
  package func encoded(isAnswerToHead: Bool = false) -> [UInt8] {
    let hasBody = !Self.isBodiless(status)
    var encoder = HeadEncoder()
    encoder.addStatusLine(status: (100...599).contains(status) ? status : 500, reason: reason)
    encoder.add(headers, contentLength: hasBody ? body.count : nil)
    return encoder.finished(body: hasBody && !isAnswerToHead ? body : [])
  }

  /// Whether responses with the status have no body, whatever their head says (RFC 9112 §6.3).
  static func isBodiless(_ status: Int) -> Bool {
    (100...199).contains(status) || status == 204 || status == 304
  }

  private static let phrases = [
    100: "Continue", 101: "Switching Protocols", 200: "OK", 201: "Created", 202: "Accepted",
    204: "No Content", 301: "Moved Permanently", 302: "Found", 303: "See Other",
    304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect",
    400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
    405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 411: "Length Required",
    413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type",
    426: "Upgrade Required", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
    500: "Internal Server Error", 501: "Not Implemented", 503: "Service Unavailable",
    505: "HTTP Version Not Supported",
  ]
}
