import JSONTree
import SurfBasics
import SurfRelay
import SurfStreams
import SurfWeb

/// The gateway's own Socket.IO relay. Apps send `log`; monitors receive it, and send `dispatch`.
struct EngineRelay {
  enum Output {
    case answer(HTTPResponse, StreamID)
    case send(WebMessage, StreamID)
    case close(StreamID, CloseCode, reason: String)
    /// A monitor joined, and has been shown nothing yet.
    case joined(sid: String)
    /// A monitor's frame for apps, and its WebSocket if it has one.
    case dispatch(JSON, StreamID?)
    /// An app's frame about its history, and the stream that it arrived on, if any.
    case told(JSON, sid: String, StreamID?)
    /// An app's acknowledgement of a command.
    case acknowledged(JSON?, sid: String)
    case left(sid: String)
    case note(GatewayNote)
  }

  private let random: @Sendable () -> UInt64
  private var engines: [String: EngineSession] = [:]
  /// Acknowledgements requested so far; the count is the next one's id.
  private var askCount = 0
  private var outputs: [Output] = []
  /// Counts of bad input, by kind.
  private(set) var drops: [String: Int] = [:]

  init(random: @escaping @Sendable () -> UInt64) { self.random = random }

  mutating func takeOutputs() -> [Output] { outputs.takeAll() }

  private mutating func drop(_ kind: String) { drops.count(kind) }

  // MARK: Requests

  /// Reads what a request asks for. If it refuses the request, it answers and returns nil.
  mutating func wish(of request: HTTPRequest, on stream: StreamID) -> EngineIORequest? {
    do throws(EngineIORefusal) {
      let wish = try EngineIORequest(request) { engines[$0] != nil }
      // A polling client may leave without notice; its session lives until it times out.
      guard case .open = wish, engines.count >= GatewayLimits.sessionCountMax else { return wish }
      drop("too many sessions")
      outputs.append(
        .answer(HTTPResponse(503, "There are too many sessions; try again later.\n"), stream))
    } catch {
      drop("Engine.IO refusal")
      outputs.append(
        .answer(
          HTTPResponse(
            status: error.status, headers: ["Content-Type": "application/json"],
            body: Array(error.body.utf8)), stream))
    }
    return nil
  }

  /// Carries out a request. A WebSocket request has been upgraded before.
  mutating func grant(
    _ wish: EngineIORequest, body: [UInt8], on stream: StreamID, isGateway: Bool,
    at now: Duration
  ) {
    switch wish {
    case .open(let transport): open(transport, stream, isGateway: isGateway, at: now)
    case .poll(let sid):
      guard let engine = engines[sid] else { return }
      if engine.poll == nil { engine.poll = stream } else { engine.secondPoll = stream }
      withEngine(engine, at: now) { $0.poll(at: now) }
    case .post(let sid):
      guard let engine = engines[sid] else { return }
      engine.post = stream
      withEngine(engine, at: now) { $0.post(body, at: now) }
    case .webSocket(let sid):
      guard let engine = engines[sid] else { return }
      if engine.webSocket == nil {
        engine.webSocket = stream
      } else {
        engine.secondWebSocket = stream
      }
      withEngine(engine, at: now) { $0.webSocketOpened(at: now) }
    }
  }

  private mutating func open(
    _ transport: EngineIOTransport, _ stream: StreamID, isGateway: Bool, at now: Duration
  ) {
    let sid = String(random(), radix: 36) + String(random(), radix: 36)
    let engine = EngineSession(
      sid: sid, isGateway: isGateway,
      connection: SocketIOServerConnection(
        engine: EngineIOServerSession(sid: sid, transport: transport, now: now), now: now))
    engines[sid] = engine
    switch transport {
    case .polling: engine.poll = stream
    case .webSocket: engine.webSocket = stream
    }
    drain(engine, at: now)
  }

  // MARK: Streams and time

  /// Whether a request on this stream still awaits our answer.
  func owesAnswer(on stream: StreamID) -> Bool {
    engines.values.contains { $0.isAwaited(on: stream) }
  }

