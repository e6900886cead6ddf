import JSONTree
import ReduxDevTools
import SocketIO
import SurfHTTP
import SurfStreams
import WebSocket

// Our own Socket.IO relay: `log` goes to every monitor, `dispatch` comes from them.
extension GatewayMachine {
  func isPolling(_ stream: StreamID) -> Bool {
    engines.values.contains { $0.isAwaited(on: stream) }
  }

  mutating func serveEngine(
    _ request: HTTPRequest, _ connection: Connection, _ stream: StreamID, at now: Duration
  ) {
    let query = EngineIOHandshakeQuery(
      version: request.queryValue("EIO"), transport: request.queryValue("transport"),
      sid: request.queryValue("sid"))
    do throws(EngineIORefusal) {
      let wish = try query.request(
        method: request.method, opensWebSocket: WebSocketHandshake.isRequested(by: request),
        isKnown: { engines[$0] != nil })
      switch wish {
      // One that polls may be given up without a word, and lives until its time has passed.
      case .open where engines.count >= GatewayLimits.sessionCountMax:
        drop("too many sessions")
        answer(text(503, "There are too many sessions; try again later.\n"), stream)
      case .open(let transport): openEngine(transport, request, connection, stream, at: now)
      case .poll(let sid): poll(sid, stream, at: now)
      case .post(let sid): post(request.body, sid, stream, at: now)
      case .webSocket(let sid): attach(request, sid, connection, stream, at: now)
      }
    } catch {
      drop("Engine.IO refusal")
      let body = Array(error.body.utf8)
      answer(
        HTTPResponse(
          status: error.status, headers: ["Content-Type": "application/json"], body: body),
        stream)
    }
  }

  private mutating func openEngine(
    _ transport: EngineIOTransport, _ request: HTTPRequest, _ connection: Connection,
    _ stream: StreamID, at now: Duration
  ) {
    if transport == .webSocket {
      guard upgrade(request, connection, stream) else { return }
    }
    let sid = String(random(), radix: 36) + String(random(), radix: 36)
    let engine = EngineSession(
      sid: sid,
      connection: SocketIOServerConnection(
        engine: EngineIOServerSession(sid: sid, transport: transport, now: now),
        socket: SocketIOServerSession(now: now), now: now))
    engines[sid] = engine
    switch transport {
    case .polling: engine.poll = stream
    case .webSocket:
      connection.role = .engine(sid: sid)
      engine.webSocket = stream
    }
    drainEngine(sid, at: now)
    if transport == .webSocket { takeRest(connection, stream, at: now) }
  }

  private mutating func poll(_ sid: String, _ stream: StreamID, at now: Duration) {
    guard let engine = engines[sid] else { return }
    if engine.poll == nil { engine.poll = stream } else { engine.secondPoll = stream }
    engine.connection.withEngine(at: now) { $0.poll(at: now) }
    drainEngine(sid, at: now)
  }

  private mutating func post(
    _ body: [UInt8], _ sid: String, _ stream: StreamID, at now: Duration
  ) {
    guard let engine = engines[sid] else { return }
    engine.post = stream
    engine.connection.withEngine(at: now) { $0.post(body, at: now) }
    drainEngine(sid, at: now)
  }

  private mutating func attach(
    _ request: HTTPRequest, _ sid: String, _ connection: Connection, _ stream: StreamID,
    at now: Duration
  ) {
    guard let engine = engines[sid], upgrade(request, connection, stream) else { return }
    connection.role = .engine(sid: sid)
    if engine.webSocket == nil {
      engine.webSocket = stream
    } else {
      engine.secondWebSocket = stream
    }
    engine.connection.withEngine(at: now) { $0.webSocketOpened(at: now) }
    drainEngine(sid, at: now)
    takeRest(connection, stream, at: now)
  }

  /// A stream ended on which the session may have been waiting, or living.
  mutating func streamGone(_ stream: StreamID, _ engine: EngineSession, at now: Duration) {
    if engine.poll == stream {
      engine.poll = nil
      engine.connection.withEngine(at: now) { $0.pollCancelled(at: now) }
    } else if engine.webSocket == stream {
      engine.webSocket = nil
      engine.connection.withEngine(at: now) { $0.webSocketClosed(at: now) }
    } else if engine.post == stream {
      engine.post = nil
    } else {
      return
    }
    drainEngine(engine.sid, at: now)
  }

