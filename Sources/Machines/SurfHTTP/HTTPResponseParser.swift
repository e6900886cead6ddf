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
