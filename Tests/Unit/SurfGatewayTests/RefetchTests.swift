import JSONTree
import SurfGateway
import SurfWire
import TestSupport
import Testing

/// States that the gateway dropped come from the app again when somebody looks at them.
@Suite("What the gateway had to drop")
struct RefetchTests {
  private let bench: Bench
  private let app = SessionID(rawValue: 0x11)

  /// An app of 120 states. The gateway keeps 90; 80 fit a frame.
  init() {
    var configuration = GatewayConfiguration()
    configuration.byteCountMax = 9_000_000
    bench = Bench(configuration)
    bench.appear(app)
    for row in 1...120 { tell(row) }
    bench.advance(by: .seconds(60))
    _ = requests()
  }

  private func state(_ row: Int) -> String {
    "\"\(String(repeating: "\(row) ", count: 100_000 / "\(row) ".utf8.count))\""
  }

  private func tell(_ row: Int) {
    bench.record(SequenceNumber(UInt64(row)), of: app, state: state(row))
  }

  private func requests() -> [GatewayRequest] {
    bench.takeRequests().filter { if case .note = $0 { false } else { true } }
  }

  private func jump(_ panel: Panel, to row: Int) {
    panel.transmit(
      "sc-surf-11",
      ["type": "DISPATCH", "action": ["type": "JUMP_TO_ACTION", "actionId": .number(row)]])
  }

  private func wasReset(to row: Int) -> Bool {
    let content = Content(type: "application/json", bytes: Array(state(row).utf8))
    return requests() == [.reset(app, .record(SequenceNumber(UInt64(row))), content)]
  }

  private func moved(to row: SequenceNumber, _ count: UInt64 = 1) {
    bench.observe(
      .restored(
        app,
        Restored(
          request: count, viewer: ViewerID(rawValue: 1), viewerName: "x", position: .record(row),
          newestRecord: 120, moveCount: WireCount(count), outcome: .applied)))
    bench.machine.receive(.answer(app, .answered(.applied, .record(row))), at: bench.now)
    bench.advance(by: .seconds(10))
  }

  private func isShown(_ row: Int, to panel: Panel) throws -> Bool {
    guard case .array(let states) = try panel.lifted["computedStates"] else { return false }
    return states[row]["state"] == JSON(ifValid: Array(state(row).utf8))
  }

  @Test func aJumpThereAsksTheAppOnceAndArrives() throws {
    let panel = bench.panel()
    jump(panel, to: 3)
    #expect(requests() == [.refetch(app, 3...3)])
    bench.advance(by: .seconds(1))
    #expect(requests() == [])
    #expect(panel.frames.isEmpty, "the pointer stays where the person put it")
    tell(3)
    #expect(wasReset(to: 3))
    bench.drain(panel.stream)
    moved(to: 3)
    #expect(try panel.lifted["currentStateIndex"] == 3)
    #expect(try isShown(3, to: panel))
    #expect(try !isShown(4, to: panel), "left out")
    bench.advance(by: .seconds(100))
    #expect(requests() == [], "nobody looks")
  }

  @Test func whoDragsTheSliderWantsTheLastRowAlone() {
    let panel = bench.panel()
    for row in 2...9 { jump(panel, to: row) }
    #expect(requests() == [.refetch(app, 2...2)])
    tell(2)
    #expect(requests() == [.refetch(app, 9...9)])
    tell(9)
    #expect(wasReset(to: 9))
  }

  @Test func whatTheAppNoLongerHasIsRefusedAndThePointerPutBack() throws {
    let panel = bench.panel()
    jump(panel, to: 3)
    bench.observe(.lost(app, 3...3))
    #expect(panel.types == ["ERROR", "STATE"])
    #expect(panel.frames[0]["payload"]?.text?.contains("had to drop the state") == true)
    #expect(try panel.lifted["currentStateIndex"] == 120)
    _ = panel.takeFrames()
    bench.drain(panel.stream)
    jump(panel, to: 4)
    bench.advance(by: GatewayLimits.loadTimeout + .seconds(1))
    #expect(panel.types == ["ERROR", "STATE"], "nor does it wait for ever")
    #expect(requests() == [.refetch(app, 3...3), .refetch(app, 4...4)])
  }

  @Test func aPanelThatBeginsIsShownWhereTheAppIs() throws {
    moved(to: 5)
    let panel = bench.panel()
    #expect(requests() == [])
    panel.transmit("respond", ["type": "START"])
    #expect(requests() == [.refetch(app, 5...5)])
    bench.drain(panel.stream)
    tell(5)
    bench.advance(by: .seconds(10))
    #expect(try isShown(5, to: panel))
    panel.transmit("respond", ["type": "START"])
    #expect(requests() == [], "it is here")
  }

  /// Other apps, more than the gateway remembers, came and went meanwhile.
  @Test func anAppOfWhichNothingIsLeftComesBackWhole() throws {
    let bench = Bench()
    let session = SessionID(rawValue: 0x22)
    bench.appear(session)
    for row in 1...3 { bench.record(SequenceNumber(UInt64(row)), of: session) }
    bench.observe(.gone(session, saidGoodbye: false))
    for other in 0..<GatewayLimits.absentCountMax {
      let other = SessionID(rawValue: 0x100 + UInt64(other))
      bench.appear(other)
      bench.observe(.gone(other, saidGoodbye: false))
    }
    _ = bench.takeRequests()
    var heartbeat = Bench.heartbeat("Todo", control: [])
    heartbeat.progress.newestRecord = 5
    let panel = bench.panel()
    bench.observe(.heartbeat(session, heartbeat))
    // The observer reports again a row from before it joined: row 1.
    bench.record(1, of: session)
    bench.observe(.caughtUp(session))
    #expect(
      bench.takeRequests().filter { if case .note = $0 { false } else { true } }
        == [.follow(session, .last(200)), .refetch(session, 2...5)])
    for row in 2...5 { bench.record(SequenceNumber(UInt64(row)), of: session) }
    panel.transmit("respond", ["type": "START"])
    #expect(try panel.lifted["stagedActionIds"] == [0, 1, 2, 3, 4, 5])
    bench.observe(.caughtUp(session))
    #expect(bench.takeRequests().isEmpty)
  }
}
