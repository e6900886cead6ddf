import JSONTree
import SurfGateway
import SurfWire
import TestSupport
import Testing

/// What waits for a panel that draws, and what reaches apps of another make.
@Suite struct SlowPanelTests {
  private let bench = Bench()
  private let one = SessionID(rawValue: 0x11)

  private func histories(in texts: [String]) -> Int {
    texts.count { $0.contains(#""type":"STATE""#) }
  }

  @Test func `a panel that draws has one history under way, and then gets the newest`() throws {
    let panel = bench.panel()
    bench.appear(one)
    panel.transmit("respond", ["type": "START"])
    panel.draw()
    for second in 0..<15 {
      for row in 1...20 { bench.record(SequenceNumber(UInt64(second * 20 + row)), of: one) }
      bench.advance(by: .seconds(1))
      #expect(histories(in: panel.unread) <= 1)
    }
    panel.wake()
    let lifted = try panel.lifted
    guard case .array(let states)? = lifted["computedStates"] else {
      Issue.record("no states")
      return
    }
    #expect(states.last?["state"]?["n"]?.integer == 300)
    #expect(lifted["nextActionId"]?.integer == states.count && states.count < 300)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a slow panel is never more than two histories behind, and ends with all apps`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let panel = bench.panel()
    let sessions = (1...3).map { SessionID(rawValue: $0) }
    for session in sessions { bench.appear(session, "App\(session.rawValue)") }
    panel.transmit("respond", ["type": "START"])
    panel.draw()
    var newest: [SessionID: UInt64] = [:]
    for _ in 0..<300 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: panel.readOne()
      case 1: bench.advance(by: .milliseconds(Int.random(in: 1...200, using: &random)))
      default:
        let session = sessions[Int.random(in: 0..<3, using: &random)]
        newest[session, default: 0] += 1
        bench.record(SequenceNumber(newest[session] ?? 0), of: session)
      }
      #expect(histories(in: panel.unread) <= 1)
    }
    panel.wake()
    for _ in 0..<10 { bench.advance(by: .seconds(2)) }
    for session in sessions {
      let id = String(session.rawValue, radix: 16)
      let last = panel.frames.last { $0["type"] == "STATE" && $0["instanceId"]?.text == id }
      let lifted = try JSON(parsing: try #require(last?["payload"]?.text))
      let since = panel.frames.count { $0["type"] == "ACTION" && $0["instanceId"]?.text == id }
      let shown = (lifted["nextActionId"]?.integer ?? 0) - 1
      #expect(shown <= Int(newest[session] ?? 0) && shown + since >= Int(newest[session] ?? 0))
    }
  }

  private func app(watching channels: [String]) -> Panel {
    let app = Panel(stream: bench.open(), bench: bench)
    bench.add(app)
    app.begin(as: "master", watching: channels)
    return app
  }

  @Test(
    arguments: [
      ([], [], 1), (["respond"], ["respond"], 0), (["respond", "sc"], ["sc"], 0),
    ] as [([String], [String], Int)])
  func `an app of another make hears once what is for it`(
    channels: [String], expected: [String], eventCount: Int
  ) {
    let app = app(watching: channels)
    let panel = bench.panel()
    panel.transmit("sc-\(app.id)", ["type": "DISPATCH"])
    #expect(app.published.map { $0.hasPrefix("sc-") ? "sc" : $0 } == expected)
    #expect(app.events == Array(repeating: "respond", count: eventCount))
  }
}
