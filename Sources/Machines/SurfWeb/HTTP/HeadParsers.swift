/// Reads requests from a connection's bytes, with strict framing (RFC 9112). After each `receive`,
/// call `next` until it returns nil. After an error, every call throws it again.
package struct HTTPRequestParser: Sendable {
  private var parser: MessageParser<RequestLine>

  package init(limits: HTTPLimits = HTTPLimits()) {
    parser = MessageParser(limits: limits)
  }

  /// Buffers bytes without looking at them.
  /// - Throws: an earlier error; `bodyTooLarge` if `next` has not been called for too long.
  package mutating func receive(_ bytes: [UInt8]) throws(HTTPError) {
    try parser.receive(bytes)
  }

  /// The next request without its body, so that it can be refused before the body is read; nil
  /// until its head is complete. Call this before `next`, which continues to the body.
  package mutating func nextHead() throws(HTTPError) -> HTTPRequest? {
    try parser.nextHead().map(HTTPRequest.init)
  }

  /// The next request, if it is complete. Nothing after it has been read.
  package mutating func next() throws(HTTPError) -> HTTPRequest? {
    try parser.next().map(HTTPRequest.init)
  }

  /// Removes and returns the bytes after the last request; after an upgrade they are not HTTP.
  package mutating func takeRemaining() -> [UInt8] { parser.takeRemaining() }
}

extension HTTPRequest {
  fileprivate init(_ message: MessageParser<RequestLine>.Message) {
    self.init(
      method: message.line.method, target: message.line.target, version: message.line.version,
      headers: message.headers, body: message.body)
  }
}

/// The first line of a request (RFC 9112 §3).
struct RequestLine: StartLine {
  let method: String
  let target: String
  let version: HTTPVersion

  static func limit(_ limits: HTTPLimits) -> (bytes: Int, error: HTTPError) {
    (limits.requestLineBytes, .targetTooLong)
  }

  init(_ line: ArraySlice<UInt8>) throws(HTTPError) {
    let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].isToken, let version = try HTTPVersion(parts[2]) else {
      throw .malformedRequestLine
    }
    self.version = version
    method = String(decoding: parts[0], as: UTF8.self)
    target = String(decoding: parts[1], as: UTF8.self)
    guard method != "CONNECT" else { throw .unsupportedMethod }
    guard RequestTarget.isAcceptable(parts[1], method: method) else {
      throw .malformedRequestLine
    }
  }

  func framing(_ headers: HTTPHeaders) throws(HTTPError) -> BodyFraming {
    try checkHost(headers.values(of: "Host"))
    return try BodyFraming.of(headers, version: version) ?? .length(0)
  }

  /// If the target names a host, it must be that of `Host`: two readers could choose differently.
  private func checkHost(_ hosts: [String]) throws(HTTPError) {
    guard hosts.count <= 1, hosts.count == 1 || version == .http10 else { throw .badHost }
    guard let host = hosts.first else { return }
    guard host.utf8.allSatisfy(Self.isHostByte) else { throw .badHost }
    guard let authority = RequestTarget(target).authority else { return }
    guard authority.utf8.equalsIgnoringCase(host.utf8) else { throw .badHost }
  }

  /// A byte of `uri-host [":" port]` (RFC 3986 §3.2): no user, no path, no list.
  private static func isHostByte(_ byte: UInt8) -> Bool {
    Octet.isVisible(byte) && !"@/?#\\,\"<>^`{|}".utf8.contains(byte)
  }
}

/// Reads responses from a connection's bytes, with strict framing (RFC 9112). After each `receive`,
/// call `next` until it returns nil. After an error, every call throws it again. After a 101, the
/// parser reads nothing more.
package struct HTTPResponseParser: Sendable {
  private var parser: MessageParser<StatusLine>
  private var isUpgraded = false

  package init(limits: HTTPLimits = HTTPLimits()) {
    parser = MessageParser(limits: limits)
  }

  /// Buffers bytes without looking at them.
  /// - Throws: an earlier error; `bodyTooLarge` if `next` has not been called for too long.
  package mutating func receive(_ bytes: [UInt8]) throws(HTTPError) {
    try parser.receive(bytes)
  }

  /// The next response, 1xx ones included, if it is complete.
  package mutating func next() throws(HTTPError) -> HTTPResponse? {
    isUpgraded ? nil : response(try parser.next())
  }

  /// Removes and returns the bytes after the last response; after a 101 they are not HTTP.
  package mutating func takeRemaining() -> [UInt8] { parser.takeRemaining() }

  private mutating func response(_ message: MessageParser<StatusLine>.Message?) -> HTTPResponse? {
    guard let message else { return nil }
    isUpgraded = message.line.status == 101
    return HTTPResponse(
      status: message.line.status, reason: message.line.reason, headers: message.headers,
      body: message.body)
  }
}

/// The first line of a response (RFC 9112 §4).
struct StatusLine: StartLine {
  let version: HTTPVersion
  let status: Int
  let reason: String

  static func limit(_ limits: HTTPLimits) -> (bytes: Int, error: HTTPError) {
    (limits.headBytes, .headTooLarge)
  }

  /// Requires no space before an empty reason: some servers omit it, against the RFC.
  init(_ line: ArraySlice<UInt8>) throws(HTTPError) {
    let parts = line.split(
      separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2, let version = try HTTPVersion(parts[0]), parts[1].count == 3,
      parts[1].allSatisfy(Octet.isDigit),
      let status = Int(String(decoding: parts[1], as: UTF8.self)), (100...599).contains(status)
    else { throw .malformedStatusLine }
    self.version = version
    self.status = status
    reason = parts.count > 2 ? String(decoding: parts[2], as: UTF8.self) : ""
  }

  func framing(_ headers: HTTPHeaders) throws(HTTPError) -> BodyFraming {
    if HTTPResponse.isBodiless(status) { return .length(0) }
    return try BodyFraming.of(headers, version: version) ?? .untilClose
  }
}
