import DevTools
import JSONTree
import SurfStore
import SurfThreads
import Testing

extension WithRelay {
  /// The panel's buttons.
  @Suite struct CommandTests {
    /// A counter that went 0, 1, 3, 6, 10.
    private func counted(
      _ kind: FakeRelay.Kind = .socketIO, isExact: Bool = true
    ) throws -> Rig {
      let rig = try Rig(kind, isExact: isExact)
      try rig.waitUntilConnected()
      rig.dispatch(.add(1), .add(2), .add(3), .add(4))
      _ = try rig.relay.frames("ACTION", 4)
      return rig
    }

    @Test(arguments: [FakeRelay.Kind.socketIO, .socketCluster])
    func `JUMP_TO_ACTION puts the app into the state after an action`(
      kind: FakeRelay.Kind
    ) throws {
      let rig = try counted(kind)
      rig.relay.say(["type": "JUMP_TO_ACTION", "actionId": 1])
      try rig.wait(count: 1)
      #expect(try rig.wait { $0.currentActionIndex == 1 }.isTimeTraveling)
      rig.relay.say(["type": "DISPATCH", "action": ["type": "JUMP_TO_ACTION", "index": 2]])
      try rig.wait(count: 3)
    }

    @Test func `JUMP_TO_STATE puts the app into the state at a place`() throws {
      let rig = try counted()
      rig.relay.say(["type": "JUMP_TO_STATE", "index": 3])
      try rig.wait(count: 6)
      // Without a place it leads nowhere, and not to the beginning.
      rig.relay.say(["type": "JUMP_TO_STATE"])
      try rig.wait { $0.unknownCommandCount == 1 }
      try rig.wait(count: 6)
    }

    @Test func `a restore is no ACTION, and the next action makes the app live`() throws {
      let rig = try counted()
      rig.relay.say(["type": "JUMP_TO_ACTION", "actionId": 1])
      try rig.wait { $0.currentActionIndex == 1 }
      rig.dispatch(.add(100))
      let actions = try rig.relay.frames("ACTION", 5)
      #expect(actions.map { $0["payload"] } == [1, 3, 6, 10, 101].map { state($0) })
      #expect(try rig.wait { $0.currentActionIndex == nil }.isTimeTraveling == false)
    }

    @Test func `actions after one that is skipped are run again`() throws {
      let rig = try counted()
      #expect(rig.tools.state.isExact)
      rig.relay.say(["type": "TOGGLE_ACTION", "id": 3])
      try rig.wait(count: 7)
      #expect(try rig.wait { $0.skippedActionIds == [3] }.currentActionIndex == nil)
      let told = try rig.relay.frames("ACTION", 8).dropFirst(4)
      #expect(told.map { $0["payload"] } == [1, 3, 3, 7].map { state($0) })
      rig.relay.say(["type": "JUMP_TO_ACTION", "actionId": 2])
      try rig.wait { $0.currentActionIndex == 2 }
      rig.relay.say(["type": "TOGGLE_ACTION", "id": 1])
      try rig.wait(count: 2)
      rig.relay.say(["type": "TOGGLE_ACTION", "id": 3])
      #expect(try rig.wait { $0.skippedActionIds == [1] }.currentActionIndex == 2)
      #expect(rig.store.state.count == 2)
    }

    @Test func `REORDER_ACTION has all run again in another order`() throws {
      let rig = try counted(.socketCluster)
      let reorder: JSON = ["type": "REORDER_ACTION", "actionId": 4, "beforeActionId": 2]
      rig.relay.say(["type": "DISPATCH", "action": reorder])
      let told = try rig.relay.frames("ACTION", 8).dropFirst(4)
      #expect(told.map { $0["payload"] } == [1, 5, 7, 10].map { state($0) })
      try rig.wait(count: 5)
      #expect(rig.tools.state.failure == nil)
      rig.relay.say(["type": "JUMP_TO_ACTION", "actionId": 3])
      try rig.wait(count: 7)
    }

