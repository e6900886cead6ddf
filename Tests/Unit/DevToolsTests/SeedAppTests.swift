import DevTools
import JSONTree
import SurfStore
import SurfThreads
import Testing

extension WithRelay {
  /// The news that DevTools sends to an app that keeps its state.
  @Suite struct SeedAppTests {
    @Test(arguments: [false, true])
    func `The app's own state follows the connection, and a jump does not end it`(
      restores: Bool
    ) throws {
      let app = try SeedApp(restores: restores)
      let connected = DevToolsState.ConnectionStatus.connected(
        host: "127.0.0.1", port: app.relay.port)
      try app.wait { $0.devTools.connectionStatus == connected }
      app.store.dispatch(.counter(.add(1)))
      app.store.dispatch(.counter(.add(2)))
      let rows = try app.relay.frames("ACTION", 2)
      #expect(rows.map { $0["action"] } == [#"{"counter":{"add":1}}"#, #"{"counter":{"add":2}}"#])
      // There the app was not connected yet.
      app.relay.say(["type": "JUMP_TO_ACTION", "actionId": 0])
      try app.wait { $0.count == 0 && $0.devTools.currentActionIndex == 0 }
      #expect(app.store.state.devTools.connectionStatus == connected)
      #expect(
        app.words == [
          "activate", "connect", "_connected", "_received", "jumpToAction",
        ])
      // None of it is recorded.
      #expect(app.relay.frames.count { $0["type"] == "ACTION" } == 2)
    }

