/// Decides when a `SocketClusterServerSession` pings its client, and when it gives up on it.
struct ServerHeartbeat: Equatable, Sendable {
  enum Event: Equatable {
    /// Send these packets.
    case pings([SocketClusterPacket])
    /// The client has been silent for too long.
    case lost
  }

  private(set) var version: SocketClusterVersion
  private let interval: Duration
  private let timeout: Duration
  private var isVersionKnown = false
  private var hasPinged = false
  private var pingAt: Duration
  private var lostAt: Duration

  init(version: SocketClusterVersion, interval: Duration, timeout: Duration, now: Duration) {
    self.version = version
    self.interval = interval
    self.timeout = timeout
    pingAt = now + interval
    lostAt = now + timeout
  }

  var deadline: Duration { min(pingAt, lostAt) }

  /// Call when a ping or pong of `version` has arrived.
  mutating func heard(_ version: SocketClusterVersion, at now: Duration) {
    self.version = version
    isVersionKnown = true
    lostAt = now + timeout
  }

  mutating func advance(to now: Duration) -> Event? {
    if now >= lostAt { return .lost }
    guard now >= pingAt else { return nil }
    // From now and not from `pingAt`: after a pause one ping is enough.
    pingAt = now + interval
    defer { hasPinged = true }
    // A client of the other version does not recognize our ping, and stays silent. The other kind
    // of ping is garbage to either client, so an unanswered ping is repeated in both kinds.
    let isUnanswered = hasPinged && !isVersionKnown
    return .pings(isUnanswered ? [version.ping, version.other.ping] : [version.ping])
  }
}