    @Test(arguments: [true, false])
    func `A panel is told whether actions can be moved`(isExact: Bool) throws {
      let rig = try counted(.socketCluster, isExact: isExact)
      let features = try rig.relay.frames("INIT")[0]["libConfig"]?["features"]
      #expect(features?["reorder"] == .bool(isExact))
      guard !isExact else { return }
      rig.relay.say(["type": "REORDER_ACTION", "actionId": 2])
      let error = try rig.relay.frames("ERROR")[0]
      #expect(error["payload"]?.string?.contains("cannot run actions again") == true)
      #expect(rig.store.state.count == 10)
    }

    @Test func `without the reducer the nearest state that is not skipped is restored`() throws {
      let rig = try counted(isExact: false)
      #expect(!rig.tools.state.isExact)
      rig.relay.say(["type": "TOGGLE_ACTION", "id": 3])
      try rig.wait(count: 3)
      rig.relay.say(["type": "TOGGLE_ACTION", "id": 2])
      try rig.wait(count: 1)
      rig.relay.say(["type": "TOGGLE_ACTION", "id": 4])
      // 3 and 2 are skipped as well.
      let state = try rig.wait { $0.skippedActionIds == [2, 3, 4] && $0.currentActionIndex == 1 }
      #expect(state.currentActionIndex == 1)
      rig.relay.say(["type": "TOGGLE_ACTION", "id": 3])
      try rig.wait(count: 6)
      try rig.wait { $0.skippedActionIds == [2, 4] && $0.currentActionIndex == 3 }
      #expect(try rig.relay.frames("ACTION", 4).count == 4)
    }

    @Test func `SWEEP leaves what was run again as it is`() throws {
      let rig = try counted()
      for id in [2, 3] { rig.relay.say(["type": "TOGGLE_ACTION", "id": .number(id)]) }
      rig.relay.say(["type": "SWEEP"])
      let told = try rig.relay.frames(5 + 5 + 5 + 3).dropFirst(15)
      #expect(told.map { $0["payload"] } == [state(0), state(1), state(5)])
      #expect(try rig.wait { $0.skippedActionIds == [] }.currentActionIndex == nil)
      #expect(rig.store.state.count == 5)
    }

    @Test func `SWEEP forgets what is switched off, and the app stays where it is`() throws {
      let rig = try counted(isExact: false)
      for id in [2, 3] { rig.relay.say(["type": "TOGGLE_ACTION", "id": .number(id)]) }
      try rig.wait { $0.skippedActionIds == [2, 3] && $0.currentActionIndex == 1 }
      rig.relay.say(["type": "JUMP_TO_ACTION", "actionId": 4])
      try rig.wait { $0.currentActionIndex == 4 }
      rig.relay.say(["type": "DISPATCH", "action": ["type": "SWEEP"]])
      let swept = try rig.wait { $0.skippedActionIds == [] && $0.currentActionIndex == 2 }
      #expect(swept.unknownCommandCount == 0)
      let told = try rig.relay.frames(8).dropFirst(5)
      #expect(told.map { $0["type"] } == ["INIT", "ACTION", "ACTION"])
      #expect(told.map { $0["payload"] } == [state(0), state(1), state(10)])
      rig.relay.say(["type": "JUMP_TO_ACTION", "actionId": 1])
      try rig.wait(count: 1)
      rig.dispatch(.add(5))
      #expect(try rig.relay.frames("ACTION", 7)[6]["payload"] == state(6))
    }

    @Test(arguments: [FakeRelay.Kind.socketIO, .socketCluster])
    func `EXPORT is answered with the actions that count`(kind: FakeRelay.Kind) throws {
      let rig = try counted(kind)
      rig.relay.say(["type": "TOGGLE_ACTION", "id": 3])
      try rig.wait { $0.skippedActionIds == [3] }
      rig.relay.say(["type": "EXPORT", "instanceId": "counter"])
      let frame = try rig.relay.frames("EXPORT")[0]
      #expect(frame["committedState"] == state(0))
      let text = try #require(frame["payload"]?.string)
      let action: (Int) -> JSON = { number in
        kind == .socketIO ? ["add": .number(number)] : ["type": "add", "payload": .number(number)]
      }
      #expect(try JSON(parsing: text) == .array([1, 2, 4].map(action)))
    }

