import SurfObserver
import SurfTerminal
import SurfTimeline
import SurfWire
import TestSupport
import Testing

@Suite struct LogsTests {
  private func logs(
    _ name: String? = "PrimeTime", columns: Int? = nil,
    _ change: (inout LogOptions) -> Void = { _ in }
  ) -> Driven<LogsSession> {
    var layout = Layout()
    layout.columns = columns
    var options = LogOptions()
    change(&options)
    return Driven(
      LogsSession(options, Invocation.Common(name), layout))
  }

  private func log(
    _ sequence: SequenceNumber, _ message: String, _ level: LogLevel = .info, at second: Int64 = 0,
    _ attributes: String? = nil
  ) -> Record {
    Record(
      sequence: sequence, kind: .log(level), wallTime: second * 1_000_000_000, name: message,
      payload: attributes.map(json))
  }

  /// Everything printed until all of the past is here.
  private func printed(
    _ session: Driven<LogsSession>, _ events: [ObserverEvent]
  ) -> [CommandAction] {
    var session = session
    return session.receive(all: events) + session.advance(to: .milliseconds(400))
  }

  @Test func `a line has its time, level, message and attributes`() {
    let actions = printed(
      logs(),
      [
        .appeared(a, heartbeat()),
        .record(a, log(1, "low disk", .warning, at: 61, #"{"path":"/","free":12}"#)),
        .record(a, action(2)), .record(a, log(3, "saved", at: 62)), .caughtUp(a),
      ])
    #expect(actions.first == .follow(a, .since(1)))
    #expect(
      actions.text == [
        #"00:01:01.000 warning low disk  {"free":12,"path":"/"}"#, "00:01:02.000 info    saved",
      ])
    #expect(actions.last == .exit(0))
  }

  @Test func `the lines of several apps are in order of time, with their names`() {
    let actions = printed(
      logs(nil),
      [
        .appeared(a, heartbeat()), .appeared(b, heartbeat("Todo", pid: 7, id: 0xBEEF)),
        .record(a, log(2, "third", at: 3)), .record(b, log(1, "second", at: 2)), .caughtUp(b),
        .record(a, log(1, "first", at: 1)), .caughtUp(a),
      ])
    #expect(
      actions.text == [
        "00:00:01.000 PrimeTime info    first", "00:00:02.000 Todo      info    second",
        "00:00:03.000 PrimeTime info    third",
      ])
  }

