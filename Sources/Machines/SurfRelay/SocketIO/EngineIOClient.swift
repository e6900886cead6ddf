import SurfBasics
import SurfWeb

/// The client's side, for `SocketIOClient`, of a session that starts as a WebSocket (Engine.IO v4).
package struct EngineIOClient: Sendable {
  /// What the caller must do, in this order.
  package enum Output: Equatable, Sendable {
    /// The open packet arrived, and messages may be sent.
    case opened(EngineIOHandshake)
    /// Send this over the WebSocket.
    case send(WebMessage)
    /// Close the WebSocket.
    case closeWebSocket
    /// The server sent a message.
    case message(WebMessage)
    /// The session is over. Always the last output.
    case closed(EngineIOClosing)
  }

  private enum State: Sendable {
    case opening(by: Duration)
    /// `silence` is the longest that the client tolerates; it ends at `deadline`.
    case open(silence: Duration, deadline: Duration)
    case closed
  }

  private var state: State
  private var outputs: [Output] = []

  /// Starts over a WebSocket that has just opened. The server must answer within `openTimeout`.
  package init(openTimeout: Duration = .seconds(20), now: Duration) {
    state = .opening(by: now + openTimeout)
  }

  package mutating func takeOutputs() -> [Output] { outputs.takeAll() }

  package var isClosed: Bool {
    if case .closed = state { true } else { false }
  }

  /// When to call `advance` at the latest; nil once closed.
  package var deadline: Duration? {
    switch state {
    case .opening(let deadline), .open(_, let deadline): deadline
    case .closed: nil
    }
  }

  /// Gives the server up after `pingInterval` and `pingTimeout` of silence ("Heartbeat").
  package mutating func advance(to now: Duration) {
    guard let deadline, now >= deadline else { return }
    if case .opening = state { finish(.invalidHandshake) } else { finish(.pingTimeout) }
  }

  /// Sends a message. Does nothing unless the session is open.
  package mutating func send(_ message: WebMessage) {
    guard case .open = state else { return }
    write(.message(message))
  }

  /// Ends the session, and informs the server.
  package mutating func close() {
    if case .open = state { write(.close) }
    finish(.closedLocally)
  }
}

extension EngineIOClient {
  /// Takes a message from the WebSocket.
  package mutating func receive(_ frame: WebMessage, at now: Duration) {
    advance(to: now)
    do throws(EngineIOError) {
      switch state {
      case .closed: break
      case .opening: open(with: try EngineIOPacket(frame: frame), at: now)
      case .open(let silence, _):
        state = .open(silence: silence, deadline: now + silence)
        receive(try EngineIOPacket(frame: frame))
      }
    } catch {
      finish(.invalidPacket(error))
    }
  }

  private mutating func open(with packet: EngineIOPacket, at now: Duration) {
    guard case .open(let text) = packet, let handshake = EngineIOHandshake(text: text) else {
      return finish(.invalidHandshake)
    }
    let silence = handshake.pingInterval + handshake.pingTimeout
    state = .open(silence: silence, deadline: now + silence)
    outputs.append(.opened(handshake))
  }

  private mutating func receive(_ packet: EngineIOPacket) {
    switch packet {
    case .message(let message): outputs.append(.message(message))
    case .ping(let text): write(.pong(text))
    case .close: finish(.closedByPeer)
    case .open, .pong, .upgrade, .noop: break
    }
  }

  private mutating func write(_ packet: EngineIOPacket) {
    outputs.append(.send(packet.frame))
  }

  private mutating func finish(_ reason: EngineIOClosing) {
    guard !isClosed else { return }
    state = .closed
    outputs += [.closeWebSocket, .closed(reason)]
  }
}
