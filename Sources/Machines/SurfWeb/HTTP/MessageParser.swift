/// What differs between requests and responses for `MessageParser`: the first line.
protocol StartLine: Sendable {
  static func limit(_ limits: HTTPLimits) -> (bytes: Int, error: HTTPError)
  init(_ line: ArraySlice<UInt8>) throws(HTTPError)
  /// The framing of the body after this line and these fields.
  func framing(_ headers: HTTPHeaders) throws(HTTPError) -> BodyFraming
}

/// Parses the parts of a request or response in their order (RFC 9112 §2.1).
struct MessageParser<Line: StartLine> {
  struct Message {
    let line: Line
    let headers: HTTPHeaders
    let body: [UInt8]
  }

  private enum Phase {
    case startLine(blankLines: Int)
    case headers(Line)
    /// The head is complete, and the body has not been looked at.
    case head(Line, BodyFraming)
    case body(Line)
    case failed(HTTPError)
  }

  private let limits: HTTPLimits
  private var phase = Phase.startLine(blankLines: 0)
  private var input = InputBuffer()
  private var fields: FieldReader
  private var body: BodyReader?

  init(limits: HTTPLimits) {
    self.limits = limits
    fields = FieldReader(limits: limits)
  }

  mutating func receive(_ bytes: [UInt8]) throws(HTTPError) {
    if case .failed(let error) = phase { throw error }
    // A caller that calls `next` after each `receive` leaves at most a part of one message here.
    guard input.count <= limits.headBytes + limits.bodyBytes else { throw fail(.bodyTooLarge) }
    input.append(bytes)
  }

  mutating func takeRemaining() -> [UInt8] { input.takeAll() }

  /// The next message without its body; nil until its head is complete, and once `next` reads on.
  mutating func nextHead() throws(HTTPError) -> Message? {
    do {
      guard try readHead(), case .head(let line, _) = phase else { return nil }
      return Message(line: line, headers: fields.headers, body: [])
    } catch {
      throw fail(error)
    }
  }

  mutating func next() throws(HTTPError) -> Message? {
    do {
      return try advance()
    } catch {
      throw fail(error)
    }
  }

  private mutating func fail(_ error: HTTPError) -> HTTPError {
    phase = .failed(error)
    body = nil
    return error
  }

  private mutating func advance() throws(HTTPError) -> Message? {
    guard try readHead() else { return nil }
    if case .head(let line, let framing) = phase {
      body = try BodyReader(framing, limits: limits)
      phase = .body(line)
    }
    guard case .body(let line) = phase, try body?.read(&input) ?? true else { return nil }
    return takeMessage(line)
  }

  /// Reads what has arrived of the head; returns true once it is complete.
  private mutating func readHead() throws(HTTPError) -> Bool {
    while true {
      switch phase {
      case .startLine(let blankLines):
        guard try readStartLine(blankLines: blankLines) else { return false }
      case .headers(let line):
        guard try fields.read(&input) else { return false }
        phase = .head(line, try line.framing(fields.headers))
      case .head, .body: return true
      case .failed(let error): throw error
      }
    }
  }

  /// Skips one empty line before a message (RFC 9112 §2.2).
  private mutating func readStartLine(blankLines: Int) throws(HTTPError) -> Bool {
    let (limit, error) = Line.limit(limits)
    guard let line = try input.takeLine(limit: limit, orThrow: error) else { return false }
    guard !line.isEmpty || blankLines > 0 else {
      phase = .startLine(blankLines: 1)
      return true
    }
    phase = .headers(try Line(line))
    fields = FieldReader(limits: limits, bytesUsed: line.count + 2)
    return true
  }

  private mutating func takeMessage(_ line: Line) -> Message {
    defer {
      phase = .startLine(blankLines: 0)
      body = nil
    }
    return Message(line: line, headers: fields.headers, body: body?.body ?? [])
  }
}

/// The largest message that a parser accepts.
package struct HTTPLimits: Equatable, Sendable {
  /// Bytes of the request line with its line ending; more is a 414.
  package var requestLineBytes = 8 * 1024
  /// Bytes of the whole head, and of a chunked body's whole trailer; more is a 431.
  package var headBytes = 16 * 1024
  /// Fields of the head, and of the trailer; more is a 431.
  package var headerCount = 100
  /// Bytes of the decoded body; more is a 413.
  package var bodyBytes = 1024 * 1024

  package init() {}

  /// The default limits, with another one for the body.
  package init(bodyBytes: Int) {
    self.bodyBytes = bodyBytes
  }
}

