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

/// A text that comes, what a side puts out for it, and how much of it is counted as garbage.
struct TableRow<Output: Equatable & Sendable>: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let text: String
  let outputs: [Output]
  let garbage: Int

  init(_ name: String, _ text: String, _ outputs: Output..., garbage: Int = 0) {
    testDescription = name
    self.text = text
    self.outputs = outputs
    self.garbage = garbage
  }
}
