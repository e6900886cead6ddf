import SurfWeb
import Testing

/// The numbers are those of the Autobahn test suite's cases, with small sizes.
@Suite("Limits")
struct MessageLimitTests {
  private static func events(_ frames: [Frame]) -> [Event] {
    var server = WebSocketConnection(
      role: .server, limits: WebSocketLimits(messageBytes: 200))
    return server.receive(frames.flatMap(\.bytes))
  }

  private static let hundred = String(repeating: "a", count: 100)

  @Test func letThroughWhatIsSmallEnough() {
    let two = Self.hundred + Self.hundred
    let frames: [Frame] = [.text(two), .text(Self.hundred, isFinal: false), .more(Self.hundred)]
    #expect(Self.events(frames) == [.text(two), .text(two)])
  }

  @Test func refuseAMessageByItsHead() {
    let head = Frame(opcode: 2, claimed: 201)
    #expect(Self.events([head]) == [.tooBig])
    let frames: [Frame] = [
      .text(Self.hundred, isFinal: false), .more(Self.hundred, isFinal: false),
      .more("", isFinal: false), .ping(Self.hundred), Frame(opcode: 0, claimed: 1),
    ]
    #expect(Self.events(frames) == [.ping(Array(Self.hundred.utf8)), .tooBig])
  }

  @Test("9.3, 9.4: a message in many frames", arguments: [1, 64, 1000])
  func letAMessageComeInFrames(size: Int) {
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
    var server = WebSocketConnection(role: .server)
    var events: [Event] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      let end = min(start + size, bytes.count)
      let frame = Frame(
        isFinal: end == bytes.count, opcode: start == 0 ? 2 : 0,
        payload: Array(bytes[start..<end]))
      events += server.receive(frame.bytes)
    }
    let isWhole = events == [.binary(bytes)]
    #expect(isWhole)
  }

  @Test("9.5, 9.6: a message in many chops", arguments: [1, 64, 100_000])
  func letAMessageComeInChops(size: Int) {
    let text = String(repeating: "aü", count: 20_000)
    let bytes = Frame.text(text).bytes
    var server = WebSocketConnection(role: .server)
    var events: [Event] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      events += server.receive(Array(bytes[start..<min(start + size, bytes.count)]))
    }
    let isWhole = events == [.text(text)]
    #expect(isWhole)
  }

  /// Copying or checking all that came before with each chop would cost hundreds of times as much.
  @Test func letChopsCostNoMoreBehindAlreadyMuch() {
    let alone = Self.timeOfChops(20_000, behind: 0)
    #expect(Self.timeOfChops(20_000, behind: 4_000_000) < alone * 50)
  }

  private static func timeOfChops(_ few: Int, behind many: Int) -> Duration {
    let head = Frame(opcode: 1, claimed: UInt64(many + few)).bytes
    var server = WebSocketConnection(
      role: .server, limits: WebSocketLimits(messageBytes: many + few))
    let key: [UInt8] = [0x12, 0x34, 0x56, 0x78]
    #expect(server.receive(head + (0..<many).map { key[$0 % 4] }).isEmpty)
    var events: [Event] = []
    let duration = ContinuousClock().measure {
      for index in 0..<few { events += server.receive([key[index % 4]]) }
    }
    let isWhole = events == [.text(String(repeating: "\0", count: many + few))]
    #expect(isWhole)
    return duration
  }

  @Test("9.7, 9.8: many messages in one chop")
  func letManyMessagesComeAtOnce() {
    var server = WebSocketConnection(role: .server)
    let frame = Frame.text("abc").bytes
    let events = server.receive((0..<5000).flatMap { _ in frame })
    let isWhole = events == Array(repeating: .text("abc"), count: 5000)
    #expect(isWhole)
  }
}
