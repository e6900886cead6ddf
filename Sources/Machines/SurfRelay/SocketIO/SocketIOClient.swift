import JSONTree
import SurfBasics
import SurfWeb

/// The client's side of a connection to the main namespace, including its Engine.IO session, for
/// `RelayLink` (Socket.IO protocol v5, "Exchange protocol").
package struct SocketIOClient: Sendable {
  /// What the caller must do, in this order.
  package enum Output: Equatable, Sendable {
    /// Send this over the WebSocket.
    case send(WebMessage)
    /// Close the WebSocket.
    case closeWebSocket
    /// The server granted the connection, and events may be sent. `sid` is that of the namespace.
    case connected(sid: String)
    /// An event; answer it by `acknowledge` if it has an id.
    case event(SocketIOMessage, id: Int?)
    /// The connection is over. Always the last output.
    case closed(SocketIOClosing)
  }

  private enum State: Equatable, Sendable {
    case opening
    /// The server must grant the connection by then.
    case connecting(by: Duration)
    case connected
    case closed
  }

  private let connectTimeout: Duration
  private var state = State.opening
  private var engine: EngineIOClient
  private var decoder = SocketIODecoder()
  private var outputs: [Output] = []
  /// The most octets of a message that the server accepts; a longer one would end the connection.
  private var messageSizeMax = Int.max

  /// Connects over a WebSocket that has just opened. `connectTimeout` applies to each of the two
  /// handshakes.
  package init(connectTimeout: Duration = .seconds(20), now: Duration) {
    self.connectTimeout = connectTimeout
    engine = EngineIOClient(openTimeout: connectTimeout, now: now)
  }

  package mutating func takeOutputs() -> [Output] { outputs.takeAll() }

  package var isConnected: Bool { state == .connected }

  package var isClosed: Bool { state == .closed }

  /// When to call `advance` at the latest; nil once closed.
  package var deadline: Duration? {
    guard case .connecting(let connect) = state, let deadline = engine.deadline else {
      return engine.deadline
    }
    return min(connect, deadline)
  }

  /// Gives the server up after too long a silence.
  package mutating func advance(to now: Duration) {
    if case .connecting(let deadline) = state, now >= deadline { close(.connectTimeout) }
    engine.advance(to: now)
    drainEngine(at: now)
  }

  /// Takes a message from the WebSocket.
  package mutating func receive(_ frame: WebMessage, at now: Duration) {
    engine.receive(frame, at: now)
    drainEngine(at: now)
  }

  package mutating func send(_ message: SocketIOMessage) throws(SocketIOError) {
    try send(.event(message, id: nil))
  }

  package mutating func acknowledge(_ id: Int, _ reply: SocketIOReply) throws(SocketIOError) {
    try send(.acknowledgement(reply, id: id))
  }

  /// Ends the connection and the session below it.
  package mutating func close() {
    if isConnected { write(.disconnect) }
    close(.closedLocally)
  }
}

extension SocketIOClient {
  private mutating func send(_ content: SocketIOPacket.Content) throws(SocketIOError) {
    guard isConnected else { throw .notConnected }
    let messages = try SocketIOEncoder.encode(SocketIOPacket(content))
    // Plus one octet for the type of the Engine.IO packet.
    if let size = messages.map(\.size).max(), size >= messageSizeMax {
      throw .messageTooLarge(size: size + 1, max: messageSizeMax)
    }
    for message in messages { engine.send(message) }
    takeEngineFrames()
  }

  /// Sends a packet of the handshake or the goodbye.
  private mutating func write(_ content: SocketIOPacket.Content) {
    do throws(SocketIOError) {
      let messages = try SocketIOEncoder.encode(SocketIOPacket(content))
      for message in messages { engine.send(message) }
      takeEngineFrames()
    } catch {
      close(.invalidPacket(error))
    }
  }

  /// After `send`, the engine's only outputs are frames.
  private mutating func takeEngineFrames() {
    for output in engine.takeOutputs() { forward(output) }
  }

  private mutating func drainEngine(at now: Duration) {
    for output in engine.takeOutputs() where !isClosed {
      switch output {
      case .opened(let handshake):
        messageSizeMax = handshake.maxPayload
        state = .connecting(by: now + connectTimeout)
        write(.connect(nil))
      case .message(let message): receive(message)
      case .send, .closeWebSocket, .closed: forward(output)
      }
    }
  }

  private mutating func forward(_ output: EngineIOClient.Output) {
    switch output {
    case .send(let frame): outputs.append(.send(frame))
    case .closeWebSocket: outputs.append(.closeWebSocket)
    case .closed(let reason):
      state = .closed
      outputs.append(.closed(.engine(reason)))
    case .opened, .message: break
    }
  }

  private mutating func close(_ reason: SocketIOClosing) {
    guard !isClosed else { return }
    state = .closed
    engine.close()
    for output in engine.takeOutputs() {
      if case .closed = output { outputs.append(.closed(reason)) } else { forward(output) }
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
      guard let sid = payload?["sid"]?.string else {
        throw .invalidPayload
      }
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