  @Test func `an app whose clock was set back keeps its order, and its gaps their place`() {
    let actions = printed(
      logs(nil),
      [
        .appeared(a, heartbeat()), .appeared(b, heartbeat("Todo", pid: 7, id: 0xBEEF)),
        .record(a, log(1, "one", at: 5)), .lost(a, 2...4), .record(a, log(5, "two", at: 1)),
        .record(b, log(1, "other", at: 9)), .caughtUp(a), .caughtUp(b),
      ])
    #expect(
      actions.text.map { $0.split(separator: " ").last.map(String.init) ?? "" }
        == ["one", "2–4)", "two", "other"])
  }

  @Test(
    arguments: [
      ("disk", nil, ["low disk", "full disk"]), ("DISK", nil, []), ("Disk", nil, []),
      ("var", nil, ["full disk"]), (#""PATH""#, nil, []), (#""path":"/var""#, nil, ["full disk"]),
      (nil, .warning, ["low disk", "full disk"]), (nil, .error, ["full disk"]),
      ("disk", .error, ["full disk"]), ("no such thing", nil, []), ("straße", nil, ["Straße"]),
    ] as [(String?, LogLevel?, [String])])
  func `only what was asked for is printed`(
    pattern: String?, level: LogLevel?, expected: [String]
  ) {
    let session = logs {
      $0.filter.pattern = pattern
      if let level { $0.filter.level = level }
    }
    let actions = printed(
      session,
      [
        .appeared(a, heartbeat()), .record(a, log(1, "low disk", .warning)),
        .record(a, log(2, "full disk", .error, #"{"path":"/var"}"#)),
        .record(a, log(3, "Straße", .debug)), .caughtUp(a),
      ])
    #expect(
      actions.text.map { line in expected.first { line.contains($0) } } == expected)
    #expect(actions.last == .exit(expected.isEmpty ? 1 : 0))
  }

  @Test func `nothing in a line drives a terminal`() {
    let nasty = "\u{1B}[2J\u{7}\r\n\u{202E}\u{9B}x"
    let events: [ObserverEvent] = [
      .appeared(a, heartbeat()),
      .record(a, log(1, nasty, .error, #"{"\#(nasty.dropLast(1).filter { $0 > "\u{9F}" })k":1}"#)),
      .record(
        a,
        Record(
          sequence: 2, kind: .log(.info), name: "text",
          payload: Content(type: "text/plain", bytes: Array(nasty.utf8)))),
      .record(
        a,
        Record(
          sequence: 3, kind: .log(.info), name: "picture",
          payload: Content(type: "image/png", bytes: [0x1B, 0xFF]))), .caughtUp(a),
    ]
    for json in [false, true] {
      for columns in [nil, 80] {
        let lines = printed(logs(columns: columns) { $0.json = json }, events).text
        #expect(lines.count == 3)
        let scalars = lines.flatMap { Array($0.unicodeScalars.dropLast(json ? 1 : 0)) }
        #expect(!scalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) })
        #expect(!scalars.contains("\u{202E}"))
      }
    }
    #expect(printed(logs(), events).text.last == "00:00:00.000 info    picture  (2 B of image/png)")
  }

  @Test func `a megabyte of attributes is whole in a pipe, and cut on a terminal`() {
    let long = #"{"text":"\#(String(repeating: "x", count: 1 << 20))end"}"#
    let events: [ObserverEvent] = [
      .appeared(a, heartbeat()), .record(a, log(1, "large", .info, long)), .caughtUp(a),
    ]
    let piped = printed(logs { $0.filter.pattern = "xend" }, events).text
    #expect(piped.first?.hasSuffix("  " + long) == true)
    let shown = printed(logs(columns: 80), events).text
    #expect(shown.first?.count ?? 0 < 600 && shown.first?.hasSuffix("…") == true)
  }

  @Test func `json is one object a line`() {
    let actions = printed(
      logs { $0.json = true },
      [
        .appeared(a, heartbeat()),
        .record(a, log(1, "low\ndisk", .warning, at: 61, #"{"b":[1.50],"a":null}"#)), .caughtUp(a),
      ])
    #expect(
      actions.text == [
        #"{"app":"PrimeTime","attributes":{"a":null,"b":[1.50]},"event":"log","#
          + #""instance":"cafe0000000000000000000000000001","level":"warning","#
          + #""message":"low\ndisk","pid":123,"row":1,"time":61000000000}"# + "\n"
      ])
  }

  @Test func `no app is the usual error, after the usual time`() {
    var session = logs(nil)
    #expect(session.deadline == .milliseconds(400))
    #expect(value(session.advance(to: .milliseconds(400))) == [])
    #expect(session.deadline == .seconds(5))
    let failure = session.advance(to: .seconds(5)).failure
    #expect(failure?.what == "no instance is live" && failure?.exitCode == 1)
    #expect(session.deadline == nil)
  }

  @Test func `a name that nobody has is the usual error too`() {
    var session = logs("PrimTime")
    let actions = session.receive(.appeared(a, heartbeat()), at: .zero)
    #expect(actions == [])
    let failure = value(session.advance(to: .seconds(5))).failure
    #expect(failure?.what == "no instance is named 'PrimTime'")
    #expect(failure?.meaning == "Did you mean 'PrimeTime'?")
  }

  @Test(arguments: [
    ("PrimeTime", nil, "PrimeTime#123, PrimeTime#124 have no line in the logs"),
    ("PrimeTime#124", nil, "PrimeTime#124 has no line in the log"),
    ("PrimeTime#124", "milk", "PrimeTime#124 has no such line in the log"),
  ])
  func `apps without a line are named`(name: String, pattern: String?, text: String) {
    let actions = printed(
      logs(name) { $0.filter.pattern = pattern },
      [
        .appeared(a, heartbeat()), .appeared(b, heartbeat(pid: 124, id: 0xBEEF)),
        .record(a, action(1)), .caughtUp(a), .caughtUp(b),
      ])
    #expect(actions.suffix(2) == [.complain(text), .exit(1)])
  }

  @Test func `an app that does not send its past is told, behind what came`() {
    var session = logs()
    _ = session.receive(all: [.appeared(a, heartbeat(newest: 2)), .record(a, log(2, "two"))])
    let early = session.advance(to: .milliseconds(4_999))
    #expect(early == [])
    let actions = session.advance(to: .seconds(5))
    #expect(actions.text == ["00:00:00.000 info    two"])
    #expect(actions.failure?.exitCode == 2)
  }

  @Test func `an app that goes away has told all that it will`() {
    let actions = printed(
      logs(),
      [
        .appeared(a, heartbeat()), .record(a, log(1, "bye")), .gone(a, saidGoodbye: true),
      ])
    #expect(actions.text == ["00:00:00.000 info    bye"])
    #expect(actions.last == .exit(0))
  }

  @Test func `to follow is to print the past in order, and then what comes`() {
    var session = logs(nil) { $0.follows = true }
    #expect(value(session.advance(to: .milliseconds(400))) == [])
    #expect(session.deadline == nil)
    let now = Duration.seconds(60)
    var actions = session.receive(.appeared(a, heartbeat()), at: now)
    #expect(actions == [.follow(a, .since(1))])
    actions = session.receive(.record(a, log(2, "two", at: 2)), at: now)
    actions += session.receive(.record(a, log(1, "one", at: 1)), at: now)
    #expect(actions == [])
    actions = session.receive(.caughtUp(a), at: now)
    #expect(actions.text.map { $0.suffix(3) } == ["one", "two"])
    actions = session.receive(.record(a, log(3, "now", at: 3)), at: now)
    #expect(actions.text == ["00:00:03.000 PrimeTime#123      info    now"])
    actions = session.receive(.gone(a, saidGoodbye: true), at: now)
    #expect(actions == [] && session.deadline == nil)
  }

  @Test func `who follows for long waits for nothing, however short the patience`() {
    var options = LogOptions()
    options.follows = true
    var session = Driven(
      LogsSession(options, Invocation.Common(timeout: .milliseconds(100)), Layout()))
    #expect(session.deadline == .milliseconds(400))
    _ = session.advance(to: .milliseconds(400))
    #expect(session.deadline == nil)
    _ = session.receive(all: [.appeared(a, heartbeat()), .caughtUp(a)], at: .seconds(1))
    #expect(session.deadline == nil)
  }

  @Test func `while its past comes, an app is waited for`() {
    var session = logs()
    _ = session.receive(all: [.appeared(a, heartbeat(newest: 9)), .record(a, log(9, "nine"))])
    for row in 1...4 as ClosedRange<SequenceNumber> {
      let now = Duration.seconds(4 * Int64(row.rawValue))
      let actions = session.advance(to: now) + session.receive(.record(a, log(row, "m")), at: now)
      #expect(actions == [])
    }
    // A live event does not mean that more of the past will arrive.
    _ = session.receive(.record(a, log(10, "ten")), at: .seconds(20))
    #expect(session.deadline == .seconds(21))
  }

  @Test func `what this end was too slow for is told`() {
    var session = logs()
    var actions = session.receive(.appeared(a, heartbeat()), at: .zero)
    actions += session.receive(dropped: 3, in: 2...4, of: a, at: .zero)
    actions += session.receive(all: [.record(a, log(1, "one")), .caughtUp(a)])
    actions += session.advance(to: .milliseconds(400))
    #expect(
      actions.text == [
        "00:00:00.000 info    one",
        "⋯ 3 records not shown, too fast for this output (rows 2–4)",
      ])
  }

  @Test(
    arguments: [
      ("logs", nil, LogOptions()), ("logs Todo", "Todo", LogOptions()),
      ("logs -i Todo", "Todo", LogOptions()),
    ] as [(String, String?, LogOptions)])
  func `the first word is the app`(line: String, name: String?, options: LogOptions) throws {
    let words = line.split(separator: " ").map(String.init)
    let invocation = try ArgumentParser.parse(words)
    #expect(invocation.command.equals(options) && invocation.common.instance == name)
  }

  @Test func `the options are understood`() throws {
    var options = LogOptions()
    options.filter.level = .warning
    options.filter.pattern = "a b"
    options.json = true
    options.follows = true
    for level in ["warning", "WARN"] {
      let words = ["logs", "--level", level, "--grep=a b", "--json", "-f"]
      #expect(try ArgumentParser.parse(words).command.equals(options))
    }
  }

  @Test(arguments: [
    (["--level", "loud"], "there is no level 'loud'"),
    (["--grep", ""], "'--grep' must be a text, not ''"),
    (["--level="], "'--level' must be a level, not ''"),
    (["Todo", "-i", "Todo"], "the instance is given twice"),
    (["Todo", "Clicker"], "'logs' takes no 'Clicker'"),
  ])
  func `misuse is told`(words: [String], what: String) {
    let failure = #expect(throws: Failure.self) { try ArgumentParser.parse(["logs"] + words) }
    #expect(failure?.what == what && failure?.exitCode == 64)
  }
}
