import DevTools
import Foundation
import JSONTree
import SurfStore
import SurfThreads
import TestSupport
import Testing

private let fill = String(repeating: "x", count: 1_000_000)

extension WithRelay {
  /// What must not harm the app.
  @Suite struct HardshipTests {
    @Test func `the app never waits for encoding, and of a flood the newest are kept`() throws {
      let mayEncode = Monitor(false)
      let rig = try Rig {
        $0.encodeAction = { _ in
          mayEncode.wait(until: monotonicNow() + patience) { $0 }
          return "\"increment\""
        }
      }
      _ = try rig.relay.frames("INIT")
      for _ in 0..<10_000 { rig.dispatch(.increment) }
      #expect(rig.store.state.count == 10_000)
      #expect(rig.relay.frames.count == 1)
      mayEncode.withLock { $0 = true }
      let error = try rig.relay.frames("ERROR")[0]
      #expect(error["payload"]?.string?.contains("actions came too fast") == true)
      let isThere = rig.relay.log.wait(until: monotonicNow() + patience) {
        $0.frames.last?["payload"] == state(10_000)
      }
      #expect(isThere)
      #expect(rig.relay.frames.count < 5_000)
    }

    @Test func `A state that the relay does not take is left out, and its row says so`() throws {
      let rig = try Rig {
        $0.encodeState = { state in
          let count = (state as? Counter)?.count ?? 0
          return "{\"count\":\(count),\"fill\":\"\(count == 2 ? fill : "")\"}"
        }
      }
      _ = try rig.relay.frames("INIT")
      rig.dispatch(.increment, .increment, .increment)
      let frames = try rig.relay.frames("ACTION", 3)
      let states = frames.map { $0["payload"]?.string ?? "" }
      #expect(states[0].hasPrefix(#"{"count":1"#) && states[2].hasPrefix(#"{"count":3"#))
      let note = #"{"$leftOut":"a message of 1000"#
      #expect(states[1].hasPrefix(note) && states[1].hasSuffix(#": the relay takes 1000000"}"#))
      #expect(frames[1]["action"] == frames[0]["action"])
      #expect(rig.relay.log.withLock { $0.entered } == 1, "the connection has stood")
      try rig.wait { $0.failure?.contains("1000000") == true }
      rig.relay.say(["type": "JUMP_TO_ACTION", "actionId": 2])
      try rig.wait(count: 2)
    }

    @Test func `an app that is stuck answers each request, and refuses those beyond 256`() throws {
      let rig = try Rig()
      rig.dispatch(.increment)
      _ = try rig.relay.frames("ACTION")
      let (isStuck, mayGoOn) = (Monitor(false), Monitor(false))
      let subscription = rig.store.subscribe { state in
        guard state.count == 2 else { return }
        isStuck.withLock { $0 = true }
        mayGoOn.wait(until: monotonicNow() + patience) { $0 }
      }
      defer { subscription.cancel() }
      let store = rig.store
      Thread.detachNewThread { store.dispatch(.increment) }
      #expect(isStuck.wait(until: monotonicNow() + patience) { $0 })
      for _ in 0..<260 { rig.relay.ask(["type": "JUMP_TO_ACTION", "actionId": 1]) }
      let busy: JSON = ["error": "the app is too busy to follow"]
      let areRefused = rig.relay.log.wait(until: monotonicNow() + patience) {
        $0.acknowledgements.count { $0 == busy } == 3
      }
      #expect(areRefused)
      mayGoOn.withLock { $0 = true }
      let areAnswered = rig.relay.log.wait(until: monotonicNow() + patience) {
        $0.acknowledgements.count == 260
      }
      #expect(areAnswered)
      // The request under way is not refused with them.
      #expect(rig.relay.log.withLock { $0.acknowledgements.count { $0 == busy } } == 3)
    }

    @Test func `what is for DevTools passes a locked store`() throws {
      let tools = DevTools(
        initial: Counter(), reducer: counterReducer,
        extractDevToolsAction: { $0 == .devTools ? .unlockChanges : nil })
      let states = Monitor(DevToolsState())
      let subscription = tools.subscribe { state in states.withLock { $0 = state } }
      defer { subscription.cancel() }
      tools.dispatch(.lockChanges)
      #expect(states.wait(until: monotonicNow() + patience) { $0.isLocked })
      tools.store.dispatch(.increment)
      #expect(tools.store.state.count == 0)
      tools.store.dispatch(.devTools)
      #expect(states.wait(until: monotonicNow() + patience) { !$0.isLocked })
      tools.store.dispatch(.increment)
      #expect(tools.store.state.count == 1)
    }

    @Test(arguments: [FakeRelay.Kind.socketIO, .socketCluster])
    func `No frame of a panel stops it, whatever is in it`(kind: FakeRelay.Kind) throws {
      let rig = try Rig(kind, history: 5)
      try rig.waitUntilConnected()
      var random = SeededGenerator(seed: 42)
      for _ in 0..<2_000 { rig.relay.say(Self.frame(&random)) }
      for _ in 0..<9 { rig.dispatch(.increment) }
      rig.relay.say(["type": "LOCK_CHANGES", "status": false])
      rig.relay.say(["type": "PAUSE_RECORDING", "status": false])
      rig.relay.say(["type": "RESET"])
      rig.relay.say(["type": "ACTION", "action": "{\"add\":7777}"])
      try rig.wait(count: 7777)
    }

    private static func frame(_ random: inout SeededGenerator) -> JSON {
      let words = [
        "JUMP_TO_ACTION", "JUMP_TO_STATE", "TOGGLE_ACTION", "RESET", "COMMIT", "ROLLBACK",
        "IMPORT_STATE", "PAUSE_RECORDING", "LOCK_CHANGES", "ACTION", "DISPATCH", "START", "SWEEP",
      ]
      let keys = [
        "actionId", "index", "id", "status", "nextLiftedState", "action", "state", "type",
        "computedStates", "stagedActionIds", "currentStateIndex", "skippedActionIds", "payload",
      ]
      func value(_ depth: Int) -> JSON {
        switch Int.random(in: 0..<(depth > 3 ? 6 : 9), using: &random) {
        case 0: return .number(Int.random(in: -2...9, using: &random))
        case 1: return .number(Int.max)
        case 2: return .null
        case 3: return .bool(.random(using: &random))
        case 4: return .string(words.randomElement(using: &random) ?? "")
        case 5: return "{\"count\":5}"
        case 6: return .array((0..<3).map { _ in value(depth + 1) })
        default:
          let members = (0..<3).map { _ in
            JSONObject.Member(
              key: keys.randomElement(using: &random) ?? "", value: value(depth + 1))
          }
          return .object(JSONObject(members))
        }
      }
      var members = [
        JSONObject.Member(key: "type", value: .string(words.randomElement(using: &random) ?? ""))
      ]
      for _ in 0..<3 {
        members.append(.init(key: keys.randomElement(using: &random) ?? "", value: value(0)))
      }
      return .object(JSONObject(members))
    }
  }
}
