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
