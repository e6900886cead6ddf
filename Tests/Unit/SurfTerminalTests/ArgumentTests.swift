import JSONTools
import SurfTerminal
import Testing

@Suite struct ArgumentTests {
  private func command(_ line: String) throws -> any Command {
    try ArgumentParser.parse(line.split(separator: " ").map(String.init)).command
  }

  private func command(of example: (line: String, means: String)) throws -> any Command {
    try command(String(example.line.prefix { $0 != "|" }))
  }

  private static let rows =
    """
    Rows are 1, 2, 3 …; app is where the app is, tip the newest, tip~1 the one before, 0 the \
    initial state.
    """
  private static let paths = "A path is as in `diff`: todos[3].title, [\"a b\"]."
  private static let path = JSONPath([.key("a"), .index(0), .key("b")])
  private static let actions = "Rows of actions are 1, 2, 3 …"
  private static let back = "Steps are 1 to 100000. `forward` goes the other way."
  private static let forward = "Steps are 1 to 100000. `back` goes the other way."

  private static var watch: WatchOptions {
    var watch = WatchOptions()
    watch.wish = .since(1)
    watch.json = true
    watch.duration = .milliseconds(2_500)
    watch.recordCount = 7
    return watch
  }

  @Test(arguments: [
    "list", "surf", "watch", "show", "diff", "save f.json", "doctor", "gateway",
  ])
  func `whoever only looks may observe`(line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let common = try ArgumentParser.parse(words + ["--observe"]).common
    let other = try ArgumentParser.parse(words).common
    #expect(common.observes && !common.browsesDNSSD)
    #expect(!other.observes && other.browsesDNSSD)
  }

  @Test(arguments: ["back", "jump 1", "reset", "load f.json", "skip 1", "dispatch 1", "lock"])
  func `whoever moves an app cannot observe`(line: String) {
    let words = line.split(separator: " ").map(String.init)
    #expect(throws: Failure.self) { try ArgumentParser.parse(words + ["--observe"]) }
  }

  @Test(
    arguments: [
      ("list", ListOptions(json: false, wait: .seconds(1))),
      ("list --wait=0.5 --json", ListOptions(json: true, wait: .milliseconds(500))),
      ("watch Todo --since 0 --json --for 2.5 --until-records 7", Self.watch),
      ("show tip", TargetTask.show(ShowOptions(.tip(before: 0)))),
      ("show ~2 --raw", TargetTask.show(ShowOptions(.tip(before: 2), form: .raw))),
      ("show tip~2", TargetTask.show(ShowOptions(.tip(before: 2)))),
      ("show TIP~", TargetTask.show(ShowOptions(.tip(before: 1)))),
      ("show tip~100000", TargetTask.show(ShowOptions(.tip(before: 100_000)))),
      ("show", TargetTask.show(ShowOptions(.app))),
      ("show app", TargetTask.show(ShowOptions(.app))),
      ("diff", DiffOptions()),
      ("diff 3", DiffOptions(.number(3), .tip(before: 0))),
      ("show 3 a[0].b", TargetTask.show(ShowOptions(.number(3), path: Self.path))),
      (
        "show a[0].b --json --payload",
        TargetTask.show(ShowOptions(.app, .payload, path: Self.path, form: .json))
      ),
      ("diff a[0].b", DiffOptions(path: Self.path)),
      ("diff 3 a[0].b", DiffOptions(.number(3), path: Self.path)),
      (
        "diff 3 4 a[0].b --json",
        DiffOptions(.number(3), .number(4), path: Self.path, form: .json)
      ),
      ("diff --patch", DiffOptions(form: .patch)),
      ("completions fish", Page(Shell.fish.completions, isForProgram: true)),
      ("diff --with B", DiffOptions(nil, .app, other: "B")),
      ("diff 3 4 --with B", DiffOptions(.number(3), .number(4), other: "B")),
      ("save f.json", TargetTask.save(.app, to: "f.json")),
      ("save -", TargetTask.save(.app, to: nil)),
      ("save ./12", TargetTask.save(.app, to: "./12")), ("jump app", TargetTask.jump(.app)),
      ("diff initial 12", DiffOptions(.number(0), .number(12))),
      ("back -i X", TargetTask.back(1)), ("-i X forward", TargetTask.forward(1)),
      ("back 3", TargetTask.back(3)),
      ("forward 100000", TargetTask.forward(100_000)), ("reset", TargetTask.reset),
      ("jump NEWEST", TargetTask.jump(.tip(before: 0))),
      ("dispatch \"increment\"", DispatchOptions(["\"increment\""])),
      ("dispatch add 5", DispatchOptions(["add", "5"])),
      ("dispatch -", DispatchOptions([])),
      ("dispatch -- -1", DispatchOptions(["-1"])),
      ("dispatch add -5 -3.2 -i X", DispatchOptions(["add", "-5", "-3.2"])),
      ("toggle tip~1 -i X", TargetTask.rewrite(.toggle(.tip(before: 1), skipped: nil))),
      ("skip 3", TargetTask.rewrite(.toggle(.number(3), skipped: true))),
      ("unskip tip", TargetTask.rewrite(.toggle(.tip(before: 0), skipped: false))),
      ("move 3", TargetTask.rewrite(.move(.number(3), before: nil))),
      ("move 3 1", TargetTask.rewrite(.move(.number(3), before: .number(1)))),
      ("sweep", FinalOptions(command: .sweep, isSure: false)),
      ("sweep --yes", FinalOptions(command: .sweep, isSure: true)),
      ("import f.json", FinalOptions(command: .import("f.json"), isSure: false)),
      ("import - --yes", FinalOptions(command: .import(nil), isSure: true)),
      ("commit", FinalOptions(command: .commit, isSure: false)),
      ("rollback --yes", FinalOptions(command: .rollback, isSure: true)),
      ("pause", TargetTask.rewrite(.pause(true))),
      ("resume", TargetTask.rewrite(.pause(false))), ("lock", TargetTask.rewrite(.lock(true))),
      ("unlock", TargetTask.rewrite(.lock(false))),
      ("save 3 -", TargetTask.save(.number(3), to: nil)),
      ("save 3 f.json", TargetTask.save(.number(3), to: "f.json")),
      ("load -", LoadOptions(path: nil)), ("load -- -odd", LoadOptions(path: "-odd")),
      ("doctor --json", DoctorOptions(json: true)),
    ] as [(String, any Command)])
  func understands(_ line: String, _ expected: any Command) throws {
    #expect(try command(line).equals(expected))
  }

