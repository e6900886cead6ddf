import JSONTree
import ReduxDevTools
import SocketIO
import SurfStreams
import SurfWire
import WebSocket

// Telling panels.
extension GatewayMachine {
  /// Tells everybody of a message: Socket.IO at once, panels when they can take it in.
  mutating func broadcast(_ message: PanelMessage, of session: SessionID, at now: Duration) {
    guard let app = apps[session], app.instance.isLoaded else { return }
    var message = message
    if case .error(let reason) = message { message = .error(reason.printable) }
    let monitors = engines.values.filter { $0.isConnected && !$0.isApp }
    if !monitors.isEmpty {
      let frames = app.instance.seedFrames(message)
      for monitor in monitors { send(frames, message, to: monitor, at: now) }
    }
    tellUplinks(message, of: app, session, kind: .socketIO, at: now)
    switch message {
    case .error, .export: sendPanels(message, of: session, at: now)
    case .whole, .action, .lifted:
      apps[session]?.outbox.add(message)
      flush(session, at: now)
    }
  }

  /// Sends panels what may leave by now.
  mutating func flush(_ session: SessionID, at now: Duration) {
    for message in apps[session]?.outbox.take(at: now) ?? [] {
      let octetCount = sendPanels(message, of: session, at: now)
      if octetCount > 0 { apps[session]?.outbox.wasSent(message, octetCount, at: now) }
    }
  }

  /// Encodes a message once for all panels of a kind.
  ///
  /// - Returns: its octets; 0 if nobody watches.
  @discardableResult
  private mutating func sendPanels(
    _ message: PanelMessage, of session: SessionID, at now: Duration
  ) -> Int {
    guard let app = apps[session] else { return 0 }
    var octetCount = tellUplinks(message, of: app, session, kind: .socketCluster, at: now)
    let panels = connections.filter { $0.value.isPanel && !isAhead($0.key, app, message) }
    guard !panels.isEmpty else { return octetCount }
    let bytes = Self.publication(
      app.instance.frame(message, connection: app.connection), on: "log")
    octetCount = max(octetCount, bytes.count)
    for panel in panels.keys { deliver(bytes, message, to: panel) }
    return octetCount
  }

  /// Who drags the slider has moved the pointer further than the app is yet.
  private func isAhead(_ panel: StreamID, _ app: GatewayApp, _ message: PanelMessage) -> Bool {
    guard case .lifted = message else { return false }
    return app.mover == panel && app.unanswered > 0
  }

  /// Puts every panel's pointer where the app is, once it has answered all that they asked.
  mutating func settle(_ session: SessionID, at now: Duration) {
    guard let app = apps[session], app.unanswered == 0 else { return }
    apps[session]?.owesPointer = false
    broadcast(app.instance.pointer, of: session, at: now)
  }

  /// The word on where the app is has come: it may lead to where the pointers of all but one were
  /// before.
  mutating func settleDebt(_ session: SessionID, at now: Duration) {
    if apps[session]?.owesPointer == true { settle(session, at: now) }
  }

  /// An app says that it is there; a panel answers by asking it to begin.
  mutating func announce(_ app: GatewayApp) {
    publish(app.instance.startFrame(connection: app.connection), on: "log")
  }

  /// Sends one panel everything.
  mutating func greet(_ stream: StreamID, at now: Duration) {
    for session in Array(apps.keys) { greet(stream, session, at: now) }
  }

  /// Sends one panel the history of one app.
  mutating func greet(_ stream: StreamID, _ session: SessionID, at now: Duration) {
    guard let app = apps[session], app.instance.isLoaded else { return }
    apps[session]?.outbox.wasShown()
    let frame = app.instance.frame(.whole, connection: app.connection)
    deliver(Self.publication(frame, on: "log"), .whole, to: stream)
    look(at: session, at: now)
  }

  /// A slow panel gets the newest history once it has caught up, in place of every action that it
  /// had no time for: it must not cost us memory without end, nor slow the others.
  private mutating func deliver(_ bytes: [UInt8], _ message: PanelMessage, to stream: StreamID) {
    guard let connection = connections[stream] else { return }
    guard !connection.isBehind, connection.unsent < GatewayLimits.behindSize else {
      connection.isBehind = true
      return drop("a panel was too slow")
    }
    write(bytes, to: stream)
  }

  /// Room again for a peer.
  mutating func caughtUp(_ stream: StreamID, unsent: Int, at now: Duration) {
    guard let connection = connections[stream] else { return }
    connection.unsent = unsent
    guard connection.isBehind else { return }
    guard unsent < GatewayLimits.behindSize else { return }
    connection.isBehind = false
    switch connection.role {
    case .cluster:
      // At the pace of all panels: it has just shown that it is none of the fastest.
      for session in Array(apps.keys) { owe(session, at: now) }
    case .engine(let sid): greet(engine: sid, at: now)
    case .http, .closing: break
    }
  }

  private mutating func owe(_ session: SessionID, at now: Duration) {
    guard apps[session]?.instance.isLoaded == true else { return }
    apps[session]?.outbox.add(.whole)
    flush(session, at: now)
  }

  /// To everyone who watches a channel of our relay.
  mutating func publish(_ frame: JSON, on channel: String, except excluded: StreamID? = nil) {
    let subscribers = connections.filter {
      $0.key != excluded && $0.value.cluster?.channels.contains(channel) == true
    }
    guard !subscribers.isEmpty else { return }
    let bytes = Self.publication(frame, on: channel)
    for stream in subscribers.keys { write(bytes, to: stream) }
  }

  static func publication(_ frame: JSON, on channel: String) -> [UInt8] {
    let packet: JSON = [
      "event": "#publish", "data": ["channel": .string(channel), "data": frame],
    ]
    return WebSocketConnection.serverFrame(text: packet.bytes())
  }

  /// As a Socket.IO relay: `log` for every monitor.
  private mutating func send(
    _ frames: [JSON], _ message: PanelMessage, to engine: EngineSession, at now: Duration
  ) {
    if let stream = engine.webSocket, let connection = connections[stream] {
      guard !connection.isBehind, connection.unsent < GatewayLimits.behindSize else {
        connection.isBehind = true
        return drop("a panel was too slow")
      }
    }
    for frame in frames { emit("log", frame, to: engine, at: now) }
    drainEngine(engine.sid, at: now)
  }

  mutating func greet(engine sid: String, at now: Duration) {
    guard let engine = engines[sid] else { return }
    for app in apps.values where app.instance.isLoaded {
      for frame in app.instance.seedFrames(.whole) { emit("log", frame, to: engine, at: now) }
    }
    drainEngine(sid, at: now)
  }

  mutating func emit(_ event: String, _ frame: JSON, to engine: EngineSession, at now: Duration) {
    do throws(SocketIOError) {
      try engine.connection.withSocket(at: now) { socket throws(SocketIOError) in
        try socket.send(SocketIOMessage(event: event, arguments: [frame]))
      }
    } catch {
      drop("Socket.IO event that cannot be sent")
    }
  }
}
