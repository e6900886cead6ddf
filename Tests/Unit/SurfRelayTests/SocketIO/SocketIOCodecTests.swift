import JSONTree
import SurfRelay
import Testing

@Suite struct SocketIOCodecTests {
  /// Every example of the protocol document ("Packet encoding"), and those that must be byte-exact.
  static let packets: [(SocketIOPacket, String)] = [
    (SocketIOPacket(.connect(nil)), "0"),
    (SocketIOPacket(namespace: "/admin", .connect(["sid": "oSO0"])), #"0/admin,{"sid":"oSO0"}"#),
    (
      SocketIOPacket(.connectError(["message": "Not authorized"])),
      #"4{"message":"Not authorized"}"#
    ),
    (SocketIOPacket(.event(SocketIOMessage(event: "foo"), id: nil)), #"2["foo"]"#),
    (
      SocketIOPacket(namespace: "/admin", .event(SocketIOMessage(event: "bar"), id: nil)),
      #"2/admin,["bar"]"#
    ),
    (SocketIOPacket(.event(SocketIOMessage(event: "foo"), id: 12)), #"212["foo"]"#),
    (
      SocketIOPacket(
        namespace: "/admin", .acknowledgement(["bar"], id: 13)),
      #"3/admin,13["bar"]"#
    ),
    (SocketIOPacket(.acknowledgement([], id: 12)), "312[]"),
    (SocketIOPacket(.disconnect), "1"),
    (SocketIOPacket(namespace: "/admin", .disconnect), "1/admin,"),
    (
      SocketIOPacket(
        .event(
          SocketIOMessage(
            event: "log",
            arguments: [
              [
                "type": "INIT", "payload": "{\"n\":1}", "instanceId": "a", "name": "A",
              ]
            ]), id: nil)),
      #"2["log",{"type":"INIT","payload":"{\"n\":1}","instanceId":"a","name":"A"}]"#
    ),
    (
      SocketIOPacket(
        .event(
          SocketIOMessage(event: "a", arguments: [["_placeholder": true, "num": 7]]), id: nil)),
      #"2["a",{"_placeholder":true,"num":7}]"#
    ),
  ]

  @Test(arguments: packets)
  func `A packet is written byte for byte, and read again`(
    _ packet: SocketIOPacket, _ text: String
  ) throws {
    guard case .text(let actual) = packet.message else {
      Issue.record("no text")
      return
    }
    #expect(Array(actual.utf8) == Array(text.utf8))
    var decoder = SocketIODecoder()
    #expect(try decoder.receive(packet.message) == packet)
  }

  /// The examples with bytes. StateSurf reads such packets, and writes none.
  @Test(
    arguments: [
      (
        #"51-["baz",{"_placeholder":true,"num":0}]"#, [[1, 2, 3, 4]],
        SocketIOPacket(.event(SocketIOMessage(event: "baz", arguments: ["AQIDBA=="]), id: nil))
      ),
      (
        #"52-/admin,["baz",{"_placeholder":true,"num":0},{"_placeholder":true,"num":1}]"#,
        [[1, 2], [3, 4]],
        SocketIOPacket(
          namespace: "/admin",
          .event(SocketIOMessage(event: "baz", arguments: ["AQI=", "AwQ="]), id: nil))
      ),
      (
        #"61-15["bar",{"_placeholder":true,"num":0}]"#, [[1, 2, 3, 4]],
        SocketIOPacket(.acknowledgement(["bar", "AQIDBA=="], id: 15))
      ),
    ] as [(String, [[UInt8]], SocketIOPacket)])
  func `Bytes beside a packet are read in their places, as base64`(
    _ text: String, _ attachments: [[UInt8]], _ packet: SocketIOPacket
  ) throws {
    var decoder = SocketIODecoder()
    var read = try decoder.receive(.text(text))
    for bytes in attachments {
      #expect(read == nil)
      read = try decoder.receive(.binary(bytes))
    }
    #expect(read == packet)
  }

  @Test(arguments: [
    (
      "a namespace without a comma", "0/custom", SocketIOPacket(namespace: "/custom", .connect(nil))
    ),
    ("an error that is text", #"4"no""#, SocketIOPacket(.connectError("no"))),
    (
      "a binary event without attachments", #"50-["a"]"#,
      SocketIOPacket(.event(SocketIOMessage(event: "a"), id: nil))
    ),
    (
      "white space in the payload", #"2 [ "a" , 1 ]"#,
      SocketIOPacket(.event(SocketIOMessage(event: "a", arguments: [1]), id: nil))
    ),
  ])
  func `What others write is read`(
    _ name: String, _ text: String, _ packet: SocketIOPacket
  ) throws {
    var decoder = SocketIODecoder()
    #expect(try decoder.receive(.text(text)) == packet)
  }

  @Test(arguments: [
    ("nothing", "", SocketIOError.emptyPacket),
    ("invalid format (unknown packet type)", "abc", .unknownPacketType(0x61)),
    ("a type beyond the last", "7", .unknownPacketType(0x37)),
    ("invalid format (invalid payload format)", "2{}", .invalidPayload),
    ("an event without a payload", "2", .invalidPayload),
    ("an event without a name", "2[]", .invalidPayload),
    ("an event whose name is a number", "2[1]", .invalidPayload),
    ("a connection with a list", "0[]", .invalidPayload),
    ("a disconnection with a payload", "1{}", .invalidPayload),
    ("an error without a reason", "4", .invalidPayload),
    ("an error that is a number", "4 1", .invalidPayload),
    ("an acknowledgement without an id", "3[]", .invalidAcknowledgementID),
    ("an id beyond all numbers", #"29223372036854775808["a"]"#, .invalidAcknowledgementID),
    ("an id for a connection", "01{}", .invalidAcknowledgementID),
    ("no number of attachments", #"5["a"]"#, .invalidAttachmentCount),
    ("no digit before the dash", #"5-["a"]"#, .invalidAttachmentCount),
    ("no dash", "51", .invalidAttachmentCount),
    ("eleven attachments", #"511-["a"]"#, .tooManyAttachments),
    ("more than can be counted", #"599999999999999999999-["a"]"#, .tooManyAttachments),
    (
      "a placeholder for nothing", #"50-["a",{"_placeholder":true,"num":0}]"#, .invalidPlaceholder
    ),
    (
      "a placeholder deep inside", #"50-["a",[{"b":{"_placeholder":true,"num":0}}]]"#,
      .invalidPlaceholder
    ),
  ])
  func `A text that is no packet is refused`(
    _ name: String, _ text: String, _ error: SocketIOError
  ) {
    var decoder = SocketIODecoder()
    #expect(throws: error) { try decoder.receive(.text(text)) }
  }

  @Test func `invalid format (invalid ack id)`() {
    var decoder = SocketIODecoder()
    #expect(throws: SocketIOError.invalidJSON(JSONError(.unexpectedByte(0x61), line: 1, column: 1)))
    { try decoder.receive(.text(#"2abc["message-with-ack",1,"2",{"3":[false]}]"#)) }
  }

  @Test(arguments: ["-1", "1", "0.5", "1e0", "\"0\"", "null"])
  func `A placeholder must be for an attachment`(_ number: String) throws {
    var decoder = SocketIODecoder()
    let text = #"51-["a",{"_placeholder":true,"num":\#(number)}]"#
    #expect(try decoder.receive(.text(text)) == nil)
    #expect(throws: SocketIOError.invalidPlaceholder) { try decoder.receive(.binary([])) }
  }

  @Test(arguments: [
    (#"51-[{"_placeholder":true,"num":0},1]"#, SocketIOError.invalidPayload),
    (#"51-["a",{"_placeholder":true,"num":0},{"_placeholder":true,"num":0}]"#, .invalidPlaceholder),
    (#"61-1[[{"_placeholder":true,"num":0}],{"_placeholder":true,"num":0}]"#, .invalidPlaceholder),
  ])
  func `An attachment is no event's name, and has one place`(
    _ text: String, _ error: SocketIOError
  ) throws {
    var decoder = SocketIODecoder()
    #expect(try decoder.receive(.text(text)) == nil)
    #expect(throws: error) { try decoder.receive(.binary([1])) }
  }

  @Test func `A text while attachments are awaited is an error, and then a new packet begins`()
    throws
  {
    var decoder = SocketIODecoder()
    #expect(try decoder.receive(.text(#"52-["a"]"#)) == nil)
    #expect(try decoder.receive(.binary([1])) == nil)
    #expect(throws: SocketIOError.missingAttachment) { try decoder.receive(.text("0")) }
    #expect(try decoder.receive(.text("0")) == SocketIOPacket(.connect(nil)))
    #expect(throws: SocketIOError.unexpectedAttachment) { try decoder.receive(.binary([1])) }
  }
}
