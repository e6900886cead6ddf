import SurfWeb
import Testing

/// The numbers are those of the Autobahn test suite's cases.
@Suite("Frames")
struct FrameTests {
  private static let lengths = [0, 125, 126, 127, 128, 65535, 65536]

  static let framing: [Row] =
    lengths.enumerated().flatMap { index, length in
      let text = String(repeating: "*", count: length)
      let bytes = [UInt8](repeating: 0xfe, count: length)
      return [
        Row("1.1.\(index + 1)", [.text(text)], [.text(text)]),
        Row("1.2.\(index + 1)", [.binary(bytes)], [.binary(bytes)]),
      ]
    }

  private static let long = String(repeating: "\u{1}", count: 125)

  static let pings: [Row] = [
    Row("2.1", [.ping("")], [.ping([])], output: [.pong("")]),
    Row("2.2", [.ping("Hi")], [.ping(Array("Hi".utf8))], output: [.pong("Hi")]),
    Row(
      "2.3", [Frame(opcode: 9, payload: [0, 255])], [.ping([0, 255])],
      output: [Frame(opcode: 10, payload: [0, 255])]),
    Row("2.4", [.ping(long)], [.ping(Array(long.utf8))], output: [.pong(long)]),
    Row("2.5", [.ping(long + "x")], [.broken("A control frame is too long.")]),
    Row("2.7", [.pong("")], [.pong([])]),
    Row("2.8", [.pong("Hi")], [.pong(Array("Hi".utf8))]),
    Row("2.9", [.pong("a"), .ping("b")], [.pong([97]), .ping([98])], output: [.pong("b")]),
    Row(
      "2.10", (0..<10).map { .ping("\($0)") }, (0..<10).map { .ping(Array("\($0)".utf8)) },
      output: (0..<10).map { .pong("\($0)") }),
  ]

  private static let bit = Event.broken("A reserved bit is set.")

  static let reservedBits: [Row] =
    (UInt8(1)...7).flatMap { bits in
      [
        Row("3.\(bits)", [.text("a"), Frame(reserved: bits, opcode: 1)], [.text("a"), bit]),
        Row("3.\(bits) ping", [Frame(reserved: bits, opcode: 9)], [bit]),
      ]
    }

  private static let opcode = Event.broken("The opcode is reserved.")

  static let opcodes: [Row] =
    (UInt8(3)...7).map { Row("4.1.\($0 - 2)", [Frame(opcode: $0)], [opcode]) }
    + (UInt8(11)...15).map {
      Row("4.2.\($0 - 10)", [.text("a"), Frame(opcode: $0)], [.text("a"), opcode])
    }

  private static let short = Event.broken("The length is not in its shortest form.")

  static let lengthForms: [Row] = [
    Row("125 in 2 bytes", [Frame(opcode: 2, lengthSize: 2, claimed: 125)], [short]),
    Row("0 in 8 bytes", [Frame(opcode: 2, lengthSize: 8, claimed: 0)], [short]),
    Row("65535 in 8 bytes", [Frame(opcode: 2, lengthSize: 8, claimed: 65535)], [short]),
    Row(
      "64 bits", [Frame(opcode: 2, lengthSize: 8, claimed: 1 << 63)],
      [.broken("The length has more than 63 bits.")]),
    Row("63 bits", [Frame(opcode: 2, lengthSize: 8, claimed: .max >> 1)], [.tooBig]),
    Row(
      "a ping's length in 2 bytes", [Frame(opcode: 9, lengthSize: 2, claimed: 5)],
      [.broken("A control frame is too long.")]),
    Row(
      "a client that does not mask", [Frame.text("a").unmasked],
      [.broken("A frame is not masked.")]),
  ]

  @Test(arguments: framing + pings)
  func areReadAndAnswered(_ row: Row) { #expect(row.holds) }

  @Test(arguments: reservedBits + opcodes + lengthForms)
  func areRefused(_ row: Row) { #expect(row.holds) }

  @Test func areRefusedAtTheFirstWrongByte() {
    for first: UInt8 in [0x91, 0x83, 0x80, 0x09] {
      var server = WebSocketConnection(role: .server)
      #expect(server.receive([first]).count == 1)
      #expect(server.isClosed)
    }
  }

  @Test func ofAServerMustNotBeMasked() {
    var client = WebSocketConnection(role: .client { 0 })
    #expect(client.receive(Frame.text("a").unmasked.bytes) == [.text("a")])
    #expect(client.receive(Frame.text("a").bytes) == [.broken("A frame is masked.")])
  }

  @Test(arguments: lengths)
  func areWrittenAsTheyAreRead(length: Int) {
    let key: UInt32 = 0xa1b2_c3d4
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
    for (role, frameKey) in [(WebSocketConnection.Role.server, nil), (.client { key }, key)] {
      var sender = WebSocketConnection(role: role)
      sender.send(.binary(bytes))
      let expected = Frame(opcode: 2, payload: bytes, key: frameKey).bytes
      let isAsExpected = sender.takeOutput() == expected
      #expect(isAsExpected)
      #expect(sender.takeOutput().isEmpty)
    }
  }

  @Test func ofAClientAreEachMaskedAnew() {
    let keys = Keys()
    var client = WebSocketConnection(role: .client { keys.next() })
    client.send(.text("a"))
    client.send(.text("a"))
    let frames = [1, 2].flatMap { Frame(opcode: 1, payload: [97], key: $0).bytes }
    #expect(client.takeOutput() == frames)
  }

  @Test func keepTheNewestPingOfTooMany() {
    var server = WebSocketConnection(
      role: .server, limits: WebSocketLimits(waitingPongBytes: 20))
    let pings = (0..<9).flatMap { Frame.ping("\($0)").bytes }
    #expect(server.receive(pings).count == 9)
    let pongs = ["0", "1", "8"].flatMap { Frame.pong($0).unmasked.bytes }
    #expect(server.takeOutput() == pongs)
    #expect(server.takeOutput().isEmpty)
    _ = server.receive(Frame.ping("x").bytes)
    #expect(server.takeOutput() == Frame.pong("x").unmasked.bytes)
  }
}
