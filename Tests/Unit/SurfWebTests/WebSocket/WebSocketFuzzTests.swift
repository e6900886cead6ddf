import SurfWeb
import TestSupport
import Testing

@Suite("WebSocket under fuzz")
struct WebSocketFuzzTests {
  private static func frame(_ generator: inout SeededGenerator) -> Frame {
    let opcode: [UInt8] = [0, 0, 0, 1, 1, 2, 9, 10]
    var frame = Frame(opcode: opcode.randomElement(using: &generator) ?? 0)
    frame.isFinal = frame.opcode > 7 || Bool.random(using: &generator)
    frame.key = UInt32.random(in: 0 ... .max, using: &generator)
    let count = Int.random(in: 0...(frame.opcode > 7 ? 20 : 200), using: &generator)
    frame.payload = Array(String(repeating: "é", count: count / 2).utf8)
    return frame
  }

  /// Frames in an order that is legal, then a close frame or noise.
  private static func stream(_ generator: inout SeededGenerator) -> [UInt8] {
    var bytes: [UInt8] = []
    var isInMessage = false
    for _ in 0..<20 {
      var frame = frame(&generator)
      if frame.opcode < 3 {
        frame.opcode = isInMessage ? 0 : max(frame.opcode, 1)
        isInMessage = !frame.isFinal
      }
      bytes += frame.bytes
    }
    return bytes + Frame.close(1000, "é").bytes
  }

  private static func result(_ pieces: [[UInt8]]) -> ([Event], [UInt8]) {
    var server = WebSocketConnection(role: .server)
    var events: [Event] = []
    var output: [UInt8] = []
    for piece in pieces {
      events += server.receive(piece)
      output += server.takeOutput()
    }
    return (events, output)
  }

  private static func pieces(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(Int.random(in: 1...40, using: &generator))
      rest = rest[piece.endIndex...]
      pieces.append(Array(piece))
    }
    return pieces
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func anyCutGivesTheSame(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let bytes = Self.stream(&generator)
    let whole = Self.result([bytes])
    #expect(whole.0.last == .closed(.normal, reason: "é"))
    let isSame = Self.result(Self.pieces(bytes, &generator)) == whole
    #expect(isSame)
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func changedBytesGiveTheSameInAnyCut(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<10 {
      var bytes = Self.stream(&generator)
      let index = Int.random(in: 0..<bytes.count, using: &generator)
      bytes[index] = UInt8.random(in: 0...255, using: &generator)
      let isSame = Self.result(Self.pieces(bytes, &generator)) == Self.result([bytes])
      #expect(isSame)
    }
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func randomBytesGiveTheSameInAnyCut(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      var bytes = (0..<100).map { _ in UInt8.random(in: 0...255, using: &generator) }
      // Most noise fails immediately; these beginnings get further.
      let starts: [UInt8] = [0x81, 0x82, 0x01, 0x02, 0x88, 0x89]
      bytes[0] = starts.randomElement(using: &generator) ?? 0
      for role in [WebSocketConnection.Role.server, .client { 0x0506_0708 }] {
        let events = [[bytes], Self.pieces(bytes, &generator)].map { pieces in
          var side = WebSocketConnection(role: role)
          let events = pieces.flatMap { side.receive($0) }
          side.send(.text("a"))
          side.close()
          _ = side.takeOutput()
          return events
        }
        let isSame = events[0] == events[1]
        #expect(isSame)
      }
    }
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func bothSidesUnderstandEachOther(seed: UInt64) {
    let keys = Keys()
    var generator = SeededGenerator(seed: seed)
    var client = WebSocketConnection(role: .client { keys.next() &* 0x9e37_79b9 })
    var server = WebSocketConnection(role: .server)
    for _ in 0..<20 {
      let count = Int.random(in: 0...400, using: &generator)
      let text = String(repeating: "€", count: count)
      client.send(.text(text))
      server.send(.binary(Array(text.utf8)))
      let atServer = server.receive(client.takeOutput())
      #expect(atServer == [.text(text)])
      #expect(client.receive(server.takeOutput()) == [.binary(Array(text.utf8))])
    }
    server.close(code: .goingAway)
    #expect(client.receive(server.takeOutput()) == [.closed(.goingAway, reason: "")])
    #expect(server.receive(client.takeOutput()) == [.closed(.goingAway, reason: "")])
    #expect(server.isClosed && client.isClosed)
  }
}