    @Test(arguments: [(true, 4), (false, 2)])
    func `a SocketCluster panel is told what is skipped and where the app is`(
      isExact: Bool, place: Int
    ) throws {
      let rig = try counted(.socketCluster, isExact: isExact)
      rig.relay.say(["type": "TOGGLE_ACTION", "id": 3])
      let lifted = try rig.relay.frames("LIFTED")[0]
      let expected: JSON = [
        "currentStateIndex": .number(place), "skippedActionIds": [3], "isLocked": false,
        "isPaused": false,
      ]
      #expect(lifted["liftedState"] == expected)
    }

    @Test(arguments: ["LOCK_CHANGES": "isLocked", "PAUSE_RECORDING": "isPaused"].map { $0 })
    func `a SocketCluster panel is told what is locked or paused`(
      word: String, flag: String
    ) throws {
      let rig = try counted(.socketCluster)
      rig.relay.say(["type": .string(word), "status": true])
      #expect(try rig.relay.frames("LIFTED")[0]["liftedState"]?[flag] == true)
      rig.relay.say(["type": "START"])
      #expect(try rig.relay.frames("LIFTED", 2)[1]["liftedState"]?[flag] == true)
      rig.relay.say(["type": .string(word), "status": false])
      #expect(try rig.relay.frames("LIFTED", 3)[2]["liftedState"]?[flag] == false)
    }

    @Test func `IMPORT_STATE lists the session with its names and restores its state`()
      throws
    {
      let rig = try counted()
      let lifted: JSON = [
        "actionsById": [
          "0": ["action": ["type": "@@INIT"]], "1": ["action": ["type": "a"]],
          "2": ["action": ["type": "b"]],
        ],
        "computedStates": [
          ["state": ["count": 70]], ["state": ["count": 71]], ["state": ["count": 72]],
        ],
        "stagedActionIds": [0, 1, 2], "skippedActionIds": [2], "currentStateIndex": 1,
      ]
      rig.relay.say(["type": "IMPORT_STATE", "nextLiftedState": lifted])
      try rig.wait(count: 71)
      let shown = try rig.wait { $0.currentActionIndex == 1 }
      #expect(shown.actionHistory == [#"{"type":"@@INIT"}"#, #"{"type":"a"}"#, #"{"type":"b"}"#])
      #expect(shown.stateHistory == [#"{"count":70}"#, #"{"count":71}"#, #"{"count":72}"#])
      #expect(shown.skippedActionIds == [2])
      let told = try rig.relay.frames(8).dropFirst(5)
      #expect(told.map { $0["type"] } == ["INIT", "ACTION", "ACTION"])
      #expect(told.map { $0["payload"] } == [state(70), state(71), state(72)])
      rig.relay.say(["type": "JUMP_TO_ACTION", "actionId": 2])
      try rig.wait(count: 72)
      rig.relay.say(["type": "ROLLBACK"])
      try rig.wait(count: 70)
    }

    @Test(
      arguments: [
        ["type": "IMPORT_STATE", "nextLiftedState": ["computedStates": []]],
        ["type": "IMPORT_STATE", "nextLiftedState": 5], ["type": "IMPORT_STATE"],
        ["type": "IMPORT", "state": "{"],
        [
          "type": "IMPORT_STATE",
          "nextLiftedState": ["computedStates": [["state": "not a counter"]]],
        ],
      ] as [JSON])
    func `a malformed import changes nothing`(frame: JSON) throws {
      let rig = try counted()
      rig.relay.say(frame)
      _ = try rig.relay.frames("ERROR")
      #expect(rig.store.state.count == 10)
      #expect(rig.tools.state.stateHistory == [])
    }

    @Test func `without decodeState an import is listed, and the app stays where it is`() throws {
      let rig = try Rig { $0.decodeState = nil }
      _ = try rig.relay.frames("INIT")
      let computed: JSON = [["state": ["count": 70]], ["state": ["count": 71]]]
      rig.relay.say(["type": "IMPORT_STATE", "nextLiftedState": ["computedStates": computed]])
      #expect(try rig.relay.frames("ACTION")[0]["action"] == "{}")
      let shown = try rig.wait { $0.stateHistory.count == 2 }
      #expect(shown.currentActionIndex == nil)
      #expect(rig.store.state.count == 0)
    }

