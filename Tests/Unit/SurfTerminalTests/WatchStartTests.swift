import SurfReceiving
import SurfTerminal
import SurfTimeline
import SurfWire
import Testing

/// Where `watch` begins, and what its columns know.
@Suite struct WatchStartTests {
  /// What `watch` prints of an app whose newest row is known from its heartbeat.
  private func watch(
    _ line: String, _ records: [Record], newest: SequenceNumber = 0
  ) throws -> [CommandAction] {
    let command = try ArgumentParser.parse(["watch"] + line.split(separator: " ").map(String.init))
      .command
    let options = try #require(command as? WatchOptions)
    var session = Driven(
      WatchSession(name: "PrimeTime", options: options, layout: Layout(), showsStatus: false))
    let appeared = ObserverEvent.appeared(a, heartbeat(newest: newest))
    return session.receive(all: [appeared, .caughtUp(a)] + records.map { .record(a, $0) })
  }

  private func rows(_ actions: [CommandAction]) -> [String] {
    actions.text.filter { $0.hasPrefix("01:01") }.map { String($0.split(separator: " ")[1]) }
  }

  @Test(arguments: ["states", "payloads"])
  func `lines for people have no room for contents`(option: String) {
    let failure = #expect(throws: Failure.self) {
      try ArgumentParser.parse(["watch", "--\(option)"])
    }
    #expect(failure?.what == "'--\(option)' needs '--json'" && failure?.exitCode == 64)
  }

  /// The app's newest state is in row 5, and a viewer may get row 4 with it.
  @Test(arguments: [
    ("--since 6", ["6", "7"]), ("--since 7", ["7"]), ("--since 99", []),
    ("--last 1", ["5", "6", "7"]), ("--last 2 --until-records 2", ["4", "5"]),
    ("--for 9", ["4", "5", "6", "7"]), ("--until-records 1", ["4", "5", "6"]),
  ])
  func `the newest state comes unasked, and is shown or counted only if it is wanted`(
    line: String, wanted: [String]
  ) throws {
    let actions = try watch(
      line, (4...7 as ClosedRange<SequenceNumber>).map { action($0) }, newest: 5)
    #expect(rows(actions) == wanted)
    #expect(actions.contains(.exit(0)) == line.contains("until"))
  }

  @Test func `rows after the newest state that were not asked for are counted`() throws {
    for (line, isTold) in [("--for 9", true), ("--last 4", false), ("--json", false)] {
      let command = try ArgumentParser.parse(
        ["watch"] + line.split(separator: " ").map(String.init)
      )
      .command
      let options = try #require(command as? WatchOptions)
      var session = Driven(
        WatchSession(name: "PrimeTime", options: options, layout: Layout(), showsStatus: false))
      let beat = heartbeat(newest: 13)
      let lines = session.receive(
        all: [.appeared(a, beat), .record(a, action(11)), .record(a, action(8))]
          + [.lost(a, 12...12), .caughtUp(a)]
      ).text.dropFirst()
      let told = lines.compactMap { $0.hasPrefix("⋯") ? $0 : nil }
      let gaps = ["⋯ 2 records not asked for (rows 9–10)", "⋯ 1 record lost (rows 12–12)"]
      let last = "⋯ 1 record not asked for (rows 13–13)"
      #expect(told == (isTold ? gaps + [last] : line == "--json" ? [] : [gaps[1]]))
    }
  }

  /// Its rows begin with 1, whatever was asked of the run before it.
  @Test func `an app that starts after the command shows all its rows`() throws {
    let command = try ArgumentParser.parse(["watch", "--since", "4000"]).command
    let options = try #require(command as? WatchOptions)
    var session = Driven(
      WatchSession(name: "PrimeTime", options: options, layout: Layout(), showsStatus: false))
    var beat = heartbeat(newest: 1)
    beat.uptime = 1_000_000
    let actions =
      session.receive(.appeared(a, beat), at: .seconds(5))
      + session.receive(all: [.caughtUp(a), .record(a, action(1)), .record(a, action(2))])
    #expect(actions.contains(.follow(a, .since(1))) && rows(actions) == ["1", "2"])
  }

  @Test func `a false heartbeat does not hide the rows that are new`() throws {
    let command = try ArgumentParser.parse(["watch", "--until-records", "1"]).command
    let options = try #require(command as? WatchOptions)
    var session = Driven(
      WatchSession(name: nil, options: options, layout: Layout(), showsStatus: false))
    _ = session.receive(
      all: [.appeared(a, heartbeat(newest: 9_000)), .retracted(a, from: 1), .caughtUp(a)])
    #expect(session.receive(all: [.record(a, action(1))]).contains(.exit(0)))
  }

  @Test func `a column has no value where nobody knows the state`() throws {
    let log = Record(sequence: 2, kind: .log(.info), name: "hm")
    let records = [action(1, "{\"n\":7}"), log, action(3, "{\"n\":7}"), action(4, "{\"n\":8}")]
    let values = try watch("--columns n --json", records).text.compactMap { line in
      line.firstMatch(of: #/"columns":(\{[^}]*\})/#).map { String($0.1) }
    }
    #expect(values == [#"{"n":7}"#, "{}", #"{"n":7}"#, #"{"n":8}"#])
  }

  @Test func `a column that the state does not have is named once`() throws {
    let notes = try watch("--columns m", [action(1), action(2)]).filter { action in
      if case .complain = action { true } else { false }
    }
    #expect(notes == [.complain("the newest state has no 'm'. Did you mean 'n'?")])
  }

  @Test(arguments: [nil, "PrimeTime", "Nobody"])
  func `a time in which no wanted app was live is a failure that names it`(name: String?) {
    for isThere in [true, false] {
      var options = WatchOptions()
      options.duration = .seconds(9)
      var session = Driven(
        WatchSession(name: name, options: options, layout: Layout(), showsStatus: false))
      if isThere { _ = session.receive(all: [.appeared(a, heartbeat()), .caughtUp(a)]) }
      let end = session.advance(to: .seconds(9)).last
      guard isThere, name != "Nobody" else {
        guard case .fail(let failure) = end else {
          Issue.record("\(end as Any)")
          continue
        }
        #expect(failure.what == "no instance \(name.map { "named '\($0)' " } ?? "")was live")
        #expect(failure.exitCode == 1)
        continue
      }
      #expect(end == .exit(0))
    }
  }
}
