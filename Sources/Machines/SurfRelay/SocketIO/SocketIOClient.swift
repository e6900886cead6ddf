import JSONTree
import SurfBasics
import SurfWeb

/// The client's side of a connection to the main namespace, over a WebSocket, for `RelayLink`
/// (Engine.IO protocol v4; Socket.IO protocol v5, "Exchange protocol").
package struct SocketIOClient: Sendable {
  /// What the caller must do, in this order.
  package enum Output: Equatable, Sendable {
    /// Send this over the WebSocket.
    case send(WebMessage)
    /// Close the WebSocket.
    case closeWebSocket
    /// The server granted the connection, and events may be sent. `sid` is that of the namespace.
    case connected(sid: String)
    /// An event; answer it if it has an id.
    case event(SocketIOMessage, id: Int?)
    /// The connection is over. Always the last output.
    case closed(SocketIOClosing)
  }

  private enum State: Equatable, Sendable {
    /// The server must open the Engine.IO session.
    case opening
    /// The server must grant the connection.
    case connecting
    case connected
    case closed
  }

  /// The size of a message that the server would not take, in octets.
  package struct Excess: Equatable, Sendable {
    package let size: Int
    package let sizeMax: Int
  }

  private let connectTimeout: Duration
  private var state = State.opening
  /// When the present handshake times out.
  private var handshakeDeadline: Duration
  /// The longest that this client tolerates silence, and when it ends ("Heartbeat").
  private var silence = Duration.zero
  private var silenceDeadline = Duration.zero
  private var decoder = SocketIODecoder()
  private var outputs: [Output] = []
  /// The most octets of a message that the server accepts; a longer one would end the connection.
  private var messageSizeMax = Int.max

  /// Connects over a WebSocket that has just opened. `connectTimeout` applies to each of the two
  /// handshakes.
  package init(connectTimeout: Duration = .seconds(20), now: Duration) {
    self.connectTimeout = connectTimeout
    handshakeDeadline = now + connectTimeout
  }

  package mutating func takeOutputs() -> [Output] { outputs.takeAll() }

  package var isConnected: Bool { state == .connected }

  package var isClosed: Bool { state == .closed }

  /// When to call `advance` at the latest; nil once closed.
  package var deadline: Duration? {
    switch state {
    case .opening: handshakeDeadline
    case .connecting: min(handshakeDeadline, silenceDeadline)
    case .connected: silenceDeadline
    case .closed: nil
    }
  }

  /// Gives the server up after too long a silence, or a handshake that takes too long.
  package mutating func advance(to now: Duration) {
    if state == .connecting, now >= handshakeDeadline { return close(.connectTimeout) }
    guard let deadline, now >= deadline else { return }
    end(.engine(state == .opening ? .invalidHandshake : .pingTimeout))
  }

  /// Sends an event or an answer. Does nothing unless connected.
  ///
  /// - Returns: nil, unless the packet is too large for the server and was not sent.
  package mutating func send(_ content: SocketIOPacket.Content) -> Excess? {
    guard isConnected else { return nil }
    let message = SocketIOPacket(content).message
    // Plus one octet for the type of the Engine.IO packet.
    guard message.size < messageSizeMax else {
      return Excess(size: message.size + 1, sizeMax: messageSizeMax)
    }
    write(.message(message))
    return nil
  }

  /// Ends the connection and the session below it.
  package mutating func close() {
    if isConnected { write(.message(SocketIOPacket(.disconnect).message)) }
    close(.closedLocally)
  }

  private mutating func write(_ packet: EngineIOPacket) { outputs.append(.send(packet.frame)) }

  private mutating func close(_ reason: SocketIOClosing) {
    if state != .opening, !isClosed { write(.close) }
    end(reason)
  }

  /// Ends the connection without a word to the server.
  private mutating func end(_ reason: SocketIOClosing) {
    guard !isClosed else { return }
    state = .closed
    outputs += [.closeWebSocket, .closed(reason)]
  }
}

extension SocketIOClient {
  /// Takes a message from the WebSocket.
  package mutating func receive(_ frame: WebMessage, at now: Duration) {
    advance(to: now)
    guard !isClosed else { return }
    silenceDeadline = now + silence
    do throws(EngineIOError) {
      let packet = try EngineIOPacket(frame: frame)
      if state == .opening { open(with: packet, at: now) } else { receive(packet) }
    } catch {
      end(.engine(.invalidPacket(error)))
    }
  }

  private mutating func open(with packet: EngineIOPacket, at now: Duration) {
    guard case .open(let text) = packet, let handshake = EngineIOHandshake(text: text) else {
      return end(.engine(.invalidHandshake))
    }
    let server = handshake.configuration
    silence = server.pingInterval + server.pingTimeout
    silenceDeadline = now + silence
    messageSizeMax = server.maxPayload
    state = .connecting
    handshakeDeadline = now + connectTimeout
    write(.message(SocketIOPacket(.connect(nil)).message))
  }

  private mutating func receive(_ packet: EngineIOPacket) {
    switch packet {
    case .message(let message): receive(message)
    case .ping(let text): write(.pong(text))
    case .close: end(.engine(.closedByPeer))
    case .open, .pong, .upgrade, .noop: break
    }
  }

  private mutating func receive(_ message: WebMessage) {
    do throws(SocketIOError) {
      guard let packet = try decoder.receive(message) else { return }
      // This client asked for no other namespace.
      if packet.namespace == SocketIOPacket.mainNamespace { try receive(packet.content) }
    } catch {
      close(.invalidPacket(error))
    }
  }

  private mutating func receive(_ content: SocketIOPacket.Content) throws(SocketIOError) {
    switch (state, content) {
    case (.connecting, .connect(let payload)):
      guard let sid = payload?["sid"]?.string else { throw .invalidPayload }
      state = .connected
      outputs.append(.connected(sid: sid))
    case (.connecting, .connectError(let reason)): close(.refused(reason))
    case (.connected, .event(let message, let id)): outputs.append(.event(message, id: id))
    // This client never asks for an acknowledgement.
    case (.connected, .acknowledgement): break
    case (.connected, .disconnect): close(.disconnected)
    default: throw .unexpectedPacket
    }
  }
}