    @Test func `RESET clears the history and restores the initial state`() throws {
      let rig = try counted()
      rig.relay.say(["type": "TOGGLE_ACTION", "id": 3])
      try rig.wait { $0.skippedActionIds == [3] }
      rig.relay.say(["type": "RESET"])
      try rig.wait(count: 0)
      let initial = try rig.relay.frames("INIT", 2)
      #expect(initial[1]["payload"] == state(0))
      let shown = try rig.wait { $0.skippedActionIds == [] && $0.currentActionIndex == nil }
      #expect(shown.currentActionIndex == nil)
      rig.dispatch(.add(9))
      _ = try rig.relay.frames("ACTION", 5)
      rig.relay.say(["type": "JUMP_TO_ACTION", "actionId": 2])
      _ = try rig.relay.frames("ERROR")
      #expect(rig.store.state.count == 9)
    }

    @Test func `RESET works without decodeState`() throws {
      let rig = try Rig { $0.decodeState = nil }
      rig.dispatch(.increment)
      _ = try rig.relay.frames("ACTION")
      rig.relay.say(["type": "RESET"])
      try rig.wait(count: 0)
    }

    @Test func `COMMIT is where ROLLBACK returns to`() throws {
      let rig = try counted()
      rig.relay.say(["type": "COMMIT"])
      #expect(try rig.relay.frames("INIT", 2)[1]["payload"] == state(10))
      rig.dispatch(.add(5), .add(5))
      _ = try rig.relay.frames("ACTION", 6)
      rig.relay.say(["type": "JUMP_TO_ACTION", "actionId": 1])
      try rig.wait(count: 15)
      rig.relay.say(["type": "ROLLBACK"])
      try rig.wait(count: 10)
      #expect(try rig.relay.frames("INIT", 3)[2]["payload"] == state(10))
      rig.relay.say(["type": "RESET"])
      try rig.wait(count: 0)
    }

    @Test func `a COMMIT behind a jump commits the state that the jump leads to`() throws {
      let rig = try counted()
      rig.tools.dispatch(.jumpToAction(2))
      rig.tools.dispatch(.commit)
      #expect(try rig.relay.frames("INIT", 2)[1]["payload"] == state(3))
      #expect(rig.store.state.count == 3)
    }

    @Test func `ROLLBACK without a commit restores the initial state`() throws {
      let rig = try counted()
      rig.relay.say(["type": "ROLLBACK"])
      try rig.wait(count: 0)
    }

    @Test func `while recording is paused actions are dropped, not kept for later`() throws {
      let rig = try counted()
      rig.relay.say(["type": "PAUSE_RECORDING", "status": true])
      try rig.wait { $0.isPaused }
      rig.dispatch(.add(100))
      rig.relay.say(["type": "PAUSE_RECORDING", "status": false])
      try rig.wait { !$0.isPaused }
      rig.dispatch(.add(1))
      let actions = try rig.relay.frames("ACTION", 5)
      #expect(actions[4]["payload"] == state(111))
      #expect(actions.count == 5)
    }

    @Test func `a locked store refuses actions, not restores, and says so`() throws {
      let rig = try counted()
      rig.relay.say(["type": "LOCK_CHANGES", "status": true])
      try rig.wait { $0.isLocked }
      rig.dispatch(.add(100), .add(100))
      #expect(rig.store.state.count == 10)
      #expect(try rig.wait { $0.refusedActionCount == 2 }.isLocked)
      #expect(try rig.relay.frames("ERROR").count == 1)
      rig.relay.say(["type": "JUMP_TO_ACTION", "actionId": 1])
      try rig.wait(count: 1)
      rig.relay.say(["type": "LOCK_CHANGES", "status": false])
      try rig.wait { !$0.isLocked }
      rig.dispatch(.add(100))
      #expect(rig.store.state.count == 101)
    }

    @Test func `a store that was not made here is not locked`() throws {
      let store = Store(initial: Counter(), reducer: counterReducer)
      let tools = DevTools(store)
      let states = Monitor(DevToolsState())
      let subscription = tools.subscribe { state in states.withLock { $0 = state } }
      defer { subscription.cancel() }
      tools.dispatch(.lockChanges)
      #expect(states.wait(until: monotonicNow() + patience) { $0.isLocked })
      store.dispatch(.increment)
      #expect(store.state.count == 1)
    }

