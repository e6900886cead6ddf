import DevTools
import JSONTree
import SurfStore
import SurfThreads
import Testing

extension WithRelay {
  /// What validators forbid, and what a restore ends.
  @Suite struct RejectionTests {
    /// A counter that must not exceed 9, at a relay that it is connected to.
    private struct Bounded {
      let relay: FakeRelay
      let tools: DevTools<CounterAction, Counter>
      let states = Monitor<[DevToolsState]>([])
      let subscription: Subscription

      init(_ kind: FakeRelay.Kind = .socketIO, cancelsEffects: Bool = false) throws {
        relay = try FakeRelay(kind)
        tools = DevTools(
          initial: Counter(), reducer: counterReducer,
          validators: [Validator("at most 9") { $0.count > 9 ? "it is \($0.count)" : nil }],
          environment: .live(
            for: Counter.self, instanceId: "counter",
            transport: kind == .socketIO ? .socketIO : .socketCluster,
            connectionMode: .connectOnLaunch(host: "127.0.0.1", port: relay.port)),
          cancelsEffectsOnRestore: cancelsEffects)
        subscription = tools.subscribe { [states] state in states.withLock { $0.append(state) } }
        tools.dispatch(.activate)
        _ = try relay.frames("INIT")
      }

      func wait(for isSo: (DevToolsState) -> Bool) throws {
        let came = states.wait(until: monotonicNow() + patience) { $0.last.map(isSo) ?? false }
        try #require(came, "is \(tools.state)")
      }
    }

    @Test func `A rejected action is a row that says so and why, with the state before it`() throws
    {
      let app = try Bounded()
      for action in [CounterAction.add(7), .add(5), .increment] { app.tools.store.dispatch(action) }
      let rows = try app.relay.frames("ACTION", 3)
      #expect(rows.map { $0["payload"] } == [7, 7, 8].map { state($0) })
      let rejected = try JSON(parsing: try #require(rows[1]["action"]?.string))
      #expect(
        rejected == [
          "type": "rejected: add", "action": ["add": 5], "objection": "at most 9: it is 12",
        ])
      #expect(app.tools.state.rejection == "add(5) (at most 9: it is 12)")
    }

    @Test func `A panel of the official relay reads it as an action's type`() throws {
      let app = try Bounded(.socketCluster)
      app.tools.store.dispatch(.add(12))
      let row = try app.relay.frames("ACTION")[0]
      let lifted = try JSON(parsing: try #require(row["action"]?.string))
      #expect(lifted["action"]?["type"] == "rejected: add")
      #expect(row["payload"] == state(0))
    }

    @Test func `Run again, it still changes nothing, and it is not exported`() throws {
      let app = try Bounded()
      for action in [CounterAction.add(7), .add(5), .increment] { app.tools.store.dispatch(action) }
      _ = try app.relay.frames("ACTION", 3)
      app.relay.say(["type": "TOGGLE_ACTION", "id": 1])
      let told = try app.relay.frames("ACTION", 6).dropFirst(3)
      #expect(told.map { $0["payload"] } == [0, 0, 1].map { state($0) })
      try app.wait { $0.skippedActionIds == [1] }
      #expect(app.tools.store.state.count == 1)
      app.relay.say(["type": "EXPORT"])
      #expect(try app.relay.frames("EXPORT")[0]["payload"] == #"["increment"]"#)
    }

    @Test func `An action that is run again meets the validators again`() throws {
      let app = try Bounded()
      for number in [-5, 7, 5] { app.tools.store.dispatch(.add(number)) }
      _ = try app.relay.frames("ACTION", 3)
      app.relay.say(["type": "TOGGLE_ACTION", "id": 1])
      let told = try app.relay.frames("ACTION", 6).dropFirst(3)
      #expect(told.map { $0["payload"] } == [0, 7, 7].map { state($0) })
    }

    @Test func `A panel cannot bring a state to which a validator objects`() throws {
      let app = try Bounded()
      let lifted: JSON = [
        "computedStates": [["state": ["count": 1]], ["state": ["count": 10]]],
        "currentStateIndex": 1,
      ]
      app.relay.say(["type": "IMPORT_STATE", "nextLiftedState": lifted])
      let error = try app.relay.frames("ERROR")[0]
      #expect(error["payload"]?.string?.contains("at most 9: it is 10") == true)
      #expect(app.tools.store.state.count == 0)
    }

    @Test(.timeLimit(.minutes(10)), arguments: [false, true])
    func `A jump cancels running effects if it was asked to`(cancels: Bool) async throws {
      let app = try Bounded(cancelsEffects: cancels)
      let (sleeping, waker) = AsyncStream.makeStream(of: Void.self)
      let (ends, ending) = AsyncStream.makeStream(of: Bool.self)
      let token = app.tools.store.run(
        .run { _ in
          for await _ in sleeping {}
          ending.yield(Task.isCancelled)
        })
      app.tools.store.dispatch(.increment)
      _ = try app.relay.frames("ACTION")
      app.relay.say(["type": "JUMP_TO_STATE", "index": 0])
      try app.wait { $0.currentActionIndex == 0 }
      waker.finish()
      var iterator = ends.makeAsyncIterator()
      #expect(await iterator.next() == cancels)
      token.cancel()
    }
  }
}
