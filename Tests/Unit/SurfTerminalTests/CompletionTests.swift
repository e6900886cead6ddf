import SurfObserver
import SurfTerminal
import SurfTimeline
import SurfWire
import TestSupport
import Testing

@Suite struct CompletionTests {
  /// The completions that need no app.
  private func words(_ line: [String]) -> [String] {
    let completion = ShellCompletion(line)
    return completion.lines(completion.fixed).map { String($0.prefix { $0 != "\t" }) }
  }

  @Test(
    arguments: [
      (["sho"], ["show"]), (["s"], ["surf", "show", "skip", "sweep", "save", "settings"]),
      (["help", "que"], ["query"]), (["help", "tra"], ["trace"]), (["help", "show", ""], []),
      (["completions", ""], ["bash", "zsh", "fish"]), (["show", "--ra"], ["--raw"]),
      (["diff", "--p"], ["--patch", "--port"]), (["logs", "--level", "w"], ["warning"]),
      (["logs", "--level=w"], ["--level=warning"]), (["show", "--", "--ra"], []),
      (["show", "i"], ["initial"]), (["show", "Todo", "ti"], ["tip", "tip~1"]),
      (["jump", "3", ""], []), (["back", ""], []), (["find", "count", "ov"], ["over"]),
      (["toggl"], []), (["rese"], []), (["load", ""], [":files"]),
      (["load", "-i", "X", "f"], [":files"]), (["save", "3", "f"], [":files"]),
      (["gateway", "--token-file=x"], [":files"]), (["--ver"], ["--version"]),
      (["nonsense", "sho"], ["show"]),
    ] as [([String], [String])])
  func `a word is offered what may stand there`(line: [String], expected: [String]) {
    #expect(words(line) == expected)
  }

  @Test func `every subcommand, option and topic is offered, and no alias`() {
    for subcommand in Subcommand.listed {
      #expect(words([subcommand.name]).contains(subcommand.name))
      #expect(words(["help", subcommand.name]).contains(subcommand.name))
      let options = words([subcommand.name, "--"])
      #expect(options.contains("--help") && options.allSatisfy { $0.hasPrefix("--") })
    }
    for topic in Help.Topic.allCases { #expect(words(["help", ""]).contains(topic.rawValue)) }
    #expect(!words([""]).contains("complete") && !words([""]).contains("toggle"))
  }

  /// Two apps; the first one has three rows.
  private func live(_ line: [String], named name: String = "Todo") -> [String] {
    let completion = ShellCompletion(line)
    var session = Driven(
      CompletionSession(completion, completion.fixed, Invocation.Common()))
    let state = #"{"filter":"all","todos":[{"id":1,"title":"Milk"}],"a b":1,"$(x)":2}"#
    let hello = heartbeat(name, id: 7, newest: 3, at: .record(3))
    var actions = session.receive(
      all: [.appeared(a, hello), .appeared(b, heartbeat("Basket", pid: 9, id: 8))])
    while let deadline = session.deadline, deadline < .seconds(1) {
      actions += session.advance(to: deadline)
    }
    let offered = revision(
      2,
      #"{"command":"describe","viewer":"ada","creators":[{"name":"done","arguments":["id"]}]}"#)
    actions += session.receive(
      all: [
        .record(a, action(1, state, name: "add(\"Milk\")")), .record(a, offered),
        .record(a, action(3, state, name: "clear")), .caughtUp(a),
      ], at: .milliseconds(200))
    return actions.text.map { String($0.dropLast()) }
  }

  @Test func `live instances are offered, with what else may stand there`() {
    #expect(live(["show", "-i", "T"]) == ["Todo#123"])
    #expect(live(["watch", ""]).sorted() == ["Basket#9", "Todo#123"])
    #expect(live(["diff", "--with=B"]) == ["--with=Basket#9"])
    #expect(live(["jump", "tip~"]) == ["tip~1\tthe one before"])
    #expect(live(["jump", "T"]) == ["Todo#123"])
  }

  @Test func `the rows of an app are offered, the newest first, with their names`() {
    #expect(
      live(["jump", "-i", "Todo", ""]).dropFirst(4)
        == ["3\tclear", "2\tskip row 1 by ada@desk", "1\tadd(\"Milk\")"])
    #expect(live(["skip", "Todo", "3"]) == ["3\tclear"])
  }

  @Test func `the places of a state are offered, step by step`() {
    #expect(live(["trace", "Todo", "f"]) == ["filter\t\"all\""])
    let open = live(["trace", "-i", "Todo", "to"])
    #expect(open.count == 2 && open[0].hasPrefix("todos\t") && open[1] == ":more")
    #expect(live(["trace", "-i", "Todo", "todos"]).contains { $0.hasPrefix("todos[0]\t") })
    #expect(live(["trace", "-i", "Todo", "todos[0].t"]) == ["todos[0].title\t\"Milk\""])
    // A shell would read these differently.
    #expect(!live(["trace", "-i", "Todo", ""]).contains { $0.contains("a b") || $0.contains("(") })
  }

  @Test func `the actions of an app are offered, those it names and those that happened`() {
    #expect(live(["dispatch", "-i", "Todo", ""]) == ["clear", "done\tid", "add"])
    #expect(live(["dispatch", "-i", "Todo", "a"]) == ["add"])
  }

  @Test(arguments: ["$(touch evil)", "a b", "x;y", "`x`", "-x"])
  func `a name that a shell may run is not offered`(name: String) {
    #expect(live(["show", "-i", ""], named: name) == ["Basket#9"])
  }

  @Test func `any line of words is answered`() {
    var random = SeededGenerator(seed: 14)
    let words =
      ["", "-", "--", "--=", "--json=", "-i", "--level", "help", "=", "@", "a[", "tip~", "--no"]
      + Subcommand.all.map(\.name) + OptionName.allCases.map { "--\($0.word)" }
    for _ in 0..<2_000 {
      let line = (0..<Int.random(in: 0...5, using: &random)).map { _ in
        words.randomElement(using: &random) ?? ""
      }
      let completion = ShellCompletion(line)
      let last = line.last ?? ""
      for choice in completion.lines(completion.fixed) where !choice.hasPrefix(":") {
        #expect(choice.hasPrefix(last), "\(line): \(choice)")
      }
    }
  }

  @Test(arguments: Shell.allCases)
  func `a script asks the command, and knows no words of its own`(shell: Shell) {
    let script = shell.completions.joined(separator: "\n")
    #expect(script.contains(" complete -- ") && script.contains(":files"))
    #expect(!script.contains("watch"))
  }
}
