import JSONTree

/// The server's side of one SocketCluster connection, over the messages of a WebSocket that is
/// already open (Protocol.md §B.2). Both versions of the protocol are served.
///
/// `channelsMax` names of `channelNameMax` octets bound the memory; the WebSocket limits the length
/// of a message.
package struct SocketClusterServerSession: Sendable {
  /// What the owner must do, in order.
  package enum Output: Hashable, Sendable {
    /// Send this as a text message; it may be empty.
    case send(text: String)
    /// Close the WebSocket. Nothing follows, and nothing more is read.
    case close(code: Int, reason: String)
    /// The client has shaken hands.
    case opened
    /// The client calls `event` and waits for `respond`; an unknown event is left unanswered.
    case invoke(event: String, data: JSON?, cid: Int)
    /// The client sent `event` and waits for nothing.
    case transmit(event: String, data: JSON?)
    /// The client will now get the messages published on `channel`.
    case subscribed(channel: String)
    /// The client no longer gets them.
    case unsubscribed(channel: String)
  }

  enum State: Equatable {
    case awaitingHandshake(until: Duration)
    case open(ServerHeartbeat)
    case closed
  }

  /// Channels that one client may be subscribed to at a time.
  package static let channelsMax = 128
  /// Octets in the name of a channel.
  static let channelNameMax = 256

  /// The client's name; unique among the server's connections.
  package let id: String
  /// The channels the client is subscribed to.
  package internal(set) var channels: Set<String> = []
  /// Messages and packets that were ignored because they made no sense.
  package internal(set) var garbageCount = 0

  let pingInterval: Duration
  let pingTimeout: Duration
  var version: SocketClusterVersion
  /// Whether the client has shown which version it speaks, and so which pings it answers.
  var isVersionKnown = false
  /// Since then, of that version.
  var pingCount = 0
  var pongCount = 0
  var state: State
  var outputs: [Output] = []

  /// A connection that opened at `now`. Pings go out every `pingInterval`; a client that answers
  /// none for `pingTimeout`, or does not shake hands within `handshakeTimeout`, is closed.
  ///
  /// The client's pongs tell its version, whatever `protocolVersion` expects. A client of the other
  /// version gets its first ping after two intervals, which must be less than the timeout.
  package init(
    id: String, protocolVersion: SocketClusterVersion = .v2, pingInterval: Duration = .seconds(8),
    pingTimeout: Duration = .seconds(20), handshakeTimeout: Duration = .seconds(10), now: Duration
  ) {
    self.id = id
    self.pingInterval = pingInterval
    self.pingTimeout = pingTimeout
    version = protocolVersion
    state = .awaitingHandshake(until: now + handshakeTimeout)
  }

  /// The version that the client speaks, if known.
  package var protocolVersion: SocketClusterVersion { version }

  /// Whether hands are shaken and the connection is not closed.
  package var isOpen: Bool {
    if case .open = state { true } else { false }
  }

  /// When `advance` must be called; `nil` after closing.
  package var deadline: Duration? {
    switch state {
    case .awaitingHandshake(let until): until
    case .open(let heartbeat): heartbeat.deadline
    case .closed: nil
    }
  }

  /// The outputs since the last call.
  package mutating func takeOutputs() -> [Output] {
    defer { outputs = [] }
    return outputs
  }

  /// Does what came due by `now`.
  package mutating func advance(to now: Duration) {
    switch state {
    case .awaitingHandshake(let until) where now >= until: close(.handshakeTimeout)
    case .awaitingHandshake, .closed: break
    case .open(var heartbeat):
      let event = heartbeat.advance(to: now)
      state = .open(heartbeat)
      switch event {
      case .pings(let pings):
        if isVersionKnown { pingCount += 1 }
        for ping in pings { send(ping) }
      case .lost: close(.pongTimeout)
      case nil: break
      }
    }
  }
}

