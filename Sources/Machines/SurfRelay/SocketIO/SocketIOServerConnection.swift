import SurfBasics

/// One client of the gateway's Socket.IO relay: an Engine.IO session with a Socket.IO session on
/// top, each fed with the other's outputs.
package struct SocketIOServerConnection: Sendable {
  /// What the caller must do, in this order.
  package enum Output: Equatable, Sendable {
    /// Pass to the transport. Never `message` or `closed`. Refusals may follow `closed`.
    case transport(EngineIOServerSession.Output)
    /// The client requests a connection: call `accept`.
    case connectRequested
    case event(SocketIOMessage)
    /// The answer to an event that was sent with an id.
    case acknowledged(SocketIOReply)
    /// The client disconnected, and the session goes on.
    case disconnected
    /// The session is over.
    case closed(SocketIOClosing)
  }

  private var engine: EngineIOServerSession
  private var socket: SocketIOServerSession
  /// Why the socket closed the engine, if it did.
  private var closing: SocketIOClosing?
  private var outputs: [Output] = []

  /// - Parameter engine: a session that starts now.
  package init(engine: EngineIOServerSession, now: Duration) {
    self.engine = engine
    socket = SocketIOServerSession(now: now)
    drain(at: now)
  }

  package mutating func takeOutputs() -> [Output] { outputs.takeAll() }

  package var hasOutputs: Bool { !outputs.isEmpty }

  /// When to call `advance` at the latest; nil once closed.
  package var deadline: Duration? {
    guard let deadline = engine.deadline else { return nil }
    return min(deadline, socket.deadline ?? deadline)
  }

  package mutating func advance(to now: Duration) {
    engine.advance(to: now)
    socket.advance(to: now)
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
    socket.accept(sid: sid)
    drain(at: now)
  }

  /// Sends an event. With `id`, which must be new, it asks for an answer.
  package mutating func send(
    _ message: SocketIOMessage, id: Int? = nil, at now: Duration
  ) throws(SocketIOError) {
    try socket.send(message, id: id)
    drain(at: now)
  }

  /// Passes outputs between the sessions until there are no more. It terminates, because only
  /// received messages make the socket send, and sending receives none.
  private mutating func drain(at now: Duration) {
    repeat {
      drainSocket()
      for output in engine.takeOutputs() {
        handle(output, at: now)
        drainSocket()
      }
    } while engine.hasOutputs
  }

  private mutating func handle(_ output: EngineIOServerSession.Output, at now: Duration) {
    switch output {
    case .message(let message): socket.receive(message, at: now)
    case .closed(let reason):
      socket.engineClosed()
      outputs.append(.closed(closing ?? .engine(reason)))
    default: outputs.append(.transport(output))
    }
  }

  private mutating func drainSocket() {
    for output in socket.takeOutputs() {
      switch output {
      case .send(let message): engine.send(message)
      case .connectRequested: outputs.append(.connectRequested)
      case .event(let message): outputs.append(.event(message))
      case .acknowledged(let reply): outputs.append(.acknowledged(reply))
      case .disconnected: outputs.append(.disconnected)
      case .close(let reason):
        closing = reason
        engine.close()
      }
    }
  }
}
