import SurfBasics
import SurfStreams
import SurfWeb

/// The streams that clients open to `GatewayMachine`. Each starts as HTTP; some become WebSockets.
struct InboundStreams {
  /// The protocol of a WebSocket.
  enum GuestProtocol { case cluster, engine, inspector }

  enum Event {
    case request(HTTPRequest)
    case refused(AccessRefusal)
    case message(WebMessage, GuestProtocol)
  }

  private let policy: AccessPolicy
  private var connections: [StreamID: Connection] = [:]
  private var strangers = Strangers()
  private var actions: [StreamAction] = []
  /// Counts of bad input, by kind.
  private(set) var drops: [String: Int] = [:]

  init(policy: AccessPolicy) { self.policy = policy }

  mutating func takeActions() -> [StreamAction] { actions.takeAll() }

  private mutating func drop(_ kind: String) { drops.count(kind) }

  // MARK: Opening and closing

  mutating func accept(
    _ stream: StreamID, from peer: TCPAddress, on local: TCPAddress, at now: Duration
  ) {
    connections[stream] = Connection(peer: peer, local: local, at: now)
    guard let other = strangers.add(stream) else { return }
    drop("too many strangers")
    actions.append(.abort(other))
  }

  func address(of stream: StreamID) -> TCPAddress? { connections[stream]?.peer }
  func peer(of stream: StreamID) -> String { address(of: stream).map { "\($0)" } ?? "" }

  mutating func closed(_ stream: StreamID, _ end: StreamEnd) {
    guard connections.removeValue(forKey: stream) != nil else { return }
    strangers.remove(stream)
    if case .failed(let reason) = end {
      drop(reason.hasPrefix("too slow") ? reason : "stream broke")
    }
  }

  mutating func end(_ stream: StreamID) { actions.append(.closeAfterWriting(stream)) }

  var deadline: Duration? {
    connections.values.filter { if case .http = $0.role { true } else { false } }
      .map { $0.openedAt + GatewayLimits.requestTimeout }.min()
  }

  /// Closes streams that have not become a WebSocket in time, unless they await our answer.
  mutating func advance(to now: Duration, awaitsAnswer: (StreamID) -> Bool) {
    for (stream, connection) in connections {
      guard case .http = connection.role,
        connection.openedAt + GatewayLimits.requestTimeout <= now, !awaitsAnswer(stream)
      else { continue }
      connection.role = .closing
      end(stream)
    }
  }

  // MARK: Input

  /// Buffers bytes; `next` returns what they contain.
  ///
  /// - Returns: whether a large message was dropped to save memory.
  mutating func receive(_ bytes: [UInt8], from stream: StreamID) -> Bool {
    guard let connection = connections[stream] else { return false }
    switch connection.role {
    case .http:
      do throws(HTTPError) {
        try connection.parser.receive(bytes)
      } catch {
        refuse(error, stream)
      }
    case .webSocket:
      connection.frames += connection.socket.receive(bytes)
      return connection.socket.unfinishedSize > Self.unfinishedSizeMin && boundUnfinished()
    case .closing: break
    }
    return false
  }

  /// The sum is checked only when a message holds more memory than this.
  private static let unfinishedSizeMin = 64 * 1_024

  /// Limits the memory of all incomplete messages together: a limit for each message alone would
  /// not stop many that never end. The largest is dropped, and its stream closed.
  private mutating func boundUnfinished() -> Bool {
    let sizes = connections.mapValues(\.socket.unfinishedSize)
    guard sizes.values.reduce(0, +) > GatewayLimits.unfinishedSizeMax,
      let largest = sizes.max(by: { $0.value < $1.value })?.key
    else { return false }
    drop("unfinished messages")
    connections[largest]?.socket.giveUp()
    flush(largest)
    connections[largest]?.role = .closing
    end(largest)
    return true
  }

  /// Octets of the stream's next message; 0 if no message waits, or it is HTTP.
  func nextSize(of stream: StreamID) -> Int {
    switch connections[stream]?.frames.first {
    case .text(let text): text.utf8.count
    case .binary(let bytes): bytes.count
    case .ping, .pong, .closed, .failed, nil: 0
    }
  }

