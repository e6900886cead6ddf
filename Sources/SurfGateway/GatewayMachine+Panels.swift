import JSONTree
import ReduxDevTools
import SocketIO
import SurfSockets
import SurfWire
import WebSocket

// Telling panels.
extension GatewayMachine {
  /// Sends a message to every panel and relay, encoded once for all panels of a kind.
  mutating func broadcast(
    _ message: PanelMessage, of session: SessionID, except excluded: StreamID? = nil,
    at now: Duration
  ) {
    guard let app = apps[session], app.instance.isLoaded else { return }
    let panels = connections.filter { $0.value.isPanel && $0.key != excluded }.map(\.key)
    if !panels.isEmpty {
      let frame = app.instance.frame(message, connection: app.connection)
      let bytes = Self.publication(frame, on: "log")
      for panel in panels { deliver(bytes, message, to: panel) }
    }
    let monitors = engines.values.filter { $0.isConnected && !$0.isApp }
    if !monitors.isEmpty {
      let frames = app.instance.seedFrames(message)
      for monitor in monitors { send(frames, message, to: monitor, at: now) }
    }
    broadcastUp(message, of: app, session, at: now)
  }

  /// An app says that it is there; a panel answers by asking it to begin.
  mutating func announce(_ app: GatewayApp) {
    publish(app.instance.startFrame(connection: app.connection), on: "log")
  }

  /// Sends one panel everything.
  mutating func greet(_ stream: StreamID, at now: Duration) {
    for app in apps.values where app.instance.isLoaded {
      let frame = app.instance.frame(.whole, connection: app.connection)
      write(Self.publication(frame, on: "log"), to: stream)
    }
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
    connection.isBehind = false
    switch connection.role {
    case .cluster: greet(stream, at: now)
    case .engine(let sid): greet(engine: sid, at: now)
    case .http, .closing: break
    }
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
      drop("Socket.IO: \(error)")
    }
  }
}
