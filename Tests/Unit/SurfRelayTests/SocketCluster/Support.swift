import JSONTree
import SurfRelay
import Testing

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
    session.receive(.text(handshake), at: .zero)
    _ = session.takeOutputs()
    return session
  }

  /// Publishes as `ClusterRelay` does, but for this client alone.
  mutating func publish(channel: String, data: JSON) {
    guard channels.contains(channel) else { return }
    emit(event: "#publish", data: ["channel": .string(channel), "data": data])
  }
}

extension SocketClusterClient {
  /// A client that has just shaken hands, at time zero.
  static func connected() -> SocketClusterClient {
    var client = SocketClusterClient(now: .zero)
    client.receive(.text(handshakeAnswer), at: .zero)
    _ = client.takeOutputs()
    return client
  }
}

/// A text that comes, and what a side puts out for it.
struct TableRow<Output: Equatable & Sendable>: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let text: String
  let outputs: [Output]

  init(_ name: String, _ text: String, _ outputs: Output...) {
    testDescription = name
    self.text = text
    self.outputs = outputs
  }
}