  @Test func `the help of 'show' and 'save' names the state that they take without a row`() throws {
    for name in ["show", "save"] {
      let page = Help.page(try #require(Subcommand.named(name))).joined(separator: "\n")
      #expect(page.contains("the state that the app is in") && !page.contains("the newest"))
    }
  }

  @Test(arguments: [
    ("wacth", "there is no subcommand 'wacth'", "Did you mean 'watch'?"),
    ("list --jsno", "there is no option '--jsno'", "Did you mean '--json'?"),
    ("back --raw", "there is no option '--raw'", ""),
    ("jump", "'jump' needs a row", ""), ("reset 3", "'reset' takes no '3'", ""),
    (
      "show todos -1", "there is no option '-1'",
      "An index is a part of the path: todos[0]. From the end, `trace` and queries take todos[-1]."
    ),
    ("dispatch", "'dispatch' needs an action, or - to read it from standard input", ""),
    ("skip", "'skip' needs a row", ""),
    ("back 0", "'0' is not a number of steps", Self.back),
    ("forward 100001", "'100001' is not a number of steps", Self.forward),
    ("back -3", "'-3' is not a number of steps", Self.back),
    (
      "forward 99999999999999999999", "'99999999999999999999' is not a number of steps",
      Self.forward
    ),
    ("skip -1", "'-1' is not a row", Self.rows), ("unskip -1", "'-1' is not a row", Self.rows),
    ("toggle -1", "'-1' is not a row", Self.rows), ("move -1", "'-1' is not a row", Self.rows),
    ("move 3 -1", "'-1' is not a row", Self.rows), ("jump -1", "'-1' is not a row", Self.rows),
    ("show -1", "'-1' is not a row", Self.rows), ("diff -1", "'-1' is not a row", Self.rows),
    ("diff 1 -1", "'-1' is not a row", Self.rows), ("save -1", "'-1' is not a row", Self.rows),
    ("save -1 f", "'-1' is not a row", Self.rows),
    ("skip x", "'x' is not a row", Self.rows), ("skip x y", "'y' is not a row", Self.rows),
    ("commit x y", "'commit' takes no 'y'", ""),
    ("find x --for 3", "'--for' needs '--follow'", ""),
    ("find x --first --follow", "'--first' and '--follow' exclude each other", ""),
    ("dispatch add - 5", "'-' is standard input, and stands alone", ""),
    (
      "dispatch add 1 to=2", "some of the action's values have labels, and some have none",
      #"With labels they begin with {"to":2}, without them they are [1,"to=2"]."#
    ),
    ("help wacth", "there is no help on 'wacth'", "Did you mean 'watch'?"),
    ("toggle 18446744073709551615", "'18446744073709551615' is not a row", Self.rows),
    ("show 99999999999999999999", "'99999999999999999999' is not a row", Self.rows),
    ("list -1", "there is no option '-1'", ""), ("load -1", "there is no option '-1'", ""),
    ("dispatch add -x", "there is no option '-x'", ""),
    ("list -H", "there is no option '-H'", "Did you mean '-h'?"),
    ("list -json", "there is no option '-json'", "Did you mean '--json'?"),
    ("save", "'save' needs a file, or - for standard input or output", ""),
    ("diff 1 2 3", "'3' is not a path", Self.paths),
    ("diff 1 2 a b", "'diff' takes no 'b'", ""),
    ("show 1 a..b", "'a..b' is not a path", Self.paths),
    ("show x~ 1", "'x~' is not a row", Self.rows),
    ("show tip~x", "'tip~x' is not a row", Self.rows),
    ("show --raw --json", "'--raw' and '--json' exclude each other", ""),
    ("show 1 a --raw", "'--raw' is of all the bytes", "With a path, '--json' fits a script."),
    ("diff --patch --json", "'--patch' and '--json' exclude each other", ""),
    ("diff 1 a --patch", "'--patch' is of whole states, and takes no path", ""),
    ("save a.json 5", "'save' takes the row first, as in 'save 5 a.json'", ""),
    ("save 12", "'save' needs a file, and '12' is a row (a file is ./12)", ""),
    ("lock 3", "'lock' takes no '3'", ""), ("move 1 2 3", "'move' takes no '3'", ""),
    ("skip initial", "row 0 is the initial state, not an action", Self.actions),
    ("toggle 0", "row 0 is the initial state, not an action", Self.actions),
    ("move 2 0", "row 0 is the initial state, not an action", Self.actions),
    ("unskpi 3", "there is no subcommand 'unskpi'", "Did you mean 'unskip'?"),
    ("watch A -i B", "the instance is given twice", ""),
    ("watch --since 1 --last 2", "'--since' and '--last' exclude each other", ""),
    ("list --wait", "'--wait' needs a value: SECONDS", ""),
    ("list --wait 0", "'--wait' must be more than 0", "Apps take some 10 ms to answer."),
    ("doctor --wait=0.0", "'--wait' must be more than 0", "Apps take some 10 ms to answer."),
    ("list --wait 0x10", "'--wait' must be a number of seconds, not '0x10'", ""),
    ("list --wait 1e1", "'--wait' must be a number of seconds, not '1e1'", ""),
    ("list --wait inf", "'--wait' must be a number of seconds, not 'inf'", ""),
    ("list --wait soon", "'--wait' must be a number of seconds, not 'soon'", ""),
    ("list --port 65536", "'--port' must be a number from 1 to 65534, not '65536'", ""),
    ("list --port 65535", "'--port' must be a number from 1 to 65534, not '65535'", ""),
    (
      "list --group 10.0.0.1",
      "'--group' must be a multicast address such as 239.255.83.83, not '10.0.0.1'", ""
    ),
    ("jump tip~100001", "'tip~100001' is not a row", Self.rows),
    ("jump tip~-1", "'tip~-1' is not a row", Self.rows),
    ("list --json=1", "'--json' takes no value", ""),
    ("jump 3x", "'3x' is not a row", Self.rows),
  ])
  func refuses(_ line: String, _ what: String, _ meaning: String) throws {
    let failure = #expect(throws: Failure.self) { try command(line) }
    #expect(failure?.what == what)
    #expect(failure?.meaning == meaning)
    #expect(failure?.exitCode == 64)
  }

  @Test(
    arguments: [
      ("gateway", nil), ("gateway --inspector", "8080"), ("gateway --inspector --json", "8080"),
      ("gateway --inspector 9090 --json", "9090"), ("gateway --inspector=[::1]:0", "[::1]:0"),
    ] as [(String, String?)])
  func `RemoteInspector is served where the option says, and else at its own port`(
    line: String, place: String?
  ) throws {
    let options = try #require(try command(line) as? GatewayOptions)
    #expect(options.inspector == place)
    #expect(options.json == line.hasSuffix("--json"))
  }

  @Test func `a token from a file and none at all exclude each other`() throws {
    let plain = try #require(try command("gateway") as? GatewayOptions)
    let options = try #require(
      try command("gateway --token-file t --expose --relay-token r") as? GatewayOptions)
    let others = try #require(try command("gateway --no-token") as? GatewayOptions)
    let (path, other) = ("t", "r")
    #expect(options.relayToken == other && plain.relayToken == nil)
    #expect(options.tokenFile == path && options.isExposed && !options.needsNoToken)
    #expect(others.needsNoToken && others.tokenFile == nil && !others.isExposed)
    #expect(!plain.needsNoToken && plain.tokenFile == nil && !plain.isExposed)
    #expect(throws: Failure.self) { _ = try command("gateway --no-token --token-file t") }
  }

