import SurfObserver
import SurfTerminal
import SurfTimeline
import SurfWire
import TestSupport
import Testing

/// `watch` of programs that start again.
@Suite struct WatchedRestartTests {
  private func watch(_ name: String?, isJSON: Bool = false) -> Driven<WatchSession> {
    var options = WatchOptions()
    options.json = isJSON
    return Driven(
      WatchSession(name: name, options: options, layout: Layout(), showsStatus: false))
  }

  /// The first run has twelve rows, and ends after or before the second begins.
  private func story(isKilled: Bool) -> [ObserverEvent] {
    let end = ObserverEvent.gone(a, saidGoodbye: !isKilled)
    let start = ObserverEvent.appeared(b, heartbeat(pid: 124, id: 0xBEEF))
    return [.appeared(a, heartbeat(newest: 12)), .caughtUp(a)]
      + (isKilled ? [start, end] : [end, start]) + [.caughtUp(b), .record(b, action(1))]
  }

  @Test(arguments: [nil, "PrimeTime", "PrimeTime#123"], [false, true])
  func `a run that starts again goes on, also for who named a process`(
    name: String?, isKilled: Bool
  ) throws {
    var session = watch(name)
    let actions = session.receive(all: story(isKilled: isKilled))
    #expect(actions.contains(.follow(b, .newestState)))
    let text = actions.text
    #expect(text.count { $0 == "⟲ PrimeTime restarted · 12 rows of the last run" } == 1)
    #expect(text.count { $0.hasPrefix("● PrimeTime#124 on ada") } == 1)
    #expect(text.last?.contains(" action  increment") == true)
  }

  @Test func `another process of the program is not for who named one`() {
    var session = watch("PrimeTime#123")
    let actions = session.receive(all: [
      .appeared(a, heartbeat()), .appeared(b, heartbeat(pid: 124, id: 0xBEEF)),
      .heartbeat(a, heartbeat()), .gone(a, saidGoodbye: true), .record(b, action(1)),
    ])
    #expect(!actions.contains(.follow(b, .newestState)) && actions.text.count == 2)
  }

  @Test func `with JSON it is an event that names both runs`() throws {
    var session = watch("PrimeTime#123", isJSON: true)
    let lines = session.receive(all: story(isKilled: true)).compactMap { action -> String? in
      if case .printBytes(let bytes) = action {
        String(decoding: bytes, as: UTF8.self)
      } else {
        nil
      }
    }
    let line = try #require(lines.first { $0.contains("restarted") })
    #expect(
      line == #"{"app":"PrimeTime","event":"restarted","instance":"beef0000000000000"#
        + #"000000000000001","lastInstance":"cafe0000000000000000000000000001","lastPid":123,"#
        + #""lastRow":12,"pid":124}"# + "\n")
  }
}
