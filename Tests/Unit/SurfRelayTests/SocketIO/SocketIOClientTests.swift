import JSONTree
import SurfRelay
import Testing

@Suite struct SocketIOClientTests {
  static let open =
    #"0{"sid":"S","upgrades":[],"pingInterval":300,"pingTimeout":200,"maxPayload":100}"#

  /// A client that was granted its connection at 0.
  static func connected() -> SocketIOClient {
    var client = SocketIOClient(now: .zero)
    client.receive(.text(open), at: .zero)
    client.receive(.text(#"40{"sid":"N"}"#), at: .zero)
    #expect(client.takeOutputs() == [.send(.text("40")), .connected(sid: "N")])
    return client
  }

  @Test func `The handshakes lead to events`() {
    let client = Self.connected()
    #expect(client.isConnected)
  }

  @Test func `Events go out byte for byte`() {
    var client = Self.connected()
    let frame: JSON = ["type": "INIT", "payload": "{\"n\":1}", "instanceId": "a", "name": "A"]
    let event = SocketIOMessage(event: "log", arguments: [frame])
    let excesses = [
      client.send(.event(event, id: nil)), client.send(.acknowledgement([true], id: 4)),
    ]
    #expect(excesses == [nil, nil])
    #expect(
      client.takeOutputs() == [
        .send(
          .text(
            #"42["log",{"type":"INIT","payload":"{\"n\":1}","instanceId":"a","name":"A"}]"#)),
        .send(.text("434[true]")),
      ])
  }

  @Test(arguments: [(90, true), (91, false)])
  func `What the server does not take is not sent`(size: Int, isSent: Bool) {
    var client = Self.connected()
    let text = JSON.string(String(repeating: "x", count: size))
    // `43`, the id, brackets and quotes are six octets more, and the id has four digits.
    let excess = client.send(.acknowledgement([text], id: 1000))
    #expect((excess == nil) == isSent)
    #expect(client.takeOutputs().isEmpty != isSent)
    if let excess { #expect(excess.size == excess.sizeMax + 1) }
  }

  @Test func `Events, answers and pings come in`() {
    var client = Self.connected()
    client.receive(.text(#"427["a",1]"#), at: .zero)
    client.receive(.text(#"451-["b",{"_placeholder":true,"num":0}]"#), at: .zero)
    client.receive(.binary([9]), at: .zero)
    client.receive(.text("433[2]"), at: .zero)
    client.receive(.text(#"42/other,["c"]"#), at: .zero)
    client.receive(.text("2"), at: .zero)
    client.receive(.text("2data"), at: .zero)
    #expect(
      client.takeOutputs() == [
        .event(SocketIOMessage(event: "a", arguments: [1]), id: 7),
        .event(SocketIOMessage(event: "b", arguments: ["CQ=="]), id: nil),
        .send(.text("3")), .send(.text("3data")),
      ])
  }

  @Test(arguments: [
    ("the server disconnects", "41", SocketIOClosing.disconnected),
    ("the server grants twice", #"40{"sid":"N"}"#, .invalidPacket(.unexpectedPacket)),
    ("no packet", "4abc", .invalidPacket(.unknownPacketType(0x61))),
  ])
  func `A packet ends the connection`(_ name: String, _ text: String, _ reason: SocketIOClosing) {
    var client = Self.connected()
    client.receive(.text(text), at: .zero)
    #expect(client.takeOutputs() == [.send(.text("1")), .closeWebSocket, .closed(reason)])
    #expect(client.deadline == nil)
  }

  @Test(arguments: [
    ("refused", #"44{"message":"no"}"#, SocketIOClosing.refused(["message": "no"])),
    ("no sid", "40", .invalidPacket(.invalidPayload)),
    ("an event before the grant", #"42["a"]"#, .invalidPacket(.unexpectedPacket)),
  ])
  func `A connection that is not granted is over`(
    _ name: String, _ text: String, _ reason: SocketIOClosing
  ) {
    var client = SocketIOClient(now: .zero)
    client.receive(.text(Self.open), at: .zero)
    client.receive(.text(text), at: .zero)
    #expect(
      client.takeOutputs() == [
        .send(.text("40")), .send(.text("1")), .closeWebSocket, .closed(reason),
      ])
  }

  @Test func `A grant must come in time`() {
    var client = SocketIOClient(connectTimeout: .milliseconds(400), now: .zero)
    client.receive(.text(Self.open), at: .zero)
    #expect(client.deadline == .milliseconds(400))
    client.advance(to: .milliseconds(400))
    #expect(
      client.takeOutputs() == [
        .send(.text("40")), .send(.text("1")), .closeWebSocket, .closed(.connectTimeout),
      ])
  }

  @Test func `Silence of both times together loses the server`() {
    var client = Self.connected()
    #expect(client.deadline == .milliseconds(500))
    client.advance(to: .milliseconds(499))
    client.receive(.text("2"), at: .milliseconds(499))
    client.advance(to: .milliseconds(998))
    #expect(client.takeOutputs() == [.send(.text("3"))])
    client.advance(to: .milliseconds(999))
    #expect(client.takeOutputs() == [.closeWebSocket, .closed(.engine(.pingTimeout))])
    #expect(client.deadline == nil)
    client.receive(.text(#"42["late"]"#), at: .seconds(1))
    #expect(client.takeOutputs() == [])
  }

  @Test(arguments: [
    ("close", "1", EngineIOClosing.closedByPeer),
    ("nonsense", "abc", .invalidPacket(.unknownPacketType(0x61))),
    ("an empty frame", "", .invalidPacket(.emptyPacket)),
  ])
  func `The session ends by a packet`(_ name: String, _ text: String, _ reason: EngineIOClosing) {
    var client = Self.connected()
    client.receive(.text(text), at: .zero)
    #expect(client.takeOutputs() == [.closeWebSocket, .closed(.engine(reason))])
  }

  @Test(arguments: [
    "4hello", "0", "0[]", "0{}", #"0{"sid":1,"pingInterval":300,"pingTimeout":200}"#,
    #"0{"sid":"S","pingInterval":0,"pingTimeout":200}"#,
    #"0{"sid":"S","pingInterval":300,"pingTimeout":-1}"#,
    #"0{"sid":"S","pingInterval":300,"pingTimeout":9223372036854775807}"#,
    #"0{"sid":"S","pingInterval":1e999,"pingTimeout":200}"#,
  ])
  func `A bad handshake ends the session`(_ text: String) {
    var client = SocketIOClient(now: .zero)
    client.receive(.text(text), at: .zero)
    #expect(client.takeOutputs() == [.closeWebSocket, .closed(.engine(.invalidHandshake))])
  }

  @Test func `No handshake in time ends the session`() {
    var client = SocketIOClient(now: .seconds(5))
    #expect(client.deadline == .seconds(25))
    client.advance(to: .seconds(25))
    #expect(client.takeOutputs() == [.closeWebSocket, .closed(.engine(.invalidHandshake))])
  }

  @Test func `Closing says so on both levels, and nothing can be sent then`() {
    var client = Self.connected()
    client.close()
    #expect(
      client.takeOutputs() == [
        .send(.text("41")), .send(.text("1")), .closeWebSocket, .closed(.closedLocally),
      ])
    client.close()
    _ = client.send(.event(SocketIOMessage(event: "a"), id: nil))
    #expect(client.takeOutputs() == [])
  }
}
