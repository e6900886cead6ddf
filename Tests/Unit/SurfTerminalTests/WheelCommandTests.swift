import SurfControl
import SurfObserver
import SurfTerminal
import SurfTimeline
import SurfWire
import Testing

/// `--drive`, and who drives as commands tell it.
@Suite struct WheelCommandTests {
  private static let control: Heartbeat.Control = [.allCommands, .hasWheel]
  private static let take = CommandAction.command(
    a, Array(#"{"command":"drive","on":true,"over":true}"#.utf8))
  private static let giveBack = CommandAction.command(
    a, Array(#"{"command":"drive","on":false}"#.utf8))

  private func meet(
    _ task: TargetTask, drives: Bool = true, _ control: Heartbeat.Control = control
  ) -> (session: Driven<TargetSession>, actions: [CommandAction]) {
    var session = Driven(
      TargetSession(task, Invocation.Common(drives: drives)))
    _ = session.receive(
      .appeared(a, heartbeat(newest: 4, at: .record(4), control: control)), at: .zero)
    let actions = session.advance(to: .milliseconds(400))
    return (session, actions)
  }

  @Test(arguments: [TargetTask.reset, .rewrite(.lock(true)), .rewrite(.dispatch("x"))])
  func `the wheel is taken before a move, and given back behind it`(_ task: TargetTask) {
    var (session, actions) = meet(task)
    #expect(actions == [Self.take])
    actions = session.receive(.answered(.applied, .record(4)), at: .seconds(1))
    let plain = meet(task, drives: false).actions
    #expect(actions == plain && plain.count == 1)
    // The move is done; the end comes behind the wheel.
    actions = session.receive(.answered(.applied, .record(5)), at: .seconds(1))
    #expect(actions == [Self.giveBack])
    actions = session.receive(.timedOut, at: .seconds(2))
    #expect(actions.text.first?.hasPrefix("PrimeTime#123 is at row 5") == true)
    #expect(actions.last == .exit(0))
  }

  @Test func `a move that fails gives the wheel back, too`() {
    var (session, _) = meet(.reset)
    _ = session.receive(.answered(.applied, .record(4)), at: .seconds(1))
    let actions = session.receive(
      .answered(.rejected(reason: "no"), .record(4)), at: .seconds(1))
    #expect(actions == [Self.giveBack])
    let end = session.receive(.answered(.applied, .record(4)), at: .seconds(1))
    #expect(end.failure?.what == "PrimeTime#123 refused the state: no")
  }

  @Test func `without the wheel nothing is moved`() {
    var (session, _) = meet(.reset)
    let actions = session.receive(.timedOut, at: .seconds(5))
    #expect(actions.failure?.exitCode == 2)
    var old = meet(.reset, .allCommands)
    #expect(old.actions.failure?.what == "PrimeTime#123 has no wheel to take")
    #expect(old.session.receive(.answered(.applied, .record(4)), at: .zero) == [])
  }

  @Test func `what is refused for a driver's sake says how to take over`() {
    var (session, _) = meet(.reset, drives: false, Self.control.union(.driven))
    let actions = session.receive(
      .answered(.rejected(reason: "bob@hut is driving"), .record(4)), at: .seconds(1))
    #expect(actions.failure?.what == "PrimeTime#123 refused the state: bob@hut is driving")
    #expect(actions.failure?.advice.hasPrefix("--drive") == true)
  }

  @Test func `the list tells who drives, what is open, and what is not proven to live`() {
    let driver = Revision(
      command: "drive", viewerName: "bob", replay: .exact, isLocked: false, isPaused: false,
      driver: .init(viewer: 9, name: "bob@hut"))
    for (standing, text, member) in [
      (Standing.plain, "row 2, bob@hut drives", #""driver":"bob@hut""#),
      (.open, "row 2, open, bob@hut drives", #""standing":"open""#),
      (.unproven, "row 2, liveness unproven, bob@hut drives", #""standing":"unproven""#),
      (.sealed, "row 2, bob@hut drives", #""standing":"sealed""#),
    ] {
      for json in [false, true] {
        var session = Driven(ListSession(json: json, wait: .seconds(1), Invocation.Common()))
        let heard = heartbeat(at: .record(1), control: Self.control.union(.driven))
        _ = session.receive(
          all: [
            .appeared(a, heard, standing), .record(a, revision(2, driver.json.text())),
            .heartbeat(a, heard),
          ])
        let line = session.advance(to: .seconds(1)).text.last ?? ""
        #expect(line.contains(json ? member : text), "\(line)")
      }
    }
  }

  @Test func `the list says that somebody drives where it is not known who`() {
    var session = Driven(ListSession(json: true, wait: .seconds(1), Invocation.Common()))
    _ = session.receive(
      .appeared(a, heartbeat(control: Self.control.union(.driven))), at: .zero)
    let line = session.advance(to: .seconds(1)).text.last ?? ""
    #expect(line.contains(#""driver":null"#) && !line.contains("standing"))
  }

  @Test func `watch says of an app that nobody asks that nothing proves it alive`() {
    for (json, text) in [
      (false, "on ada (cafe0000), liveness unproven"), (true, #""standing":"unproven""#),
    ] {
      var options = WatchOptions()
      options.json = json
      var session = Driven(
        WatchSession(name: nil, options: options, layout: Layout(), showsStatus: false))
      let shown = session.receive(.appeared(a, heartbeat(), .unproven), at: .zero).text
      #expect(shown.contains { $0.contains(text) }, "\(shown)")
    }
  }

  @Test(arguments: [
    ("back --drive", true, false), ("dispatch x --open", false, true),
    ("load f --open --drive", true, true), ("wait count is 1 --then back --drive", true, false),
    ("import f --drive", true, false), ("surf --open", false, true),
    ("gateway --open", false, true),
    ("lock", false, false),
  ])
  func `what moves an app takes both options`(_ line: String, _ drives: Bool, _ opens: Bool) throws
  {
    let common = try ArgumentParser.parse(line.split(separator: " ").map(String.init)).common
    #expect(common.drives == drives && common.movesOpenApps == opens)
  }

  @Test(arguments: [
    "list --open", "watch --drive", "surf --drive", "gateway --drive", "show --open",
  ])
  func `what moves none takes neither`(_ line: String) {
    #expect(throws: Failure.self) {
      try ArgumentParser.parse(line.split(separator: " ").map(String.init))
    }
  }
}
