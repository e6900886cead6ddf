import SocketCluster
import SurfHTTP
import WebSocket

/// One stream that somebody opened to us. A class, because its buffers are changed in place; it
/// never leaves the loop's thread.
final class Connection {
  /// What the peer turned out to be.
  enum Role {
    /// Still speaks HTTP.
    case http
    /// A panel, or a foreign app, by SocketCluster.
    case cluster
    /// The WebSocket of an Engine.IO session.
    case engine(sid: String)
    /// Nothing it says counts any more.
    case closing
  }

  let peer: String
  let openedAt: Duration
  var role = Role.http
  var parser = HTTPRequestParser(limits: HTTPLimits(bodyBytes: GatewayLimits.bodySizeMax))
  var socket = WebSocketConnection(
    role: .server, limits: WebSocketLimits(messageBytes: GatewayLimits.messageSizeMax))
  var cluster: SocketClusterServerSession?
  /// The channel on which others are told that it left; nil until it logged in.
  var farewellChannel: String?
  /// The origin to name in answers, if a browser asked from an allowed one.
  var allowedOrigin: String?
  /// Octets written that may not have left yet.
  var unsent = 0
  /// It was too slow for single actions, and is owed the whole history.
  var isBehind = false

  init(peer: String, at now: Duration) {
    self.peer = peer
    openedAt = now
  }

  /// Whether it is a panel that wants to hear of apps.
  var isPanel: Bool { cluster?.channels.contains("log") ?? false }
}
