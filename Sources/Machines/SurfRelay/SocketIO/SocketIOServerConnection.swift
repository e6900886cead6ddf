import JSONTree
import SurfBasics

/// One client of the gateway's Socket.IO relay: an Engine.IO session with a Socket.IO session on
/// top, each fed with the other's outputs.
package struct SocketIOServerConnection: Sendable {
  /// What the caller must do, in this order.
  package enum Output: Equatable, Sendable {
    /// Pass to the transport. Never `message` or `closed`. Refusals may follow `closed`.
    case transport(EngineIOServerSession.Output)
    /// The client requests a connection: call the socket's `accept` or `refuse`.
    case connectRequested(namespace: String, authentication: JSON?)
    /// An event; answer it by the socket's `acknowledge` if it has an id.
    case event(namespace: String, SocketIOMessage, id: Int?)
    /// The answer to the event sent with `id`.
    case acknowledged(namespace: String, SocketIOReply, id: Int)
    /// The client left this namespace, but not the session.
    case disconnected(namespace: String)
    /// The session is over.
    case closed(SocketIOClosing)
  }

  private var engine: EngineIOServerSession
  private var socket: SocketIOServerSession
  /// Why the socket closed the engine, if it did.
  private var closing: SocketIOClosing?
  private var outputs: [Output] = []

  /// Joins two sessions that were made for each other at the same time.
  package init(engine: EngineIOServerSession, socket: SocketIOServerSession, now: Duration) {
    self.engine = engine
    self.socket = socket
    drain(at: now)
  }

  package mutating func takeOutputs() -> [Output] { outputs.takeAll() }

  package var hasOutputs: Bool { !outputs.isEmpty }

  /// Whether the session is over. Its `sid` is then unknown.
  package var isClosed: Bool { engine.isClosed }

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

  /// Lets the Socket.IO session accept, send, acknowledge or disconnect.
  package mutating func withSocket(
    at now: Duration, _ body: (inout SocketIOServerSession) throws(SocketIOError) -> Void
  ) throws(SocketIOError) {
    defer { drain(at: now) }
    try body(&socket)
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
      case .connectRequested(let namespace, let authentication):
        outputs.append(.connectRequested(namespace: namespace, authentication: authentication))
      case .event(let namespace, let message, let id):
        outputs.append(.event(namespace: namespace, message, id: id))
      case .acknowledged(let namespace, let reply, let id):
        outputs.append(.acknowledged(namespace: namespace, reply, id: id))
      case .disconnected(let namespace): outputs.append(.disconnected(namespace: namespace))
      case .close(let reason):
        closing = reason
        engine.close()
      }
    }
  }
}