/// Input not taken yet. Each byte is looked at a bounded number of times, however it is split.
struct InputBuffer {
  private var bytes: [UInt8] = []
  private var taken = 0
  /// From `taken` to here the input is valid and contains no line ending.
  private var scanned = 0

  var count: Int { bytes.count - taken }

  mutating func append(_ more: [UInt8]) {
    // Moves no more bytes than were taken since the last move, which keeps the whole linear.
    if taken > bytes.count / 2 {
      bytes.removeFirst(taken)
      scanned -= taken
      taken = 0
    }
    bytes += more
  }

  mutating func takeAll() -> [UInt8] {
    defer { self = InputBuffer() }
    return Array(bytes[taken...])
  }

  mutating func take(upTo limit: Int) -> ArraySlice<UInt8> {
    let end = taken + min(max(limit, 0), count)
    defer {
      taken = end
      scanned = end
    }
    return bytes[taken..<end]
  }

  /// Removes and returns the next line without its CRLF; nil until it is complete.
  /// - Parameter limit: the most bytes of the line with its CRLF.
  /// - Throws: `error` beyond the limit, `bareLineEnding`, `controlCharacter`.
  mutating func takeLine(
    limit: Int, orThrow error: HTTPError
  ) throws(HTTPError) -> ArraySlice<UInt8>? {
    while scanned < bytes.count {
      let byte = bytes[scanned]
      if byte == UInt8(ascii: "\r") { return try takeLineEnd(limit: limit, orThrow: error) }
      guard byte != UInt8(ascii: "\n") else { throw .bareLineEnding }
      guard !Octet.isForbiddenControl(byte) else { throw .controlCharacter }
      scanned += 1
      // At least the CRLF must follow.
      guard scanned - taken + 2 <= limit else { throw error }
    }
    return nil
  }

  private mutating func takeLineEnd(
    limit: Int, orThrow error: HTTPError
  ) throws(HTTPError) -> ArraySlice<UInt8>? {
    guard scanned - taken + 2 <= limit else { throw error }
    guard scanned + 1 < bytes.count else { return nil }
    guard bytes[scanned + 1] == UInt8(ascii: "\n") else { throw .bareLineEnding }
    let line = bytes[taken..<scanned]
    scanned += 2
    taken = scanned
    return line
  }
}

/// Why a parser refused a message. Later calls throw it again: answer with `status`, and close.
package enum HTTPError: Error, Equatable, Sendable {
  /// The request line is not `method SP target SP version` (RFC 9112 §3).
  case malformedRequestLine
  /// The status line is not `version SP 3DIGIT SP reason` (RFC 9112 §4).
  case malformedStatusLine
  /// A header or trailer field is not `token ":" value`, or is folded (RFC 9112 §5).
  case malformedHeader
  /// A line feed without a carriage return before it, or a carriage return alone (RFC 9112 §2.2).
  case bareLineEnding
  /// A control character other than a tab (RFC 9110 §5.5).
  case controlCharacter
  /// Not exactly one valid `Host` in an HTTP/1.1 request (RFC 9112 §3.2).
  case badHost
  /// `Content-Length` is repeated or not a decimal number (RFC 9112 §6.3).
  case badContentLength
  /// `Transfer-Encoding` leaves the length of the body in doubt (RFC 9112 §6.1).
  case badTransferEncoding
  /// A chunk's size line or end is malformed (RFC 9112 §7.1).
  case malformedChunk
  /// The body, or the unread input, exceeds the limits.
  case bodyTooLarge
  /// The request line exceeds the limits.
  case targetTooLong
  /// The head or the trailer exceeds the limits, in bytes or fields.
  case headTooLarge
  /// A method that this server never serves: `CONNECT` (RFC 9110 §9.3.6).
  case unsupportedMethod
  /// A transfer coding other than `chunked` (RFC 9112 §6.1).
  case unsupportedTransferCoding
  /// A version other than HTTP/1.0 and HTTP/1.1 (RFC 9110 §15.6.6).
  case unsupportedVersion

  /// The status of a server's answer: 400, 413, 414, 431, 501 or 505.
  package var status: Int {
    switch self {
    case .malformedRequestLine, .malformedStatusLine, .malformedHeader, .bareLineEnding,
      .controlCharacter, .badHost, .badContentLength, .badTransferEncoding, .malformedChunk:
      400
    case .bodyTooLarge: 413
    case .targetTooLong: 414
    case .headTooLarge: 431
    case .unsupportedMethod, .unsupportedTransferCoding: 501
    case .unsupportedVersion: 505
    }
  }
}
