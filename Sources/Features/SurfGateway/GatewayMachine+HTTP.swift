import SocketCluster
import SocketIO
import SurfHTTP
import SurfStreams
import WebSocket

// Streams that others open.
extension GatewayMachine {
  mutating func receive(_ bytes: [UInt8], from stream: StreamID, at now: Duration) {
    guard let connection = connections[stream] else { return }
    switch connection.role {
    case .http: receiveHTTP(bytes, connection, stream, at: now)
    case .cluster, .engine:
      for event in connection.socket.receive(bytes) { handle(event, stream, at: now) }
      flush(stream)
    case .closing: break
    }
  }

  private mutating func receiveHTTP(
    _ bytes: [UInt8], _ connection: Connection, _ stream: StreamID, at now: Duration
  ) {
    do throws(HTTPError) {
      try connection.parser.receive(bytes)
      while case .http = connection.role, let request = try connection.parser.next() {
        serve(request, connection, stream, at: now)
      }
    } catch {
      drop("bad HTTP")
      refuse(HTTPResponse(refusing: error), stream)
    }
  }

  private mutating func serve(
    _ request: HTTPRequest, _ connection: Connection, _ stream: StreamID, at now: Duration
  ) {
    if let objection = doorkeeper.objection(to: request) {
      drop("turned away")
      note(.turnedAway(objection))
      return refuse(text(403, objection + "\n"), stream)
    }
    connection.allowedOrigin = request.headers["Origin"]
    switch request.path {
    case "/socketcluster/": openCluster(request, connection, stream, at: now)
    case "/socket.io/": serveEngine(request, connection, stream, at: now)
    case "/" where request.method == "GET" || request.method == "HEAD":
      answer(text(200, Self.page), stream, isAnswerToHead: request.method == "HEAD")
    default: answer(text(404, "There is nothing here.\n"), stream)
    }
  }

  private mutating func openCluster(
    _ request: HTTPRequest, _ connection: Connection, _ stream: StreamID, at now: Duration
  ) {
    guard upgrade(request, connection, stream) else { return }
    connection.role = .cluster
    connection.cluster = SocketClusterServerSession(
      id: "panel-\(String(random(), radix: 16))", now: now)
    takeRest(connection, stream, at: now)
  }

  /// Answers a request for a WebSocket; false if it was refused.
  mutating func upgrade(
    _ request: HTTPRequest, _ connection: Connection, _ stream: StreamID
  ) -> Bool {
    do throws(HandshakeError) {
      write(try WebSocketHandshake.response(to: request).encoded(), to: stream)
      return true
    } catch {
      drop("bad WebSocket handshake")
      refuse(error.response, stream)
      return false
    }
  }

  /// What came behind the request is frames.
  mutating func takeRest(_ connection: Connection, _ stream: StreamID, at now: Duration) {
    let rest = connection.parser.takeRemaining()
    if !rest.isEmpty { receive(rest, from: stream, at: now) }
  }

  mutating func answer(
    _ response: HTTPResponse, _ stream: StreamID, isAnswerToHead: Bool = false
  ) {
    var response = response
    if let origin = connections[stream]?.allowedOrigin {
      response.headers["Access-Control-Allow-Origin"] = origin
      response.headers["Access-Control-Allow-Credentials"] = "true"
      response.headers["Vary"] = "Origin"
    }
    write(response.encoded(isAnswerToHead: isAnswerToHead), to: stream)
  }

  mutating func refuse(_ response: HTTPResponse, _ stream: StreamID) {
    var response = response
    response.headers["Connection"] = "close"
    answer(response, stream)
    connections[stream]?.role = .closing
    actions.append(.closeAfterWriting(stream))
  }

  func text(_ status: Int, _ body: String) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: ["Content-Type": "text/plain; charset=utf-8"],
      body: Array(body.utf8))
  }

  /// What a person sees who opens the address in a browser.
  private static let page = """
    StateSurf gateway

    Redux DevTools: Settings, Connection, "use local (custom) server", this host and port, Connect.
    Socket.IO v4: this address; it sends 'log' and takes 'dispatch'.

    """

  // MARK: WebSockets

  private mutating func handle(
    _ event: WebSocketConnection.Event, _ stream: StreamID, at now: Duration
  ) {
    guard let connection = connections[stream] else { return }
    switch (event, connection.role) {
    case (.text(let text), .cluster):
      connection.cluster?.receive(text: text, at: now)
      drainCluster(stream, at: now)
    case (.binary(let bytes), .cluster):
      connection.cluster?.receive(binary: bytes, at: now)
      drainCluster(stream, at: now)
    case (.text(let text), .engine(let sid)):
      engines[sid]?.connection.withEngine(at: now) { $0.webSocketText(text, at: now) }
      drainEngine(sid, at: now)
    case (.binary(let bytes), .engine(let sid)):
      engines[sid]?.connection.withEngine(at: now) { $0.webSocketBinary(bytes, at: now) }
      drainEngine(sid, at: now)
    case (.closed, _), (.failed, _):
      if case .failed(let code, _) = event { drop("WebSocket \(code.rawValue)") }
      // The close frame that answers is in the output already.
      flush(stream)
      actions.append(.closeAfterWriting(stream))
    case (.ping, _), (.pong, _), (_, .http), (_, .closing): break
    }
  }

  mutating func flush(_ stream: StreamID) {
    write(connections[stream]?.socket.takeOutput() ?? [], to: stream)
  }

  mutating func closeSocket(_ stream: StreamID, code: CloseCode, reason: String) {
    connections[stream]?.socket.close(code: code, reason: reason)
    flush(stream)
    connections[stream]?.role = .closing
    actions.append(.closeAfterWriting(stream))
  }

  mutating func closed(_ stream: StreamID, _ end: StreamEnd, at now: Duration) {
    guard let connection = connections.removeValue(forKey: stream) else { return }
    if case .failed(let reason) = end {
      drop(reason.hasPrefix("too slow") ? reason : "stream broke")
    }
    if let cluster = connection.cluster { leaveCluster(cluster.id, connection, at: now) }
    for engine in engines.values { streamGone(stream, engine, at: now) }
  }
}
