import SurfNetwork
import SurfTerminal
import Testing

@Suite struct ArgumentTests {
  private func command(_ line: String) throws -> Command? {
    let invocation = try ArgumentParser.parse(line.split(separator: " ").map(String.init))
    if case .run(let command, _) = invocation { return command }
    return nil
  }

  private static var watch: WatchOptions {
    var watch = WatchOptions()
    watch.wish = .since(1)
    watch.json = true
    watch.duration = .milliseconds(2_500)
    watch.recordCount = 7
    return watch
  }

  @Test(
    arguments: [
      ("list", .list(json: false, wait: .seconds(1))),
      ("list --wait=0.5 --json", .list(json: true, wait: .milliseconds(500))),
      ("watch Todo --since 0 --json --for 2.5 --until-records 7", .watch(Self.watch)),
      ("show tip", .show(.tip(before: 0), raw: false, payload: false)),
      ("show ~2 --raw", .show(.tip(before: 2), raw: true, payload: false)),
      ("show", .show(.tip(before: 0), raw: false, payload: false)),
      ("diff", .diff(.tip(before: 1), .tip(before: 0))),
      ("diff 3", .diff(.number(3), .tip(before: 0))),
      ("save f.json", .save(.tip(before: 0), to: "f.json")),
      ("save -", .save(.tip(before: 0), to: nil)),
      ("save ./12", .save(.tip(before: 0), to: "./12")),
      ("diff initial 12", .diff(.number(0), .number(12))),
      ("back -i X", .back(1)), ("-i X forward", .forward(1)), ("back 3", .back(3)),
      ("forward 100000", .forward(100_000)), ("reset", .reset),
      ("jump NEWEST", .jump(.tip(before: 0))),
      ("dispatch \"increment\"", .dispatch("\"increment\"")), ("dispatch -", .dispatch(nil)),
      ("dispatch -- -1", .dispatch("-1")),
      ("toggle ~1 -i X", .rewrite(.toggle(.tip(before: 1), skipped: nil))),
      ("skip 3", .rewrite(.toggle(.number(3), skipped: true))),
      ("unskip tip", .rewrite(.toggle(.tip(before: 0), skipped: false))),
      ("move 3", .rewrite(.move(.number(3), before: nil))),
      ("move 3 1", .rewrite(.move(.number(3), before: .number(1)))),
      ("sweep", .rewrite(.sweep)), ("commit", .rewrite(.commit)),
      ("rollback", .rewrite(.rollback)), ("pause", .rewrite(.pause(true))),
      ("resume", .rewrite(.pause(false))), ("lock", .rewrite(.lock(true))),
      ("unlock", .rewrite(.lock(false))),
      ("save 3 -", .save(.number(3), to: nil)), ("save 3 f.json", .save(.number(3), to: "f.json")),
      ("load -", .load(from: nil)), ("load -- -odd", .load(from: "-odd")),
      ("doctor --json", .doctor(json: true)),
    ] as [(String, Command)])
  func understands(_ line: String, _ expected: Command) throws {
    #expect(try command(line) == expected)
  }

  @Test(arguments: [
    ("wacth", "there is no subcommand 'wacth'", "Did you mean 'watch'?"),
    ("list --jsno", "there is no option '--jsno'", "Did you mean '--json'?"),
    ("back --raw", "there is no option '--raw'", ""),
    ("jump", "'jump' needs a row", ""), ("reset 3", "'reset' takes no '3'", ""),
    ("dispatch", "'dispatch' needs a action|-", ""), ("skip", "'skip' needs a row", ""),
    ("back 0", "'0' is no number of steps", ""),
    ("forward 100001", "'100001' is no number of steps", ""),
    ("save", "'save' needs a file|-", ""), ("diff 1 2 3", "'diff' takes no '3'", ""),
    ("save 12", "'save' needs a file, and '12' is a row (a file is ./12)", ""),
    ("lock 3", "'lock' takes no '3'", ""), ("move 1 2 3", "'move' takes no '3'", ""),
    ("skip initial", "row 0 is the initial state, and no action", ""),
    ("move 2 0", "row 0 is the initial state, and no action", ""),
    ("unskpi 3", "there is no subcommand 'unskpi'", "Did you mean 'unskip'?"),
    ("watch A -i B", "the instance is given twice", ""),
    ("watch --since 1 --last 2", "'--since' and '--last' exclude each other", ""),
    ("list --wait", "'--wait' needs a value: SECONDS", ""),
    ("list --wait soon", "'--wait' is to be a number of seconds, not 'soon'", ""),
    ("list --port 65536", "'--port' is to be a number from 1 to 65535, not '65536'", ""),
    (
      "list --group 10.0.0.1",
      "'--group' is to be a multicast address such as 239.255.83.83, not '10.0.0.1'", ""
    ),
    ("list --json=1", "'--json' takes no value", ""),
    (
      "jump 3x", "'3x' is no row",
      "A row is a number, initial, tip, or ~1 for the one before the tip."
    ),
  ])
  func refuses(_ line: String, _ what: String, _ meaning: String) throws {
    let failure = #expect(throws: Failure.self) { try command(line) }
    #expect(failure?.what == what)
    #expect(failure?.meaning == meaning)
    #expect(failure?.exitCode == 64)
  }

  @Test func everySubcommandHasAPageWithExamplesThatParse() throws {
    for subcommand in Subcommand.allCases {
      #expect((2...3).contains(subcommand.spec.examples.count))
      #expect(try ArgumentParser.parse([subcommand.rawValue, "--help"]) == .help(subcommand))
      #expect(Help.page(subcommand).contains("Examples:"))
      #expect(Help.overview.contains { $0.hasPrefix("  \(subcommand.rawValue) ") })
      for example in subcommand.spec.examples {
        let words = example.line.prefix { $0 != "|" }.split(separator: " ").map(String.init)
        #expect(throws: Never.self) { try ArgumentParser.parse(words) }
      }
    }
  }

  @Test func anInterfaceThatIsNotThereIsASentence() {
    let some = Failure.noInterface("eth9", existing: ["lo", "eth0"])
    #expect(some.meaning == "There are: lo, eth0.")
    let none = Failure.noInterface("lo", existing: [])
    #expect(
      none.meaning == "No interface of this machine has an IPv4 address; the loopback one is down.")
    #expect(none.advice == "ip link set lo up")
  }

  @Test(arguments: [[], ["--help"], ["-h"], ["help"]])
  func nothingAndHelpShowTheOverview(_ arguments: [String]) throws {
    #expect(try ArgumentParser.parse(arguments) == .help(nil))
  }

  @Test(arguments: ["", "-1", "~-1", "~x", "1.5", "18446744073709551615", "²"])
  func isNoRow(_ text: String) { #expect(RowReference(text) == nil) }
}
