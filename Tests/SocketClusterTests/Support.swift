import JSONTree
import SocketCluster

/// SplitMix64: small, and the same on every machine.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

let handshake = ##"{"event":"#handshake","data":{"authToken":null},"cid":1}"##
let handshakeAnswer =
  ##"{"rid":1,"data":{"id":"RaiAsgVCEbXqJXzNAAAA","pingTimeout":20000,"isAuthenticated":false}}"##

extension SocketClusterServerSession {
  static func connecting(_ version: SocketClusterVersion = .v2) -> SocketClusterServerSession {
    SocketClusterServerSession(
      id: "RaiAsgVCEbXqJXzNAAAA", protocolVersion: version, now: .zero)
  }

  /// A session whose client has just shaken hands, at time zero.
  static func opened(_ version: SocketClusterVersion = .v2) -> SocketClusterServerSession {
    var session = connecting(version)
    session.receive(text: handshake, at: .zero)
    _ = session.takeOutputs()
    return session
  }
}

extension SocketClusterClient {
  /// A client that has just shaken hands, at time zero.
  static func connected(_ version: SocketClusterVersion = .v2) -> SocketClusterClient {
    var client = SocketClusterClient(protocolVersion: version, now: .zero)
    client.receive(text: handshakeAnswer, at: .zero)
    _ = client.takeOutputs()
    return client
  }
}
