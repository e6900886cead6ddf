import SurfWeb

/// The WebSocket, and the upgrade to it (Engine.IO protocol v4, "WebSocket" and "Upgrade").
extension EngineIOServerSession {
  /// Call when a WebSocket opens with this session's `sid`, but not for the one that opened it.
  package mutating func webSocketOpened(at now: Duration) {
    advance(to: now)
    switch channel {
    case .polling:
      channel = .upgrading(isProbed: false, deadline: now + configuration.upgradeTimeout)
    case .upgrading, .webSocket, .closed: outputs.append(.refuseWebSocket)
    }
  }

  /// Call when the WebSocket has closed. Before the upgrade, the session continues polling.
  package mutating func webSocketClosed(at now: Duration) {
    advance(to: now)
    switch channel {
    case .upgrading: channel = .polling
    case .webSocket:
      // No WebSocket is left to close.
      channel = .polling
      finish(.transportClosed)
    case .polling, .closed: break
    }
  }

  /// Takes a message from the WebSocket.
  package mutating func receive(_ frame: WebMessage, at now: Duration) {
    advance(to: now)
    guard channel != .polling, !isClosed else { return }
    guard frame.size <= configuration.maxPayload else { return finish(.payloadTooLarge) }
    do throws(EngineIOError) {
      let packet = try EngineIOPacket(frame: frame)
      if case .upgrading(let isProbed, let deadline) = channel {
        upgrade(packet, isProbed: isProbed, deadline: deadline)
      } else {
        receive(packet, at: now)
      }
    } catch {
      if case .upgrading = channel { abandonUpgrade() } else { finish(.invalidPacket(error)) }
    }
  }

  private mutating func upgrade(_ packet: EngineIOPacket, isProbed: Bool, deadline: Duration) {
    switch packet {
    case .ping("probe"):
      outputs.append(.send(EngineIOPacket.pong("probe").frame))
      channel = .upgrading(isProbed: true, deadline: deadline)
      releasePoll()
    case .upgrade where isProbed:
      // No poll is open: since the probe, each was answered immediately.
      channel = .webSocket
      outputs += queue.map { .send($0.frame) }
      queue = []
      queueSize = 0
    default: abandonUpgrade()
    }
  }

  /// Closes the WebSocket that the client tried, and continues polling.
  mutating func abandonUpgrade() {
    channel = .polling
    outputs.append(.closeWebSocket)
  }
}
