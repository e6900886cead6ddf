import JSONTree
import SurfBasics
import SurfWeb

/// Why a Socket.IO connection is over.
package enum SocketIOClosing: Equatable, Sendable {
  /// The other side sent bytes that are not a packet, or not allowed now.
  case invalidPacket(SocketIOError)
  /// No namespace was connected in time.
  case connectTimeout
  /// The server refused the connection, with an object or string as the reason.
  case refused(JSON)
  /// The server ended the connection to the namespace.
  case disconnected
  /// `close` was called.
  case closedLocally
  /// The Engine.IO session is over.
  case engine(EngineIOClosing)
}

/// One client of the gateway's Socket.IO relay: an Engine.IO session, and on top of it the
/// connection to the main namespace (Socket.IO protocol v5, "Exchange protocol"). It refuses all
/// other namespaces.
package struct SocketIOServerConnection: Sendable {
  /// What the caller must do, in this order.
  package enum Output: Equatable, Sendable {
    /// Pass to the transport. Never `message` or `closed`. Refusals may follow `closed`.
    case transport(EngineIOServerSession.Output)
    /// The client requests a connection: call `accept`.
    case connectRequested
    case event(SocketIOMessage)
    /// The answer to an event that was sent with an id.
    case acknowledged([JSON])
    /// The client disconnected, and the session goes on.
    case disconnected
    /// The session is over.
    case closed(SocketIOClosing)
  }

  private enum Phase: Sendable {
    case apart, requested, connected, closed
  }

  /// How long the client may take to connect.
  private static let connectTimeout = Duration.seconds(45)

  private var engine: EngineIOServerSession
  private var phase = Phase.apart
  private var decoder = SocketIODecoder()
  private var connectDeadline: Duration?
  /// Why the engine was closed from here, if it was.
  private var closing: SocketIOClosing?
  private var outputs: [Output] = []

  /// - Parameter engine: a session that starts now.
  package init(engine: EngineIOServerSession, now: Duration) {
    self.engine = engine
    connectDeadline = now + Self.connectTimeout
    drain(at: now)
  }

  package mutating func takeOutputs() -> [Output] { outputs.takeAll() }

  package var hasOutputs: Bool { !outputs.isEmpty }

  /// When to call `advance` at the latest; nil once closed.
  package var deadline: Duration? { engine.deadline.map { min($0, connectDeadline ?? $0) } }

  package mutating func advance(to now: Duration) {
    engine.advance(to: now)
    expire(at: now)
    drain(at: now)
  }

  /// Passes events of the transport to the Engine.IO session.
  package mutating func withEngine(
    at now: Duration, _ body: (inout EngineIOServerSession) -> Void
  ) {
    body(&engine)
    drain(at: now)
  }

  /// Grants a requested connection, with the id `sid`. Does nothing without a request.
  package mutating func accept(sid: String, at now: Duration) {
    guard phase == .requested else { return }
    phase = .connected
    connectDeadline = nil
    write(SocketIOPacket(.connect(["sid": .string(sid)])))
    drain(at: now)
  }

  /// Sends an event. With `id`, which must be new, it asks for an answer.
  ///
  /// - Returns: false, without effect, if the client is not connected.
  @discardableResult
  package mutating func send(_ message: SocketIOMessage, id: Int? = nil, at now: Duration) -> Bool {
    guard phase == .connected else { return false }
    write(SocketIOPacket(.event(message, id: id)))
    drain(at: now)
    return true
  }

  private mutating func write(_ packet: SocketIOPacket) { engine.send(packet.message) }

  private mutating func expire(at now: Duration) {
    if let connectDeadline, now >= connectDeadline { close(.connectTimeout) }
  }

  private mutating func close(_ reason: SocketIOClosing) {
    guard phase != .closed else { return }
    phase = .closed
    closing = reason
    engine.close()
  }
}

extension SocketIOServerConnection {
  /// Handles the engine's outputs until there are no more. It terminates, because only received
  /// messages make this side send, and sending receives none.
  private mutating func drain(at now: Duration) {
    while engine.hasOutputs {
      for output in engine.takeOutputs() { handle(output, at: now) }
    }
  }

  private mutating func handle(_ output: EngineIOServerSession.Output, at now: Duration) {
    switch output {
    case .message(let message): receive(message, at: now)
    case .closed(let reason):
      phase = .closed
      outputs.append(.closed(closing ?? .engine(reason)))
    default: outputs.append(.transport(output))
    }
  }

  /// Takes a message of the Engine.IO session. An invalid one ends the session.
  private mutating func receive(_ message: WebMessage, at now: Duration) {
    expire(at: now)
    guard phase != .closed else { return }
    do throws(SocketIOError) {
      if let packet = try decoder.receive(message) { try receive(packet) }
    } catch {
      close(.invalidPacket(error))
    }
  }

  private mutating func receive(_ packet: SocketIOPacket) throws(SocketIOError) {
    let isOurs = packet.namespace == SocketIOPacket.mainNamespace
    switch packet.content {
    case .connect where !isOurs:
      write(
        SocketIOPacket(
          namespace: packet.namespace, .connectError(["message": "Invalid namespace"])))
    case .connect:
      guard phase == .apart else { throw .unexpectedPacket }
      phase = .requested
      outputs.append(.connectRequested)
    case .connectError: throw .unexpectedPacket
    // "The server MUST close the connection immediately."
    case _ where !isOurs || phase != .connected: throw .notConnected
    case .disconnect:
      phase = .apart
      outputs.append(.disconnected)
    case .event(let message, _): outputs.append(.event(message))
    case .acknowledgement(let values, _): outputs.append(.acknowledged(values))
    }
  }
}
