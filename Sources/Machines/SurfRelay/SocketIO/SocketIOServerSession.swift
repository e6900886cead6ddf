import JSONTree
import SurfBasics

/// Why a Socket.IO session is over.
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

/// The server's side of connections to namespaces that share an Engine.IO session, for
/// `SocketIOServerConnection` (Socket.IO protocol v5, "Exchange protocol").
package struct SocketIOServerSession: Sendable {
  /// What the caller must do, in this order.
  package enum Output: Equatable, Sendable {
    /// Send this as an Engine.IO message.
    case send(EngineIOData)
    /// The client requests a connection: call `accept` or `refuse`.
    case connectRequested(namespace: String, authentication: JSON?)
    /// An event; answer it by `acknowledge` if it has an id.
    case event(namespace: String, SocketIOMessage, id: Int?)
    /// The answer to the event sent with `id`.
    case acknowledged(namespace: String, SocketIOReply, id: Int)
    /// The client left this namespace.
    case disconnected(namespace: String)
    /// Always the last output, but never after `engineClosed`: close the Engine.IO session.
    case close(SocketIOClosing)
  }

  private enum Connection: Sendable {
    case requested
    case connected
    /// The server has ended it, and ignores packets that the client sent before it knew.
    case left
  }

  private let namespaces: Set<String>
  /// At most one for each of `namespaces`.
  private var connections: [String: Connection] = [:]
  private var decoder = SocketIODecoder()
  private var connectDeadline: Duration?
  private var outputs: [Output] = []

  package private(set) var isClosed = false

  /// The client may connect to `namespaces`, and must connect to one within `connectTimeout`.
  package init(
    namespaces: Set<String> = [SocketIOPacket.mainNamespace],
    connectTimeout: Duration = .seconds(45), now: Duration
  ) {
    self.namespaces = namespaces
    connectDeadline = now + connectTimeout
  }

  package mutating func takeOutputs() -> [Output] { outputs.takeAll() }

  /// When to call `advance` at the latest; nil if nothing is pending.
  package var deadline: Duration? { isClosed ? nil : connectDeadline }

  /// Ends the session if no namespace was connected in time.
  package mutating func advance(to now: Duration) {
    guard let deadline, now >= deadline else { return }
    close(.connectTimeout)
  }

  /// Call when the Engine.IO session is over, and nothing can be sent.
  package mutating func engineClosed() {
    isClosed = true
    connections = [:]
  }
}

extension SocketIOServerSession {
  /// Grants a requested connection, with the id `sid`. Does nothing without a request.
  package mutating func accept(_ namespace: String, sid: String) {
    guard !isClosed, connections[namespace] == .requested else { return }
    connections[namespace] = .connected
    connectDeadline = nil
    answer(SocketIOPacket(namespace: namespace, .connect(["sid": .string(sid)])))
  }

  /// Refuses a requested connection; the client may ask again. Does nothing without a request.
  package mutating func refuse(_ namespace: String, message: String) {
    guard !isClosed, connections[namespace] == .requested else { return }
    connections[namespace] = nil
    answer(SocketIOPacket(namespace: namespace, .connectError(["message": .string(message)])))
  }

  /// Sends an event. With `id`, which must be new, it asks for an answer.
  package mutating func send(
    _ message: SocketIOMessage, to namespace: String = SocketIOPacket.mainNamespace, id: Int? = nil
  ) throws(SocketIOError) {
    try send(SocketIOPacket(namespace: namespace, .event(message, id: id)))
  }

  package mutating func acknowledge(
    _ id: Int, _ reply: SocketIOReply, to namespace: String = SocketIOPacket.mainNamespace
  ) throws(SocketIOError) {
    try send(SocketIOPacket(namespace: namespace, .acknowledgement(reply, id: id)))
  }

  private mutating func send(_ packet: SocketIOPacket) throws(SocketIOError) {
    guard !isClosed, connections[packet.namespace] == .connected else { throw .notConnected }
    outputs += try SocketIOEncoder.encode(packet).map { .send($0) }
  }

  /// Sends a packet with a namespace that the client has named, which can always be encoded.
  private mutating func answer(_ packet: SocketIOPacket) {
    do throws(SocketIOError) {
      outputs += try SocketIOEncoder.encode(packet).map { .send($0) }
    } catch {
      close(.invalidPacket(error))
    }
  }

  private mutating func close(_ reason: SocketIOClosing) {
    guard !isClosed else { return }
    isClosed = true
    connections = [:]
    outputs.append(.close(reason))
  }
}

extension SocketIOServerSession {
  /// Takes a message of the Engine.IO session. An invalid one ends the session.
  package mutating func receive(_ message: EngineIOData, at now: Duration) {
    advance(to: now)
    guard !isClosed else { return }
    do throws(SocketIOError) {
      if let packet = try decoder.receive(message) { try receive(packet) }
    } catch {
      close(.invalidPacket(error))
    }
  }

  private mutating func receive(_ packet: SocketIOPacket) throws(SocketIOError) {
    let namespace = packet.namespace
    switch packet.content {
    case .connect(let authentication): try connect(namespace, authentication)
    case .connectError: throw .unexpectedPacket
    case .disconnect:
      guard try isConnected(namespace) else { return }
      connections[namespace] = nil
      outputs.append(.disconnected(namespace: namespace))
    case .event(let message, let id):
      guard try isConnected(namespace) else { return }
      outputs.append(.event(namespace: namespace, message, id: id))
    case .acknowledgement(let reply, let id):
      guard try isConnected(namespace) else { return }
      outputs.append(.acknowledged(namespace: namespace, reply, id: id))
    }
  }

  /// Returns false if the session must ignore the packet. Throws if the client has no connection
  /// ("the server MUST close the connection immediately").
  private func isConnected(_ namespace: String) throws(SocketIOError) -> Bool {
    switch connections[namespace] {
    case .connected: return true
    case .left: return false
    case .requested, nil: throw .notConnected
    }
  }

  private mutating func connect(
    _ namespace: String, _ authentication: JSON?
  ) throws(SocketIOError) {
    guard namespaces.contains(namespace) else {
      return answer(
        SocketIOPacket(namespace: namespace, .connectError(["message": "Invalid namespace"])))
    }
    switch connections[namespace] {
    case .connected, .requested: throw .unexpectedPacket
    case .left, nil:
      connections[namespace] = .requested
      outputs.append(.connectRequested(namespace: namespace, authentication: authentication))
    }
  }
}