    @Test func `A relay that is lost, and one that is never reached, are told apart`() throws {
      let app = try SeedApp()
      try app.wait(for: "_connected")
      app.relay.cut()
      try app.wait(for: "_connectionLost")
      try app.wait { $0.devTools.connectionStatus.isConnected }
      #expect(!app.words.contains("_connectionFailed"))
      app.store.dispatch(.devTools(.connectToService(.relay("gone"))))
      try app.wait(for: "_connectionFailed")
      #expect(
        app.store.state.devTools.failure == "the service 'gone' could not be resolved")
      #expect(app.store.state.devTools.connectionStatus == .disconnected)
    }

    @Test func `A relay that is found is told, and so is all that follows`() throws {
      let browser = FakeBrowser()
      let app = try SeedApp { _, environment in
        environment.connectionMode = .autoConnect
        environment.browser = browser
      }
      try browser.tell(.found(.relay("a")))
      try app.wait { $0.devTools.isBrowsing && $0.devTools.discoveredServices.count == 1 }
      try browser.tell(.removed(.relay("a")))
      try app.wait { $0.devTools.discoveredServices.isEmpty }
      try browser.tell(.found(.relay("b", port: app.relay.port)))
      try app.wait { $0.devTools.connectionStatus.isConnected && !$0.devTools.isBrowsing }
      #expect(
        app.words == [
          "activate", "startBrowsing", "_serviceFound", "_serviceRemoved", "_serviceFound",
          "connect", "_connected", "stopBrowsing",
        ])
    }

    @Test(
      arguments: [
        (["type": "JUMP_TO_ACTION", "actionId": 1], "jumpToAction"),
        (["type": "JUMP_TO_STATE", "index": 1], "jumpToState"),
        (["type": "TOGGLE_ACTION", "id": 1], "toggleAction"), (["type": "SWEEP"], "sweep"),
        (["type": "RESET"], "reset"), (["type": "COMMIT"], "commit"),
        (["type": "ROLLBACK"], "rollback"),
        (["type": "PAUSE_RECORDING", "status": true], "pause"),
        (["type": "PAUSE_RECORDING", "status": false], "resume"),
        (["type": "LOCK_CHANGES", "status": true], "lockChanges"),
        (["type": "LOCK_CHANGES", "status": false], "unlockChanges"),
      ] as [(JSON, String)])
    func `What a panel has done surfaces once, as an action of the app`(
      frame: JSON, word: String
    ) throws {
      let app = try SeedApp()
      try app.wait(for: "_connected")
      app.store.dispatch(.counter(.add(1)))
      _ = try app.relay.frames("ACTION")
      app.relay.say(frame)
      try app.wait(for: word)
      #expect(app.words.suffix(2) == ["_received", word])
      #expect(app.words.count { $0 == word } == 1)
      app.relay.say(["type": "FLY"])
      try app.wait { $0.devTools.unknownCommandCount == 1 }
      // It says all: there is nothing to correct.
      #expect(!app.words.contains("_synchronized"))
    }

    @Test func `What the app dispatches itself is done, and does not come back`() throws {
      let app = try SeedApp()
      try app.wait(for: "_connected")
      app.store.dispatch(.counter(.add(1)))
      app.store.dispatch(.devTools(.toggleAction(1)))
      try app.wait { $0.count == 0 && $0.devTools.skippedActionIds == [1] }
      // Through DevTools it is news to the store.
      app.tools.dispatch(.pause)
      try app.wait { $0.devTools.isPaused }
      #expect(app.words == ["activate", "connect", "_connected", "toggleAction", "pause"])
    }

    @Test func `An app that acts after a jump knows that it is live again`() throws {
      let app = try SeedApp()
      try app.wait(for: "_connected")
      for number in 1...3 { app.store.dispatch(.counter(.add(number))) }
      app.store.dispatch(.devTools(.jumpToAction(1)))
      try app.wait { $0.count == 1 && $0.devTools.isTimeTraveling }
      for number in 4...5 { app.store.dispatch(.counter(.add(number))) }
      try app.wait { $0.count == 10 && !$0.devTools.isTimeTraveling }
      // Reported once: the second action is not news.
      #expect(app.words.count { $0 == "_synchronized" } == 1)
    }

    @Test func `An app that is busy is not corrected before it has heard all`() throws {
      let app = try SeedApp()
      try app.enter()
      let (isBusy, mayGoOn, isPaused) = (Monitor(false), Monitor(false), Monitor(false))
      let token = app.store.observe { step in
        guard case .counter = step.action else { return }
        isBusy.withLock { $0 = true }
        mayGoOn.wait { $0 }
      }
      let shown = app.tools.subscribe { state in isPaused.withLock { $0 = state.isPaused } }
      defer {
        token.cancel()
        shown.cancel()
      }
      _ = try Thread.start(name: "app") { app.store.dispatch(.counter(.add(1))) }
      #expect(isBusy.wait(until: monotonicNow() + patience) { $0 })
      app.relay.say(["type": "PAUSE_RECORDING", "status": true])
      #expect(isPaused.wait(until: monotonicNow() + patience) { $0 })
      #expect(!app.words.contains("pause"))
      mayGoOn.withLock { $0 = true }
      try app.wait { $0.devTools.isPaused }
      app.relay.say(["type": "FLY"])
      try app.wait { $0.devTools.unknownCommandCount == 1 }
      #expect(!app.words.contains("_synchronized"))
    }

    @Test func `What was refused does not stay in the app's own state`() throws {
      let app = try SeedApp()
      try app.wait(for: "_connected")
      app.store.dispatch(.devTools(.jumpToAction(99)))
      try app.wait(for: "_synchronized")
      #expect(!app.store.state.devTools.isTimeTraveling)
    }

    @Test func `An import surfaces with what was imported`() throws {
      let app = try SeedApp()
      try app.enter()
      let states = try [4, 5].map { count in
        let state = app.tools.store.state
        return try JSON(
          parsing: DevToolsEnvironment.live(for: SeedState.self).encodeState(
            SeedState(count: count, devTools: state.devTools)))
      }
      app.relay.say([
        "type": "IMPORT_STATE",
        "nextLiftedState": [
          "computedStates": .array(states.map { ["state": $0] }), "stagedActionIds": [0, 1],
          "actionsById": ["1": ["action": ["type": "x"]]], "skippedActionIds": [],
        ],
      ])
      let actions = [#"{"type":"@@INIT"}"#, #"{"type":"x"}"#]
      try app.wait { $0.count == 5 && $0.devTools.actionHistory == actions }
      #expect(app.store.state.devTools.stateHistory.count == 2)
      #expect(app.store.state.devTools.currentActionIndex == 1)
    }

    @Test func `A command that is refused does not surface`() throws {
      let app = try SeedApp()
      try app.enter()
      app.relay.say(["type": "JUMP_TO_ACTION", "actionId": 99])
      _ = try app.relay.frames("ERROR")
      #expect(app.words.last == "_received")
      app.relay.say(["type": "FLY"])
      _ = try app.relay.frames("ERROR", 2)
      try app.wait { $0.devTools.unknownCommandCount == 1 }
    }
  }
}

/// The reducer alone: each action of the table, one after the other.
@Suite struct DevToolsReducerTests {
  typealias Change = @Sendable (inout DevToolsState) -> Void
  static let lifted = ImportedLiftedState(
    states: ["1", "2"], actions: ["{}", "{}"], skippedActionIds: [1], currentStateIndex: 0,
    isPaused: true, isLocked: true)!

  /// Of all this, the app takes what concerns the history.
  private static let elsewhere = {
    var state = DevToolsState()
    (state.currentActionIndex, state.skippedActionIds) = (7, [8])
    (state.isPaused, state.isLocked) = (true, true)
    (state.stateHistory, state.actionHistory) = (["3"], ["{}"])
    (state.failure, state.isExact, state.isBrowsing) = ("y", true, true)
    return state
  }()

