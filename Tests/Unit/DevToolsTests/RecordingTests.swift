import DevTools
import JSONTree
import SurfStore
import Testing

extension WithRelay {
  /// What the app does, as the relay hears of it.
  @Suite struct RecordingTests {
    @Test func `the first frame is INIT, then an ACTION for each action`() throws {
      let rig = try Rig()
      #expect(
        try rig.relay.frames(1)[0]
          == [
            "type": "INIT", "payload": state(0), "instanceId": "counter", "name": "Counter",
          ])
      rig.dispatch(.increment, .add(3))
      let frames = try rig.relay.frames(3)
      #expect(
        frames[1]
          == [
            "type": "ACTION", "action": "\"increment\"", "payload": state(1),
            "instanceId": "counter",
          ])
      #expect(frames[2]["action"] == "{\"add\":3}")
      #expect(frames[2]["payload"] == state(4))
    }

    @Test func `each action comes in order with the state after it, also in a burst`() throws {
      let rig = try Rig(history: 1_000)
      _ = try rig.relay.frames(1)
      for _ in 0..<500 { rig.dispatch(.increment) }
      let frames = try rig.relay.frames("ACTION", 500)
      let isInOrder = frames.map { $0["payload"] } == (1...500).map { state($0) }
      #expect(isInOrder)
    }

    @Test func `the 201st action evicts the first`() throws {
      let rig = try Rig()
      for _ in 0..<200 { rig.dispatch(.increment) }
      _ = try rig.relay.frames("ACTION", 200)
      rig.relay.say(["type": "JUMP_TO_ACTION", "actionId": 0])
      try rig.wait(count: 0)
      rig.dispatch(.add(200))
      _ = try rig.relay.frames("ACTION", 201)
      rig.relay.say(["type": "JUMP_TO_ACTION", "actionId": 0])
      let error = try rig.relay.frames("ERROR")[0]
      #expect(error["payload"]?.string?.contains("action 0 is no longer available") == true)
      #expect(rig.store.state.count == 200)
      rig.relay.say(["type": "JUMP_TO_ACTION", "actionId": 1])
      try rig.wait(count: 1)
    }

    @Test func `numbers begin anew where the history is told anew`() throws {
      let rig = try Rig(history: 3)
      _ = try rig.relay.frames(1)
      for _ in 0..<5 { rig.dispatch(.increment) }
      _ = try rig.relay.frames("ACTION", 5)
      rig.relay.cut()
      let frames = try rig.relay.frames(6 + 4).dropFirst(6)
      #expect(frames.map { $0["payload"] } == [state(2), state(3), state(4), state(5)])
      rig.relay.say(["type": "JUMP_TO_ACTION", "actionId": 1])
      try rig.wait(count: 3)
    }

    @Test func `the history is bounded in bytes too`() throws {
      let rig = try Rig { $0.historySizeMax = 100 }
      // 12 bytes for "increment" in quotes with its state, and 11.
      _ = try rig.relay.frames(1)
      for _ in 0..<9 { rig.dispatch(.increment) }
      _ = try rig.relay.frames("ACTION", 9)
      rig.relay.say(["type": "JUMP_TO_ACTION", "actionId": 3])
      _ = try rig.relay.frames("ERROR")
      rig.relay.say(["type": "JUMP_TO_ACTION", "actionId": 6])
      try rig.wait(count: 6)
    }

    @Test func `a jump to what was evicted, or never was, changes nothing and says so`() throws {
      let rig = try Rig(history: 1)
      _ = try rig.relay.frames(1)
      rig.dispatch(.increment, .increment, .increment)
      _ = try rig.relay.frames("ACTION", 3)
      for number: JSON in [0, 1, 4, 9_223_372_036_854_775_807] {
        rig.relay.say(["type": "JUMP_TO_ACTION", "actionId": number])
      }
      rig.relay.say(["type": "JUMP_TO_STATE", "index": -1])
      _ = try rig.relay.frames("ERROR", 5)
      #expect(rig.store.state.count == 3)
      #expect(rig.tools.state.currentActionIndex == nil)
    }

    @Test func `what happens before there is a relay is told when there is one`() throws {
      let rig = try Rig { $0.connectionMode = .manual }
      rig.dispatch(.increment, .add(2))
      rig.tools.dispatch(.connect(host: "127.0.0.1", port: rig.relay.port))
      #expect(try rig.relay.frames(3).map { $0["payload"] } == [state(0), state(1), state(3)])
    }

    @Test func `an action for DevTools among the app's is performed, not recorded`()
      throws
    {
      let relay = try FakeRelay()
      let mode = ConnectionMode.connectOnLaunch(host: "127.0.0.1", port: relay.port)
      let tools = DevTools(
        initial: Counter(), reducer: counterReducer,
        environment: .live(for: Counter.self, instanceId: "counter", connectionMode: mode),
        extractDevToolsAction: { $0 == .devTools ? .activate : nil })
      tools.store.dispatch(.devTools)
      _ = try relay.frames("INIT")
      tools.store.dispatch(.increment)
      #expect(try relay.frames(2)[1]["action"] == "\"increment\"")
    }

    private enum Nested: Codable, Sendable { case count(CounterAction) }

    @Test(arguments: [FakeRelay.Kind.socketIO, .socketCluster])
    func `A case inside a case is a type with a dot, which dispatches it again`(
      kind: FakeRelay.Kind
    ) throws {
      let relay = try FakeRelay(kind)
      let tools = DevTools(
        initial: Counter(),
        reducer: Reducer<Nested, Counter> { action, state in
          guard case .count(let inner) = action else { return [] }
          _ = counterReducer.reduce(inner, into: &state)
          return []
        },
        environment: .live(
          for: Counter.self, instanceId: "counter",
          transport: kind == .socketIO ? .socketIO : .socketCluster,
          connectionMode: .connectOnLaunch(host: "127.0.0.1", port: relay.port)))
      tools.dispatch(.activate)
      _ = try relay.frames("INIT")
      tools.store.dispatch(.count(.add(2)))
      let text = try #require(try relay.frames("ACTION")[0]["action"]?.string)
      let told = try JSON(parsing: text)
      let expected: JSON = ["type": "count.add", "payload": 2]
      #expect(kind == .socketIO ? told == ["count": ["add": 2]] : told["action"] == expected)
      for action in [told["action"] ?? told, expected] {
        relay.say(["type": "ACTION", "action": .string(action.text())])
      }
      let rows = try relay.frames("ACTION", 3)
      #expect(rows.map { $0["payload"] } == [2, 4, 6].map { state($0) })
    }

    @Test func `a state that is not Codable is shown, and a jump refused with the reason`()
      throws
    {
      struct Plain: Sendable { var name = "a" }
      let relay = try FakeRelay()
      let mode = ConnectionMode.connectOnLaunch(host: "127.0.0.1", port: relay.port)
      let store = Store(
        initial: Plain(), reducer: Reducer<String, Plain>.reduce { $1.name = $0 })
      let tools = DevTools(store, environment: .live(connectionMode: mode))
      tools.dispatch(.activate)
      store.dispatch("b")
      #expect(try relay.frames(2)[1]["payload"] == "{\"name\":\"b\"}")
      relay.say(["type": "JUMP_TO_ACTION", "actionId": 0])
      let error = try relay.frames("ERROR")[0]
      #expect(error["payload"]?.string?.contains("decodeState") == true)
      relay.say(["type": "TOGGLE_ACTION", "id": 1])
      _ = try relay.frames("ERROR", 2)
      #expect(tools.state.skippedActionIds == [])
      #expect(store.state.name == "b")
    }
  }
}
