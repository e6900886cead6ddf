import DevTools
import JSONTree
import SurfStore
import Testing

extension WithRelay {
  /// What the app does, as the relay hears of it.
  @Suite struct RecordingTests {
    @Test func `R24 the first frame is INIT, then an ACTION for each action`() throws {
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

    @Test(arguments: [FakeRelay.Kind.socketIO, .socketCluster])
    func `R50 a jump puts the app into the state after an action`(kind: FakeRelay.Kind) throws {
      let rig = try Rig(kind)
      rig.dispatch(.increment, .add(3))
      _ = try rig.relay.frames("ACTION", 2)
      rig.relay.say(["type": "JUMP_TO_ACTION", "actionId": 1])
      try rig.wait(count: 1)
      #expect(try rig.wait { $0.currentActionIndex == 1 }.isTimeTraveling)
    }
  }
}
