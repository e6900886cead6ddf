import JSONTree
import SurfRelay
import SurfWeb
import Testing

@Suite struct EngineIOPacketTests {
  @Test(arguments: [
    (EngineIOPacket.open("{}"), WebMessage.text("0{}")),
    (.close, .text("1")),
    (.ping(""), .text("2")),
    (.ping("probe"), .text("2probe")),
    (.pong("probe"), .text("3probe")),
    (.message(.text("hello")), .text("4hello")),
    (.message(.text("")), .text("4")),
    (.message(.text("\u{301}")), .text("4\u{301}")),
    (.message(.binary([4, 1])), .binary([4, 1])),
    (.upgrade, .text("5")),
    (.noop, .text("6")),
  ])
  func `A packet is one frame and back`(_ packet: EngineIOPacket, _ frame: WebMessage) throws {
    #expect(packet.frame == frame)
    #expect(try EngineIOPacket(frame: frame) == packet)
  }

  @Test(arguments: [
    ("", EngineIOError.emptyPacket),
    ("7", .unknownPacketType(0x37)),
    ("abc", .unknownPacketType(0x61)),
    ("/", .unknownPacketType(0x2f)),
    ("é", .unknownPacketType(0xc3)),
  ])
  func `A frame that is no packet is refused`(_ text: String, _ error: EngineIOError) {
    #expect(throws: error) { try EngineIOPacket(frame: .text(text)) }
  }

  @Test(
    arguments: [
      ("4hello\u{1e}2\u{1e}4world", [.text("hello"), nil, .text("world")]),
      ("4hello\u{1e}bAQIDBA==", [.text("hello"), .binary([1, 2, 3, 4])]),
      ("4€", [.text("€")]),
      ("b", [.binary([])]),
      ("4", [.text("")]),
    ] as [(String, [WebMessage?])])
  func `Packets are joined by U+001E and parted again`(
    _ body: String, _ messages: [WebMessage?]
  ) throws {
    let packets = messages.map { $0.map { EngineIOPacket.message($0) } ?? .ping("") }
    #expect(EngineIOPayload.encode(packets) == Array(body.utf8))
    #expect(try EngineIOPayload.decode(Array(body.utf8)) == packets)
  }

  @Test(
    arguments: [
      ("nothing", [], EngineIOError.emptyPacket),
      ("a separator at the end", [0x34, 0x1e], .emptyPacket),
      ("a separator at the start", [0x1e, 0x34], .emptyPacket),
      ("not UTF-8", [0x34, 0xff], .invalidUTF8),
      ("one digit of base64", Array("bA".utf8), .invalidBase64),
      ("no digit of base64", Array("bAQ-D".utf8), .invalidBase64),
      ("padding alone", Array("b====".utf8), .invalidBase64),
      ("padding inside", Array("bAQ==AQ==".utf8), .invalidBase64),
    ] as [(String, [UInt8], EngineIOError)])
  func `A payload that makes no sense is refused`(
    _ name: String, _ body: [UInt8], _ error: EngineIOError
  ) {
    #expect(throws: error) { try EngineIOPayload.decode(body) }
  }
}