  /// The next event of a stream: only one, because its handling decides how to read the next.
  mutating func next(from stream: StreamID) -> Event? {
    guard let connection = connections[stream] else { return nil }
    guard case .http = connection.role else { return nextMessage(connection, stream) }
    do throws(HTTPError) {
      if let head = try connection.parser.nextHead(),
        let refusal = refusal(of: head, connection, stream)
      {
        return .refused(refusal)
      }
      return try connection.parser.next().map { .request($0) }
    } catch {
      refuse(error, stream)
      return nil
    }
  }

  /// Admits or refuses a request by its head: a stranger's body is never read
  /// (Relay.md, HTTP and WebSocket).
  ///
  /// - Returns: nil if the request is admitted; otherwise it has been answered.
  private mutating func refusal(
    of head: HTTPRequest, _ connection: Connection, _ stream: StreamID
  ) -> AccessRefusal? {
    connection.allowedOrigin = head.headers["Origin"]
    connection.asksForHead = head.method == "HEAD"
    switch policy.verdict(on: head, at: connection.local) {
    case .admitted: strangers.remove(stream)
    case .page: break
    case .refused(let refusal):
      drop(refusal.kind)
      if refusal.isOfOrigin { connection.allowedOrigin = nil }
      refuse(refusal.response, stream)
      return refusal
    }
    return nil
  }

  private mutating func nextMessage(_ connection: Connection, _ stream: StreamID) -> Event? {
    while let frame = connection.nextFrame() {
      switch (frame, connection.role) {
      case (.text(let text), .webSocket(let guestProtocol)):
        return .message(.text(text), guestProtocol)
      case (.binary(let bytes), .webSocket(let guestProtocol)):
        return .message(.binary(bytes), guestProtocol)
      case (.closed, _), (.failed, _):
        if case .failed(let code, _) = frame { drop("WebSocket \(code.rawValue)") }
        // The answering close frame is in the output already.
        flush(stream)
        end(stream)
      case (.ping, _), (.pong, _), (_, .http), (_, .closing): break
      }
    }
    return nil
  }

  // MARK: Answers

  mutating func answer(_ response: HTTPResponse, _ stream: StreamID) {
    var response = response
    // The page's own URL may contain a token.
    response.headers["Referrer-Policy"] = "no-referrer"
    if let origin = connections[stream]?.allowedOrigin {
      response.headers["Access-Control-Allow-Origin"] = origin
      response.headers["Access-Control-Allow-Credentials"] = "true"
      response.headers["Vary"] = "Origin"
    }
    let isAnswerToHead = connections[stream]?.asksForHead == true
    write(response.encoded(isAnswerToHead: isAnswerToHead), to: stream)
  }

  private mutating func refuse(_ error: HTTPError, _ stream: StreamID) {
    drop("bad HTTP")
    refuse(HTTPResponse(refusing: error), stream)
  }

  private mutating func refuse(_ response: HTTPResponse, _ stream: StreamID) {
    var response = response
    response.headers["Connection"] = "close"
    answer(response, stream)
    strangers.refuse(stream)
    connections[stream]?.role = .closing
    end(stream)
  }

  /// Answers a request for a WebSocket; returns false if it refused.
  mutating func upgrade(_ request: HTTPRequest, _ stream: StreamID, to guestProtocol: GuestProtocol)
    -> Bool
  {
    do throws(HandshakeError) {
      let response = try WebSocketHandshake.response(
        to: request, protocols: AccessToken.answer(to: request))
      write(response.encoded(), to: stream)
      connections[stream]?.role = .webSocket(guestProtocol)
      return true
    } catch {
      drop("bad WebSocket handshake")
      refuse(error.response, stream)
      return false
    }
  }

  // MARK: WebSocket output

  /// Adds a message to the WebSocket's output, which `flush` writes.
  mutating func send(_ message: WebMessage, to stream: StreamID) {
    connections[stream]?.socket.send(message)
  }

  mutating func flush(_ stream: StreamID) {
    write(connections[stream]?.socket.takeOutput() ?? [], to: stream)
  }

  mutating func close(_ stream: StreamID, code: CloseCode, reason: String) {
    connections[stream]?.socket.close(code: code, reason: reason)
    flush(stream)
    connections[stream]?.role = .closing
    end(stream)
  }

