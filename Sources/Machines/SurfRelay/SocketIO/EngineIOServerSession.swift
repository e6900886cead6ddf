import SurfBasics
import SurfWeb

/// Why an Engine.IO session is over.
package enum EngineIOClosing: Equatable, Sendable {
  /// The other side sent a close packet.
  case closedByPeer
  /// `close` was called.
  case closedLocally
  /// The WebSocket, or the connection of a request in progress, has closed.
  case transportClosed
  /// The other side was silent for too long.
  case pingTimeout
  /// A GET arrived while another was open.
  case overlappingPoll
  /// The client sent a body or WebSocket message beyond `maxPayload`.
  case payloadTooLarge
  /// More than `queueSizeMax` waits for a client that does not poll.
  case queueTooLarge
  /// The other side sent something that is not a packet, or is not allowed now.
  case invalidPacket(EngineIOError)
  /// The open packet was invalid, or did not arrive in time.
  case invalidHandshake
}

/// The server's side of one client's Engine.IO v4 session, for `SocketIOServerConnection`.
///
/// Inputs may arrive in any order and never trap. Each takes the time since some fixed moment, and
/// first does what is due by then. The outputs say what the caller must do.
package struct EngineIOServerSession: Sendable {
  /// What the caller must do, in this order.
  package enum Output: Equatable, Sendable {
    /// Answer the open GET with 200 and this body.
    case respondPoll([UInt8])
    /// Answer the GET of the latest `poll` with this, and not the one that was open before.
    case refusePoll(EngineIORefusal)
    /// Answer the POST with 200 and the body `ok`.
    case respondPost
    /// Answer the POST of the latest `post` with this.
    case refusePost(EngineIORefusal)
    /// Send this over the WebSocket.
    case send(WebMessage)
    /// Close the session's WebSocket.
    case closeWebSocket
    /// Close the WebSocket of the latest `webSocketOpened`, and report nothing more about it.
    case refuseWebSocket
    /// The client sent a message.
    case message(WebMessage)
    /// The session is over. Only refusals of later requests follow.
    case closed(EngineIOClosing)
  }

  enum Channel: Equatable, Sendable {
    case polling
    /// Polling, while the client tries a WebSocket until `deadline`; `isProbed` after its ping.
    case upgrading(isProbed: Bool, deadline: Duration)
    case webSocket
    case closed
  }

  enum Heartbeat: Equatable, Sendable {
    case ping(at: Duration)
    case pong(by: Duration)
  }

  package let sid: String
  let configuration: EngineIOConfiguration
  var channel: Channel
  var heartbeat: Heartbeat
  var outputs: [Output] = []

  // Used for polling. Kept outside of `Channel`, where each change would copy the queue.
  var pollHangs = false
  var queue: [EngineIOPacket] = []
  package var queueSize = 0

  /// Starts a session that a request over `transport` opens. The outputs answer the request.
  package init(
    sid: String, configuration: EngineIOConfiguration = EngineIOConfiguration(),
    transport: EngineIOTransport, now: Duration
  ) {
    self.sid = sid
    self.configuration = configuration
    channel = transport == .polling ? .polling : .webSocket
    heartbeat = .ping(at: now + configuration.pingInterval)
    pollHangs = transport == .polling
    let upgrades = transport == .polling ? [EngineIOTransport.webSocket.rawValue] : []
    let handshake = EngineIOHandshake(sid: sid, upgrades: upgrades, configuration: configuration)
    write(.open(handshake.text))
  }

  package mutating func takeOutputs() -> [Output] { outputs.takeAll() }

  var hasOutputs: Bool { !outputs.isEmpty }

  /// Whether the session is over. Its `sid` is then unknown.
  package var isClosed: Bool { channel == .closed }

  /// Sends a message, or queues it for the next poll. Does nothing once closed.
  package mutating func send(_ message: WebMessage) {
    write(.message(message))
  }

  /// Ends the session, and drops packets that wait for a poll.
  package mutating func close() {
    finish(.closedLocally)
  }
}

extension EngineIOServerSession {
  /// When to call `advance` at the latest; nil once closed.
  package var deadline: Duration? {
    let beat =
      switch heartbeat {
      case .ping(let time), .pong(let time): time
      }
    switch channel {
    case .closed: return nil
    case .upgrading(_, let upgrade): return min(beat, upgrade)
    case .polling, .webSocket: return beat
    }
  }

  /// Does what is due at `now`: a ping, the end of an upgrade that took too long, or closing.
  package mutating func advance(to now: Duration) {
    if case .upgrading(_, let deadline) = channel, now >= deadline { abandonUpgrade() }
    guard !isClosed else { return }
    switch heartbeat {
    case .ping(let time) where now >= time:
      heartbeat = .pong(by: now + configuration.pingTimeout)
      write(.ping(""))
    case .pong(let time) where now >= time: finish(.pingTimeout)
    case .ping, .pong: break
    }
  }

  /// Takes a packet of either transport ("Heartbeat": a client may not ping).
  mutating func receive(_ packet: EngineIOPacket, at now: Duration) {
    switch packet {
    case .message(let message): outputs.append(.message(message))
    case .pong: receivePong(at: now)
    case .close: finish(.closedByPeer)
    case .ping: finish(.invalidPacket(.unexpectedPacket))
    case .open, .upgrade, .noop: break
    }
  }

  private mutating func receivePong(at now: Duration) {
    guard case .pong = heartbeat else { return }
    heartbeat = .ping(at: now + configuration.pingInterval)
  }

  mutating func write(_ packet: EngineIOPacket) {
    switch channel {
    case .closed: break
    case .webSocket: outputs.append(.send(packet.frame))
    case .polling, .upgrading: enqueue(packet)
    }
  }

  /// Ends the session, once. An open poll gets the same packet as from the reference server: noop
  /// if the client closed, otherwise close.
  mutating func finish(_ reason: EngineIOClosing) {
    guard !isClosed else { return }
    if pollHangs { respondPoll([reason == .closedByPeer ? .noop : .close]) }
    switch channel {
    case .upgrading, .webSocket: outputs.append(.closeWebSocket)
    case .polling, .closed: break
    }
    channel = .closed
    queue = []
    queueSize = 0
    outputs.append(.closed(reason))
  }
}
