import JSONTree
import SurfRelay
import Testing

@Suite struct SocketIOClientTests {
  /// A client that was granted its connection at 0.
  static func connected() -> SocketIOClient {
    var client = SocketIOClient(now: .zero)
    client.receive(.text(EngineIOClientTests.open), at: .zero)
    client.receive(.text(#"40{"sid":"N"}"#), at: .zero)
    #expect(client.takeOutputs() == [.send(.text("40")), .connected(sid: "N")])
    return client
  }

  @Test func `The handshakes lead to events`() {
    let client = Self.connected()
    #expect(client.isConnected)
  }

  @Test func `Events go out byte for byte`() throws {
    var client = Self.connected()
    try client.send(
      SocketIOMessage(
        event: "log",
        arguments: [["type": "INIT", "payload": "{\"n\":1}", "instanceId": "a", "name": "A"]]))
    try client.send(
      SocketIOMessage(event: "a", arguments: [.socketIOPlaceholder(0)], attachments: [[9]]))
    try client.acknowledge(4, SocketIOReply(arguments: [true]))
    #expect(
      client.takeOutputs() == [
        .send(
          .text(
            #"42["log",{"type":"INIT","payload":"{\"n\":1}","instanceId":"a","name":"A"}]"#)),
        .send(.text(#"451-["a",{"_placeholder":true,"num":0}]"#)), .send(.binary([9])),
        .send(.text("434[true]")),
      ])
  }

  @Test func `Events, answers and pings come in`() {
    var client = Self.connected()
    client.receive(.text(#"427["a",1]"#), at: .zero)
    client.receive(.text(#"451-["b",{"_placeholder":true,"num":0}]"#), at: .zero)
    client.receive(.binary([9]), at: .zero)
    client.receive(.text("433[2]"), at: .zero)
    client.receive(.text(#"42/other,["c"]"#), at: .zero)
    client.receive(.text("2"), at: .zero)
    let binary = SocketIOMessage(
      event: "b", arguments: [.socketIOPlaceholder(0)], attachments: [[9]])
    #expect(
      client.takeOutputs() == [
        .event(SocketIOMessage(event: "a", arguments: [1]), id: 7), .event(binary, id: nil),
        .send(.text("3")),
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
    client.receive(.text(EngineIOClientTests.open), at: .zero)
    client.receive(.text(text), at: .zero)
    #expect(
      client.takeOutputs() == [
        .send(.text("40")), .send(.text("1")), .closeWebSocket, .closed(reason),
      ])
  }

  @Test func `A grant must come in time`() {
    var client = SocketIOClient(connectTimeout: .milliseconds(400), now: .zero)
    client.receive(.text(EngineIOClientTests.open), at: .zero)
    #expect(client.deadline == .milliseconds(400))
    client.advance(to: .milliseconds(400))
    #expect(
      client.takeOutputs() == [
        .send(.text("40")), .send(.text("1")), .closeWebSocket, .closed(.connectTimeout),
      ])
  }

  @Test func `Silence loses the server`() {
    var client = Self.connected()
    #expect(client.deadline == .milliseconds(500))
    client.advance(to: .milliseconds(500))
    #expect(client.takeOutputs() == [.closeWebSocket, .closed(.engine(.pingTimeout))])
  }

  @Test func `Closing says so on both levels, and nothing can be sent then`() {
    var client = Self.connected()
    client.close()
    #expect(
      client.takeOutputs() == [
        .send(.text("41")), .send(.text("1")), .closeWebSocket, .closed(.closedLocally),
      ])
    #expect(throws: SocketIOError.notConnected) { try client.send(SocketIOMessage(event: "a")) }
  }
}