  /// An action, and what it changes in the state that all before it have led to.
  static let steps: [(DevToolsAction, Change)] = [
    (.activate, { _ in }),
    (.startBrowsing, { $0.isBrowsing = true }),
    (._serviceFound(.relay("a")), { $0.discoveredServices = [.relay("a")] }),
    (._serviceFound(.relay("a", port: 1)), { $0.discoveredServices = [.relay("a", port: 1)] }),
    (._serviceRemoved(.relay("a")), { $0.discoveredServices = [] }),
    (.stopBrowsing, { $0.isBrowsing = false }),
    (.connectToService(.relay("a")), { $0.connectionStatus = .connecting }),
    (
      ._connectionFailed(DevToolsError.connection("x")),
      {
        $0.connectionStatus = .disconnected
        $0.failure = "x"
      }
    ),
    (.connect(host: "h", port: 1), { $0.connectionStatus = .connecting }),
    (
      ._connected(host: "h", port: 1),
      {
        $0.connectionStatus = .connected(host: "h", port: 1)
        $0.failure = nil
      }
    ),
    (._received(.start), { _ in }), (._received(.unknown("X")), { $0.unknownCommandCount = 1 }),
    (.jumpToAction(2), { $0.currentActionIndex = 2 }),
    (.jumpToState(1), { $0.currentActionIndex = 1 }),
    (.toggleAction(1), { $0.skippedActionIds = [1] }),
    (.toggleAction(2), { $0.skippedActionIds = [1, 2] }),
    (.toggleAction(1), { $0.skippedActionIds = [2] }), (.sweep, { $0.skippedActionIds = [] }),
    (
      .importState(lifted),
      {
        $0.stateHistory = ["1", "2"]
        $0.actionHistory = ["{}", "{}"]
        $0.skippedActionIds = [1]
        $0.currentActionIndex = 0
        ($0.isPaused, $0.isLocked) = (true, true)
      }
    ),
    (.resume, { $0.isPaused = false }), (.unlockChanges, { $0.isLocked = false }),
    (.reset, empty), (.jumpToState(1), { $0.currentActionIndex = 1 }), (.commit, empty),
    (.jumpToState(1), { $0.currentActionIndex = 1 }), (.rollback, empty),
    (.dispatchAction("x"), { _ in }), (.pause, { $0.isPaused = true }),
    (.lockChanges, { $0.isLocked = true }),
    (
      ._connectionLost(nil),
      {
        $0.connectionStatus = .disconnected
        ($0.isPaused, $0.isLocked) = (false, false)
      }
    ),
    (.pause, { $0.isPaused = true }), (.disconnect, { $0.isPaused = false }),
    (
      ._synchronized(elsewhere),
      {
        ($0.currentActionIndex, $0.skippedActionIds) = (7, [8])
        ($0.isPaused, $0.isLocked) = (true, true)
        ($0.stateHistory, $0.actionHistory) = (["3"], ["{}"])
      }
    ),
  ]

  private static let empty: Change = {
    $0.currentActionIndex = nil
    $0.skippedActionIds = []
    ($0.stateHistory, $0.actionHistory) = ([], [])
  }

  @Test func `Every action changes what it says, and nothing else`() {
    let store = Store(initial: DevToolsState.initial, reducer: DevToolsState.reducer)
    var expected = DevToolsState.initial
    for (action, change) in Self.steps {
      store.dispatch(action)
      change(&expected)
      #expect(store.state == expected, "after \(action)")
    }
    // The reader of this table is the compiler: a case more is a case missing here.
    let places = Set(Self.steps.map { Self.place(of: $0.0) })
    #expect(places == Set(0...24))
  }

  private static func place(of action: DevToolsAction) -> Int {
    switch action {
    case .activate: 0
    case .connect: 1
    case .connectToService: 2
    case .startBrowsing: 3
    case .stopBrowsing: 4
    case .disconnect: 5
    case ._connected: 6
    case ._connectionFailed: 7
    case ._connectionLost: 8
    case ._serviceFound: 9
    case ._serviceRemoved: 10
    case ._received: 11
    case .jumpToAction: 12
    case .jumpToState: 13
    case .toggleAction: 14
    case .sweep: 15
    case .reset: 16
    case .commit: 17
    case .rollback: 18
    case .importState: 19
    case .dispatchAction: 20
    case .pause, .resume: action.isPause ? 21 : 22
    case .lockChanges, .unlockChanges: 23
    case ._synchronized: 24
    }
  }

  @Test func `The state is Codable, as an app's own state must be`() throws {
    let environment = DevToolsEnvironment.live(for: DevToolsState.self)
    var state = DevToolsState()
    for (action, _) in Self.steps.prefix(19) {
      _ = DevToolsState.reducer.reduce(action, into: &state)
    }
    #expect(environment.decodeState?(environment.encodeState(state)) as? DevToolsState == state)
  }
}

extension DevToolsAction {
  fileprivate var isPause: Bool { if case .pause = self { true } else { false } }
}
