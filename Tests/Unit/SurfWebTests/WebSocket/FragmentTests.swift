import SurfWeb
import Testing

/// The numbers are those of the Autobahn test suite's cases.
@Suite("Fragments")
struct FragmentTests {
  private static let control = Event.broken("A control frame is fragmented.")
  private static let nothing = Event.broken("There is no message to continue.")
  private static let incomplete = Event.broken("The last message is not complete.")

  static let wrong: [Row] = [
    Row("5.1", [Frame(isFinal: false, opcode: 9), .more("")], [control]),
    Row("5.2", [Frame(isFinal: false, opcode: 10), .more("")], [control]),
    Row("close", [Frame(isFinal: false, opcode: 8)], [control]),
    Row("5.9", [.more("a"), .text("b")], [nothing]),
    Row("5.11", [.more("a", isFinal: false), .text("b")], [nothing]),
    Row("5.15", [.text("a", isFinal: false), .more("b"), .more("c")], [.text("ab"), nothing]),
    Row("5.18", [.text("a", isFinal: false), .text("b")], [incomplete]),
    Row("5.18 binary", [.binary([1], isFinal: false), .binary([2])], [incomplete]),
  ]

  private static let ping = Event.ping([112])

  static let right: [Row] = [
    Row("5.3", [.text("a", isFinal: false), .more("b")], [.text("ab")]),
    Row(
      "5.6", [.text("a", isFinal: false), .ping("p"), .more("b")], [ping, .text("ab")],
      output: [.pong("p")]),
    Row(
      "5.19",
      [
        .text("1", isFinal: false), .more("2", isFinal: false), .ping("p"),
        .more("3", isFinal: false), .more("4", isFinal: false), .ping("p"), .more("5"),
      ],
      [ping, ping, .text("12345")], output: [.pong("p"), .pong("p")]),
    Row(
      "pong", [.binary([1], isFinal: false), .pong("p"), .more("a")],
      [.pong([112]), .binary([1, 97])]),
    Row(
      "6.1.2", [.text("", isFinal: false), .more("", isFinal: false), .more("")], [.text("")]),
    Row(
      "6.1.3", [.text("", isFinal: false), .more("m", isFinal: false), .more("")], [.text("m")]),
    Row(
      "a close frame", [.text("a", isFinal: false), .close(1000), .more("b")],
      [.closed(.normal, reason: "")], output: [.close(1000)]),
  ]

  @Test(arguments: wrong) func areRefused(_ row: Row) { #expect(row.holds) }

  @Test(arguments: right) func makeAMessage(_ row: Row) { #expect(row.holds) }
}

/// The numbers are those of the Autobahn test suite's cases.
@Suite("Texts")
struct TextTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    /// How many bytes it takes to see that this is not UTF-8; nil if it takes the end.
    let seenAfter: Int?
    var testDescription: String { name }
  }

