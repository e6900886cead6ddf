import SurfRelay
import Testing

@Suite struct EngineIOClientTests {
  static let open =
    #"0{"sid":"S","upgrades":[],"pingInterval":300,"pingTimeout":200,"maxPayload":100}"#

  /// A client whose session is open since `now` 0.
  static func opened() -> EngineIOClient {
    var client = EngineIOClient(now: .zero)
    client.receive(.text(open), at: .zero)
    _ = client.takeOutputs()
    return client
  }

  @Test func `The open packet tells the session`() {
    var client = EngineIOClient(openTimeout: .seconds(1), now: .seconds(5))
    client.send(.text("too early"))
    #expect(client.deadline == .seconds(6))
    client.receive(.text(Self.open), at: .seconds(5))
    let configuration = EngineIOConfiguration(
      pingInterval: .milliseconds(300), pingTimeout: .milliseconds(200), maxPayload: 100)
    let handshake = EngineIOHandshake(sid: "S", upgrades: [], configuration: configuration)
    #expect(client.takeOutputs() == [.opened(handshake)])
    #expect(client.deadline == .milliseconds(5500))
  }

  @Test func `A ping is answered with its own data`() {
    var client = Self.opened()
    client.receive(.text("2"), at: .zero)
    client.receive(.text("2data"), at: .zero)
    #expect(client.takeOutputs() == [.send(.text("3")), .send(.text("3data"))])
  }

  @Test func `Messages go both ways as text and as bytes`() {
    var client = Self.opened()
    client.receive(.text("4hello"), at: .zero)
    client.receive(.binary([4, 1]), at: .zero)
    client.send(.text("hello"))
    client.send(.binary([4, 1]))
    #expect(
      client.takeOutputs() == [
        .message(.text("hello")), .message(.binary([4, 1])), .send(.text("4hello")),
        .send(.binary([4, 1])),
      ])
  }

  @Test func `Silence of both times together loses the server`() {
    var client = Self.opened()
    client.advance(to: .milliseconds(499))
    client.receive(.text("2"), at: .milliseconds(499))
    client.advance(to: .milliseconds(998))
    #expect(client.takeOutputs() == [.send(.text("3"))])
    client.advance(to: .milliseconds(999))
    #expect(client.takeOutputs() == [.closeWebSocket, .closed(.pingTimeout)])
    #expect(client.deadline == nil)
    client.receive(.text("4late"), at: .seconds(1))
    #expect(client.takeOutputs() == [])
  }

  @Test(arguments: [
    ("close", "1", EngineIOClosing.closedByPeer),
    ("nonsense", "abc", .invalidPacket(.unknownPacketType(0x61))),
    ("an empty frame", "", .invalidPacket(.emptyPacket)),
  ])
  func `The session ends by a packet`(_ name: String, _ text: String, _ reason: EngineIOClosing) {
    var client = Self.opened()
    client.receive(.text(text), at: .zero)
    #expect(client.takeOutputs() == [.closeWebSocket, .closed(reason)])
  }

  @Test(arguments: [
    "4hello", "0", "0[]", "0{}", #"0{"sid":1,"pingInterval":300,"pingTimeout":200}"#,
    #"0{"sid":"S","pingInterval":0,"pingTimeout":200}"#,
    #"0{"sid":"S","pingInterval":300,"pingTimeout":-1}"#,
    #"0{"sid":"S","pingInterval":300,"pingTimeout":9223372036854775807}"#,
    #"0{"sid":"S","pingInterval":1e999,"pingTimeout":200}"#,
  ])
  func `A bad handshake ends the session`(_ text: String) {
    var client = EngineIOClient(now: .zero)
    client.receive(.text(text), at: .zero)
    #expect(client.takeOutputs() == [.closeWebSocket, .closed(.invalidHandshake)])
  }

  @Test func `No handshake in time ends the session`() {
    var client = EngineIOClient(now: .zero)
    client.advance(to: .seconds(20))
    #expect(client.takeOutputs() == [.closeWebSocket, .closed(.invalidHandshake)])
  }

  @Test func `Closing tells the server, once`() {
    var client = Self.opened()
    client.close()
    client.close()
    #expect(client.takeOutputs() == [.send(.text("1")), .closeWebSocket, .closed(.closedLocally)])
  }
}