  @Test func `PORT in the environment is RemoteInspector's port, if the option has none`() throws {
    for (words, place) in [([], "7000"), (["9090"], "9090")] {
      let invocation = try ArgumentParser.parse(
        ["gateway", "--inspector"] + words, environment: ["PORT": "7000"])
      #expect((invocation.command as? GatewayOptions)?.inspector == place)
    }
    let invocation = try ArgumentParser.parse(["gateway"], environment: ["PORT": "7000"])
    #expect(invocation.command.equals(GatewayOptions()))
    #expect(invocation.common == Invocation.Common())
  }

  @Test func `the debugger has a command of its own`() throws {
    #expect(try command("surf") is DebuggerOptions)
    #expect(try command("surf Todo") is DebuggerOptions)
  }

  @Test func `no two subcommands do the same`() throws {
    let commands = try Subcommand.all.map { try command(of: $0.examples[0]) }
    for (index, command) in commands.enumerated() {
      for other in commands[(index + 1)...] { #expect(!command.equals(other), "\(command)") }
    }
  }

  /// Moving an app requires the consent of whoever holds the wheel. Looking must not move it.
  @Test func `what moves an app takes the wheel, and nothing else does`() throws {
    for subcommand in Subcommand.all {
      let examples = subcommand.examples.filter { $0.line.hasPrefix(subcommand.name) }
      for task in try examples.compactMap({ try command(of: $0) as? TargetTask }) {
        #expect(task.movesApp == subcommand.options.contains(.drive), "\(subcommand.name)")
      }
    }
  }

  @Test func everySubcommandHasAPageWithExamplesThatParse() throws {
    for subcommand in Subcommand.all {
      #expect((2...5).contains(subcommand.examples.count))
      #expect(try command("\(subcommand.name) --help").equals(Page(Help.page(subcommand))))
      #expect(Help.page(subcommand).contains("Examples:"))
      let isListed = Help.Topic.all.lines.contains { $0.hasPrefix("  \(subcommand.name) ") }
      #expect(isListed != ["toggle", "reset", "complete"].contains(subcommand.name))
      for example in subcommand.examples {
        #expect(throws: Never.self) { try command(of: example) }
      }
    }
  }

  @Test func `help shows what people use every day, and names the rest`() {
    let names = Help.overview.filter { $0.hasPrefix("  ") }.map { $0.split(separator: " ")[0] }
    #expect(names.count { Subcommand.named(String($0)) != nil } == 15)
    for topic in Help.Topic.allCases {
      #expect(Help.overview.contains { $0.hasPrefix("  help \(topic.rawValue) ") })
    }
  }

  @Test func `no line of help is longer than 80 columns`() throws {
    let pages =
      Subcommand.all.map(Help.page) + Help.Topic.allCases.map(\.lines) + [Help.overview]
    #expect(pages.count == Subcommand.all.count + 4)
    for line in pages.flatMap(\.self) {
      #expect(columns(line) <= 80 && line.last != " ", "\(line)")
    }
  }

  @Test func `the options of the network have a page of their own`() throws {
    let page = Help.Topic.network.lines.joined(separator: "\n")
    let find = Help.page(try #require(Subcommand.named("find"))).joined(separator: "\n")
    for option in ["--interface", "--group", "--port", "--realm", "--timeout", "--no-dnssd"] {
      #expect(page.contains("\(option) ") && !find.contains(option))
    }
  }

  @Test func anInterfaceThatIsNotThereIsASentence() {
    let some = Failure(.noSuchInterface("eth9", existing: ["lo", "eth0"]))
    #expect(some.meaning == "There are: lo, eth0.")
    let none = Failure(.noSuchInterface("lo", existing: []))
    #expect(
      none.meaning == "No interface of this machine has an IPv4 address; the loopback one is down.")
    #expect(none.advice == "ip link set lo up")
    let unaddressed = Failure(.noAddress("eth0", because: .noAddress))
    #expect(unaddressed.what == "interface 'eth0' has no IPv4 address")
    #expect(unaddressed.advice.hasSuffix("ip addr add 192.168.1.2/24 dev eth0"))
    let down = Failure(.noAddress("eth0", because: .down))
    #expect(down.meaning == "That is because it is switched off.")
    #expect(down.advice == "ip link set eth0 up")
  }

  @Test(arguments: [[], ["--help"], ["-h"], ["help"]])
  func nothingAndHelpShowTheOverview(_ arguments: [String]) throws {
    #expect(try ArgumentParser.parse(arguments).command.equals(Page(Help.overview)))
  }

  @Test(arguments: ["", "-1", "~-1", "~x", "1.5", "18446744073709551615", "²"])
  func isNoRow(_ text: String) { #expect(RowReference(text) == nil) }
}