  mutating func write(_ bytes: [UInt8], to stream: StreamID) {
    guard !bytes.isEmpty else { return }
    connections[stream]?.unsent += bytes.count
    actions.append(.write(stream, bytes))
  }

  /// Whether a client reads fast enough to be sent more. One that does not would use memory without
  /// limit, so it gets the current history once it has caught up.
  mutating func keepsUp(_ stream: StreamID) -> Bool {
    guard let connection = connections[stream] else { return true }
    if !connection.isBehind, connection.unsent < GatewayLimits.behindSize { return true }
    connection.isBehind = true
    drop("a panel was too slow")
    return false
  }

  /// Notes how much still waits for a client to read.
  ///
  /// - Returns: the client's protocol, if it was behind and has caught up.
  mutating func wasWritten(_ stream: StreamID, unsent: Int) -> GuestProtocol? {
    guard let connection = connections[stream] else { return nil }
    connection.unsent = unsent
    guard connection.isBehind, unsent < GatewayLimits.behindSize else { return nil }
    connection.isBehind = false
    return if case .webSocket(let guestProtocol) = connection.role { guestProtocol } else { nil }
  }
}

/// One stream that a client opened. A class, so that its buffers are changed in place; it never
/// leaves the loop's thread.
private final class Connection {
  /// What the stream speaks.
  enum Role {
    case http
    case webSocket(InboundStreams.GuestProtocol)
    /// Input is ignored.
    case closing
  }

  let peer: TCPAddress
  /// Our address that accepted it.
  let local: TCPAddress
  let openedAt: Duration
  var role = Role.http
  var parser = HTTPRequestParser(limits: HTTPLimits(bodyBytes: GatewayLimits.bodySizeMax))
  var socket = WebSocketConnection(
    role: .server, limits: WebSocketLimits(messageBytes: GatewayLimits.messageSizeMax))
  /// Events of the WebSocket that `next` has not returned yet.
  var frames: ArraySlice<WebSocketConnection.Event> = []
  /// The origin to name in answers, if a browser sent an allowed one.
  var allowedOrigin: String?
  /// Whether the last request was HEAD: a client would read a body as its next answer.
  var asksForHead = false
  /// Octets written that may not have been sent yet.
  var unsent = 0
  /// Whether it was too slow for single actions, and is owed the whole history.
  var isBehind = false

  init(peer: TCPAddress, local: TCPAddress, at now: Duration) {
    (self.peer, self.local) = (peer, local)
    openedAt = now
  }

  func nextFrame() -> WebSocketConnection.Event? {
    // Bytes after the upgrade request are frames.
    if case .webSocket = role {
      let rest = parser.takeRemaining()
      if !rest.isEmpty { frames += socket.receive(rest) }
    }
    if let frame = frames.popFirst() { return frame }
    // An empty slice still holds on to the array.
    frames = []
    return nil
  }
}

extension HTTPResponse {
  /// A response of one text.
  init(_ status: Int, _ text: String) {
    self.init(
      status: status, headers: ["Content-Type": "text/plain; charset=utf-8"],
      body: Array(text.utf8))
  }
}

/// The streams of `InboundStreams` without an admitted request. An attacker could fill all streams
/// by staying silent or with refused requests, so new strangers evict old ones.
struct Strangers {
  /// Oldest first.
  private var waiting: [StreamID] = []
  /// Streams with a refused request. They go first: no client among them is about to speak.
  private var refused: [StreamID] = []

  /// - Returns: the stream to evict for it, if any.
  mutating func add(_ stream: StreamID) -> StreamID? {
    waiting.append(stream)
    guard waiting.count + refused.count > GatewayLimits.strangerCountMax else { return nil }
    return refused.isEmpty ? waiting.removeFirst() : refused.removeFirst()
  }

  /// Call when a stream has been admitted, or has closed.
  mutating func remove(_ stream: StreamID) {
    waiting.removeAll { $0 == stream }
    refused.removeAll { $0 == stream }
  }

  mutating func refuse(_ stream: StreamID) {
    remove(stream)
    refused.append(stream)
  }
}