  static let invalid: [Case] = [
    Case(name: "6.3 a surrogate", bytes: Array("κόσμε".utf8) + [0xed, 0xa0, 0x80], seenAfter: 12),
    Case(name: "6.4 beyond U+10FFFF", bytes: [0xf4, 0x90, 0x80, 0x80], seenAfter: 2),
    Case(name: "6.6.1", bytes: [0xce], seenAfter: nil),
    Case(name: "6.6.6", bytes: [0xce, 0xba, 0xe1, 0xbd], seenAfter: nil),
    Case(name: "6.8.1 five bytes", bytes: [0xf8, 0x88, 0x80, 0x80, 0x80], seenAfter: 1),
    Case(name: "6.8.2 six bytes", bytes: [0xfc, 0x84, 0x80, 0x80, 0x80, 0x80], seenAfter: 1),
    Case(name: "6.10.1", bytes: [0xf7, 0xbf, 0xbf, 0xbf], seenAfter: 1),
    Case(name: "6.12.1 a continuation", bytes: [0x80], seenAfter: 1),
    Case(name: "6.12.2", bytes: [0xbf], seenAfter: 1),
    Case(name: "6.13 lonely starts", bytes: [0xc2, 0x20], seenAfter: 2),
    Case(name: "6.13.2", bytes: [0xe1, 0x80, 0x20], seenAfter: 3),
    Case(name: "6.14.1", bytes: [0xc3], seenAfter: nil),
    Case(name: "6.14.3", bytes: [0xf0, 0x80], seenAfter: 2),
    Case(name: "6.15", bytes: [0xe3, 0x80, 0xe3], seenAfter: 3),
    Case(name: "6.16 impossible bytes", bytes: [0xfe], seenAfter: 1),
    Case(name: "6.17.1 overlong", bytes: [0xc0, 0xaf], seenAfter: 1),
    Case(name: "6.17.2", bytes: [0xe0, 0x80, 0xaf], seenAfter: 2),
    Case(name: "6.17.3", bytes: [0xf0, 0x80, 0x80, 0xaf], seenAfter: 2),
    Case(name: "6.18.1", bytes: [0xc1, 0xbf], seenAfter: 1),
    Case(name: "6.18.2", bytes: [0xe0, 0x9f, 0xbf], seenAfter: 2),
    Case(name: "6.18.3", bytes: [0xf0, 0x8f, 0xbf, 0xbf], seenAfter: 2),
    Case(name: "6.20.1", bytes: [0xed, 0xaf, 0xbf], seenAfter: 2),
    Case(name: "6.20.7", bytes: [0xed, 0xbf, 0xbf], seenAfter: 2),
    Case(name: "6.21 a pair", bytes: [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80], seenAfter: 2),
  ]

  @Test(arguments: invalid)
  func areRefusedAtTheFirstWrongByte(_ text: Case) {
    var server = WebSocketConnection(role: .server)
    let head = Frame(isFinal: false, opcode: 1, key: 0, claimed: 100).bytes
    #expect(server.receive(head).isEmpty)
    var seenAfter: Int?
    for (index, byte) in text.bytes.enumerated() where seenAfter == nil {
      if server.receive([byte]) == [.badText] { seenAfter = index + 1 }
    }
    #expect(seenAfter == text.seenAfter)
    #expect(server.isClosed == (text.seenAfter != nil))
  }

  @Test(arguments: invalid)
  func areRefusedWhole(_ text: Case) {
    let whole = Row("", [Frame(opcode: 1, payload: text.bytes)], [.badText])
    #expect(whole.holds)
    let first = Frame(isFinal: false, opcode: 1, payload: Array(text.bytes.dropLast()))
    let last = Frame(opcode: 0, payload: Array(text.bytes.suffix(1)))
    #expect(Row("", [first, last], [.badText]).holds)
    #expect(Row("", [Frame(opcode: 2, payload: text.bytes)], [.binary(text.bytes)]).holds)
  }

  @Test(
    "6.2, 6.5, 6.7, 6.9, 6.11, 6.19, 6.22, 6.23",
    arguments: [
      "Hello-µ@ßöäüàá-UTF-8!!", "κόσμε", "\0", "\u{80}", "\u{7ff}", "\u{800}", "\u{d7ff}",
      "\u{e000}", "\u{fffd}", "\u{ffff}", "\u{10000}", "\u{fffff}", "\u{10ffff}", "\u{feff}a",
    ])
  func areTakenWhereverTheyAreCut(text: String) {
    let bytes = Array(text.utf8)
    for cut in 0...bytes.count {
      let first = Frame(isFinal: false, opcode: 1, payload: Array(bytes[..<cut]))
      let last = Frame(opcode: 0, payload: Array(bytes[cut...]))
      #expect(Row("", [first, last], [.text(text)]).holds)
    }
  }

  @Test func areCheckedAsTheStandardLibraryDoes() {
    for high in UInt8.min ... .max {
      for low in UInt8.min ... .max {
        for tail in [[], [0x80], [0x80, 0x80]] as [[UInt8]] {
          let bytes = [high, low] + tail
          var validator = UTF8Validator()
          let isValid = validator.accept(bytes[...]) && validator.isComplete
          if isValid != (String(validating: bytes, as: UTF8.self) != nil) {
            Issue.record("\(bytes)")
          }
        }
      }
    }
  }
}
