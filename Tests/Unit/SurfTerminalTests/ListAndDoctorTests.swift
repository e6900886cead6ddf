import SurfNetwork
import SurfObserver
import SurfTerminal
import SurfTimeline
import SurfViewer
import SurfWire
import Testing

@Suite struct ListTests {
  private let events: [ObserverEvent] = [
    .appeared(b, heartbeat("Todo", pid: 7, id: 0xBEEF, acceptsResets: false)),
    .appeared(
      a,
      heartbeat(newest: 12, at: .record(3), control: [.allCommands, .locked, .paused])
    ),
  ]

  @Test func isATableForPeople() {
    var session = Driven(ListSession(json: false, wait: .seconds(1), Invocation.Common()))
    _ = session.receive(all: events)
    let text = session.advance(to: .seconds(1)).text
    #expect(
      text == [
        "INSTANCE       ID        HOST  ROWS  AT",
        "PrimeTime#123  cafe0000  ada   12    row 3, locked, paused",
        "Todo#7         beef0000  ada   0     row 0 (initial), takes no resets",
      ])
  }

  @Test func `where there are several realms, it names them`() throws {
    let shared = heartbeat("Todo", pid: 7, id: 0xBEEF, realm: try Realm("atelier"))
    for (json, expected) in [
      (false, "PrimeTime#123  cafe0000  ada   –        0     row 0 (initial)"),
      (false, "Todo#7         beef0000  ada   atelier  0     row 0 (initial)"),
      (true, #""realm":"atelier""#),
    ] {
      var session = Driven(ListSession(json: json, wait: .seconds(1), Invocation.Common()))
      _ = session.receive(all: [.appeared(a, heartbeat()), .appeared(b, shared)])
      let text = session.advance(to: .seconds(1)).text
      #expect(text.count { $0.contains(expected) } == 1, "\(text)")
      #expect(text.count { $0.contains("realm") } <= 1)
    }
    var session = Driven(ListSession(json: false, wait: .seconds(1), Invocation.Common()))
    _ = session.receive(all: [.appeared(b, shared)])
    #expect(!session.advance(to: .seconds(1)).text.joined().contains("atelier"))
  }

  @Test func `where an app says its version, it has a column for it`() throws {
    var released = heartbeat("Todo", pid: 7, id: 0xBEEF)
    released.introduction = Introduction(
      version: "1.4\u{1B}.2", identifier: "com.example.todo", system: "Debian 12", machine: "x86",
      library: "0.9")
    for (json, expected) in [
      (false, "INSTANCE       VERSION      ID        HOST  ROWS  AT"),
      (false, "PrimeTime#123  –            cafe0000  ada   0     row 0 (initial)"),
      (false, "Todo#7         1.4\\u{1b}.2  beef0000  ada   0     row 0 (initial), "),
      (false, "row 0 (initial), StateSurf 0.9"),
      (true, #""library":"0.9""#), (true, #""machine":"x86""#),
      (true, #""identifier":"com.example.todo""#),
      (true, #""system":"Debian 12""#), (true, #""version":"1.4\u001b.2""#),
    ] {
      var session = Driven(ListSession(json: json, wait: .seconds(1), Invocation.Common()))
      _ = session.receive(all: [.appeared(a, heartbeat()), .appeared(b, released)])
      let text = session.advance(to: .seconds(1)).text
      #expect(text.count { $0.contains(expected) } == 1, "\(text)")
      #expect(text.count { $0.contains("system") } <= 1)
    }
  }

  @Test(arguments: [true, false])
  func `it tells once that there are apps of other realms`(isEmpty: Bool) {
    var counters = ViewerCounters()
    for (count, text) in [
      (1, "1 app of another realm is not shown; --realm '*' shows all"),
      (3, "3 apps of other realms are not shown; --realm '*' shows all"),
    ] {
      counters.network.otherRealmCount = count
      for json in [false, true] {
        var session = Driven(ListSession(json: json, wait: .zero, Invocation.Common()))
        if !isEmpty { _ = session.receive(all: events) }
        let actions = session.advance(to: .zero, counters: counters)
        // Of an empty one the runner tells it, as for every command that finds nobody.
        let isToldByRunner = isEmpty && !json
        #expect(actions.filter { $0 == .complain(text) }.count == (isToldByRunner ? 0 : 1))
        #expect((actions.failure != nil) == isToldByRunner)
      }
    }
  }

  @Test func isAnObjectALineForPrograms() throws {
    var session = Driven(ListSession(json: true, wait: .seconds(1), Invocation.Common()))
    _ = session.receive(all: events)
    let actions = session.advance(to: .seconds(1))
    let expected = #"""
      {"acceptsResets":true,"app":"PrimeTime","event":"instance","host":"ada",\#
      "instance":"cafe0000000000000000000000000001","leftOut":[],"live":true,"locked":true,\#
      "newestRow":12,"paused":true,"pid":123,"recordsGivenUp":0,"replays":true,"row":3,"statesGivenUp":0,\#
      "takesActions":true,"takesCommands":true}

      """#
    #expect(actions.text.first == expected)
    let todo = try #require(actions.text.dropFirst().first)
    for word in ["locked", "paused", "replays", "takesActions", "takesCommands"] {
      #expect(todo.contains("\"\(word)\":false"))
    }
  }

  /// A revision names the rows that are left out, wherever it is in the past.
  @Test(arguments: [false, true]) func whatIsLeftOutIsTold(isFarBack: Bool) throws {
    let hello = heartbeat(
      newest: 9, at: .record(9), control: [.allCommands, .leavesOut])
    let staged = "{\"row\":2},{\"row\":1,\"skipped\":true},{\"row\":4,\"skipped\":true}"
    let told = revision(
      6, "{\"command\":\"toggle\",\"viewer\":\"ada\",\"oldest\":0,\"staged\":[\(staged)]}")
    for json in [false, true] {
      var session = Driven(ListSession(json: json, wait: .seconds(1), Invocation.Common()))
      #expect(session.receive(all: [.appeared(a, hello)]) == [.follow(a, .last(256))])
      #expect(session.receive(.heartbeat(a, hello), at: .zero) == [])
      if isFarBack {
        let more = session.receive(all: [.record(a, action(9)), .caughtUp(a)])
        #expect(more == [.follow(a, .since(1))])
      }
      #expect(session.receive(all: [.record(a, told), .caughtUp(a)]) == [])
      let text = session.advance(to: .seconds(1)).text.joined()
      #expect(text.contains(json ? "\"leftOut\":[1,4]" : "row 9, left out: 1, 4"), "\(text)")
    }
  }

  @Test func thatSomethingIsLeftOutIsToldEvenIfNotWhat() {
    let hello = heartbeat(newest: 9, at: .record(9), control: [.takesCommands, .leavesOut])
    for json in [false, true] {
      var session = Driven(ListSession(json: json, wait: .zero, Invocation.Common()))
      _ = session.receive(.appeared(a, hello), at: .zero)
      let text = session.advance(to: .zero).text.joined()
      #expect(text.contains(json ? "\"leftOut\":null" : "row 9, some rows left out"), "\(text)")
    }
  }

  @Test func whoGaveUpSomethingIsMarked() {
    var session = Driven(ListSession(json: false, wait: .zero, Invocation.Common()))
    let givenUp = Heartbeat.GivenUp(states: 17, records: 1)
    _ = session.receive(.appeared(a, heartbeat(gaveUp: givenUp)), at: .zero)
    #expect(
      session.advance(to: .zero).text[1].hasSuffix("(initial), gave up 17 states and 1 record"))
  }

  @Test func anEmptyListIsNoErrorForPrograms() {
    var people = Driven(ListSession(json: false, wait: .zero, Invocation.Common()))
    var programs = Driven(ListSession(json: true, wait: .zero, Invocation.Common()))
    #expect(value(people.advance(to: .zero).failure?.exitCode) == 1)
    #expect(value(programs.advance(to: .zero)) == [.exit(0)])
  }
}

@Suite struct DoctorTests {
  private func report(_ events: [ObserverEvent], _ counters: NetworkCounters) -> [CommandAction] {
    var session = Driven(
      DoctorSession(checks: [DoctorCheck("loop-back", isFine: true, "fine")], json: false))
    _ = session.receive(all: events)
    var all = ViewerCounters()
    all.network = counters
    return session.advance(to: .seconds(2), counters: all)
  }

  @Test func `it tells that there are apps of other realms`() {
    var counters = NetworkCounters()
    counters.otherRealmCount = 2
    let actions = report([.appeared(a, heartbeat())], counters)
    let expected =
      "ok  other realms      2 apps of other realms are not shown; --realm '*' shows all"
    #expect(actions.text.contains(expected))
    #expect(actions.last == .exit(0))
  }

  @Test func aHealthyMachineIsAllOK() {
    let actions = report([.appeared(a, heartbeat())], NetworkCounters())
    #expect(actions.last == .exit(0))
    #expect(
      actions.text == [
        "ok  loop-back         fine",
        "ok  instances         1 live: PrimeTime#123",
        "ok  announced         0 by DNS-SD, all heard",
        "ok  names             no two share a name, process and host",
        "ok  protocol          only version 1 was heard",
        "ok  datagrams         0 received, dropped: none",
        "ok  repairs           arrive on request",
        "ok  given up          nothing, by any app",
        "ok  records           0 arrived, none lost",
        "ok  overflows         none",
      ])
  }

  @Test func `the doctor tells the bounds of the memory as they are in the code`() {
    let check = MemoryCheck.of([MemoryCheck.Bound("guests", 12_345_678)])
    #expect(
      check.line.text
        == "ok  memory            at most, over all apps: histories "
        + "\(byteText(Catalog.Bounds().byteCountMax)), newest states "
        + "\(byteText(Catalog.Bounds().headByteCountMax)), unfinished "
        + "\(byteText(Limits.unfinishedSizeMax)); in a gateway: guests 12.3 MB")
    var session = Driven(DoctorSession(checks: [check], json: true))
    let text = session.advance(to: .seconds(2)).text.joined()
    #expect(text.contains("\"guestsMax\":12345678"))
    #expect(text.contains("\"newestStatesMax\":\(Catalog.Bounds().headByteCountMax)"))
  }

  @Test func `an observing doctor says nothing of what it did not ask for`() {
    var common = Invocation.Common()
    common.observes = true
    var session = Driven(DoctorSession(checks: [], json: false, network: NetworkChecks(common)))
    _ = session.receive(.appeared(a, heartbeat()), at: .zero)
    let actions = session.advance(to: .seconds(2), counters: ViewerCounters())
    #expect(
      actions.text.map { $0.dropFirst(4).prefix { $0 != " " } }
        == ["instances", "names", "protocol", "datagrams", "given", "records", "overflows"])
  }

  @Test func everyFaultComesWithItsMend() {
    var counters = NetworkCounters()
    counters.foreignVersions = [2]
    counters.drops = ["foreign": 3, "truncated": 1]
    counters.socketOverflows = 5
    counters.recordsLost = 2
    let twins: [ObserverEvent] = [.appeared(a, heartbeat()), .appeared(b, heartbeat(id: 0xBEEF))]
    let actions = report(twins, counters)
    let faults = actions.text.filter { $0.hasPrefix("!!") }
    #expect(actions.last == .exit(1))
    #expect(faults.count == 4)
    #expect(faults.allSatisfy { $0.contains("  Try: ") })
    #expect(actions.text.contains { $0.contains("dropped: 3 foreign, 1 truncated") })
  }

  @Test func doctorListensToEveryStream() {
    var session = Driven(DoctorSession(checks: [], json: false))
    #expect(
      value(session.receive(.appeared(a, heartbeat()), at: .zero)) == [.follow(a, .newestState)])
    _ = session.receive(all: [.record(a, action(1)), .record(a, action(2))])
    #expect(
      session.advance(to: .seconds(2)).text.contains("ok  records           2 arrived, none lost"))
  }

  @Test func whatAnAppGaveUpLongAgoIsToldAndNoFault() {
    let givenUp = Heartbeat.GivenUp(states: 17)
    let events: [ObserverEvent] = [
      .appeared(a, heartbeat(gaveUp: givenUp)), .heartbeat(a, heartbeat(gaveUp: givenUp)),
      .appeared(b, heartbeat("Todo", id: 0xBEEF)),
    ]
    let actions = report(events, NetworkCounters())
    #expect(actions.last == .exit(0))
    let line =
      "ok  given up          17 states by PrimeTime#123: since it started, but nothing during this check"
    #expect(actions.text.filter { $0.contains("given up  ") } == [line])
  }

  @Test func whatAnAppIsGivingUpNowComesWithAMend() {
    let actions = report(
      [
        .appeared(a, heartbeat(gaveUp: Heartbeat.GivenUp(states: 17))),
        .heartbeat(a, heartbeat(gaveUp: Heartbeat.GivenUp(states: 18, records: 1))),
      ], NetworkCounters())
    #expect(actions.last == .exit(1))
    let line = actions.text.first { $0.contains("given up  ") } ?? ""
    #expect(
      line.hasPrefix("!!  given up          18 states and 1 record by PrimeTime#123: it records"))
    #expect(line.contains("  Try: record less often"))
  }

  @Test func programsGetTheFigures() {
    var session = Driven(DoctorSession(checks: [], json: true))
    let givenUp = Heartbeat.GivenUp(states: 17, records: 2)
    _ = session.receive(.appeared(a, heartbeat(gaveUp: givenUp)), at: .zero)
    var counters = ViewerCounters()
    counters.network.socketOverflows = 5
    counters.network.recordsLost = 3
    counters.overflows = 4
    let text = session.advance(to: .seconds(2), counters: counters).text.joined()
    let figures = [
      #""app":"PrimeTime","check":"given up""#, #""recordsGivenUp":2,"statesGivenUp":17}"#,
      #""recordsLost":3}"#, #""socketOverflows":5,"viewerOverflows":4}"#,
      "this viewer is too slow: 5 datagrams found the socket full, 4 records found no room here",
    ]
    for figure in figures { #expect(text.contains(figure), "\(figure)") }
  }

  /// One viewer's counts, in two commands.
  @Test func watchAndDoctorSayTheSame() throws {
    var counters = ViewerCounters()
    counters.network.drops = ["foreign": 3, "truncated": 1, "impostor": 0]
    counters.network.recordsLost = 5
    counters.network.socketOverflows = 6
    counters.overflows = 7
    var doctor = Driven(DoctorSession(checks: [], json: false))
    let report = doctor.advance(to: .seconds(2), counters: counters).text.joined(separator: "\n")
    var layout = Layout()
    layout.columns = 200
    var watch = Driven(
      WatchSession(
        name: nil, options: WatchOptions(), layout: layout, showsStatus: true))
    let status = watch.advance(to: .seconds(1), counters: counters)
    guard case .status(let line?)? = status.first else { throw CancellationError() }
    let said = "0 repairs · 5 lost · 4 drops (3 foreign, 1 truncated) · 13 overflows"
    #expect(line.text.hasSuffix(said))
    #expect(report.contains("dropped: 3 foreign, 1 truncated"))
    #expect(report.contains("5 lost"))
    #expect(report.contains("6 datagrams found the socket full, 7 records found no room"))
  }

  @Test(arguments: ["watch", "doctor"]) func theHelpSaysWhatIsCounted(_ word: String) throws {
    let page = Help.page(try #require(Subcommand.named(word)))
    let help = page.joined(separator: "\n")
    for count in ["records", "repairs", "lost", "drops", "overflows", "given up"] {
      #expect(help.contains("\n  \(count) "))
    }
    #expect(page.allSatisfy { $0.count <= 100 })
  }

  @Test func twoInstancesWithOneIDAreTold() {
    let twins: [ObserverEvent] = [.appeared(a, heartbeat()), .appeared(b, heartbeat(pid: 9))]
    #expect(report(twins, NetworkCounters()).text.contains { $0.contains("with id cafe0000") })
  }
}