  // MARK: Output

  mutating func drainEngine(_ sid: String, at now: Duration) {
    guard let engine = engines[sid] else { return }
    for output in engine.connection.takeOutputs() {
      switch output {
      case .transport(let output): transport(output, engine)
      case .connectRequested(let namespace, _): accept(namespace, engine, at: now)
      case .event(_, let message, _): hear(message, engine, at: now)
      case .disconnected: engine.isConnected = false
      case .acknowledged: break
      case .closed:
        if engine.isConnected, !engine.isApp { note(.panelLeft("Socket.IO \(sid.prefix(4))")) }
        engines[sid] = nil
      }
    }
    if let stream = engine.webSocket { flush(stream) }
    // Events and accepting put out more.
    if engines[sid] != nil, engine.connection.hasOutputs { drainEngine(sid, at: now) }
  }

  private mutating func transport(_ output: EngineIOServerSession.Output, _ engine: EngineSession) {
    switch output {
    case .respondPoll(let body):
      if let stream = engine.poll { respond(200, body, stream) }
      engine.poll = engine.secondPoll
      engine.secondPoll = nil
    case .refusePoll(let refusal):
      let stream = engine.secondPoll ?? engine.poll
      if let stream { respond(refusal.status, Array(refusal.body.utf8), stream) }
      if engine.secondPoll != nil { engine.secondPoll = nil } else { engine.poll = nil }
    case .respondPost:
      if let stream = engine.post { respond(200, Array("ok".utf8), stream) }
      engine.post = nil
    case .refusePost(let refusal):
      if let stream = engine.post { respond(refusal.status, Array(refusal.body.utf8), stream) }
      engine.post = nil
    case .sendText(let text): withSocket(engine.webSocket) { $0.sendText(text) }
    case .sendBinary(let bytes): withSocket(engine.webSocket) { $0.sendBinary(bytes) }
    case .closeWebSocket:
      if let stream = engine.webSocket { closeSocket(stream, code: .normal, reason: "") }
      engine.webSocket = nil
    case .refuseWebSocket:
      let stream = engine.secondWebSocket ?? engine.webSocket
      if let stream { closeSocket(stream, code: .policyViolation, reason: "not this session's") }
      engine.secondWebSocket = nil
    case .message, .closed: break
    }
  }

  private mutating func withSocket(
    _ stream: StreamID?, _ body: (inout WebSocketConnection) -> Void
  ) {
    guard let stream, let connection = connections[stream] else { return }
    body(&connection.socket)
    flush(stream)
  }

  private mutating func respond(_ status: Int, _ body: [UInt8], _ stream: StreamID) {
    answer(
      HTTPResponse(
        status: status, headers: ["Content-Type": "text/plain; charset=UTF-8"], body: body), stream)
  }

  private mutating func accept(_ namespace: String, _ engine: EngineSession, at now: Duration) {
    let sid = String(random(), radix: 36)
    do throws(SocketIOError) {
      try engine.connection.withSocket(at: now) { socket throws(SocketIOError) in
        socket.accept(namespace, sid: sid)
      }
    } catch {
      drop("Socket.IO event that cannot be sent")
    }
    engine.isConnected = true
    note(.panelConnected(from: "Socket.IO \(engine.sid.prefix(4))", kind: "Socket.IO"))
    for app in apps.values where app.instance.isLoaded {
      for frame in app.instance.seedFrames(.whole) { emit("log", frame, to: engine, at: now) }
    }
  }

  /// Events of others are passed on, so that apps with a Socket.IO client of their own and monitors
  /// find each other here.
  private mutating func hear(_ message: SocketIOMessage, _ engine: EngineSession, at now: Duration)
  {
    guard let frame = message.arguments.first else { return drop("Socket.IO event without data") }
    switch message.event {
    case "log":
      engine.isApp = true
      for other in engines.values where other !== engine && other.isConnected && !other.isApp {
        emit("log", frame, to: other, at: now)
        drainEngine(other.sid, at: now)
      }
    case "dispatch":
      for other in engines.values where other !== engine && other.isApp {
        emit("dispatch", frame, to: other, at: now)
        drainEngine(other.sid, at: now)
      }
      obeyBroadcast(frame, from: engine.webSocket, at: now)
    default: drop("unknown Socket.IO event")
    }
  }
}
