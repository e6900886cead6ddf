import SurfRelay
import Testing

@Suite struct RelayAddressTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let kind: RelayAddress.Kind
    let host: String
    let port: UInt16
    let path: String
    let authority: String

    init(
      _ text: String, _ host: String, _ port: UInt16, _ kind: RelayAddress.Kind = .socketCluster,
      path: String? = nil, authority: String? = nil
    ) {
      testDescription = text
      self.kind = kind
      self.host = host
      self.port = port
      let paths: [RelayAddress.Kind: String] = [
        .socketCluster: "/socketcluster/", .socketIO: "/socket.io/?EIO=4&transport=websocket",
      ]
      self.path = path ?? paths[kind] ?? ""
      self.authority = authority ?? "\(host):\(port)"
    }
  }

  @Test(arguments: [
    Row("ws://localhost:8000/socketcluster/", "localhost", 8000),
    Row("ws://localhost", "localhost", 8000),
    Row("ws://localhost/", "localhost", 8000),
    Row("ws://localhost:1", "localhost", 1),
    Row("ws://localhost:65535", "localhost", 65535),
    Row("http://relay.local:80", "relay.local", 80),
    Row("socketcluster://my-relay_1:9000", "my-relay_1", 9000),
    Row("ws://192.0.2.7:8001/devtools?a=b", "192.0.2.7", 8001, path: "/devtools?a=b"),
    Row("socketio://localhost", "localhost", 8000, .socketIO),
    Row("socketio://localhost:3000/", "localhost", 3000, .socketIO),
    Row("socketio://localhost:3000/x/?EIO=4", "localhost", 3000, .socketIO, path: "/x/?EIO=4"),
    // An IPv6 literal is in brackets.
    Row("ws://[::1]", "::1", 8000, authority: "[::1]:8000"),
    Row("ws://[::1]:9000", "::1", 9000, authority: "[::1]:9000"),
    Row(
      "ws://[fe80::1%eth0]:9000/x", "fe80::1%eth0", 9000, path: "/x",
      authority: "[fe80::1%eth0]:9000"),
    Row("socketio://[2001:db8::7]:1", "2001:db8::7", 1, .socketIO, authority: "[2001:db8::7]:1"),
  ])
  func `An address says where and how`(row: Row) throws {
    let address = try #require(RelayAddress(parsing: row.testDescription))
    #expect(address.kind == row.kind)
    #expect(address.host == row.host)
    #expect(address.port == row.port)
    #expect(address.path == row.path)
    #expect(address.authority == row.authority)
    #expect(RelayAddress(parsing: address.description) == address, "as it describes itself")
  }

  @Test(arguments: [
    "", "localhost", "localhost:8000", "wss://localhost", "https://localhost", "WS", "ws:/x",
    "ws://",
    "ws:///socketcluster/", "ws://:8000", "ws://host:", "ws://host:0", "ws://host:65536",
    "ws://host:-1", "ws://host:+80", "ws://host:80a", "ws://host:8000:1", "ws://::1",
    "ws://::1:8000", "ws://[::1", "ws://[]", "ws://[]:8000", "ws://[::1]8000", "ws://[::1]:",
    "ws://[localhost]:8000", "ws://a b", "ws://a\r\nX: y", "ws://host/a b", "ws://host/\r\n",
    "ws://hést", "ws://host/é", "ws://user@host", "ws://host?x", "ws://host#x", "ws://a]b",
    "ws://host/x#y",
  ])
  func `Anything else is no address`(text: String) {
    #expect(RelayAddress(parsing: text) == nil)
  }

  @Test(arguments: [
    ("ws://relay:1/socketcluster/?token=abc", "ws://relay:1/socketcluster/?token=…"),
    ("ws://relay:1/x?a=b&token=a%20b&c=d", "ws://relay:1/x?a=b&token=…&c=d"),
    ("socketio://relay:1/x?token=abc&token=def", "socketio://relay:1/x?token=…&token=…"),
    ("ws://relay:1/token=abc?tokens=2", "ws://relay:1/token=abc?tokens=2"),
  ])
  func `A token is sent and not shown`(text: String, shown: String) throws {
    let address = try #require(RelayAddress(parsing: text))
    #expect(text.hasSuffix(address.path))
    #expect("\(address)" == shown)
  }

  @Test func `Both kinds can be told apart by what they show`() {
    let cluster = RelayAddress(kind: .socketCluster, host: "::1", port: 8000)
    let socketIO = RelayAddress(kind: .socketIO, host: "relay", port: 3000)
    #expect(cluster.description == "ws://[::1]:8000/socketcluster/")
    #expect(socketIO.description == "socketio://relay:3000")
  }
}
