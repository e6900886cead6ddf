/// Reads requests from a connection's bytes, with strict framing (RFC 9112). Call `next` until it
/// gives nil after each `receive`. The first error ends the parser: every later call throws it
/// again.
package struct HTTPRequestParser: Sendable {
  private var parser: MessageParser<RequestLine>

  package init(limits: HTTPLimits = HTTPLimits()) {
    parser = MessageParser(limits: limits)
  }

  /// Whether the last request is complete and nothing of another has come: the peer may leave.
  package var isBetweenMessages: Bool { parser.isBetweenMessages }

  /// Takes bytes without looking at them.
  /// - Throws: The earlier error; `bodyTooLarge` if `next` was not called for too long.
  package mutating func receive(_ bytes: [UInt8]) throws(HTTPError) {
    try parser.receive(bytes)
  }

  /// The next request without its body, so that it can be refused before the body is read; nil
  /// until its head has come. Call it before `next`, which goes on to the body.
  package mutating func nextHead() throws(HTTPError) -> HTTPRequest? {
    try parser.nextHead().map(HTTPRequest.init)
  }

  /// The next complete request, if there is one. Nothing behind it has been read.
  package mutating func next() throws(HTTPError) -> HTTPRequest? {
    try parser.next().map(HTTPRequest.init)
  }

  /// Takes the bytes behind the last request, which after an upgrade belong to another protocol.
  package mutating func takeRemaining() -> [UInt8] { parser.takeRemaining() }
}

extension HTTPRequest {
  fileprivate init(_ message: MessageParser<RequestLine>.Message) {
    self.init(
      method: message.line.method, target: message.line.target, version: message.line.version,
      headers: message.headers, body: message.body)
  }
}

/// RFC 9112 §3.
struct RequestLine: StartLine {
  let method: String
  let target: String
  let version: HTTPVersion

  static func limit(_ limits: HTTPLimits) -> (bytes: Int, error: HTTPError) {
    (limits.requestLineBytes, .targetTooLong)
  }

  init(_ line: ArraySlice<UInt8>) throws(HTTPError) {
    let parts = line.split(separator: Octet.space, omittingEmptySubsequences: false)
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

  /// A target that names a host must name the same one: otherwise two readers could choose
  /// differently.
  private func checkHost(_ hosts: [String]) throws(HTTPError) {
    guard hosts.count <= 1, hosts.count == 1 || version == .http10 else { throw .badHost }
    guard let host = hosts.first else { return }
    guard host.utf8.allSatisfy(Self.isHostByte) else { throw .badHost }
    guard let authority = RequestTarget(target).authority else { return }
    guard authority.utf8.equalsIgnoringCase(host.utf8) else { throw .badHost }
  }

  /// Of `uri-host [":" port]` (RFC 3986 §3.2): no user, no path, no list.
  private static func isHostByte(_ byte: UInt8) -> Bool {
    Octet.isVisible(byte) && !"@/?#\\,\"<>^`{|}".utf8.contains(byte)
  }
}

/// Reads responses from a connection's bytes, with strict framing (RFC 9112). Call `next` until it
/// gives nil after each `receive`, and `finish` at the end of the connection. The first error ends
/// the parser: every later call throws it again. After a 101 it reads nothing more.
package struct HTTPResponseParser: Sendable {
  private var parser: MessageParser<StatusLine>
  private var isUpgraded = false

  package init(limits: HTTPLimits = HTTPLimits()) {
    parser = MessageParser(limits: limits)
  }

  /// Whether the next responses answer `HEAD` requests and so have no body (RFC 9112 §6.3).
  package var isAnswerToHead: Bool {
    get { parser.isBodyAbsent }
    set { parser.isBodyAbsent = newValue }
  }

  /// Takes bytes without looking at them.
  /// - Throws: The earlier error; `bodyTooLarge` if `next` was not called for too long.
  package mutating func receive(_ bytes: [UInt8]) throws(HTTPError) {
    try parser.receive(bytes)
  }

  /// The next complete response, if there is one; 1xx responses come like any other.
  package mutating func next() throws(HTTPError) -> HTTPResponse? {
    isUpgraded ? nil : response(try parser.next())
  }

  /// Ends the connection; gives the response whose body ends with it, if there is one.
  /// - Throws: `truncated` inside any other response.
  package mutating func finish() throws(HTTPError) -> HTTPResponse? {
    isUpgraded ? nil : response(try parser.finish())
  }

  /// Takes the bytes behind the last response, which after a 101 belong to another protocol.
  package mutating func takeRemaining() -> [UInt8] { parser.takeRemaining() }

  private mutating func response(_ message: MessageParser<StatusLine>.Message?) -> HTTPResponse? {
    guard let message else { return nil }
    isUpgraded = message.line.status == 101
    return HTTPResponse(
      status: message.line.status, reason: message.line.reason, headers: message.headers,
      body: message.body)
  }
}

/// RFC 9112 §4.
struct StatusLine: StartLine {
  let version: HTTPVersion
  let status: Int
  let reason: String

  static func limit(_ limits: HTTPLimits) -> (bytes: Int, error: HTTPError) {
    (limits.headBytes, .headTooLarge)
  }

  /// The space before an empty reason is required, but some servers leave it out.
  init(_ line: ArraySlice<UInt8>) throws(HTTPError) {
    let parts = line.split(
      separator: Octet.space, maxSplits: 2, omittingEmptySubsequences: false)
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
