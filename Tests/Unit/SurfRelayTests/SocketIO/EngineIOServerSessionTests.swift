import SurfRelay
import Testing

/// The cases of the reference test suite for Engine.IO v4, by their names, and those it lacks.
@Suite struct EngineIOServerSessionTests {
  @Test(arguments: messages + heartbeats + closings)
  func `A session does what the protocol says`(_ scenario: EngineScenario) {
    for (step, actual) in scenario.run().enumerated() {
      #expect(actual == scenario.steps[step].1, "step \(step)")
    }
  }

  static let messages: [EngineScenario] = [
    EngineScenario(
      "sends and receives a payload containing one plain text packet", .polling,
      [
        (.post("4hello"), [.respondPost, .message(.text("hello"))]),
        (.send(.text("hello")), []),
        (.poll, [.respond("4hello")]),
      ]),
    EngineScenario(
      "sends and receives a payload containing several plain text packets", .polling,
      [
        (
          .post("4test1\u{1e}4test2\u{1e}4test3"),
          [.respondPost] + ["test1", "test2", "test3"].map { .message(.text($0)) }
        ),
        (.send(.text("test1")), []),
        (.send(.text("test2")), []),
        (.send(.text("test3")), []),
        (.poll, [.respond("4test1\u{1e}4test2\u{1e}4test3")]),
      ]),
    EngineScenario(
      "sends and receives a payload containing plain text and binary packets", .polling,
      [
        (
          .post("4hello\u{1e}bAQIDBA=="),
          [.respondPost, .message(.text("hello")), .message(.binary([1, 2, 3, 4]))]
        ),
        (.send(.text("hello")), []),
        (.send(.binary([1, 2, 3, 4])), []),
        (.poll, [.respond("4hello\u{1e}bAQIDBA==")]),
      ]),
    EngineScenario(
      "closes the session upon invalid packet format (polling)", .polling,
      [
        (
          .post("4good\u{1e}abc"),
          [.refusePost(.badRequest), .closed(.invalidPacket(.unknownPacketType(0x61)))]
        ),
        (.poll, [.refusePoll(.unknownSession)]),
      ]),
    EngineScenario(
      "closes the session upon duplicate poll requests", .polling,
      [
        (.poll, []),
        (.poll, [.refusePoll(.badRequest), .respond("1"), .closed(.overlappingPoll)]),
        (.poll, [.refusePoll(.unknownSession)]),
      ]),
    EngineScenario(
      "closes the session upon cancelled polling request", .polling,
      [
        (.poll, []),
        (.pollCancelled, [.closed(.transportClosed)]),
        (.poll, [.refusePoll(.unknownSession)]),
      ]),
    EngineScenario(
      "sends and receives a plain text packet", .webSocket,
      [
        (.text("4hello"), [.message(.text("hello"))]),
        (.send(.text("hello")), [.send(.text("4hello"))]),
      ]),
    EngineScenario(
      "sends and receives a binary packet", .webSocket,
      [
        (.binary([1, 2, 3, 4]), [.message(.binary([1, 2, 3, 4]))]),
        (.send(.binary([1, 2, 3, 4])), [.send(.binary([1, 2, 3, 4]))]),
      ]),
    EngineScenario(
      "closes the session upon invalid packet format (WebSocket)", .webSocket,
      [
        (.text("abc"), [.closeWebSocket, .closed(.invalidPacket(.unknownPacketType(0x61)))]),
        (.text("4late"), []),
      ]),
    EngineScenario(
      "a poll hangs until there is something to send", .polling,
      [
        (.poll, []),
        (.send(.text("one")), [.respond("4one")]),
        (.send(.text("two")), []),
        (.poll, [.respond("4two")]),
        (.poll, []),
      ]),
  ]

  static let heartbeats: [EngineScenario] = [
    EngineScenario(
      "sends ping/pong packets (polling)", .polling,
      Array(
        repeating: [
          (.poll, []), (.wait(.milliseconds(300)), [.respond("2")]),
          (.post("3"), [.respondPost]),
        ], count: 3
      ).flatMap { $0 }),
    EngineScenario(
      "closes the session upon ping timeout (polling)", .polling,
      [
        (.wait(.milliseconds(499)), []),
        (.wait(.milliseconds(1)), [.closed(.pingTimeout)]),
        (.poll, [.refusePoll(.unknownSession)]),
        (.post("3"), [.refusePost(.unknownSession)]),
      ]),
    EngineScenario(
      "sends ping/pong packets (WebSocket)", .webSocket,
      Array(
        repeating: [(.wait(.milliseconds(300)), [.send(.text("2"))]), (.text("3"), [])], count: 3
      ).flatMap { $0 }),
    EngineScenario(
      "closes the session upon ping timeout (WebSocket)", .webSocket,
      [
        (.wait(.milliseconds(299)), []),
        (.text("4a message is no pong"), [.message(.text("a message is no pong"))]),
        (.wait(.milliseconds(200)), [.send(.text("2"))]),
        (.wait(.milliseconds(1)), [.closeWebSocket, .closed(.pingTimeout)]),
      ]),
    EngineScenario(
      "a ping by the client closes the session", .webSocket,
      [(.text("2"), [.closeWebSocket, .closed(.invalidPacket(.unexpectedPacket))])]),
    EngineScenario(
      "a pong that was not asked for changes nothing", .webSocket,
      [
        (.wait(.milliseconds(200)), []), (.text("3"), []),
        (.wait(.milliseconds(100)), [.send(.text("2"))]),
      ]),
  ]

  static let closings: [EngineScenario] = [
    EngineScenario(
      "forcefully closes the session (polling)", .polling,
      [
        (.poll, []),
        (.post("1"), [.respondPost, .respond("6"), .closed(.closedByPeer)]),
        (.poll, [.refusePoll(.unknownSession)]),
      ]),
    EngineScenario(
      "forcefully closes the session (WebSocket)", .webSocket,
      [(.text("1"), [.closeWebSocket, .closed(.closedByPeer)])]),
    EngineScenario(
      "a WebSocket that is gone closes the session", .webSocket,
      [
        (.webSocketClosed, [.closed(.transportClosed)]), (.webSocketClosed, []),
        (.send(.text("late")), []),
      ]),
    EngineScenario(
      "POST requests one after the other are fine", .polling,
      [
        (.post("6"), [.respondPost]), (.post("6"), [.respondPost]), (.pollCancelled, []),
      ]),
    EngineScenario(
      "a body beyond maxPayload closes the session", .polling,
      [
        (
          .post("4" + String(repeating: "x", count: 100)),
          [
            .refusePost(.payloadTooLarge), .closed(.payloadTooLarge),
          ]
        )
      ]),
    EngineScenario(
      "a body of maxPayload does not", .polling,
      [
        (
          .post("4" + String(repeating: "x", count: 99)),
          [
            .respondPost, .message(.text(String(repeating: "x", count: 99))),
          ]
        )
      ]),
    EngineScenario(
      "a WebSocket message beyond maxPayload closes the session", .webSocket,
      [
        (.binary(Array(repeating: 0, count: 101)), [.closeWebSocket, .closed(.payloadTooLarge)])
      ]),
    EngineScenario(
      "a client that does not poll is given up when too much waits", .polling,
      [
        (.send(.text(String(repeating: "x", count: 900))), []),
        (.send(.text(String(repeating: "x", count: 100))), [.closed(.queueTooLarge)]),
      ]),
    EngineScenario(
      "the server closes, and answers the poll that hangs", .polling,
      [(.poll, []), (.close, [.respond("1"), .closed(.closedLocally)]), (.close, [])]),
  ]
}
