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