  mutating func receive(_ message: WebMessage, from stream: StreamID, at now: Duration) {
    guard let engine = engines.values.first(where: { $0.webSocket == stream }) else { return }
    withEngine(engine, at: now) { $0.receive(message, at: now) }
  }

  /// Tells the sessions that used this stream that it has closed.
  mutating func closed(_ stream: StreamID, at now: Duration) {
    for engine in engines.values {
      if engine.poll == stream {
        engine.poll = nil
        withEngine(engine, at: now) { $0.pollCancelled(at: now) }
      } else if engine.webSocket == stream {
        engine.webSocket = nil
        withEngine(engine, at: now) { $0.webSocketClosed(at: now) }
      } else if engine.post == stream {
        engine.post = nil
        drain(engine, at: now)
      }
    }
  }

  var deadline: Duration? { engines.values.compactMap(\.connection.deadline).min() }

  mutating func advance(to now: Duration) {
    for engine in engines.values {
      guard let deadline = engine.connection.deadline, deadline <= now else { continue }
      engine.connection.advance(to: now)
      drain(engine, at: now)
    }
  }

  // MARK: Messages to clients

  /// Sessions that receive apps' frames, with their WebSockets.
  var monitors: [(sid: String, stream: StreamID?)] {
    engines.values.filter(\.isMonitor).map { ($0.sid, $0.webSocket) }
  }

  /// The session id of the monitor that uses this WebSocket.
  func monitor(on stream: StreamID) -> String? {
    engines.values.first { $0.webSocket == stream }?.sid
  }

  mutating func log(_ frames: [JSON], to sid: String, at now: Duration) {
    guard let engine = engines[sid] else { return }
    for frame in frames { emit("log", frame, to: engine, at: now) }
    drain(engine, at: now)
  }

  /// Sends an app a command, and requests an acknowledgement if `isAsked`.
  mutating func tell(_ frame: JSON, to sid: String, isAsked: Bool, at now: Duration) {
    guard let engine = engines[sid] else { return }
    if isAsked { askCount += 1 }
    emit("dispatch", frame, to: engine, id: isAsked ? askCount : nil, at: now)
    drain(engine, at: now)
  }

  private mutating func emit(
    _ event: String, _ frame: JSON, to engine: EngineSession, id: Int? = nil, at now: Duration
  ) {
    let message = SocketIOMessage(event: event, arguments: [frame])
    if !engine.connection.send(message, id: id, at: now) {
      drop("Socket.IO event that cannot be sent")
    }
  }

  private mutating func withEngine(
    _ engine: EngineSession, at now: Duration, _ body: (inout EngineIOServerSession) -> Void
  ) {
    engine.connection.withEngine(at: now, body)
    drain(engine, at: now)
  }

  // MARK: Outputs of sessions

  private mutating func drain(_ engine: EngineSession, at now: Duration) {
    while engines[engine.sid] === engine, engine.connection.hasOutputs {
      for output in engine.connection.takeOutputs() { handle(output, engine, at: now) }
    }
  }

  private mutating func handle(
    _ output: SocketIOServerConnection.Output, _ engine: EngineSession, at now: Duration
  ) {
    switch output {
    case .transport(let output): transport(output, engine)
    case .connectRequested: accept(engine, at: now)
    case .event(let message): hear(message, engine, at: now)
    case .disconnected: engine.isConnected = false
    case .acknowledged(let values):
      outputs.append(.acknowledged(values.first, sid: engine.sid))
    case .closed:
      if engine.isApp { outputs.append(.left(sid: engine.sid)) }
      if engine.isMonitor {
        outputs.append(.note(.panelLeft("Socket.IO \(engine.sid.prefix(4))")))
      }
      engines[engine.sid] = nil
    }
  }

  private mutating func accept(_ engine: EngineSession, at now: Duration) {
    engine.connection.accept(sid: String(random(), radix: 36), at: now)
    engine.isConnected = true
    let peer = "Socket.IO \(engine.sid.prefix(4))"
    outputs.append(.note(.panelConnected(from: peer, kind: "Socket.IO")))
    // The client must learn that it is connected before it is shown anything.
    drain(engine, at: now)
    outputs.append(.joined(sid: engine.sid))
  }

