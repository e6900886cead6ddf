import SurfObserver
import SurfTerminal
import SurfTimeline
import SurfWire
import Testing

/// The only live app is on another machine.
@Suite struct ForeignAppTests {
  private static let settled = Duration.milliseconds(400)
  private static let patience = Duration.seconds(5)

  /// What each command that takes one app answers, asked on the machine `desk`.
  private func answer<Session: CommandSession>(
    to session: Session, _ events: [ObserverEvent]
  ) -> [CommandAction] {
    var driven = Driven(session)
    let early = driven.receive(all: events)
    return early + driven.advance(to: Self.settled)
  }

  private func common(_ name: String? = nil) -> Invocation.Common {
    var common = Invocation.Common(name, timeout: Self.patience)
    (common.host, common.interface) = ("desk", "eth0")
    return common
  }

  private func target(_ task: TargetTask, _ name: String? = nil) -> TargetSession {
    TargetSession(task, common(name))
  }

  private func expectRefusal(
    _ actions: [CommandAction], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let expected = [
      "statesurf: the only live instance is on another machine, so nothing was sent",
      "  PrimeTime#123 on ada, id cafe0000", "  Try: -i PrimeTime@ada",
    ]
    #expect(actions.count == 1, sourceLocation: sourceLocation)
    #expect(actions.failure?.lines == expected, sourceLocation: sourceLocation)
    #expect(actions.failure?.exitCode == 1, sourceLocation: sourceLocation)
  }

  @Test(
    arguments: [
      .back(1), .forward(1), .jump(.number(1)), .reset, .rewrite(.lock(true)), .export(to: nil),
      .save(.tip(before: 0), to: nil), .show(ShowOptions(.tip(before: 0))),
    ] as [TargetTask])
  func `no command takes it that was not told to`(task: TargetTask) {
    let events = [ObserverEvent.appeared(a, heartbeat(newest: 3, at: .record(3)))]
    expectRefusal(answer(to: target(task), events))
  }

  @Test func `neither do those that ask its history`() throws {
    let events = [ObserverEvent.appeared(a, heartbeat(newest: 3, at: .record(3)))]
    let report = HistorySession(ReportOptions(json: false).task(Layout()), common())
    expectRefusal(answer(to: report, events))
    let command = try ArgumentParser.parse(["wait", "count", "over", "1"]).command
    let options = try #require(command as? WaitOptions)
    let wait = WaitSession(options, common(), Layout())
    expectRefusal(answer(to: wait, events))
  }

  @Test(arguments: ["PrimeTime@ada", "@ada", "primetime", "PrimeTime#123", "cafe"])
  func `whoever names it takes it`(name: String) {
    let events = [ObserverEvent.appeared(a, heartbeat(newest: 3, at: .record(3)))]
    let actions = answer(to: target(.back(1), name), events)
    #expect(actions == [.follow(a, .since(1))])
  }

  @Test(arguments: ["desk", "DESK"])
  func `one on this machine is taken, whatever the case of its name`(host: String) {
    let events = [ObserverEvent.appeared(a, heartbeat(newest: 3, at: .record(3), host: host))]
    #expect(answer(to: target(.back(1)), events) == [.follow(a, .since(1))])
  }

  @Test func `beside it, one of ours is still one of two`() {
    let events = [
      ObserverEvent.appeared(a, heartbeat(pid: 1)),
      .appeared(b, heartbeat(pid: 1, id: 0xBEEF, host: "desk")),
    ]
    let failure = answer(to: target(.back(1)), events).failure
    #expect(failure?.what == "there are 2 instances, so nothing was sent")
    #expect(failure?.advice == "-i 'PrimeTime#1@desk', or the first digits of its id")
  }

  @Test func `a name that one of ours has means that one`() {
    let ours = heartbeat(newest: 3, at: .record(3), host: "desk")
    let events = [
      ObserverEvent.appeared(a, heartbeat(pid: 1, id: 0xBEEF)), .appeared(b, ours),
    ]
    #expect(answer(to: target(.back(1), "PrimeTime"), events) == [.follow(b, .since(1))])
    let theirs = answer(to: target(.back(1), "PrimeTime@ada"), events)
    #expect(theirs.failure?.what == "PrimeTime#1 is at its initial state already")
  }

  /// Nothing is left to wait for: the system says how many apps there are here.
  @Test(
    arguments: [
      ("PrimeTime", 1, true), ("PrimeTime#123", 1, true), ("cafe", 1, true),
      ("PrimeTime", 2, false), ("PrimeTime", nil, false), ("PrimeTime", 0, false),
      (nil, 1, false), ("PrimeTime@ada", 1, false),
    ] as [(String?, Int?, Bool)])
  func `a name is not waited for once all apps of this machine were heard`(
    name: String?, listenerCount: Int?, isAtOnce: Bool
  ) {
    var common = common(name)
    common.listenerCount = listenerCount
    var session = Driven(TargetSession(.back(1), common))
    let away = heartbeat(pid: 1, id: 0xBEEF, newest: 3, at: .record(3))
    #expect(session.receive(.appeared(b, away), at: .zero) == [])
    let ours = heartbeat(newest: 3, at: .record(3), host: "desk")
    let actions = session.receive(.appeared(a, ours), at: .milliseconds(1))
    #expect(actions == (isAtOnce ? [.follow(a, .since(1))] : []))
  }

  @Test(arguments: [("lo", true), ("eth0", false)])
  func `without a name, all apps there are must be of this machine`(
    interface: String, isAtOnce: Bool
  ) {
    var common = common()
    (common.interface, common.listenerCount) = (interface, 1)
    if interface == "lo" { common.host = nil }
    var session = Driven(TargetSession(.back(1), common))
    let ours = heartbeat(newest: 3, at: .record(3), host: "desk")
    let actions = session.receive(.appeared(a, ours), at: .milliseconds(1))
    #expect(actions == (isAtOnce ? [.follow(a, .since(1))] : []))
  }
}
