import JSONTree
import SurfWeb

extension SocketClusterClient {
  /// The silence after which the connection closes, if the server names no timeout.
  private static let pingTimeoutDefault = 20_000
  /// The timeouts that a server may name, in milliseconds. A shorter one would close healthy
  /// connections, and a longer one would detect nothing.
  private static let pingTimeoutRange = 1_000...3_600_000

  /// Takes a message. Never fails: garbage is ignored.
  package mutating func receive(_ message: WebMessage, at now: Duration) {
    for packet in SocketClusterPacket.parse(message) where state != .closed {
      receive(packet, at: now)
    }
  }

  private mutating func receive(_ packet: SocketClusterPacket, at now: Duration) {
    switch packet {
    case .emptyPing: answerPing(with: .emptyPing, at: now)
    case .numberedPing: answerPing(with: .numberedPong, at: now)
    case .event(let name, let data, _) where isConnected: receiveEvent(name, data)
    case .answer(let rid, let data):
      if let purpose = takeCall(rid) { finish(purpose, data, at: now) }
    case .failure(let rid, let error):
      if let purpose = takeCall(rid) { fail(purpose, error.message) }
    case .numberedPong, .event, .misnumbered, .garbage: break
    }
  }

  private mutating func answerPing(with pong: SocketClusterPacket, at now: Duration) {
    if case .connected(let pingTimeout, _) = state {
      state = .connected(pingTimeout: pingTimeout, lostAt: now + pingTimeout)
    }
    send(pong)
  }

  private mutating func finish(_ purpose: PendingCall.Purpose, _ data: JSON?, at now: Duration) {
    switch purpose {
    case .handshake: finishHandshake(data, at: now)
    case .subscribe(let channel): outputs.append(.subscribed(channel: channel))
    case .invoke: break
    }
  }

  private mutating func finishHandshake(_ status: JSON?, at now: Duration) {
    guard let id = status?["id"]?.string else { return close(.handshakeFailed) }
    let named = status?["pingTimeout"]?.wholeNumber ?? Self.pingTimeoutDefault
    let range = Self.pingTimeoutRange
    let pingTimeout = Duration.milliseconds(min(max(named, range.lowerBound), range.upperBound))
    state = .connected(pingTimeout: pingTimeout, lostAt: now + pingTimeout)
    outputs.append(.connected(id: id))
  }

  private mutating func receiveEvent(_ name: String, _ data: JSON?) {
    switch name {
    case "#publish":
      guard let channel = data?["channel"]?.string, channels.contains(channel) else { return }
      outputs.append(.published(channel: channel, data: data?["data"]))
    case "#kickOut":
      guard let channel = data?["channel"]?.string, channels.remove(channel) != nil else { return }
      outputs.append(.kicked(channel: channel, message: data?["message"]?.string ?? ""))
    // This client holds no token, so events about tokens are ignored. So is `#disconnect`, because
    // the WebSocket reports when the server closes.
    case _ where name.hasPrefix("#"): break
    default: outputs.append(.event(name: name, data: data))
    }
  }
}
