import SurfWeb
import Testing

/// The numbers are those of the Autobahn test suite's cases.
@Suite("Closing")
struct CloseTests {
  private static let normal = Event.closed(.normal, reason: "")

  static let order: [Row] = [
    Row("7.1.1", [.text("a"), .close(1000)], [.text("a"), normal], output: [.close(1000)]),
    Row("7.1.2", [.close(1000), .close(1000)], [normal], output: [.close(1000)]),
    Row("7.1.3", [.close(1000), .ping("a")], [normal], output: [.close(1000)]),
    Row("7.1.4", [.close(1000), .text("a")], [normal], output: [.close(1000)]),
    Row("noise", [.close(1000), Frame(reserved: 7, opcode: 15)], [normal], output: [.close(1000)]),
  ]

  private static let badCode = Event.broken("A close code may not be sent.")
  private static let longest = String(repeating: "*", count: 123)

  static let payloads: [Row] =
    [
      Row("7.3.1", [Frame(opcode: 8)], [.closed(nil, reason: "")], output: [Frame(opcode: 8)]),
      Row(
        "7.3.2", [Frame(opcode: 8, payload: [3])], [.broken("A close frame has half a code.")]),
      Row("7.3.3", [.close(1000)], [normal], output: [.close(1000)]),
      Row(
        "7.3.4", [.close(1000, "Bye")], [.closed(.normal, reason: "Bye")], output: [.close(1000)]),
      Row(
        "7.3.5", [.close(1000, longest)], [.closed(.normal, reason: longest)],
        output: [.close(1000)]),
      Row("7.3.6", [.close(1000, longest + "*")], [.broken("A control frame is too long.")]),
      Row("7.5.1", [Frame(opcode: 8, payload: [3, 232, 0xed, 0xa0, 0x80])], [.badText]),
    ]

  private static let goodCodes: [UInt16] = [
    1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000,
    4999,
  ]

  private static let badCodes: [UInt16] = [
    0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535,
  ]

  static let codes: [Row] =
    goodCodes.map {
      Row(
        "7.7 \($0)", [.close($0)], [.closed(CloseCode(rawValue: $0), reason: "")],
        output: [.close($0)])
    } + badCodes.map { Row("7.9 \($0)", [.close($0)], [badCode]) }

  @Test(arguments: order + payloads + codes)
  func isAnswered(_ row: Row) { #expect(row.holds) }

  @Test func isBegunAndAnswered() {
    var server = WebSocketConnection(role: .server)
    server.close(code: .goingAway, reason: "Bye")
    #expect(server.closeState == .closing)
    server.send(.text("late"))
    server.close()
    #expect(server.takeOutput() == Frame.close(1001, "Bye").unmasked.bytes)
    #expect(server.receive(Frame.text("a").bytes) == [.text("a")])
    #expect(server.receive(Frame.ping("a").bytes) == [.ping([97])])
    #expect(server.receive(Frame.close(1001).bytes) == [.closed(.goingAway, reason: "")])
    #expect(server.isClosed)
    #expect(server.takeOutput().isEmpty)
  }

  @Test func isOneFrameEvenIfThePeerFailsMeanwhile() {
    var server = WebSocketConnection(role: .server)
    server.close()
    #expect(server.receive([0xff]).count == 1)
    #expect(server.isClosed)
    #expect(server.takeOutput() == Frame.close(1000).unmasked.bytes)
  }

  @Test func endsEverything() {
    var server = WebSocketConnection(role: .server)
    _ = server.receive(Frame.ping("a").bytes + Frame.close(1000).bytes)
    let answers = Frame.pong("a").unmasked.bytes + Frame.close(1000).unmasked.bytes
    #expect(server.takeOutput() == answers)
    server.send(.text("a"))
    server.send(.binary([1]))
    server.close()
    #expect(server.takeOutput().isEmpty)
    #expect(server.receive(Frame.text("a").bytes).isEmpty)
    #expect(server.isClosed)
  }

  @Test func isMaskedByAClient() {
    var client = WebSocketConnection(role: .client { 0x0102_0304 })
    #expect(client.receive(Frame.close(3000).unmasked.bytes).count == 1)
    var answer = Frame.close(3000)
    answer.key = 0x0102_0304
    #expect(client.takeOutput() == answer.bytes)
  }

  @Test(arguments: [
    (nil, "a", 0), (1005, "a", 0), (1000, String(repeating: "ü", count: 100), 2 + 122),
    (4000, String(repeating: "a", count: 123), 125),
  ])
  func sendsOnlyWhatMayBeSent(code: UInt16?, reason: String, size: Int) {
    var server = WebSocketConnection(role: .server)
    server.close(code: code.map(CloseCode.init), reason: reason)
    let output = server.takeOutput()
    #expect(output.prefix(2) == [0x88, UInt8(size)])
    #expect(output.count == 2 + size)
    var client = WebSocketConnection(role: .client { 0 })
    guard case .closed = client.receive(output).first else {
      Issue.record("The peer does not take it.")
      return
    }
  }
}
