import JSONTree
import SurfGateway
import SurfObserver
import SurfWire
import TestSupport
import Testing

@Suite("The gateway between apps and panels")
struct GatewayMachineTests {
  private let bench = Bench()
  private let one = SessionID(rawValue: 0x11)
  private let two = SessionID(rawValue: 0x22)
  private let other = SessionID(rawValue: 0x22)

  private func dispatch(_ action: JSON, instance: String? = nil) -> JSON {
    var frame = JSONObject([
      .init(key: "type", value: "DISPATCH"), .init(key: "action", value: action),
    ])
    frame["instanceId"] = instance.map { .string($0) }
    return .object(frame)
  }

  private func requests() -> [GatewayRequest] {
    bench.takeRequests().filter { if case .note = $0 { false } else { true } }
  }

  @Test func aPanelThatIsThereFirstIsToldOfAnAppAndItsActionsInOrder() {
    let panel = bench.panel()
    bench.appear(one)
    for row in 1...3 { bench.record(SequenceNumber(row), of: one) }
    #expect(panel.types == ["START", "STATE", "ACTION", "ACTION", "ACTION"])
    #expect(panel.frames.dropFirst(2).map { $0["nextActionId"] } == [2, 3, 4])
    #expect(panel.frames[2]["payload"] == "{\"n\":1}")
    #expect(panel.frames.allSatisfy { $0["id"] == "surf-11" && $0["instanceId"] == "11" })
  }

  @Test func aPanelThatComesLaterAsksAndGetsAllOfEveryApp() throws {
    bench.appear(one)
    bench.appear(other)
    bench.record(1, of: one)
    let panel = bench.panel()
    #expect(panel.frames.isEmpty)
    panel.transmit("respond", ["type": "START"])
    #expect(panel.types == ["STATE", "STATE"])
    let texts = panel.frames.compactMap { $0["payload"]?.text }
    let lifted = try texts.map { try JSON(parsing: $0) }
    #expect(lifted.contains { $0["stagedActionIds"] == [0, 1] })
    #expect(lifted.contains { $0["stagedActionIds"] == [0] })
  }

