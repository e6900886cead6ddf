import JSONTree
import SurfRelay
import SurfWeb
import TestSupport
import Testing

extension SeededGenerator {
  /// Bytes that are often almost right.
  mutating func bytes() -> [UInt8] {
    let seeds = [
      "4hello\u{1e}bAQIDBA==\u{1e}2probe", #"52-/a,12["e",{"_placeholder":true,"num":1}]"#,
      #"0/custom,{"sid":"N"}"#, #"213["log",{"a":[1,2,{"b":null}]}]"#, "61-3[]", "1", "3", "5",
      #"0{"sid":"S","upgrades":[],"pingInterval":300,"pingTimeout":200}"#, "40", #"42["a"]"#, "é",
    ]
    var bytes = Array(seeds.randomElement(using: &self)?.utf8 ?? "".utf8)
    for _ in 0..<Int.random(in: 0...3, using: &self) {
      let index = Int.random(in: 0...bytes.count, using: &self)
      let byte =
        Bool.random(using: &self)
        ? UInt8.random(in: 0...255, using: &self)
        : Array("0123456789-/,[]{}\"\u{1e}b=".utf8).randomElement(using: &self) ?? 0
      switch Int.random(in: 0...2, using: &self) {
      case 0: bytes.insert(byte, at: index)
      case 1 where index < bytes.count: bytes[index] = byte
      default: bytes.removeSubrange(index...)
      }
    }
    return bytes
  }

  mutating func text() -> String { String(decoding: bytes(), as: UTF8.self) }
}

@Suite struct SocketIOFuzzTests {
  @Test(arguments: 0..<20)
  func `The payload decoder never traps, and what it reads is written again`(_ seed: UInt64) throws
  {
    var random = SeededGenerator(seed: seed)
    var readCount = 0
    for _ in 0..<500 {
      guard let packets = try? EngineIOPayload.decode(random.bytes()) else { continue }
      readCount += 1
      let isSame = try EngineIOPayload.decode(EngineIOPayload.encode(packets)) == packets
      #expect(isSame)
    }
    #expect(readCount > 50)
  }

  @Test(arguments: 0..<20)
  func `The packet decoder never traps, and what it reads is written again`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var decoder = SocketIODecoder()
    var readCount = 0
    for _ in 0..<500 {
      let isBinary = Int.random(in: 0..<3, using: &random) == 0
      let message = isBinary ? WebMessage.binary(random.bytes()) : .text(random.text())
      guard let packet = try? decoder.receive(message) else { continue }
      readCount += 1
      #expect(try decoder.receive(packet.message) == packet)
    }
    #expect(readCount > 20)
  }

  @Test(arguments: 0..<40)
  func `A server session answers each request once, and closes once`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 { checkSession(&random) }
  }

  private func checkSession(_ random: inout SeededGenerator) {
    let transport: EngineIOTransport = Bool.random(using: &random) ? .polling : .webSocket
    var session = EngineIOServerSession(
      sid: "S", configuration: EngineScenario.configuration, transport: transport, now: .zero)
    var audit = Audit(transport)
    var now = Duration.zero
    audit.note(.poll, session.takeOutputs())
    for _ in 0..<60 {
      let input = input(&random, audit)
      EngineScenario.apply(input, to: &session, now: &now)
      audit.note(input, session.takeOutputs())
      #expect(session.isClosed == audit.isClosed)
      #expect((session.deadline == nil) == audit.isClosed)
      #expect(session.queueSize <= EngineScenario.configuration.queueSizeMax)
    }
    #expect(audit.faults == [])
  }

  private func input(_ random: inout SeededGenerator, _ audit: Audit) -> EngineScenario.Input {
    switch Int.random(in: 0..<16, using: &random) {
    case 0, 1: .poll
    case 2, 3, 4: .post(random.text())
    case 5: .webSocketOpened
    case 6: .text("2probe")
    case 7: .text("5")
    case 8: .text(random.text())
    case 9: .binary(random.bytes())
    case 10 where audit.webSocketIsOpen: .webSocketClosed
    case 11 where audit.pollHangs && Int.random(in: 0..<8, using: &random) == 0: .pollCancelled
    case 12: .wait(.milliseconds(Int.random(in: 0..<200, using: &random)))
    case 13: .post("3")
    case 14: .send(.text(random.text()))
    default: .text("3")
    }
  }

  @Test(arguments: 0..<20)
  func `The clients never trap, and close once`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      var client = SocketIOClient(now: .zero)
      var outputs: [SocketIOClient.Output] = []
      if Bool.random(using: &random) { client.receive(.text(SocketIOClientTests.open), at: .zero) }
      if Bool.random(using: &random) { client.receive(.text(#"40{"sid":"N"}"#), at: .zero) }
      for time in 0..<30 {
        let now = Duration.milliseconds(time * 20)
        if Bool.random(using: &random) {
          client.receive(.text(random.text()), at: now)
        } else {
          client.receive(.binary(random.bytes()), at: now)
        }
        outputs += client.takeOutputs()
      }
      let closings = outputs.indices.filter {
        if case .closed = outputs[$0] { true } else { false }
      }
      #expect(closings.count == (client.isClosed ? 1 : 0))
      #expect(closings.allSatisfy { $0 == outputs.indices.last })
    }
  }
}

/// Keeps account of the requests that wait for an answer.
private struct Audit {
  var pollHangs = false
  var webSocketIsOpen: Bool
  var isClosed = false
  var faults: [String] = []

  init(_ transport: EngineIOTransport) { webSocketIsOpen = transport == .webSocket }

  mutating func note(
    _ input: EngineScenario.Input, _ outputs: [EngineIOServerSession.Output]
  ) {
    var polls = pollHangs ? 1 : 0
    var posts = 0
    switch input {
    case .poll: polls += webSocketIsOpen && outputs.contains { isOpening($0) } ? 0 : 1
    case .pollCancelled: polls = 0
    case .post: posts = 1
    case .webSocketOpened: webSocketIsOpen = webSocketIsOpen || !outputs.contains(.refuseWebSocket)
    case .webSocketClosed: webSocketIsOpen = false
    default: break
    }
    for output in outputs { note(output, &polls, &posts) }
    if polls < 0 || polls > 1 { faults.append("\(polls) polls hang after \(input)") }
    if posts != 0 { faults.append("\(posts) posts hang after \(input)") }
    pollHangs = polls > 0
    if isClosed, pollHangs || webSocketIsOpen { faults.append("left open after \(input)") }
  }

  private mutating func note(
    _ output: EngineIOServerSession.Output, _ polls: inout Int, _ posts: inout Int
  ) {
    switch output {
    case .respondPoll, .refusePoll: polls -= 1
    case .respondPost, .refusePost: posts -= 1
    case .closeWebSocket:
      if !webSocketIsOpen { faults.append("closes what is closed") }
      webSocketIsOpen = false
    case .closed:
      if isClosed { faults.append("closed twice") }
      isClosed = true
    case .send:
      if isClosed || !webSocketIsOpen { faults.append("sends to nobody") }
    case .message: if isClosed { faults.append("a message after the end") }
    case .refuseWebSocket: break
    }
  }

  private func isOpening(_ output: EngineIOServerSession.Output) -> Bool {
    if case .send(.text(let text)) = output { text.utf8.first == UInt8(ascii: "0") } else { false }
  }
}
