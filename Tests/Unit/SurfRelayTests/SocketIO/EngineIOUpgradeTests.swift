import SurfRelay
import Testing

/// The upgrade cases of the reference test suite for Engine.IO v4, and those it lacks.
@Suite struct EngineIOUpgradeTests {
  @Test(arguments: scenarios)
  func `An upgrade does what the protocol says`(_ scenario: EngineScenario) {
    for (step, actual) in scenario.run().enumerated() {
      #expect(actual == scenario.steps[step].1, "step \(step)")
    }
  }

  static let upgraded: [EngineScenario.Step] = [
    (.webSocketOpened, []),
    (.text("2probe"), [.send(.text("3probe"))]),
    (.text("5"), []),
  ]

  static let scenarios: [EngineScenario] = [
    EngineScenario(
      "successfully upgrades from HTTP long-polling to WebSocket", .polling,
      [
        (.webSocketOpened, []),
        (.text("2probe"), [.send(.text("3probe"))]),
        (.poll, [.respond("6")]),
        (.text("5"), []),
        (.text("4hello"), [.message(.text("hello"))]),
        (.send(.text("hello")), [.send(.text("4hello"))]),
      ]),
    EngineScenario(
      "ignores HTTP requests with same sid after upgrade", .polling,
      upgraded + [
        (.poll, [.refusePoll(.badRequest)]),
        (.post("4no"), [.refusePost(.badRequest)]),
        (.text("4hello"), [.message(.text("hello"))]),
      ]),
    EngineScenario(
      "ignores WebSocket connection with same sid after upgrade", .polling,
      upgraded + [
        (.webSocketOpened, [.refuseWebSocket]),
        (.text("4hello"), [.message(.text("hello"))]),
      ]),
    EngineScenario(
      "ignores a second WebSocket connection while the first is tried", .polling,
      [
        (.webSocketOpened, []), (.webSocketOpened, [.refuseWebSocket]),
        (.text("2probe"), [.send(.text("3probe"))]),
      ]),
    EngineScenario(
      "a pending poll is released by the probe", .polling,
      [
        (.poll, []), (.webSocketOpened, []),
        (.text("2probe"), [.send(.text("3probe")), .respond("6")]),
      ]),
    EngineScenario(
      "what waited for a poll goes over the WebSocket", .polling,
      [
        (.send(.text("one")), []), (.webSocketOpened, []),
        (.text("2probe"), [.send(.text("3probe"))]),
        (.send(.binary([2])), []),
        (.text("5"), [.send(.text("4one")), .send(.binary([2]))]),
      ]),
    EngineScenario(
      "a message before the upgrade packet goes by polling", .polling,
      [
        (.webSocketOpened, []), (.text("2probe"), [.send(.text("3probe"))]),
        (.send(.text("one")), []), (.poll, [.respond("4one")]), (.text("5"), []),
      ]),
    EngineScenario(
      "an upgrade packet without a probe closes the WebSocket only", .polling,
      [
        (.webSocketOpened, []), (.text("5"), [.closeWebSocket]),
        (.post("4on"), [.respondPost, .message(.text("on"))]),
      ]),
    EngineScenario(
      "nonsense in place of a probe closes the WebSocket only", .polling,
      [(.webSocketOpened, []), (.text("abc"), [.closeWebSocket]), (.webSocketClosed, [])]),
    EngineScenario(
      "a WebSocket that closes before the upgrade leaves the session polling", .polling,
      [
        (.webSocketOpened, []), (.text("2probe"), [.send(.text("3probe"))]),
        (.webSocketClosed, []), (.poll, []), (.send(.text("on")), [.respond("4on")]),
      ]),
    EngineScenario(
      "a WebSocket that is not upgraded to in time is closed", .polling,
      [
        (.webSocketOpened, []), (.wait(.milliseconds(99)), []),
        (.wait(.milliseconds(1)), [.closeWebSocket]), (.webSocketOpened, []),
      ]),
    EngineScenario(
      "a session that closes while it upgrades closes the WebSocket too", .polling,
      [
        (.poll, []), (.webSocketOpened, []),
        (.post("1"), [.respondPost, .respond("6"), .closeWebSocket, .closed(.closedByPeer)]),
        (.webSocketOpened, [.refuseWebSocket]),
      ]),
  ]
}
