import JSONTree
import SurfBasics

/// The server's side of one SocketCluster connection, for the gateway's own relay, over the
/// messages of an open WebSocket (Relay.md, SocketCluster). It serves both versions.
///
/// `channelsMax` names of `channelNameMax` octets bound its memory; the WebSocket bounds messages.
package struct SocketClusterServerSession: Sendable {
  /// What the owner must do, in order.
  package enum Output: Hashable, Sendable {
    /// Send this as a text message; it may be empty.
    case send(text: String)
    /// Close the WebSocket. The last output; later input is ignored.
    case close(code: Int, reason: String)
    /// The client calls `event`, and awaits `respond`. An unknown event may stay unanswered.
    case invoke(event: String, data: JSON?, cid: Int)
    /// The client sent `event`, and expects no answer.
    case transmit(event: String, data: JSON?)
    /// The client now expects the messages published on `channel`.
    case subscribed(channel: String)
  }

  enum State: Equatable {
    case awaitingHandshake(until: Duration)
    case open(ServerHeartbeat)
    case closed
  }

  /// Channels that a client may be subscribed to at the same time.
  package static let channelsMax = 128
  /// Octets of a channel's name.
  static let channelNameMax = 256

  /// The client's id, unique among the server's connections.
  package let id: String
  package internal(set) var channels: Set<String> = []

  var version: SocketClusterVersion
  /// Whether the client has shown which version it speaks, and so which pings it answers.
  var isVersionKnown = false
  /// Pings since `isVersionKnown`, and their pongs.
  var pingCount = 0
  var pongCount = 0
  var state: State
  var outputs: [Output] = []

  /// How long the client may take to open the connection.
  private static let handshakeTimeout = Duration.seconds(10)

  /// Starts on a connection that opened at `now`. The client's pongs reveal its version, whatever
  /// `protocolVersion` says.
  package init(id: String, protocolVersion: SocketClusterVersion = .v2, now: Duration) {
    self.id = id
    version = protocolVersion
    state = .awaitingHandshake(until: now + Self.handshakeTimeout)
  }

  /// Whether the handshake is done and the connection is open.
  package var isOpen: Bool {
    if case .open = state { true } else { false }
  }

  /// When to call `advance`; nil after closing.
  package var deadline: Duration? {
    switch state {
    case .awaitingHandshake(let until): until
    case .open(let heartbeat): heartbeat.deadline
    case .closed: nil
    }
  }

  package mutating func takeOutputs() -> [Output] { outputs.takeAll() }

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
  /// Answers the call `cid`; without data the answer only says that it succeeded.
  package mutating func respond(to cid: Int, data: JSON?) {
    sendIfOpen(.answer(rid: cid, data: data))
  }

  package mutating func respond(to cid: Int, error: SocketClusterError) {
    sendIfOpen(.failure(rid: cid, error))
  }

  /// Sends a plain event. Servers of version 1 deliver messages as plain events.
  package mutating func emit(event: String, data: JSON?) {
    sendIfOpen(.event(name: event, data: data, cid: nil))
  }

  /// Pings the client after everything sent so far.
  ///
  /// - Returns: the number for `hasAnswered(_:)`; nil until we know which ping the client answers.
  package mutating func ping() -> Int? {
    guard isOpen, isVersionKnown else { return nil }
    pingCount += 1
    send(version.ping)
    return pingCount
  }

  /// Whether the client has read everything sent before a ping.
  package func hasAnswered(_ ping: Int) -> Bool { pongCount >= ping }

  /// Closes the connection; the reason may have 123 octets (RFC 6455 §5.5).
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

/// The close codes of SocketCluster, with their reasons (Relay.md, SocketCluster).
enum SocketClusterClosure: Int {
  case pingTimeout = 4000
  case pongTimeout = 4001
  case handshakeFailed = 4003
  case handshakeTimeout = 4005
  case handshakeRejected = 4008
  case eventBeforeHandshake = 4009

  /// The reason in the close frame, at most 123 octets.
  var reason: String {
    switch self {
    case .pingTimeout: "Server ping timed out"
    case .pongTimeout: "Client pong timed out"
    case .handshakeFailed: "Failed to complete handshake"
    case .handshakeTimeout: "Did not receive #handshake from client before timeout"
    case .handshakeRejected: "Server rejected handshake from client"
    case .eventBeforeHandshake: "Server received a message before the client handshake"
    }
  }
}

/// SocketCluster's two protocols, which differ only in pings and goodbyes (Relay.md,
/// SocketCluster).
package enum SocketClusterVersion: Hashable, Sendable {
  /// SocketCluster up to 14: ping `#1`, pong `#2`, and `#disconnect` before closing.
  case v1
  /// SocketCluster from 15 on: ping and pong are empty texts.
  case v2

  var ping: SocketClusterPacket {
    switch self {
    case .v1: .numberedPing
    case .v2: .emptyPing
    }
  }

  var other: SocketClusterVersion {
    switch self {
    case .v1: .v2
    case .v2: .v1
    }
  }
}

/// Decides when a `SocketClusterServerSession` pings its client, and when it gives up on it.
struct ServerHeartbeat: Equatable, Sendable {
  enum Event: Equatable {
    /// Send these packets.
    case pings([SocketClusterPacket])
    /// The client has been silent for too long.
    case lost
  }

  /// How often to ping. A client of the other version gets its first ping after two intervals.
  static let interval = Duration.seconds(8)
  /// How long the client may leave pings unanswered.
  static let timeout = Duration.seconds(20)

  private var version: SocketClusterVersion
  private var isVersionKnown = false
  private var hasPinged = false
  private var pingAt: Duration
  private var lostAt: Duration

  init(version: SocketClusterVersion, now: Duration) {
    self.version = version
    pingAt = now + Self.interval
    lostAt = now + Self.timeout
  }

  var deadline: Duration { min(pingAt, lostAt) }

  /// Call when a ping or pong of `version` has arrived.
  mutating func heard(_ version: SocketClusterVersion, at now: Duration) {
    self.version = version
    isVersionKnown = true
    lostAt = now + Self.timeout
  }

  mutating func advance(to now: Duration) -> Event? {
    if now >= lostAt { return .lost }
    guard now >= pingAt else { return nil }
    // From now and not from `pingAt`: after a pause one ping is enough.
    pingAt = now + Self.interval
    defer { hasPinged = true }
    // A client of the other version does not recognize our ping, and stays silent. The other kind
    // of ping is garbage to either client, so an unanswered ping is repeated in both kinds.
    let isUnanswered = hasPinged && !isVersionKnown
    return .pings(isUnanswered ? [version.ping, version.other.ping] : [version.ping])
  }
}