    @Test(arguments: [
      "{\"increment\":{}}", "\"increment\"", "increment", "{type:'increment'}", "{\"add\":1}",
      "{type: 'add', payload: 1}", "{\"add\":{\"_0\":1}}",
    ])
    func `an action that is typed in the dispatcher is dispatched`(text: String) throws {
      let rig = try counted()
      rig.relay.say(["type": "ACTION", "action": .string(text)])
      try rig.wait(count: 11)
      #expect(try rig.relay.frames("ACTION", 5)[4]["payload"] == state(11))
    }

    @Test func `an action comes as an object and as a creator too`() throws {
      let rig = try counted()
      rig.relay.say(["type": "ACTION", "action": ["add": 1]])
      rig.relay.say(["type": "ACTION", "action": ["name": "add", "args": ["2"]]])
      rig.relay.say(["type": "ACTION", "action": ["name": "increment", "args": []]])
      try rig.wait(count: 14)
    }

    @Test func `what is no action of the app is answered with an error`() throws {
      let rig = try counted()
      for text in ["{\"explode\":{}}", "add(", "{\"add\":\"x\"}", ""] {
        rig.relay.say(["type": "ACTION", "action": .string(text)])
      }
      _ = try rig.relay.frames("ERROR", 4)
      #expect(rig.store.state.count == 10)
    }

    @Test func `an unknown command is counted`() throws {
      let rig = try counted()
      rig.relay.say(["type": "MAKE_TEA"])
      rig.relay.say(["type": "DISPATCH", "action": ["type": "FOLD"]])
      rig.relay.say("garbage")
      try rig.wait { $0.unknownCommandCount == 2 }
      #expect(rig.store.state.count == 10)
    }

    @Test func `A command that names another app is not for this one`() throws {
      let rig = try counted()
      rig.relay.say(["type": "JUMP_TO_ACTION", "actionId": 1, "instanceId": "other"])
      rig.relay.say(["type": "JUMP_TO_ACTION", "actionId": 2, "instanceId": "counter"])
      try rig.wait { $0.currentActionIndex == 2 }
      let places = rig.states.withLock { $0.map(\.currentActionIndex) }
      #expect(!places.contains(1))
    }

    @Test func `A panel that starts is told everything`() throws {
      let rig = try counted(.socketCluster)
      rig.relay.say(["type": "START"])
      #expect(try rig.relay.frames("INIT", 2).count == 2)
      #expect(try rig.relay.frames("ACTION", 8).count == 8)
    }

    @Test func `a restore by an action of the app is neither recorded nor echoed`() throws {
      let relay = try FakeRelay()
      let mode = ConnectionMode.connectOnLaunch(host: "127.0.0.1", port: relay.port)
      let tools = DevTools(
        initial: Counter(), reducer: counterReducer,
        environment: .live(for: Counter.self, instanceId: "counter", connectionMode: mode),
        restoreStateAction: { .restore($0) })
      let states = Monitor(DevToolsState())
      let subscription = tools.subscribe { state in states.withLock { $0 = state } }
      defer { subscription.cancel() }
      let steps = Monitor<[CounterAction]>([])
      let observation = tools.store.observe { step in steps.withLock { $0.append(step.action) } }
      defer { observation.cancel() }
      tools.dispatch(.activate)
      for _ in 0..<2 { tools.store.dispatch(.increment) }
      _ = try relay.frames("ACTION", 2)
      relay.say(["type": "LOCK_CHANGES"])
      relay.say(["type": "JUMP_TO_ACTION", "actionId": 1])
      #expect(states.wait(until: monotonicNow() + patience) { $0.currentActionIndex == 1 })
      #expect(tools.store.state.count == 1)
      #expect(steps.withLock { $0.last } == .restore(Counter(count: 1)))
      relay.say(["type": "LOCK_CHANGES", "status": false])
      #expect(states.wait(until: monotonicNow() + patience) { !$0.isLocked })
      tools.store.dispatch(.increment)
      #expect(
        try relay.frames("ACTION", 3).map { $0["payload"] } == [state(1), state(2), state(2)])
    }
  }
}
