/// The differences between requests and responses.
protocol StartLine: Sendable {
  static func limit(_ limits: HTTPLimits) -> (bytes: Int, error: HTTPError)
  init(_ line: ArraySlice<UInt8>) throws(HTTPError)
  /// The framing of the body after this line and these fields.
  func framing(_ headers: HTTPHeaders) throws(HTTPError) -> BodyFraming
}

/// The order of a message's parts (RFC 9112 §2.1).
struct MessageParser<Line: StartLine> {
  struct Message {
    let line: Line
    let headers: HTTPHeaders
    let body: [UInt8]
  }

  private enum Phase {
    case startLine(blankLines: Int)
    case headers(Line)
    /// Nothing of the body has been looked at.
    case head(Line, BodyFraming)
    case body(Line)
    case failed(HTTPError)
  }

  private let limits: HTTPLimits
  private var phase = Phase.startLine(blankLines: 0)
  private var input = InputBuffer()
  private var fields: FieldReader
  private var body: BodyReader?
  /// Overrides the framing of the next messages: a response to `HEAD` has no body.
  var isBodyAbsent = false

  init(limits: HTTPLimits) {
    self.limits = limits
    fields = FieldReader(limits: limits)
  }

  /// Whether the last message is complete and nothing of another has come.
  var isBetweenMessages: Bool {
    if case .startLine = phase { return input.count == 0 }
    return false
  }

  mutating func receive(_ bytes: [UInt8]) throws(HTTPError) {
    if case .failed(let error) = phase { throw error }
    // A caller that calls `next` after each `receive` never has more than a part of a message here.
    guard input.count <= limits.headBytes + limits.bodyBytes else { throw fail(.bodyTooLarge) }
    input.append(bytes)
  }

  mutating func takeRemaining() -> [UInt8] { input.takeAll() }

  /// The next message without its body; nil until its head has come, and once `next` has looked at
  /// the body.
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

  /// The message that ends with the connection, if there is one.
  mutating func finish() throws(HTTPError) -> Message? {
    if let message = try next() { return message }
    if isBetweenMessages { return nil }
    guard case .body(let line) = phase, body?.isUntilClose == true else { throw fail(.truncated) }
    return takeMessage(line)
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

  /// Whether the whole head has come.
  private mutating func readHead() throws(HTTPError) -> Bool {
    while true {
      switch phase {
      case .startLine(let blankLines):
        guard try readStartLine(blankLines: blankLines) else { return false }
      case .headers(let line):
        guard try fields.read(&input) else { return false }
        phase = .head(line, isBodyAbsent ? .length(0) : try line.framing(fields.headers))
      case .head, .body: return true
      case .failed(let error): throw error
      }
    }
  }

  /// One empty line may stand before a message (RFC 9112 §2.2).
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
