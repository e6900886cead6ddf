import DevTools
import SurfStore
import SwiftRexStyle
import Testing

extension WithRelay {
  /// Names and defaults of the API.
  @Suite struct SurfaceTests {
    @Test func `the initial state is disconnected, live and empty`() {
      let state = DevToolsState.initial
      #expect(state.connectionStatus == .disconnected)
      #expect(state.discoveredServices == [])
      #expect(!state.isBrowsing)
      #expect(state.stateHistory == [] && state.actionHistory == [])
      #expect(state.skippedActionIds == [])
      #expect(state.currentActionIndex == nil)
      #expect(!state.isPaused && !state.isLocked)
    }

    @Test func `a store with a middleware can be watched`() {
      let bridge = BridgeMiddleware<CounterAction, CounterAction> {
        if case .add = $0 { [.increment] } else { [] }
      }
      let tools = DevTools(initial: Counter(), reducer: counterReducer)
      tools.store.install(bridge.lift(state: ignore))
      tools.store.dispatch(.add(3))
      #expect(tools.store.state.count == 4)
    }

    @Test func `live has the documented defaults`() {
      let environment = DevToolsEnvironment.live()
      #expect(environment.instanceId == DevToolsEnvironment.executableName)
      #expect(!environment.instanceId.isEmpty)
      #expect(environment.instanceName == nil)
      #expect(environment.maxHistorySize == 200)
      #expect(environment.bonjourServiceType == "_reduxdevtools._tcp.")
      #expect(environment.decodeState == nil)
      #expect(environment.connectionMode == .manual)
      #expect(environment.transport == .socketIO)
      #expect(environment.encodeAction(CounterAction.increment) == "\"increment\"")
      #expect(environment.encodeState(nil) == "null")
      #expect(DevToolsEnvironment.live(maxHistorySize: -1).maxHistorySize == 1)
    }

    @Test func `live for a Codable state wires both ways`() {
      let environment = DevToolsEnvironment.live(for: Counter.self)
      #expect(environment.encodeState(Counter(count: 7)) == "{\"count\":7}")
      #expect(environment.decodeState?("{\"count\":7}") as? Counter == Counter(count: 7))
      #expect(environment.decodeState?("{}") == nil)
    }

    @Test func `custom closures are used`() throws {
      let rig = try Rig {
        $0.encodeAction = { _ in "\"mine\"" }
        $0.encodeState = { "[\(($0 as? Counter)?.count ?? -1)]" }
        $0.decodeState = { Counter(count: Int($0.dropFirst().dropLast()) ?? -1) }
      }
      rig.dispatch(.increment, .increment)
      let frames = try rig.relay.frames(3)
      #expect(frames[2]["action"] == "\"mine\"")
      #expect(frames[2]["payload"] == "[2]")
      rig.relay.say(["type": "JUMP_TO_ACTION", "actionId": 1])
      try rig.wait(count: 1)
    }

    /// What each action of the table shows, dispatched one after the other at a counter that went
    /// 0, 1, 2.
    @Test(arguments: ActionCase.all)
    func `every action can be dispatched`(
      one: ActionCase
    ) throws {
      let rig = try Rig {
        $0.connectionMode = .manual
        $0.browser = FakeBrowser()
      }
      rig.dispatch(.increment, .increment)
      for action in one.actions { rig.tools.dispatch(action) }
      // Actions are done in order: once this is seen, the others are done.
      rig.tools.dispatch(._serviceFound(.relay("last")))
      try rig.wait { $0.discoveredServices.contains { $0.name == "last" } }
      let state = try rig.wait { state in
        var state = state
        state.discoveredServices.removeAll { $0.name == "last" }
        return one.isSo(state)
      }
      #expect(state.connectionStatus == .disconnected)
    }

    @Test func `an app without a relay behaves as it does without DevTools`() {
      let plain = Store(initial: Counter(), reducer: counterReducer)
      let watched = DevTools(initial: Counter(), reducer: counterReducer)
      for action in [CounterAction.increment, .add(3), .increment] {
        plain.dispatch(action)
        watched.store.dispatch(action)
      }
      #expect(plain.state == watched.store.state)
    }
  }
}

/// Actions, and what they show.
struct ActionCase: Sendable, CustomTestStringConvertible {
  let name: String
  let actions: [DevToolsAction]
  let isSo: @Sendable (DevToolsState) -> Bool

  init(
    _ name: String, _ actions: [DevToolsAction], _ isSo: @escaping @Sendable (DevToolsState) -> Bool
  ) {
    self.name = name
    self.actions = actions
    self.isSo = isSo
  }

  var testDescription: String { name }

  static let all: [ActionCase] = [
    ActionCase("jumpToAction", [.jumpToAction(1)], { $0.currentActionIndex == 1 }),
    ActionCase("jumpToState", [.jumpToState(0)], { $0.currentActionIndex == 0 }),
    ActionCase("toggleAction", [.toggleAction(2)], { $0.skippedActionIds == [2] }),
    ActionCase("sweep", [.toggleAction(2), .sweep], { $0.skippedActionIds == [] }),
    ActionCase("reset", [.jumpToAction(1), .reset], { $0.currentActionIndex == nil }),
    ActionCase("commit", [.jumpToAction(1), .commit], { $0.currentActionIndex == nil }),
    ActionCase("rollback", [.jumpToAction(1), .rollback], { $0.currentActionIndex == nil }),
    ActionCase("pause", [.pause], { $0.isPaused }),
    ActionCase("resume", [.pause, .resume], { !$0.isPaused }),
    ActionCase("lockChanges", [.lockChanges], { $0.isLocked }),
    ActionCase("unlockChanges", [.lockChanges, .unlockChanges], { !$0.isLocked }),
    ActionCase("dispatchAction", [.dispatchAction("nonsense(")], { $0.failure != nil }),
    ActionCase("_received", [._received(.unknown("X"))], { $0.unknownCommandCount == 1 }),
    ActionCase(
      "_serviceFound", [._serviceFound(.relay("a"))], { $0.discoveredServices.count == 1 }),
    ActionCase(
      "_serviceRemoved", [._serviceFound(.relay("a")), ._serviceRemoved(.relay("a"))],
      { $0.discoveredServices.isEmpty }
    ),
    ActionCase(
      "importState",
      [.importState(ImportedLiftedState(states: ["{\"count\":4}", "{\"count\":5}"])!)],
      { $0.stateHistory.count == 2 && $0.currentActionIndex == 1 }
    ),
    // What only DevTools itself can know is not believed.
    ActionCase(
      "_connected", [._connected(host: "x", port: 1), .pause],
      { $0.isPaused && $0.connectionStatus == .disconnected }
    ),
    ActionCase(
      "_connectionFailed", [._connectionFailed(DevToolsError.connection("x")), .pause],
      { $0.isPaused && $0.failure == nil }
    ),
    ActionCase(
      "_connectionLost", [._connectionLost(nil), .pause], { $0.isPaused && $0.failure == nil }),
    ActionCase(
      "_synchronized", [._synchronized(.initial), .pause], { $0.isPaused && $0.isExact }),
    ActionCase("startBrowsing", [.startBrowsing], { $0.isBrowsing }),
    ActionCase("stopBrowsing", [.startBrowsing, .stopBrowsing], { !$0.isBrowsing }),
    ActionCase("disconnect", [.pause, .disconnect], { !$0.isPaused }),
    ActionCase("activate", [.activate], { $0.connectionStatus == .disconnected }),
  ]
}