extension SocketClusterServerSession {
  /// Answers the call `cid` with `data`; without data only says that it succeeded.
  package mutating func respond(to cid: Int, data: JSON?) {
    sendIfOpen(.answer(rid: cid, data: data))
  }

  /// Answers the call `cid` with an error.
  package mutating func respond(to cid: Int, error: SocketClusterError) {
    sendIfOpen(.failure(rid: cid, error))
  }

  /// Sends `data` to the client if it is subscribed to `channel`, and tells whether it is.
  @discardableResult
  package mutating func publish(channel: String, data: JSON) -> Bool {
    guard channels.contains(channel) else { return false }
    sendIfOpen(
      .event(name: "#publish", data: ["channel": .string(channel), "data": data], cid: nil))
    return true
  }

  /// Sends a plain event, as servers of version 1 deliver messages.
  package mutating func emit(event: String, data: JSON?) {
    sendIfOpen(.event(name: event, data: data, cid: nil))
  }

  /// Pings the client behind all that it was sent.
  ///
  /// - Returns: what to ask `hasAnswered(_:)` for; nil while nobody knows which ping it answers.
  package mutating func ping() -> Int? {
    guard isOpen, isVersionKnown else { return nil }
    pingCount += 1
    send(version.ping)
    return pingCount
  }

  /// Whether the client has read all that came before a ping.
  package func hasAnswered(_ ping: Int) -> Bool { pongCount >= ping }

  /// Ends a subscription against the client's will, and tells it why.
  package mutating func kickOut(channel: String, message: String) {
    guard channels.remove(channel) != nil else { return }
    let data: JSON = ["channel": .string(channel), "message": .string(message)]
    sendIfOpen(.event(name: "#kickOut", data: data, cid: nil))
    outputs.append(.unsubscribed(channel: channel))
  }

  /// Closes the connection, for a reason of at most 123 octets (RFC 6455 §5.5).
  package mutating func close(code: Int, reason: String) {
    guard state != .closed else { return }
    state = .closed
    channels = []
    outputs.append(.close(code: code, reason: reason))
  }

  mutating func close(_ closure: SocketClusterClosure) {
    close(code: closure.rawValue, reason: closure.reason)
  }

  mutating func sendIfOpen(_ packet: SocketClusterPacket) {
    if isOpen { send(packet) }
  }

  private mutating func send(_ packet: SocketClusterPacket) {
    outputs.append(.send(text: packet.text))
  }
}

/// A close code of SocketCluster's own, with the words that go with it (Protocol.md §B.2).
enum SocketClusterClosure: Int {
  case normal = 1000
  case pingTimeout = 4000
  case pongTimeout = 4001
  case handshakeFailed = 4003
  case handshakeTimeout = 4005
  case handshakeRejected = 4008
  case eventBeforeHandshake = 4009

  /// The reason of the WebSocket close frame, within its 123 octets.
  var reason: String {
    switch self {
    case .normal: ""
    case .pingTimeout: "Server ping timed out"
    case .pongTimeout: "Client pong timed out"
    case .handshakeFailed: "Failed to complete handshake"
    case .handshakeTimeout: "Did not receive #handshake from client before timeout"
    case .handshakeRejected: "Server rejected handshake from client"
    case .eventBeforeHandshake: "Server received a message before the client handshake"
    }
  }
}

/// Which of SocketCluster's two protocols a peer speaks; they differ in pings and goodbyes alone
/// (Protocol.md §B.2).
package enum SocketClusterVersion: Hashable, Sendable {
  /// SocketCluster up to 14: ping `#1`, pong `#2`, and `#disconnect` before closing.
  case v1
  /// SocketCluster from 15 on: an empty text is ping and pong.
  case v2

  /// What a server sends to ask whether the client is there.
  var ping: SocketClusterPacket {
    switch self {
    case .v1: .numberedPing
    case .v2: .emptyPing
    }
  }

  /// The other version.
  var other: SocketClusterVersion {
    switch self {
    case .v1: .v2
    case .v2: .v1
    }
  }
}
