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
