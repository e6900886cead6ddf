import JSONTree
import SurfBasics
import SurfWeb

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

/// The server's side of a connection to the main namespace, for `SocketIOServerConnection`
/// (Socket.IO protocol v5, "Exchange protocol"). It refuses all others.
package struct SocketIOServerSession: Sendable {
  /// What the caller must do, in this order.
  package enum Output: Equatable, Sendable {
    /// Send this as an Engine.IO message.
    case send(WebMessage)
    /// The client requests a connection: call `accept`.
    case connectRequested
    case event(SocketIOMessage)
    /// The answer to an event that was sent with an id.
    case acknowledged(SocketIOReply)
    /// The client disconnected, and the Engine.IO session goes on.
    case disconnected
    /// Always the last output, but never after `engineClosed`: close the Engine.IO session.
    case close(SocketIOClosing)
  }

  private enum Phase: Sendable {
    case apart, requested, connected, closed
  }

  /// How long the client may take to connect.
  private static let connectTimeout = Duration.seconds(45)

  private var phase = Phase.apart
  private var decoder = SocketIODecoder()
  private var connectDeadline: Duration?
  private var outputs: [Output] = []

  package init(now: Duration) { connectDeadline = now + Self.connectTimeout }

  package mutating func takeOutputs() -> [Output] { outputs.takeAll() }

  /// When to call `advance` at the latest; nil if nothing is pending.
  package var deadline: Duration? { phase == .closed ? nil : connectDeadline }

  /// Ends the session if the client did not connect in time.
  package mutating func advance(to now: Duration) {
    guard let deadline, now >= deadline else { return }
    close(.connectTimeout)
  }

  /// Call when the Engine.IO session is over, and nothing can be sent.
  package mutating func engineClosed() { phase = .closed }
}

extension SocketIOServerSession {
  /// Grants a requested connection, with the id `sid`. Does nothing without a request.
  package mutating func accept(sid: String) {
    guard phase == .requested else { return }
    phase = .connected
    connectDeadline = nil
    answer(SocketIOPacket(.connect(["sid": .string(sid)])))
  }

  /// Sends an event. With `id`, which must be new, it asks for an answer.
  package mutating func send(_ message: SocketIOMessage, id: Int? = nil) throws(SocketIOError) {
    guard phase == .connected else { throw .notConnected }
    outputs += try SocketIOEncoder.encode(SocketIOPacket(.event(message, id: id)))
      .map { .send($0) }
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
    guard phase != .closed else { return }
    phase = .closed
    outputs.append(.close(reason))
  }
}

extension SocketIOServerSession {
  /// Takes a message of the Engine.IO session. An invalid one ends the session.
  package mutating func receive(_ message: WebMessage, at now: Duration) {
    advance(to: now)
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
      answer(
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
    case .acknowledgement(let reply, _): outputs.append(.acknowledged(reply))
    }
  }
}