  private mutating func transport(_ output: EngineIOServerSession.Output, _ engine: EngineSession) {
    switch output {
    case .respondPoll(let body):
      respond(200, body, engine.poll)
      engine.poll = engine.secondPoll
      engine.secondPoll = nil
    case .refusePoll(let refusal):
      respond(refusal.status, Array(refusal.body.utf8), engine.secondPoll ?? engine.poll)
      if engine.secondPoll != nil { engine.secondPoll = nil } else { engine.poll = nil }
    case .respondPost:
      respond(200, Array("ok".utf8), engine.post)
      engine.post = nil
    case .refusePost(let refusal):
      respond(refusal.status, Array(refusal.body.utf8), engine.post)
      engine.post = nil
    case .send(let frame):
      if let stream = engine.webSocket { outputs.append(.send(frame, stream)) }
    case .closeWebSocket:
      close(engine.webSocket, .normal, "")
      engine.webSocket = nil
    case .refuseWebSocket:
      close(engine.secondWebSocket ?? engine.webSocket, .policyViolation, "not this session's")
      engine.secondWebSocket = nil
    case .message, .closed: break
    }
  }

  private mutating func respond(_ status: Int, _ body: [UInt8], _ stream: StreamID?) {
    guard let stream else { return }
    let response = HTTPResponse(
      status: status, headers: ["Content-Type": "text/plain; charset=UTF-8"], body: body)
    outputs.append(.answer(response, stream))
  }

  private mutating func close(_ stream: StreamID?, _ code: CloseCode, _ reason: String) {
    if let stream { outputs.append(.close(stream, code, reason: reason)) }
  }

  private mutating func hear(_ message: SocketIOMessage, _ engine: EngineSession, at now: Duration)
  {
    guard let frame = message.arguments.first else { return drop("Socket.IO event without data") }
    switch message.event {
    case "log":
      engine.isApp = true
      if engine.isGateway {
        // The app is not announced here: that gateway's network may be ours.
        passOn("log", frame, from: engine, at: now) { $0.isMonitor }
      } else {
        outputs.append(.told(frame, sid: engine.sid, engine.webSocket ?? engine.poll))
      }
    case "dispatch":
      passOn("dispatch", frame, from: engine, at: now) { $0.isApp && $0.isGateway }
      outputs.append(.dispatch(frame, engine.webSocket))
    default: drop("unknown Socket.IO event")
    }
  }

  private mutating func passOn(
    _ event: String, _ frame: JSON, from engine: EngineSession, at now: Duration,
    to isAddressee: (EngineSession) -> Bool
  ) {
    for other in engines.values where other !== engine && isAddressee(other) {
      emit(event, frame, to: other, at: now)
      drain(other, at: now)
    }
  }
}

/// One Socket.IO client of `EngineRelay`, with the streams that its session uses. A class so that
/// its buffers are changed in place, as in `InboundStreams`.
final class EngineSession {
  let sid: String
  /// Whether another gateway dialed us for an app on its network.
  let isGateway: Bool
  var connection: SocketIOServerConnection
  /// The GET that we have not answered, and one that arrived meanwhile.
  var poll: StreamID?
  var secondPoll: StreamID?
  var post: StreamID?
  var webSocket: StreamID?
  /// A second WebSocket, which the session refuses.
  var secondWebSocket: StreamID?
  /// Whether it is in the main namespace, so that events may be sent.
  var isConnected = false
  /// Whether it has sent `log`, as an app does: it takes commands, and is shown no other apps.
  var isApp = false

  /// Whether it receives apps' frames.
  var isMonitor: Bool { isConnected && !isApp }

  init(sid: String, isGateway: Bool, connection: SocketIOServerConnection) {
    (self.sid, self.isGateway) = (sid, isGateway)
    self.connection = connection
  }

  /// Whether a request on this stream still awaits our answer.
  func isAwaited(on stream: StreamID) -> Bool {
    poll == stream || secondPoll == stream || post == stream
  }
}