  @Test func anAppTellsItsInitialStateBeforeAnyPanelHearsOfIt() throws {
    let panel = bench.panel()
    bench.observe(.appeared(one, Bench.heartbeat("Todo")))
    bench.observe(.caughtUp(one))
    #expect(requests().last == .command(one, Array(#"{"command":"describe"}"#.utf8)))
    bench.machine.receive(.answer(one, .answered(.applied, .initial)), at: bench.now)
    bench.record(1, of: one)
    #expect(panel.types == [])
    bench.observe(.record(one, Bench.description(2, initial: #"{"n":0}"#)))
    #expect(panel.types == ["START", "STATE"])
    let lifted = try JSON(parsing: try #require(panel.frames.last?["payload"]?.text))
    #expect(lifted["committedState"] == ["n": 0])
    #expect(lifted["stagedActionIds"] == [0, 1])
  }

  @Test func whatAnAppHasToldIsNotAskedForAgain() {
    bench.observe(.appeared(one, Bench.heartbeat("Todo")))
    bench.observe(.record(one, Bench.description(1, initial: "{}")))
    bench.observe(.caughtUp(one))
    #expect(requests().allSatisfy { if case .command = $0 { false } else { true } })
  }

  @Test func anAppThatTellsNothingIsShownAfterAWhileAllTheSame() {
    let panel = bench.panel()
    bench.observe(.appeared(one, Bench.heartbeat("Todo")))
    bench.observe(.caughtUp(one))
    bench.advance(by: GatewayLimits.loadTimeout)
    #expect(panel.types == ["START", "STATE"])
    bench.machine.receive(.answer(one, .timedOut), at: bench.now)
    bench.advance(by: .zero)
    #expect(panel.types == ["START", "STATE"])
  }

  @Test func `a gateway that only observes shows apps, and refuses what buttons ask`() throws {
    let panel = bench.panel()
    bench.observe(.appeared(one, Bench.heartbeat("Todo")))
    bench.observe(.caughtUp(one))
    bench.machine.receive(.answer(one, .observing), at: bench.now)
    bench.advance(by: .zero)
    #expect(panel.types == ["START", "STATE"])
    bench.record(1, of: one, state: "{}")
    panel.transmit("sc-surf-11", dispatch(["type": "JUMP_TO_ACTION", "actionId": 1]))
    bench.machine.receive(.answer(one, .observing), at: bench.now)
    bench.advance(by: .zero)
    let said = panel.frames.compactMap { $0["payload"]?.text }
    #expect(said.contains { $0.contains("this gateway only observes") })
  }

  @Test func onlyWhoAsksIsGreeted() {
    bench.appear(one)
    let first = bench.panel()
    let second = bench.panel()
    second.transmit("respond", ["type": "START"])
    #expect(first.frames.isEmpty && second.types == ["STATE"])
  }

  @Test func aJumpIsAResetWithTheRowsOwnBytes() {
    let panel = bench.panel()
    bench.appear(one)
    bench.record(1, of: one, state: "{ \"n\" : 1 }")
    _ = requests()
    panel.transmit("sc-surf-11", dispatch(["type": "JUMP_TO_ACTION", "actionId": 1]))
    let bytes = Array("{ \"n\" : 1 }".utf8)
    #expect(
      requests() == [
        .reset(one, .record(1), Content(type: "application/json", bytes: bytes))
      ])
  }

  @Test func theInstancesNeverMix() {
    let panel = bench.panel()
    bench.appear(one)
    bench.appear(other)
    bench.record(1, of: one)
    bench.record(1, of: other)
    _ = requests()
    let sweep = dispatch(["type": "SWEEP"], instance: "11")
    panel.transmit("sc-surf-22", sweep)
    panel.transmit("sc-surf-33", sweep)
    panel.transmit("respond", dispatch(["type": "SWEEP"], instance: "default"))
    panel.transmit("respond", dispatch(["type": "SWEEP"]))
    #expect(requests() == [])
    #expect(bench.machine.drops["unknown instance"] == 3)
    panel.transmit("respond", sweep)
    #expect(requests() == [.command(one, Array(#"{"command":"sweep"}"#.utf8))])
  }

  @Test func anAppThatGoesLeavesThePanelAndIsObeyedNoMore() {
    let panel = bench.panel()
    bench.appear(one)
    bench.observe(.gone(one, saidGoodbye: false))
    #expect(panel.frames.last == ["id": "surf-11", "type": "DISCONNECTED"])
    _ = requests()
    panel.transmit("respond", dispatch(["type": "SWEEP"], instance: "11"))
    #expect(requests() == [])
  }

  @Test func `a panel goes on with the next run of an app that was killed`() {
    let panel = bench.panel()
    bench.appear(one)
    bench.appear(two)
    bench.appear(SessionID(rawValue: 0x33), "Other")
    _ = panel.takeFrames()
    bench.observe(.gone(one, saidGoodbye: false))
    #expect(panel.types == ["DISCONNECTED", "STATE"])
    #expect(panel.frames.last?["instanceId"] == "22")
  }

  @Test func `a panel is not led to an app that was there before`() {
    let panel = bench.panel()
    bench.appear(one)
    bench.appear(two)
    bench.observe(.heartbeat(one, Bench.heartbeat("Todo")))
    _ = panel.takeFrames()
    bench.observe(.gone(one, saidGoodbye: false))
    #expect(panel.types == ["DISCONNECTED"])
  }

  @Test(arguments: [false, true])
  func anAppThatComesBackIsWholeAgain(saidGoodbye: Bool) throws {
    let panel = bench.panel()
    bench.appear(one)
    for row in 1...3 { bench.record(SequenceNumber(row), of: one) }
    bench.observe(.gone(one, saidGoodbye: saidGoodbye))
    _ = panel.takeFrames()
    // A record still under way when the app fell silent.
    bench.record(4, of: one)
    #expect(panel.frames.isEmpty, "who is away is not shown")
    _ = requests()
    bench.observe(.heartbeat(one, Bench.heartbeat("Todo")))
    #expect(panel.types == ["START", "STATE"])
    let lifted = try JSON(parsing: try #require(panel.frames.last?["payload"]?.text))
    #expect(lifted["stagedActionIds"] == [0, 1, 2, 3, 4])
    #expect(requests() == [], "the query is empty for twice")
    bench.advance(by: .seconds(3))
    #expect(requests() == [.trimMemory], "what those who left took is free")
    bench.record(5, of: one)
    #expect(panel.frames.last?["nextActionId"] == 6)
    panel.transmit("sc-surf-11", dispatch(["type": "JUMP_TO_ACTION", "actionId": 2]))
    let state = Content(type: "application/json", bytes: Array("{\"n\":2}".utf8))
    #expect(requests() == [.reset(one, .record(2), state)])
  }

  @Test func anAppThatGoesBeforeItIsLoadedIsLoadedWhenItComesBack() {
    let panel = bench.panel()
    bench.observe(.appeared(one, Bench.heartbeat("Todo", control: [])))
    bench.observe(.gone(one, saidGoodbye: false))
    bench.observe(.caughtUp(one))
    _ = requests()
    bench.observe(.heartbeat(one, Bench.heartbeat("Todo", control: [])))
    #expect(panel.types == ["DISCONNECTED"])
    #expect(requests() == [.follow(one, .last(200))])
    bench.record(1, of: one)
    bench.observe(.caughtUp(one))
    #expect(panel.types == ["DISCONNECTED", "START", "STATE"])
  }

  @Test func anAppThatTheObserverForgotIsFollowedAnewAndHasNothingTwice() throws {
    let panel = bench.panel()
    bench.appear(one)
    bench.record(1, of: one)
    bench.observe(.gone(one, saidGoodbye: false))
    _ = requests()
    bench.observe(.heartbeat(one, Bench.heartbeat("Todo")))
    #expect(requests() == [], "it is still followed")
    bench.observe(.gone(one, saidGoodbye: false))
    bench.observe(.appeared(one, Bench.heartbeat("Todo")))
    #expect(requests() == [.follow(one, .last(200))])
    bench.record(2, of: one)
    bench.record(1, of: one)
    bench.observe(.caughtUp(one))
    #expect(requests() == [])
    panel.transmit("respond", ["type": "START"])
    #expect(try panel.lifted["stagedActionIds"] == [0, 1, 2])
  }

  @Test func whoHasBeenGoneForLongestIsForgotten() {
    let sessions = (0...GatewayLimits.absentCountMax).map {
      SessionID(rawValue: 0x100 + UInt64($0))
    }
    for session in sessions {
      bench.appear(session)
      bench.record(1, of: session)
      bench.observe(.gone(session, saidGoodbye: false))
    }
    _ = requests()
    for session in sessions { bench.observe(.heartbeat(session, Bench.heartbeat("Todo"))) }
    #expect(requests() == [.follow(sessions[0], .last(200))])
  }

  @Test func syncReachesTheOthersOfTheSameAppAndNeverItsSource() {
    let panel = bench.panel()
    let third = SessionID(rawValue: 0x33)
    bench.appear(one)
    bench.appear(other)
    bench.appear(third, "Clock")
    bench.record(1, of: one)
    _ = requests()
    let lifted = #"""
      {"actionsById":{"0":{"action":{"type":"@@INIT"}},"1":{"action":{"type":"add"}}},
       "computedStates":[{"state":{}},{"state":{"n":1}}],"stagedActionIds":[0,1],
       "skippedActionIds":[],"currentStateIndex":1}
      """#
    panel.transmit(
      "respond",
      ["type": "SYNC", "state": .string(lifted), "id": "surf-11", "instanceId": "11"])
    let sessions = requests().compactMap {
      if case .command(let session, _) = $0 { session } else { nil }
    }
    #expect(sessions == [other])
  }

  @Test func aRefusalIsShownInThePanel() {
    let panel = bench.panel()
    bench.appear(one)
    bench.machine.receive(
      .answer(one, .answered(.rejected(reason: "no such row"), .initial)), at: .zero)
    bench.observe(.heartbeat(one, Bench.heartbeat("Todo")))
    #expect(panel.types == ["START", "STATE", "ERROR", "LIFTED"])
    #expect(panel.frames.first { $0["type"] == "ERROR" }?["payload"] == "Todo#7: no such row")
    panel.transmit(
      "sc-surf-11", dispatch(["type": .string(String(repeating: "x", count: 100_000))]))
    let error = panel.frames.last { $0["type"] == "ERROR" }?["payload"]?.text ?? ""
    #expect(error.utf8.count < 1_200)
    for case .note(let note) in bench.takeRequests() {
      #expect(note.text.utf8.count < 1_200 && note.json.utf8.count < 1_300)
    }
  }

  @Test(
    arguments: [
      (.answered(.rejected(reason: "ada@desk is driving"), .initial), "ada@desk is driving"),
      (
        .notSealed,
        "it is not sealed, and this gateway has a key: anybody could impersonate it;"
          + " --open allows moving it"
      ),
    ] as [(ResetAnswer, String)])
  func `a panel is told who drives, and what is open`(answer: ResetAnswer, text: String) {
    let panel = bench.panel()
    bench.appear(one)
    bench.machine.receive(.answer(one, answer), at: .zero)
    bench.observe(.heartbeat(one, Bench.heartbeat("Todo")))
    let error = panel.frames.first { $0["type"] == "ERROR" }?["payload"]
    let expected = JSON.string("Todo#7: \(text)")
    #expect(error == expected)
  }

  @Test func aSlowPanelIsOwedTheWholeAndTheOtherMissesNothing() throws {
    let slow = bench.panel()
    let quick = bench.panel()
    bench.appear(one)
    let state = "\"\(String(repeating: "x", count: 400_000))\""
    for row in 1...20 as ClosedRange<UInt64> {
      bench.record(SequenceNumber(row), of: one, state: state)
      bench.drain(quick.stream)
      bench.advance(by: .seconds(5))
    }
    #expect(slow.types.count { $0 == "ACTION" } < 12)
    #expect(quick.types.count { $0 == "ACTION" } == 20)
    _ = slow.takeFrames()
    bench.drain(slow.stream)
    #expect(slow.types == ["STATE"])
    #expect(try slow.lifted["stagedActionIds"] == .array((0...20).map { .number($0) }))
  }

  @Test func whatComesFastIsToldAtTheRateOfAPanel() throws {
    var configuration = GatewayConfiguration()
    configuration.rowCountMax = 1_000
    let bench = Bench(configuration)
    let panel = bench.panel()
    bench.appear(one)
    _ = panel.takeFrames()
    for row in 1...1_000 {
      bench.record(SequenceNumber(row), of: one)
      bench.advance(by: .milliseconds(1))
    }
    #expect(panel.frames.count <= 6, "five at once, then two a second")
    bench.advance(by: .seconds(1))
    #expect(try panel.lifted["stagedActionIds"] == .array((0...1_000).map { .number($0) }))
    _ = panel.takeFrames()
    bench.advance(by: .seconds(5))
    #expect(panel.frames.isEmpty)
    bench.record(1_001, of: one)
    #expect(panel.types == ["STATE"], "the oldest rows make room")
    bench.record(1_002, of: one)
    #expect(panel.types == ["STATE", "ACTION"], "after a quiet time at once, and alone")
  }

  @Test func `of the pointers that have to wait the last one is told`() {
    let panel = bench.panel()
    bench.appear(one)
    for row in 1...3 { bench.record(SequenceNumber(row), of: one) }
    bench.advance(by: .seconds(10))
    _ = panel.takeFrames()
    for move in 1...200 as ClosedRange<UInt64> {
      let restored = Restored(
        request: move, viewer: ViewerID(rawValue: 1), viewerName: "x",
        position: .record(SequenceNumber(1 + move % 3)), newestRecord: 3,
        moveCount: WireCount(move), outcome: .applied)
      bench.observe(.restored(one, restored))
    }
    let (atOnce, last) = (panel.frames.count, JSON.number(3 as Int))
    bench.advance(by: .seconds(5))
    #expect(atOnce < 60)
    #expect(panel.frames.count == atOnce + 1)
    #expect(panel.frames.last?["liftedState"]?["currentStateIndex"] == last)
  }

  @Test func `the person is told who moved an app, and of a dragged slider the last place`() {
    let past = Restored(
      request: 1, viewer: ViewerID(rawValue: 7), viewerName: "eve@desk", position: .initial,
      newestRecord: 0, moveCount: 0, outcome: .applied)
    func moves() -> [String] {
      bench.takeRequests().compactMap { request in
        guard case .note(let note) = request, case .moved = note else { return nil }
        return note.text
      }
    }
    bench.appear(one)
    bench.observe(.restored(one, past))
    #expect(moves() == [])
    for move in 1...50 as ClosedRange<UInt64> {
      var restored = past
      (restored.request, restored.viewerName) = (1 + move, "ada@desk")
      (restored.position, restored.moveCount) = (.record(SequenceNumber(move)), WireCount(move))
      if move == 50 { restored.outcome = .forbidden }
      bench.observe(.restored(one, restored))
    }
    let first = ["⤺ ada@desk moved Todo#7 to row 1"]
    #expect(moves() == first)
    bench.advance(by: .seconds(1))
    let last = ["⤺ ada@desk moved Todo#7 to row 49"]
    #expect(moves() == last)
    bench.advance(by: .seconds(9))
    #expect(moves() == [])
  }

  @Test func manyOctetsComeLessOften() {
    let panel = bench.panel()
    bench.appear(one)
    let state = "\"\(String(repeating: "x", count: 1_000_000))\""
    for row in 1...8 { bench.record(SequenceNumber(row), of: one, state: state) }
    bench.advance(by: .seconds(10))
    _ = panel.takeFrames()
    for row in 9...28 {
      bench.record(SequenceNumber(row), of: one, state: state)
      bench.drain(panel.stream)
      bench.advance(by: .milliseconds(500))
    }
    let octets = panel.frames.map { $0["payload"]?.text?.utf8.count ?? 0 }
    #expect(octets.max() ?? 0 < 9_000_000)
    #expect(octets.reduce(0, +) < 60_000_000, "of 20 s, at 4 MiB a second")
  }

  @Test func whoConnectsInBetweenHasNothingTwice() throws {
    let first = bench.panel()
    bench.appear(one)
    for row in 1...10 { bench.record(SequenceNumber(row), of: one) }
    bench.advance(by: .seconds(5))
    for row in 11...15 { bench.record(SequenceNumber(row), of: one) }
    bench.record(16, of: one)
    let second = bench.panel()
    second.transmit("respond", ["type": "START"])
    bench.advance(by: .seconds(5))
    for panel in [first, second] {
      #expect(try panel.lifted["stagedActionIds"] == .array((0...16).map { .number($0) }))
      #expect(panel.types.last == "STATE")
    }
  }

  @Test func whatNeverAsksIsClosed() {
    let stream = bench.open()
    bench.send(Array("GET / HT".utf8), on: stream)
    bench.advance(by: GatewayLimits.requestTimeout + .seconds(1))
    #expect(bench.closed == [stream])
  }

  @Test func garbageIsRefusedAndAPanelBesideItLives() {
    let panel = bench.panel()
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<200 {
      let stream = bench.open()
      let count = Int.random(in: 1...300, using: &generator)
      bench.send((0..<count).map { _ in .random(in: 0 ... .max, using: &generator) }, on: stream)
    }
    panel.transmit("nonsense", ["a": 1])
    panel.transmit("respond", "text")
    bench.appear(one)
    #expect(panel.types == ["START", "STATE"])
  }
}
