import JSONTree
import SurfRelay
import Testing

/// The cases of the reference test suite for Socket.IO v5, by their names, and those it lacks. Those
/// of further namespaces and of acknowledgements by the server are left out: it does neither.
@Suite struct SocketIOServerSessionTests {
  @Test(arguments: connections + messages)
  func `A session does what the protocol says`(_ scenario: SocketIOScenario) {
    for (step, actual) in scenario.run().enumerated() {
      #expect(actual == scenario.steps[step].1, "step \(step)")
    }
  }

  typealias Step = (SocketIOScenario.Input, [SocketIOScenario.Result])

  static let connected: Step = (.text("0"), [.text(#"0{"sid":"N"}"#)])

  static let connections: [SocketIOScenario] = [
    SocketIOScenario("should allow connection to the main namespace", [connected]),
    SocketIOScenario(
      "should allow connection to the main namespace with a payload",
      [(.text(#"0{"token":"123"}"#), [.text(#"0{"sid":"N"}"#)])]),
    SocketIOScenario(
      "should disallow connection to an unknown namespace",
      [(.text("0/random"), [.text(#"4/random,{"message":"Invalid namespace"}"#)]), connected]),
    SocketIOScenario(
      "should disallow connection with an invalid handshake",
      [(.text("abc"), [.close(.invalidPacket(.unknownPacketType(0x61)))]), (.text("0"), [])]),
    SocketIOScenario(
      "should close the connection if no handshake is received",
      [
        (.wait(.milliseconds(44_999)), []),
        (.wait(.milliseconds(1)), [.close(.connectTimeout)]),
      ]),
    SocketIOScenario(
      "a refused namespace does not count as a handshake",
      [
        (.text("0/random"), [.text(#"4/random,{"message":"Invalid namespace"}"#)]),
        (.wait(.seconds(45)), [.close(.connectTimeout)]),
      ]),
    SocketIOScenario("a handshake stops the clock", [connected, (.wait(.seconds(1000)), [])]),
    SocketIOScenario(
      "an event before the handshake closes the connection",
      [(.text(#"2["message"]"#), [.close(.invalidPacket(.notConnected))])]),
    SocketIOScenario(
      "an event for another namespace closes the connection",
      [connected, (.text(#"2/custom,["message"]"#), [.close(.invalidPacket(.notConnected))])]),
    SocketIOScenario(
      "a second handshake closes the connection",
      [connected, (.text("0"), [.close(.invalidPacket(.unexpectedPacket))])]),
    SocketIOScenario(
      "a refusal by the client closes the connection",
      [connected, (.text("4{}"), [.close(.invalidPacket(.unexpectedPacket))])]),
    SocketIOScenario(
      "should disconnect from the main namespace",
      [connected, (.text("1"), [.disconnected]), (.wait(.seconds(1000)), [])]),
  ]

  static let messages: [SocketIOScenario] = [
    SocketIOScenario(
      "should send a plain-text packet",
      [
        connected,
        (
          .text(#"2["message",1,"2",{"3":[true]}]"#),
          [.text(#"2["message-back",1,"2",{"3":[true]}]"#)]
        ),
      ]),
    SocketIOScenario(
      "should receive a packet with binary attachments",
      [
        connected,
        (
          .text(#"52-["message",{"_placeholder":true,"num":0},{"_placeholder":true,"num":1}]"#), []
        ),
        (.binary([1, 2, 3]), []),
        (
          .binary([4, 5, 6]),
          [.text(#"2["message-back","AQID","BAUG"]"#)]
        ),
      ]),
    SocketIOScenario(
      "should close the connection upon invalid format (unknown packet type)",
      [connected, (.text("abc"), [.close(.invalidPacket(.unknownPacketType(0x61)))])]),
    SocketIOScenario(
      "should close the connection upon invalid format (invalid payload format)",
      [connected, (.text("2{}"), [.close(.invalidPacket(.invalidPayload))])]),
    SocketIOScenario(
      "should close the connection upon invalid format (invalid ack id)",
      [
        connected,
        (
          .text(#"2abc["message-with-ack",1,"2",{"3":[false]}]"#),
          [
            .close(
              .invalidPacket(.invalidJSON(JSONError(.unexpectedByte(0x61), line: 1, column: 1))))
          ]
        ),
      ]),
    SocketIOScenario(
      "an acknowledgement arrives", [connected, (.text("37[]"), [.acknowledged])]),
    SocketIOScenario(
      "bytes that belong to nothing close the connection",
      [connected, (.binary([1]), [.close(.invalidPacket(.unexpectedAttachment))])]),
  ]
}
